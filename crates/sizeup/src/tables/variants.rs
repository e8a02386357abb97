//! The variants of a run, judged pair by pair.

use super::figures::margin;
use super::pair::tone_of;
use crate::briefing::Briefing;
use estimate::ViewKind;
use judge::answer::{Order, Tally, how_much, range, times};
use judge::compare::{VariantComparison, VariantRow, Verdict};
use judge::numbers::{counted, dash, share};
use terminal::table::{Columns, Entry, Heading, Table};

/// So many rows are named in a sentence.
const MOST_NAMED: usize = 3;

/// Each variant's overall change, then the rows.
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
            "these are judged by pairs of delivered samples: other processes slowed both alike";
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
    let mut detected: Vec<&&VariantRow> = rows
        .iter()
        .filter(|row| matches!(row.verdict, Verdict::Faster | Verdict::Slower))
        .collect();
    let log =
        |row: &VariantRow| row.ratio.as_ref().map_or(0.0, |ratio| ratio.interval.centre.ln().abs());
    detected.sort_by(|a, b| log(b).total_cmp(&log(a)));
    let in_words = |row: &&&VariantRow| {
        let ratio = row.ratio.as_ref().map_or(1.0, |ratio| ratio.interval.centre);
        format!("{} on {}, {}", how_much(ratio), row.workload, row.threads.in_words())
    };
    let named: Vec<String> = detected.iter().take(MOST_NAMED).map(in_words).collect();
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
        (Verdict::NoDetectableDifference, _) | (_, Order::Same | Order::Undecided) => format!(
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
    Columns::<&VariantRow>::new()
        .with(Heading::left("workload").shrinks(), |row| row.workload.clone())
        .with(Heading::right("threads"), |row| row.threads.to_string())
        .with(Heading::left("variant").shrinks(), |row| row.variant.clone())
        .with(Heading::right(format!("of {}", comparison.baseline)), |row| match &row.ratio {
            Some(ratio) => Entry::of(times(ratio.interval.centre), tone_of(row.verdict)),
            None => dash().into(),
        })
        .with(Heading::right("±"), |row| {
            row.ratio.as_ref().map_or_else(dash, |ratio| margin(&ratio.interval))
        })
        .with(Heading::left("verdict"), |row| row.verdict.to_string())
        .with(Heading::right("clock").rank(2), |row| {
            row.clock_ratio.map_or_else(dash, |ratio| times(ratio.centre))
        })
        .with(Heading::right("detectable").rank(3), |row| {
            row.ratio.as_ref().map_or_else(dash, |ratio| share(ratio.detectable))
        })
        .with(Heading::right("pairs").rank(1), |row| row.pairs.to_string())
        .with(Heading::left("of").rank(4), |row| of_pairs(row.view))
        .with(Heading::left("note").shrinks().rank(5), |row| row.warnings.join("; "))
        .table(&comparison.rows)
}

/// Which samples form the pairs.
fn of_pairs(view: ViewKind) -> &'static str {
    if view == ViewKind::Delivered { "delivered" } else { "uncontended" }
}
