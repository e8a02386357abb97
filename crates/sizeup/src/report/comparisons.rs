//! The tables of comparisons and scores.

use super::numbers::{dash, interval_width, share};
use super::printable;
use super::table::Table;
use super::unit::{in_unit, unit_in_words};
use crate::compare::{Comparison, LevelRatio, Row, VariantComparison, Verdict};
use crate::estimate::ViewKind;
use crate::record::ThreadSpec;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Two runs, row by row, then what all rows share.
pub fn compare_table(comparison: &Comparison) -> String {
    let mut table = Table::new(&[
        "workload",
        ">threads",
        "unit",
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
            unit_in_words(&row.unit, comparison.view),
            row.baseline.map_or_else(dash, |view| in_unit(&row.unit, view.interval.centre)),
            other_figure(row, comparison.view),
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
        let _ = writeln!(text, "\n{}; profile: a row's ratio over it", level_line(level));
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

/// With its unit where that is not the baseline's.
fn other_figure(row: &Row, view: ViewKind) -> String {
    let Some(of) = row.other else { return dash() };
    let unit = row.other_unit.as_ref().unwrap_or(&row.unit);
    let figure = in_unit(unit, of.interval.centre);
    match row.other_unit {
        Some(_) => format!("{figure} {}", unit_in_words(unit, view)),
        None => figure,
    }
}

/// Several groups against one baseline: a row a workload, its ratio in each.
pub fn comparisons_table(comparisons: &[Comparison]) -> String {
    let heads = comparisons.iter().flat_map(|comparison| {
        [format!(">{}", printable(&comparison.other)), ">95 %".to_owned(), "verdict".to_owned()]
    });
    let heads: Vec<String> =
        ["workload".to_owned(), ">threads".to_owned()].into_iter().chain(heads).collect();
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    let mut keys: Vec<(&str, ThreadSpec)> = Vec::new();
    let rows: Vec<BTreeMap<(&str, ThreadSpec), &Row>> = comparisons
        .iter()
        .map(|comparison| {
            let keyed =
                comparison.rows.iter().map(|row| ((row.workload.as_str(), row.threads), row));
            keyed.collect()
        })
        .collect();
    for row in comparisons.iter().flat_map(|comparison| &comparison.rows) {
        let key = (row.workload.as_str(), row.threads);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let mut notes: Vec<String> = Vec::new();
    for key in keys {
        let mut cells = vec![key.0.to_owned(), key.1.to_string()];
        for (comparison, rows) in comparisons.iter().zip(&rows) {
            let row = rows.get(&key);
            let ratio = row.and_then(|row| row.ratio.as_ref());
            cells.push(ratio.map_or_else(dash, |ratio| format!("{:.3}", ratio.interval.centre)));
            cells.push(ratio.map_or_else(dash, |ratio| interval_width(&ratio.interval)));
            cells.push(row.map_or_else(dash, |row| row.verdict.to_string()));
            let note = row.map(|row| compare_note(row)).filter(|note| !note.is_empty());
            notes.extend(note.map(|note| {
                format!("{} on {}, {}: {note}", key.0, key.1.in_words(), comparison.other)
            }));
        }
        table.row(cells);
    }
    let mut text = table.to_string();
    let Some(first) = comparisons.first() else { return text };
    let _ = writeln!(
        text,
        "\nratios to {}, {}. Verdicts at 5 % over all rows of a column (Holm).",
        printable(&first.baseline),
        view_in_words(first.view)
    );
    for comparison in comparisons {
        for level in &comparison.levels {
            let _ = writeln!(text, "{}: {}", printable(&comparison.other), level_line(level));
        }
    }
    for note in comparisons.iter().flat_map(|comparison| &comparison.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    for note in &notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

fn level_line(level: &LevelRatio) -> String {
    format!(
        "level on {}: {:.3} {} (geometric mean of {} rows)",
        level.threads.in_words(),
        level.ratio.centre,
        interval_width(&level.ratio),
        level.rows
    )
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
        ViewKind::Imported => "as imported",
    }
}

/// Why a row has no ratio, or what must be said of it.
fn compare_note(row: &Row) -> String {
    let what = match row.verdict {
        Verdict::NotComparable => "not comparable: ",
        _ => "allowed: ",
    };
    let differences = row.differences.iter().map(|difference| format!("{what}{difference}"));
    let reason = row.reason.iter().map(|reason| match row.verdict {
        Verdict::Missing => format!("missing: {reason}"),
        _ => reason.clone(),
    });
    let warnings = row.warnings.iter().cloned();
    differences.chain(reason).chain(warnings).collect::<Vec<_>>().join("; ")
}
