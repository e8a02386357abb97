//! The tables of comparisons and scores.

use estimate::ViewKind;
use judge::compare::{CommonRatio, Comparison, Row, VariantComparison, Verdict};
use judge::numbers::{dash, interval_width, share};
use judge::units::{in_unit, unit_in_words};
use record::ThreadSpec;
use stats::Interval;
use std::collections::BTreeMap;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// What the column of clocks is.
const CLOCK: &str = "clock: ratio of the clocks at which each row's work ran; ratio ÷ clock compares work per cycle.\n";

/// Two runs, row by row, then what all rows share.
pub fn compare_table(comparison: &Comparison) -> String {
    let has_clock = comparison.rows.iter().any(|row| row.clock_ratio.is_some());
    let mut heads = vec!["workload", ">threads", "unit", ">baseline", ">other", ">ratio", ">95 %"];
    heads.extend(has_clock.then_some(">clock"));
    heads.extend(["verdict", ">detectable", ">row effect", ">95 %", "note"]);
    let mut table = Table::new(&heads);
    for row in &comparison.rows {
        let ratio = row.ratio.as_ref();
        let of = |number: Option<f64>| number.map_or_else(dash, |n| format!("{n:.3}"));
        let mut cells = vec![
            row.workload.clone(),
            row.threads.to_string(),
            unit_in_words(&row.unit, comparison.view),
            row.baseline.map_or_else(dash, |view| in_unit(&row.unit, view.interval.centre)),
            other_figure(row, comparison.view),
            of(ratio.map(|ratio| ratio.interval.centre)),
            ratio.map_or_else(dash, |ratio| interval_width(&ratio.interval)),
        ];
        cells.extend(has_clock.then(|| clock_ratio(row.clock_ratio)));
        cells.extend([
            row.verdict.to_string(),
            ratio.map_or_else(dash, |ratio| share(ratio.detectable)),
            of(ratio.map(|ratio| ratio.row_effect.centre)),
            ratio.map_or_else(dash, |ratio| interval_width(&ratio.row_effect)),
            compare_note(row),
        ]);
        table.row(cells);
    }
    let mut text = table.to_string();
    for common in &comparison.common {
        let _ = writeln!(text, "\n{}; row effect: a row's ratio over it", common_line(common));
    }
    let _ = writeln!(
        text,
        "\nratio: {} over the baseline {}, {}. Verdicts at 5 % over all rows (Holm); detectable: what \
         differs so much is called, whatever the other rows show.",
        printable(&comparison.other),
        printable(&comparison.baseline),
        view_in_words(comparison.view)
    );
    text.push_str(if has_clock { CLOCK } else { "" });
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// How clocks stand to each other.
fn clock_ratio(of: Option<Interval>) -> String {
    of.map_or_else(dash, |ratio| format!("{:.3}", ratio.centre))
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
        for common in &comparison.common {
            let _ = writeln!(text, "{}: {}", printable(&comparison.other), common_line(common));
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

fn common_line(common: &CommonRatio) -> String {
    format!(
        "all rows on {}: {:.3} {} (geometric mean of {} rows)",
        common.threads.in_words(),
        common.ratio.centre,
        interval_width(&common.ratio),
        common.rows
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
        ">clock",
        "verdict",
        ">detectable",
        ">pairs",
        "of",
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
            clock_ratio(row.clock_ratio),
            row.verdict.to_string(),
            ratio.map_or_else(dash, |ratio| share(ratio.detectable)),
            row.pairs.to_string(),
            view_of_pairs(row.view).to_owned(),
            reason.chain(row.warnings.iter().cloned()).collect::<Vec<_>>().join("; "),
        ]);
    }
    let lacking = comparison.contention.as_ref().map_or_else(String::new, |contention| {
        let follows =
            "these are judged by pairs of delivered samples, which others took from alike";
        format!("{}\n\n", printable(&contention.sentence(follows)))
    });
    let mut text = format!(
        "{lacking}{table}\nratio: the variant over {}, pair by pair in {}. Verdicts at 5 % over all rows (Holm); seen \
         from: what differs so much is called, whatever the other rows show.\n{CLOCK}",
        printable(&comparison.baseline),
        printable(&comparison.label)
    );
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// What pairs are made of.
fn view_of_pairs(view: ViewKind) -> &'static str {
    if view == ViewKind::Delivered { "delivered" } else { "uncontended" }
}

/// What a view is, in a phrase.
pub(super) fn view_in_words(view: ViewKind) -> &'static str {
    match view {
        ViewKind::Uncontended => "uncontended",
        ViewKind::Delivered => "as delivered",
        ViewKind::PerGhz => "per GHz, uncontended",
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

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Unit;
    use judge::compare::{Figures, Group, compare};
    use record::{Run, fixture};

    #[test]
    fn clocks_stand_beside_ratios_where_they_were_measured() {
        let table = |run: &Run| {
            let figures = vec![Figures::of(run, ViewKind::Uncontended)];
            let group = Group::of("g".to_owned(), ViewKind::Uncontended, figures).unwrap();
            compare_table(&compare(&group, &group, &[]))
        };
        let measured = table(&fixture::run(&[("a/x", &[100; 20])]));
        let line = |number: usize| -> Vec<&str> {
            measured.lines().nth(number).unwrap().split_whitespace().collect()
        };
        let place = line(0).iter().position(|head| *head == "clock").unwrap();
        // The unit `95 %` is two words.
        assert_eq!(line(1)[place - 1], "1.000", "{measured}");
        assert!(measured.contains(CLOCK));
        let rows: &[_] = &[("a/x", ThreadSpec::Count(1), 1, &[100.0, 101.0][..])];
        let imported = table(&fixture::imported("m", &Unit::Ops, rows));
        assert!(!imported.contains("clock"), "{imported}");
    }
}
