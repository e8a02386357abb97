//! The tables of comparisons and scores.

use super::numbers::{dash, interval_width, quantity, share};
use super::printable;
use super::table::Table;
use crate::compare::{Comparison, Row, Score, VariantComparison, Verdict};
use crate::estimate::ViewKind;
use std::fmt::Write;

/// Two runs, row by row, then what all rows share.
pub fn compare_table(comparison: &Comparison) -> String {
    let mut table = Table::new(&[
        "workload",
        ">threads",
        ">baseline",
        ">other",
        ">ratio",
        ">95 %",
        "verdict",
        ">seen from",
        ">profile",
        ">95 %",
        "note",
    ]);
    for row in &comparison.rows {
        let ratio = row.ratio.as_ref();
        let of = |number: Option<f64>| number.map_or_else(dash, |n| format!("{n:.3}"));
        table.row([
            row.workload.clone(),
            row.threads.to_string(),
            row.baseline.map_or_else(dash, |view| quantity(view.interval.centre)),
            row.other.map_or_else(dash, |view| quantity(view.interval.centre)),
            of(ratio.map(|ratio| ratio.interval.centre)),
            ratio.map_or_else(dash, |ratio| interval_width(&ratio.interval)),
            row.verdict.to_string(),
            ratio.map_or_else(dash, |ratio| share(ratio.detectable)),
            of(ratio.map(|ratio| ratio.profile.centre)),
            ratio.map_or_else(dash, |ratio| interval_width(&ratio.profile)),
            compare_note(row),
        ]);
    }
    let mut text = table.to_string();
    for level in &comparison.levels {
        let _ = writeln!(
            text,
            "\nlevel on {}: {:.3} {} (geometric mean of {} rows); profile: a row's ratio over it",
            level.threads.in_words(),
            level.ratio.centre,
            interval_width(&level.ratio),
            level.rows
        );
    }
    let _ = writeln!(
        text,
        "\nratio: {} over the baseline {}, {}. Verdicts at 5 % over all rows (Holm); seen from: what \
         differs so much is called, whatever the other rows show.",
        printable(&comparison.other),
        printable(&comparison.baseline),
        view_in_words(comparison.view)
    );
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// The variants of a run, pair by pair.
pub fn variant_table(comparison: &VariantComparison) -> String {
    let mut table = Table::new(&[
        "workload",
        ">threads",
        "variant",
        ">ratio",
        ">95 %",
        "verdict",
        ">seen from",
        ">pairs",
        "note",
    ]);
    for row in &comparison.rows {
        let ratio = row.ratio.as_ref();
        let reason = row.reason.iter().map(|reason| format!("missing: {reason}"));
        table.row([
            row.workload.clone(),
            row.threads.to_string(),
            row.variant.clone(),
            ratio.map_or_else(dash, |ratio| format!("{:.3}", ratio.interval.centre)),
            ratio.map_or_else(dash, |ratio| interval_width(&ratio.interval)),
            row.verdict.to_string(),
            ratio.map_or_else(dash, |ratio| share(ratio.detectable)),
            row.pairs.to_string(),
            reason.chain(row.warnings.iter().cloned()).collect::<Vec<_>>().join("; "),
        ]);
    }
    let mut text = format!(
        "{table}\nratio: the variant over {}, pair by pair in {}. Verdicts at 5 % over all rows (Holm); seen \
         from: what differs so much is called, whatever the other rows show.\n",
        printable(&comparison.baseline),
        printable(&comparison.label)
    );
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// What a view is, in a phrase.
pub(super) fn view_in_words(view: ViewKind) -> &'static str {
    match view {
        ViewKind::OwnCore => "on own cores",
        ViewKind::Delivered => "as delivered",
        ViewKind::PerClock => "per GHz on own cores",
    }
}

/// Why a row has no ratio, or what must be said of it.
fn compare_note(row: &Row) -> String {
    let what = match row.verdict {
        Verdict::NotComparable => "not comparable: ",
        _ => "allowed: ",
    };
    let differences = row.differences.iter().map(|difference| format!("{what}{difference}"));
    let reason = row.reason.iter().map(|reason| format!("missing: {reason}"));
    let warnings = row.warnings.iter().cloned();
    differences.chain(reason).chain(warnings).collect::<Vec<_>>().join("; ")
}

/// Scores of one or more runs.
pub fn score_table(scores: &[Score]) -> String {
    let mut table = Table::new(&["run", "category", ">threads", ">rows", ">score", ">from", ">to"]);
    let mut notes = String::new();
    for score in scores {
        for line in &score.lines {
            let of = |number: fn(&crate::stats::Interval) -> f64| {
                line.score.as_ref().map_or_else(dash, |interval| quantity(number(interval)))
            };
            table.row([
                score.label.clone(),
                line.category.clone(),
                line.threads.to_string(),
                line.rows.to_string(),
                of(|interval| interval.centre),
                of(|interval| interval.low),
                of(|interval| interval.high),
            ]);
        }
        for missing in &score.missing {
            let _ = writeln!(
                notes,
                "not in {}'s score: {}",
                printable(&score.label),
                printable(missing)
            );
        }
    }
    let meaning = match scores.first().and_then(|score| score.baseline.as_ref()) {
        Some(baseline) => format!("geometric mean of the ratios to {}", printable(baseline)),
        None => "geometric mean of ops/s; it means something only beside another of the same rows"
            .to_owned(),
    };
    let view = scores.first().map_or("", |score| view_in_words(score.view));
    format!("{table}\nscore: {meaning}, {view}, with its 95 % interval.\n{notes}")
}
