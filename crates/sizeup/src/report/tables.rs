//! The tables that commands print.

use super::doctor::finding_line;
use super::numbers::{interval_width, percent, quantity, share};
use super::table::Table;
use super::{ShowRow, ShowView, printable};
use crate::compare::{Comparison, Row, Score, VariantComparison, Verdict};
use crate::estimate::{View, ViewKind, Warning};
use crate::machine::Machine;
use crate::plan::format_ppm;
use crate::record::ThreadSpec;
use std::fmt::Write;

/// A run: a row a case, then how steady the machine was and how narrow the intervals are.
pub fn show_table(view: &ShowView) -> String {
    let mut table = Table::new(&[
        "workload",
        ">threads",
        ">ops/s",
        ">95 %",
        ">MiB/s",
        ">delivered",
        ">95 %",
        ">per GHz",
        ">windows",
        "note",
    ]);
    for row in &view.rows {
        let delivered = row.delivered();
        let own_core = row.own_core();
        let per_clock = row.estimate.as_ref().and_then(|estimate| estimate.per_clock);
        let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
        table.row([
            row.workload.clone(),
            threads(row.thread_spec, row.threads),
            centre(own_core),
            width(own_core),
            row.mib_per_s.map_or_else(String::new, quantity),
            mean.map_or_else(dash, quantity),
            width(delivered),
            centre(per_clock),
            row.estimate.as_ref().map_or_else(dash, |estimate| estimate.windows.to_string()),
            note(row),
        ]);
    }
    format!("{table}\n{}{}", summary(view), references(view))
}

/// What the machine was like meanwhile.
fn references(view: &ShowView) -> String {
    if view.references.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&["reference, once a minute", ">ops/s", ">95 %", ">MiB/s", ">windows", "note"]);
    for row in &view.references {
        let estimate = row.estimate.as_ref();
        table.row([
            row.workload.clone(),
            estimate.and_then(|e| e.mean).map_or_else(dash, quantity),
            width(row.delivered()),
            row.mib_per_s.map_or_else(String::new, quantity),
            estimate.map_or_else(dash, |e| e.windows.to_string()),
            reference_note(row),
        ]);
    }
    format!("\n{table}")
}

/// What must be said of a reference: few windows and wide intervals are in its nature.
fn reference_note(row: &ShowRow) -> String {
    if let Some(outcome) = &row.outcome {
        return outcome.message.clone();
    }
    let warnings = row.estimate.iter().flat_map(|estimate| &estimate.warnings);
    let beyond = warnings.filter(|warning| matches!(warning, Warning::OutOfBounds(_)));
    beyond.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn summary(view: &ShowView) -> String {
    let mut text = String::new();
    let with_interval = view.rows.iter().filter(|row| row.own_core().is_some()).count();
    let _ = writeln!(
        text,
        "{}: suite {} version {}, {with_interval} of {} rows with an interval, {} within ±{}{}",
        printable(&view.label),
        printable(&view.suite),
        view.suite_version,
        view.rows.len(),
        view.narrow_rows,
        format_ppm((view.precision * 1e6).round() as u64),
        view.median_half.map_or_else(String::new, |half| format!(", median {}", percent(half)))
    );
    match &view.steadiness {
        Some(steadiness) => {
            let _ = writeln!(text, "The machine: {}.", steadiness.sentence());
        }
        None => text.push_str("Nothing was measured.\n"),
    }
    for finding in view.findings.iter().filter(|finding| finding.severity.is_bad()) {
        let _ = writeln!(text, "{}.", printable(&finding_line(finding)));
    }
    text.push_str(
        "ops/s: windows whose cores were the workload's own, at their clock; delivered: all windows; per \
         GHz: ops/s divided by the clock.\n",
    );
    text
}

fn dash() -> String {
    "–".to_owned()
}

fn threads(spec: ThreadSpec, threads: usize) -> String {
    match spec {
        ThreadSpec::Count(_) => threads.to_string(),
        ThreadSpec::All => format!("all {threads}"),
    }
}

fn centre(view: Option<View>) -> String {
    view.map_or_else(dash, |view| quantity(view.interval.centre))
}

fn width(view: Option<View>) -> String {
    view.map_or_else(dash, |view| interval_width(&view.interval))
}

/// What must be said of a row; its width says itself whether it is wide.
fn note(row: &ShowRow) -> String {
    if let Some(outcome) = &row.outcome {
        return format!("{}: {}", outcome.outcome, outcome.message);
    }
    let Some(estimate) = &row.estimate else {
        return "not measured yet".to_owned();
    };
    let warnings = estimate.warnings.iter().filter(|w| !matches!(w, Warning::Wide { .. }));
    warnings.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

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
        "\nratio: {} over the baseline {}, {}. Verdicts at 5 % over all rows (Holm); seen from: the smallest \
         difference that would have been called.",
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
         from: the smallest difference that would have been called.\n",
        printable(&comparison.baseline),
        printable(&comparison.label)
    );
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// What a view is, in a phrase.
fn view_in_words(view: ViewKind) -> &'static str {
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

/// The spec table.
pub fn machine_table(machine: &Machine, more: &[(String, String)]) -> String {
    let mut table = Table::new(&["", "", ""]);
    let mut last = String::new();
    let rows = machine.rows().into_iter().map(|row| (row.group.to_owned(), row.label, row.value));
    let more =
        more.iter().map(|(label, value)| ("built with".to_owned(), label.clone(), value.clone()));
    for (group, label, value) in rows.chain(more) {
        let shown = if group == last { String::new() } else { group.clone() };
        table.row([shown, label, value]);
        last = group;
    }
    table.to_string().trim_start().to_owned()
}
