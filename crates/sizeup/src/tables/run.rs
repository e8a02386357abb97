//! The table of a run.

use super::doctor::finding_line;
use super::imported::imported_table;
use super::row_words::{note, threads};
use super::service::service_table;
use super::together::together_table;
use super::{ShowRow, ShowView};
use estimate::{View, Warning};
use judge::numbers::{dash, ghz, interval_width, percent, quantity};
use measure::plan::format_ppm;
use record::Outcome;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// A run: a row a case, then how steady the machine was and how many rows converged.
pub fn show_table(view: &ShowView) -> String {
    if let Some(origin) = &view.origin {
        return imported_table(view, origin);
    }
    let mut table = Table::new(&[
        "workload",
        ">threads",
        ">ops/s",
        ">95 %",
        ">MiB/s",
        ">delivered",
        ">95 %",
        ">GHz",
        ">per GHz",
        ">samples",
        "note",
    ]);
    for row in &view.rows {
        let delivered = row.delivered();
        let uncontended = row.uncontended();
        let per_ghz = row.estimate.as_ref().and_then(|estimate| estimate.per_ghz);
        let mean = row.estimate.as_ref().and_then(|estimate| estimate.mean);
        table.row([
            row.workload.clone(),
            threads(row.thread_spec, row.threads),
            centre(uncontended),
            width(uncontended),
            row.bytes_per_op
                .map_or_else(String::new, |_| row.mib_per_s.map_or_else(dash, quantity)),
            mean.map_or_else(dash, quantity),
            width(delivered),
            row.clock_hz().map_or_else(dash, |clock_hz| ghz(&clock_hz)),
            centre(per_ghz),
            row.estimate.as_ref().map_or_else(dash, |estimate| estimate.samples.to_string()),
            note(row),
        ]);
    }
    let (service, together) = (service_table(view), together_table(view.together.as_ref()));
    let lacking = view.contention.as_ref().map_or_else(String::new, |contention| {
        let follows = "for these read `delivered`, less what others took";
        format!("{}\n\n", printable(&contention.sentence(follows)))
    });
    format!("{lacking}{table}\n{service}{together}{}{}", summary(view), controls(view))
}

/// What the machine was like meanwhile.
fn controls(view: &ShowView) -> String {
    if view.controls.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(&["control, once a minute", ">ops/s", ">95 %", ">MiB/s", ">samples", "note"]);
    for row in &view.controls {
        let estimate = row.estimate.as_ref();
        let mean = estimate.and_then(|e| e.mean);
        table.row([
            row.workload.clone(),
            mean.map_or_else(dash, quantity),
            width(row.delivered()),
            mean.and_then(|ops| row.unit.mib_per_s(ops, row.bytes_per_op))
                .map_or_else(String::new, quantity),
            estimate.map_or_else(dash, |e| e.samples.to_string()),
            control_note(row),
        ]);
    }
    format!("\n{table}")
}

/// What must be said of a control: few samples and wide intervals are in its nature.
fn control_note(row: &ShowRow) -> String {
    if let Some(outcome) = &row.outcome {
        return if outcome.is_left_out() { "left out".to_owned() } else { outcome.message.clone() };
    }
    let warnings = row.estimate.iter().flat_map(|estimate| &estimate.warnings);
    let beyond = warnings.filter(|warning| matches!(warning, Warning::OutOfBounds(_)));
    beyond.map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn summary(view: &ShowView) -> String {
    let mut text = String::new();
    let is_known =
        |row: &&ShowRow| row.uncontended().is_some_and(|of| of.interval.margin().is_finite());
    let with_interval = view.rows.iter().filter(is_known).count();
    let _ = writeln!(
        text,
        "{}: suite {} version {}, {with_interval} of {} rows with an interval, {} within ±{}{}",
        printable(&view.label),
        printable(&view.suite),
        view.suite_version,
        view.rows.len(),
        view.converged_rows,
        format_ppm((view.precision * 1e6).round() as u64),
        view.median_margin
            .map_or_else(String::new, |margin| format!(", median {}", percent(margin)))
    );
    text.push_str(&left_out(view));
    match &view.steadiness {
        Some(steadiness) => {
            let _ = writeln!(text, "The machine: {}.", steadiness.sentence());
        }
        None => text.push_str("Nothing was measured.\n"),
    }
    for finding in view.findings.iter().filter(|finding| finding.severity.is_bad()) {
        let _ = writeln!(text, "{}.", printable(&finding_line(finding)));
    }
    for power in &view.power {
        let _ = writeln!(text, "{}.", printable(&format!("Power: {power}")));
    }
    text.push_str(
        "ops/s: samples whose cores were the workload's own, at their clock; delivered: all samples; GHz: \
         the clock that the row's work had; per GHz: ops/s divided by it.\n",
    );
    text
}

/// How many rows were left out from the start, why, and what to do.
fn left_out(view: &ShowView) -> String {
    let outcomes = view.rows.iter().filter_map(|row| row.outcome.as_ref());
    let left_out: Vec<&Outcome> = outcomes.filter(|outcome| outcome.is_left_out()).collect();
    let Some(first) = left_out.first() else { return String::new() };
    let line = format!(
        "{} of {} rows {}; {}.",
        left_out.len(),
        view.rows.len(),
        first.message,
        first.hint
    );
    format!("{}\n", printable(&line))
}

fn centre(view: Option<View>) -> String {
    view.map_or_else(dash, |view| quantity(view.interval.centre))
}

fn width(view: Option<View>) -> String {
    view.map_or_else(dash, |view| interval_width(&view.interval))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture::run;

    #[test]
    fn the_clock_of_a_row_stands_beside_its_figure() {
        let lines = |samples: &[u64]| {
            let table = show_table(&ShowView::of(&run(&[("a/x", samples)])));
            // What rows lack stands above it.
            let lines = table.lines().skip_while(|line| !line.starts_with("workload")).take(2);
            lines
                .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()))
                .map(|cells| cells.map(str::to_owned).collect())
                .collect::<Vec<Vec<String>>>()
        };
        let table = lines(&[100; 20]);
        assert_eq!((&table[0][7], &table[1][7]), (&"GHz".to_owned(), &"3.00".to_owned()));
        assert_eq!(lines(&[100; 5])[1][7], "–");
    }

    #[test]
    fn mib_per_s_go_with_ops_per_s_and_are_missing_where_these_are() {
        let cells = |samples: &[u64]| {
            let table = show_table(&ShowView::of(&run(&[("a/x", samples)])));
            let row = table.lines().find(|line| line.starts_with("a/x")).unwrap();
            let cells = row.split("  ").map(str::trim);
            let cells: Vec<String> =
                cells.filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
            (cells[2].clone(), cells[4].clone())
        };
        // Ops of 10 bytes.
        assert_eq!(cells(&[100; 20]), ("1,000,000,000".to_owned(), "9,537".to_owned()));
        assert_eq!(cells(&[100; 5]), ("–".to_owned(), "–".to_owned()));
    }
}
