//! The variants of a run, judged pair by pair.

use super::figures::margin;
use super::pair::tone_of;
use crate::briefing::Briefing;
use estimate::ViewKind;
use judge::answer::{Order, Tally, how_much, range, times};
use judge::compare::{VariantComparison, VariantRow, Verdict};
use judge::numbers::{counted, dash, share};
use table::{Entry, Heading, Table};

/// So many rows are named in a sentence.
const MOST_NAMED: usize = 3;

/// What each variant changes, then the rows.
pub fn variant_briefing(comparison: &VariantComparison) -> Briefing {
    let mut answer = Briefing::default();
    let mut names: Vec<&str> = Vec::new();
    for row in &comparison.rows {
        if !names.contains(&row.variant.as_str()) {
            names.push(&row.variant);
        }
    }
    for name in &names {
        let rows: Vec<&VariantRow> =
            comparison.rows.iter().filter(|row| row.variant == *name).collect();
        answer.say(sentence(name, &comparison.baseline, &rows));
    }
    answer.table("", rows(comparison), "rows");
    if let Some(contention) = &comparison.contention {
        let follows =
            "these are judged by pairs of delivered samples, which other processes slowed alike";
        answer.note(contention.sentence(follows));
    }
    comparison.notes.iter().for_each(|note| answer.note(note.as_str()));
    for row in comparison.rows.iter().filter(|row| row.reason.is_some()) {
        let reason = row.reason.as_deref().unwrap_or_default();
        let on = row.threads.in_words();
        answer.note(format!("{} on {on}, {}: {reason}", row.workload, row.variant));
    }
    if comparison.rows.iter().any(|row| row.verdict.is_known()) {
        answer.note(
            "Ratios compare paired samples. Verdicts: significance level 5 %, Holm-corrected over all rows.",
        );
    }
    answer
}

/// `gc is faster than base in 3 of 4 rows: 12 % faster on regexp/go (1 thread), …`.
fn sentence(variant: &str, base: &str, rows: &[&VariantRow]) -> String {
    let tally = Tally::of(rows.iter().map(|row| row.verdict));
    if let [row] = rows {
        return of_one(variant, base, row);
    }
    let mut told: Vec<&&VariantRow> = rows
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Faster | Verdict::Slower))
        .collect();
    let log =
        |row: &VariantRow| row.ratio.as_ref().map_or(0.0, |ratio| ratio.interval.centre.ln().abs());
    told.sort_by(|a, b| log(b).total_cmp(&log(a)));
    let of = |row: &&&VariantRow| {
        let ratio = row.ratio.as_ref().map_or(1.0, |ratio| ratio.interval.centre);
        format!("{} on {}, {}", how_much(ratio), row.workload, row.threads.in_words())
    };
    let named: Vec<String> = told.iter().take(MOST_NAMED).map(of).collect();
    let count = counted(tally.rows, "row");
    match named[..] {
        [] if tally.alike == 0 => {
            format!(
                "Whether {variant} differs from {base} is unknown: no row of {count} has a verdict."
            )
        }
        [] => format!("No difference between {variant} and {base} is detectable in {count}."),
        _ => format!(
            "{variant} against {base} in {count}: {} faster, {} slower, {} without a detectable difference. Largest: {}.",
            tally.faster,
            tally.slower,
            tally.alike,
            named.join("; ")
        ),
    }
}

fn of_one(variant: &str, base: &str, row: &VariantRow) -> String {
    let on = format!("on {}, {}", row.workload, row.threads.in_words());
    let Some(ratio) = &row.ratio else {
        return format!("Whether {variant} differs from {base} {on} is unknown.");
    };
    let interval = &ratio.interval;
    match (row.verdict, Order::of(interval)) {
        (Verdict::NoDetectableDifference, _) | (_, Order::Tied) => format!(
            "No difference between {variant} and {base} is detectable {on} ({}, {}).",
            times(interval.centre),
            range(interval)
        ),
        _ => {
            let (how, range) = (how_much(interval.centre), range(interval));
            format!("{variant} is {how} than {base} {on} ({range}).")
        }
    }
}

fn rows(comparison: &VariantComparison) -> Table {
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::left("variant").shrinks(),
        Heading::right(format!("of {}", comparison.baseline)),
        Heading::right("±"),
        Heading::left("verdict"),
        Heading::right("clock").rank(2),
        Heading::right("detectable").rank(3),
        Heading::right("pairs").rank(1),
        Heading::left("of").rank(4),
        Heading::left("note").shrinks().rank(5),
    ]);
    for row in &comparison.rows {
        let ratio = row.ratio.as_ref();
        let centre = ratio.map_or_else(
            || dash().into(),
            |ratio| Entry::of(times(ratio.interval.centre), tone_of(row.verdict)),
        );
        table.row([
            row.workload.as_str().into(),
            row.threads.to_string().into(),
            row.variant.as_str().into(),
            centre,
            ratio.map_or_else(dash, |ratio| margin(&ratio.interval)).into(),
            row.verdict.to_string().into(),
            row.clock_ratio.map_or_else(dash, |ratio| times(ratio.centre)).into(),
            ratio.map_or_else(dash, |ratio| share(ratio.detectable)).into(),
            row.pairs.to_string().into(),
            of_pairs(row.view).into(),
            row.warnings.join("; ").into(),
        ]);
    }
    table
}

/// What pairs are made of.
fn of_pairs(view: ViewKind) -> &'static str {
    if view == ViewKind::Delivered { "delivered" } else { "uncontended" }
}
