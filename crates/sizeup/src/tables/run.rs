//! One run: its figures, how good they are, and what must be known of them.

use super::ShowView;
use super::beside::beside_parts;
use super::details::{controls, details};
use super::figures::main_threads;
use super::rolling::rolling_part;
use super::sensors::{broken_meters, sensors};
use super::service::service_table;
use super::sustained::say_sustained;
use super::together::together_part;
use crate::briefing::{Briefing, Extent};
use doctor::RULES;
use estimate::ViewKind;
use judge::answer::times;
use judge::compare::{RowResult, measured_rows};
use judge::numbers::{counted, dash, percent};
use judge::units::figure_of_op;
use record::{Ended, Grade, Outcome, Reason, ThreadSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use terminal::table::{Heading, Table};

/// More numbers of threads than this are a sweep: `sizeup scaling` shows it.
const MOST_ACROSS: usize = 3;
/// Share of rows that the margin in the heading covers; rows with a wider one show it themselves.
const SHARE_OF_HEADING: f64 = 0.8;

/// A run as people read it; `file` is where it is.
pub fn run_briefing(view: &ShowView, file: &str, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    let kind = view.judged;
    let heading = heading_margin(view, kind);
    answer.say(head(view, heading));
    // Who had rows measured beside co-runners wants to know what they lose.
    beside_parts(&mut answer, &view.rows, extent);
    let has_co_runners = view.rows.iter().any(|row| !row.beside.is_empty());
    let title = if has_co_runners { "Alone" } else { "" };
    if extent.details {
        answer.table(title, details(view), "rows");
        answer.table("Control workloads, once a minute", controls(view), "rows");
        answer.table("Sensors", sensors(&view.sensors), "sensors");
    } else {
        answer.table(title, figures(view, kind, heading), "rows");
    }
    say_sustained(&mut answer, view);
    answer.table("Servers", service_table(view), "servers");
    answer.table("The machine itself", measured(view), "figures");
    answer.table("Said by the user", user_facts(view), "facts");
    together_part(&mut answer, view.together.as_ref());
    rolling_part(&mut answer, view.rolling.as_ref());
    notes(&mut answer, view, kind);
    if heading.is_some() && view.origin.is_none() {
        answer.note("± is of this run alone; compare and report add what runs differ by");
    }
    answer.next(format!("sizeup report {file}"));
    answer
}

/// `altra · 80 CPUs · suite quick · 3m: 40 rows, valid, ±1.2 %`; a label by default has the CPUs in it.
fn head(view: &ShowView, heading: Option<f64>) -> String {
    let mut parts = vec![view.label.clone()];
    let cpus = view.cpus.map(|cpus| counted(cpus as usize, "CPU"));
    parts.extend(cpus.filter(|cpus| !view.label.ends_with(cpus)));
    parts.push(match &view.origin {
        Some(origin) => format!("imported from {}", origin.tool),
        None => format!("suite {}", view.suite),
    });
    let seconds = view.spent_s.map(|s| Duration::from_secs(s.round().max(1.0) as u64));
    parts.extend(seconds.map(|time| humantime::format_duration(time).to_string()));
    let measured = view.rows.iter().filter(|row| row.estimate.is_some()).count();
    let with_figure = match measured == view.rows.len() {
        true => counted(measured, "row"),
        false => format!("{measured} of {}", counted(view.rows.len(), "row")),
    };
    let grade = view.validity.grade;
    let quality = match heading {
        None if view.origin.is_some() => "no error bars".to_owned(),
        None => format!("{grade}, no error bars"),
        Some(margin) => format!("{grade}, {}", percent(margin)),
    };
    let stopped = match view.ended {
        Some(Ended::Interrupted) => ", stopped early",
        None if view.origin.is_none() => ", not finished",
        _ => "",
    };
    format!("{}: {with_figure}, {quality}{stopped}", parts.join(" · "))
}

/// The margin that most rows reach; `None` where no row has one.
fn heading_margin(view: &ShowView, kind: ViewKind) -> Option<f64> {
    let margin = |row: &RowResult| Some(row.view(kind)?.interval.margin());
    let mut margins: Vec<f64> =
        view.rows.iter().filter_map(margin).filter(|margin| margin.is_finite()).collect();
    margins.sort_by(f64::total_cmp);
    let last = margins.len().checked_sub(1)?;
    Some(margins[(last as f64 * SHARE_OF_HEADING).ceil() as usize])
}

/// Latencies and clocks.
fn measured(view: &ShowView) -> Table {
    let mut table = Table::new([Heading::left(""), Heading::right("")]);
    for row in view.measured_machine.iter().flat_map(measured_rows) {
        table.row([row.label, row.value]);
    }
    table
}

fn user_facts(view: &ShowView) -> Table {
    let mut table = Table::new([Heading::left(""), Heading::left("").shrinks()]);
    for (key, value) in &view.facts {
        table.row([key, value].map(String::as_str));
    }
    table
}

/// A line a workload, a column for each number of threads.
fn figures(view: &ShowView, kind: ViewKind, heading: Option<f64>) -> Table {
    let specs = shown_specs(view);
    let mut columns =
        vec![Heading::left("operation").shrinks(), Heading::left("implementation").shrinks()];
    columns.extend(specs.iter().map(|spec| Heading::right(head_of_threads(view, *spec))));
    let has_scaling = specs.len() > 1 && specs.contains(&ThreadSpec::Count(1));
    columns.extend(has_scaling.then(|| Heading::right("scaling").rank(2)));
    columns.extend([Heading::right("±").rank(1), Heading::left("note").shrinks().rank(3)]);
    let mut table = Table::new(columns);
    let mut places: BTreeMap<(&str, ThreadSpec), &RowResult> = BTreeMap::new();
    for row in &view.rows {
        places.entry((&row.key.name, row.key.threads)).or_insert(row);
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for row in &view.rows {
        if !seen.insert(&row.key.name) {
            continue;
        }
        let row_on = |spec: &ThreadSpec| places.get(&(row.key.name.as_str(), *spec)).copied();
        let rows: Vec<Option<&RowResult>> = specs.iter().map(row_on).collect();
        let (operation, implementation) =
            row.key.name.split_once('/').unwrap_or((&row.key.name, ""));
        let mut cells = vec![operation.to_owned(), implementation.to_owned()];
        cells.extend(rows.iter().map(|row| row.map_or_else(String::new, |row| cell(row, kind))));
        cells.extend(has_scaling.then(|| scaling(&rows, kind)));
        cells.push(wider(&rows, kind, heading));
        let notes = rows.iter().flatten().map(|row| failure(row));
        cells.push(notes.flatten().next().unwrap_or_default());
        table.row(cells);
    }
    table
}

/// All numbers of threads, or of a sweep the first, the middle and the last.
fn shown_specs(view: &ShowView) -> Vec<ThreadSpec> {
    let mut specs: Vec<ThreadSpec> = view.rows.iter().map(|row| row.key.threads).collect();
    specs.sort_unstable();
    specs.dedup();
    match specs.len() {
        count if count > MOST_ACROSS => vec![specs[0], specs[count / 2], specs[count - 1]],
        _ => specs,
    }
}

fn head_of_threads(view: &ShowView, spec: ThreadSpec) -> String {
    let threads = view.rows.iter().find(|row| row.key.threads == spec).map(|row| row.threads);
    match (spec, threads) {
        (ThreadSpec::All, Some(threads)) => format!("all ({threads})"),
        _ => spec.in_words(),
    }
}

fn cell(row: &RowResult, kind: ViewKind) -> String {
    if row.fixed_rate_per_s.is_some() {
        return "fixed rate".to_owned();
    }
    let Some(view) = row.view(kind) else { return dash() };
    figure_of_op(&row.unit, row.bytes_per_op, view.interval.centre, kind)
}

/// The most threads over one; nothing of a row that was measured on one only.
fn scaling(rows: &[Option<&RowResult>], kind: ViewKind) -> String {
    let centre = |row: Option<&RowResult>| Some(row?.view(kind)?.interval.centre);
    let first = rows.iter().flatten().find(|row| row.key.threads == ThreadSpec::Count(1));
    let most = main_threads(rows.iter().flatten().map(|row| row.key.threads));
    let last = rows.iter().flatten().find(|row| row.key.threads == most && row.threads > 1);
    match (centre(first.copied()), centre(last.copied())) {
        (Some(first), Some(last)) => times(last / first),
        _ => String::new(),
    }
}

/// The widest margin of a line, where the heading's does not hold.
fn wider(rows: &[Option<&RowResult>], kind: ViewKind, heading: Option<f64>) -> String {
    let margins = rows.iter().flatten().filter_map(|row| Some(row.view(kind)?.interval.margin()));
    let widest = margins.fold(0.0, f64::max);
    match heading {
        Some(heading) if widest > heading * 1.000_001 => percent(widest),
        _ => String::new(),
    }
}

/// Why a row has no figure.
fn failure(row: &RowResult) -> Option<String> {
    let has_none = row.outcome.is_some() || row.estimate.is_none();
    has_none.then(|| row.note())
}

fn notes(answer: &mut Briefing, view: &ShowView, kind: ViewKind) {
    view.notes.iter().for_each(|note| answer.note(note.as_str()));
    for Reason { grade, seen, id } in &view.validity.reasons {
        // The file's notes say these themselves.
        if !["file", "not-finished"].contains(&id.as_str()) {
            let word = if *grade == Grade::Invalid { "Invalid" } else { "Suspect" };
            let is_rule = RULES.iter().any(|rule| rule.id == id);
            let remedy = if is_rule { ". `sizeup doctor` has remedies" } else { "" };
            answer.note(format!("{word}: {seen}{remedy}"));
        }
    }
    if let Some(contention) = &view.contention {
        match kind {
            ViewKind::Delivered => {
                answer.warn(contention.sentence("this table shows delivered throughput instead"));
            }
            _ => answer.note(contention.sentence("`--details` shows the delivered figures")),
        }
    }
    left_out(answer, view);
    failed(answer, view);
    let specs: BTreeSet<_> = view.rows.iter().map(|row| row.key.threads).collect();
    if specs.len() > MOST_ACROSS {
        answer.note(format!(
            "{} thread counts were measured; `sizeup scaling` shows them",
            specs.len()
        ));
    }
    if let Some(steadiness) = &view.steadiness {
        answer.note(format!("Machine: {}", steadiness.sentence()));
    }
    view.power.iter().for_each(|power| answer.note(format!("Power: {power}")));
    broken_meters(&view.sensors).for_each(|note| answer.note(note));
}

/// How many rows were left out from the start, why, and what to do.
fn left_out(answer: &mut Briefing, view: &ShowView) {
    let outcomes = view.rows.iter().filter_map(|row| row.outcome.as_ref());
    let left_out: Vec<&Outcome> = outcomes.filter(|outcome| outcome.is_left_out()).collect();
    let Some(first) = left_out.first() else { return };
    let (count, all) = (left_out.len(), view.rows.len());
    answer.note(format!("{count} of {all} rows {}; {}", first.message, first.hint));
}

/// Rows that failed, each with the reason.
fn failed(answer: &mut Briefing, view: &ShowView) {
    for row in view.rows.iter().chain(&view.co_runners) {
        let failure = row.outcome.as_ref().filter(|outcome| !outcome.is_left_out());
        if let Some(outcome) = failure {
            let on = row.key.threads.in_words();
            let Outcome { outcome, message, .. } = outcome;
            answer.note(format!("{} on {on}: {outcome}: {message}", row.key.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::briefing::Screen;
    use record::fixture::run;

    fn lines(samples: &[u64], extent: Extent) -> Vec<Vec<String>> {
        let screen = Screen::of_width(120);
        let text = run_briefing(&ShowView::of(&run(&[("a/x", samples)])), "f", extent)
            .text(&screen, extent);
        let cells = |line: &str| {
            let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
            cells.map(str::to_owned).collect()
        };
        // Warnings may precede the table.
        let is_head = |line: &&str| !line.starts_with("operation") && !line.starts_with("workload");
        text.lines().skip_while(is_head).take(2).map(cells).collect()
    }

    #[test]
    fn a_row_stands_in_bytes_where_its_op_has_an_input() {
        // Ops of 10 bytes.
        let [head, row] = &lines(&[100; 20], Extent::default())[..] else { panic!() };
        assert_eq!(head[..3], ["operation", "implementation", "1 thread"]);
        assert_eq!(row[..3], ["a", "x", "9.31 GiB/s"]);
        // Too few uncontended samples.
        assert_eq!(lines(&[100; 5], Extent::default())[1][2], "9.31 GiB/s");
    }

    #[test]
    fn details_have_the_clock_of_a_row_beside_its_figure() {
        let details = Extent { all: false, details: true };
        let [head, row] = &lines(&[100; 20], details)[..] else { panic!() };
        assert_eq!((&head[7], &row[7]), (&"GHz".to_owned(), &"3.00".to_owned()));
        assert_eq!((&row[2], &row[4]), (&"1,000,000,000".to_owned(), &"9,537".to_owned()));
    }
}
