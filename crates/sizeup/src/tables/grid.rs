//! The studies' shape: figures of runs side by side, a line a workload; of many machines a line a machine.

use super::ShowView;
use super::figures::{shown_threads, view_in_words};
use crate::briefing::{Briefing, Extent};
use estimate::{View, ViewKind, Warning};
use judge::compare::{MeasuredRows, RowResult, distinct, shown_view};
use judge::numbers::{counted, dash, ghz, plus_minus};
use judge::units::figure_of_op;
use record::ThreadSpec;
use std::collections::BTreeMap;
use terminal::table::{Heading, Table};

/// With more numbers of threads than this on a machine, they stand in rows.
const MOST_ACROSS: usize = 4;
/// With more machines than this, they stand in rows.
const MOST_MACHINES_ACROSS: usize = 4;
/// So many rows are named in a note.
const MOST_NAMED: usize = 3;

/// A machine, on a number of threads unless the lines have that.
struct GridColumn<'a> {
    label: &'a str,
    view: &'a ShowView,
    /// The view of its figures.
    kind: ViewKind,
    threads: Option<ThreadSpec>,
}

/// A workload, on a number of threads unless the columns have that.
struct GridLine<'a> {
    workload: &'a str,
    threads: Option<ThreadSpec>,
}

impl<'a> GridColumn<'a> {
    fn rows(&self) -> impl Iterator<Item = &'a RowResult> {
        let threads = self.threads;
        self.view.rows.iter().filter(move |row| threads.is_none_or(|spec| row.key.threads == spec))
    }

    fn row(&self, line: &GridLine) -> Option<&'a RowResult> {
        let is_it = |row: &&RowResult| {
            row.key.name == line.workload && line.threads.is_none_or(|spec| row.key.threads == spec)
        };
        self.rows().find(is_it)
    }

    fn name(&self) -> String {
        match self.threads {
            None => self.label.to_owned(),
            Some(ThreadSpec::All) => format!("{} all", self.label),
            Some(threads) => format!("{} {threads}", self.label),
        }
    }

    /// The figure of a row; none where its rate is fixed, for that is no result.
    fn figure(&self, row: &RowResult) -> Option<View> {
        row.view(self.kind).filter(|_| row.fixed_rate_per_s.is_none())
    }

    fn text(&self, row: &RowResult) -> String {
        let Some(view) = self.figure(row) else { return dash() };
        figure_of_op(&row.unit, row.bytes_per_op, view.interval.centre, self.kind)
    }
}

/// The rows of runs side by side, in the view that is requested, or uncontended ones unless too many rows lack these, but
/// imported ones as they are; then what must be known of them.
pub fn grid_briefing(views: &[ShowView], requested: Option<ViewKind>, extent: Extent) -> Briefing {
    let labels = distinct(views.iter().map(|view| view.label.as_str()));
    let measured: Vec<MeasuredRows> =
        views.iter().zip(&labels).map(|(view, label)| view.measured(label)).collect();
    let (chosen, contention) = shown_view(&measured, requested);
    let machines = views.iter().zip(&labels).map(|(view, label)| GridColumn {
        label,
        view,
        kind: view.in_view(chosen),
        threads: None,
    });
    let machines: Vec<GridColumn> = machines.collect();
    let is_sweep = views.iter().any(|view| thread_specs(view).len() > MOST_ACROSS);
    let all_specs = || views.iter().flat_map(|view| view.rows.iter().map(|row| row.key.threads));
    let shown = shown_threads(all_specs(), extent.all || !is_sweep);
    let are_many = views.len() > MOST_MACHINES_ACROSS && !extent.details;
    let (columns, lines) = match (are_many, is_sweep) {
        (true, false) => across(machines, &shown),
        (true, true) => across(machines, &shown[..1]),
        (false, true) => by_threads(machines, &shown),
        (false, false) => across(machines, &shown),
    };
    let mut answer = Briefing::default();
    let specs: Vec<String> = shown.iter().map(|spec| spec.to_string()).collect();
    answer.say(format!(
        "{} of {} on {} threads.",
        counted(workloads(&columns).len(), "workload"),
        counted(views.len(), "run"),
        if are_many && is_sweep { &specs[..1] } else { &specs[..] }.join(", ")
    ));
    if are_many {
        answer.table("", machines_down(&columns, &lines), "rows");
    } else {
        answer.table("", workloads_down(&columns, &lines, extent), "rows");
    }
    answer.contention(contention.as_ref());
    for column in &columns {
        caveats(&mut answer, column);
    }
    for (view, label) in views.iter().zip(&labels) {
        view.notes.iter().for_each(|note| answer.note_of(&[label], &format!("{label}: {note}")));
    }
    answer.note(what_it_shows(&columns));
    answer
}

/// A line a workload, a column for each machine and number of threads; details have margins and clocks.
fn workloads_down(columns: &[GridColumn], lines: &[GridLine], extent: Extent) -> Table {
    let has_threads = lines.iter().any(|line| line.threads.is_some());
    let mut heads = vec![Heading::left("workload").shrinks()];
    heads.extend(has_threads.then(|| Heading::right("threads")));
    for (place, column) in columns.iter().enumerate() {
        let rank = u8::try_from(place).unwrap_or(u8::MAX);
        heads.push(Heading::right(column.name()).shrinks().rank(rank));
        heads.extend(extent.details.then(|| Heading::right("±")));
        heads.extend(extent.details.then(|| Heading::right("GHz")));
    }
    let mut table = Table::new(heads);
    for line in lines {
        let mut cells = vec![line.workload.to_owned()];
        cells.extend(
            has_threads.then(|| line.threads.map_or_else(String::new, |spec| spec.to_string())),
        );
        for column in columns {
            let row = column.row(line);
            cells.push(row.map_or_else(String::new, |row| column.text(row)));
            if extent.details {
                let view = row.and_then(|row| column.figure(row));
                cells.push(view.map_or_else(String::new, |view| plus_minus(&view.interval)));
                let clock_hz = row.and_then(RowResult::clock_hz);
                cells.push(clock_hz.map_or_else(String::new, |clock_hz| ghz(&clock_hz)));
            }
        }
        table.row(cells);
    }
    table
}

/// A line for each machine and number of threads, a column a workload.
fn machines_down(columns: &[GridColumn], lines: &[GridLine]) -> Table {
    let mut heads = vec![Heading::left("machine").shrinks()];
    heads.extend(lines.iter().enumerate().map(|(place, line)| {
        let rank = u8::try_from(place).unwrap_or(u8::MAX);
        let on = line.threads.map_or_else(String::new, |spec| format!(" {spec}"));
        Heading::right(format!("{}{on}", line.workload)).shrinks().rank(rank)
    }));
    let mut table = Table::new(heads);
    for column in columns {
        let figures = lines
            .iter()
            .map(|line| column.row(line).map_or_else(String::new, |row| column.text(row)));
        table.row([column.name()].into_iter().chain(figures));
    }
    table
}

/// A column for each machine and number of threads, a line a workload.
fn across<'a>(
    machines: Vec<GridColumn<'a>>,
    shown: &[ThreadSpec],
) -> (Vec<GridColumn<'a>>, Vec<GridLine<'a>>) {
    let lines: Vec<GridLine> = workloads(&machines)
        .into_iter()
        .map(|workload| GridLine { workload, threads: None })
        .collect();
    let columns = machines.into_iter().flat_map(|machine| {
        let column = move |threads| GridColumn { threads: Some(threads), ..machine };
        let specs: Vec<ThreadSpec> = thread_specs(machine.view);
        let specs: Vec<ThreadSpec> =
            specs.into_iter().filter(|spec| shown.contains(spec)).collect();
        specs.into_iter().map(column)
    });
    (columns.collect(), lines)
}

/// A column a machine, a line for each workload and number of threads.
fn by_threads<'a>(
    machines: Vec<GridColumn<'a>>,
    shown: &[ThreadSpec],
) -> (Vec<GridColumn<'a>>, Vec<GridLine<'a>>) {
    let mut lines = Vec::new();
    for workload in workloads(&machines) {
        let rows = machines.iter().flat_map(|machine| &machine.view.rows);
        let mut specs: Vec<ThreadSpec> =
            rows.filter(|row| row.key.name == workload).map(|row| row.key.threads).collect();
        specs.sort_unstable();
        specs.dedup();
        specs.retain(|spec| shown.contains(spec));
        lines.extend(specs.into_iter().map(|spec| GridLine { workload, threads: Some(spec) }));
    }
    (machines, lines)
}

/// Names the views shown, and which figures have an interval.
fn what_it_shows(columns: &[GridColumn]) -> String {
    let mut kinds: Vec<ViewKind> = Vec::new();
    for column in columns {
        if !kinds.contains(&column.kind) {
            kinds.push(column.kind);
        }
    }
    let views: Vec<&str> = kinds.iter().map(|kind| view_in_words(*kind)).collect();
    let figures =
        columns.iter().flat_map(|column| column.rows().filter_map(|row| column.figure(row)));
    let known: Vec<bool> = figures.map(|figure| figure.interval.is_known()).collect();
    let intervals = match (known.contains(&true), known.contains(&false)) {
        (true, false) => "all with 95 % intervals (--details)",
        (true, true) => "with 95 % intervals where these are known (--details)",
        (false, _) => "without error bars",
    };
    format!("Figures are {}, {intervals}", views.join(" and "))
}

/// Why rows of a column have no figure, and what must be known of those that have: a note a reason.
fn caveats(answer: &mut Briefing, column: &GridColumn) {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in column.rows() {
        let name = match column.threads {
            Some(_) => row.key.name.clone(),
            None => format!("{} on {}", row.key.name, row.key.threads.in_words()),
        };
        let warnings = row.estimate.iter().flat_map(|estimate| &estimate.warnings);
        for reason in why_no_figure(column, row).into_iter().chain(warnings.filter_map(in_words)) {
            reasons.entry(reason).or_default().push(name.clone());
        }
    }
    for (reason, rows) in reasons {
        let is_all = rows.len() == column.rows().count();
        let shown = rows.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
        let which = match (is_all, rows.len() > MOST_NAMED) {
            (true, _) => "all rows".to_owned(),
            (false, true) => format!("{} ({shown}, …)", counted(rows.len(), "row")),
            (false, false) => shown,
        };
        answer.note_of(&[&column.name()], &format!("{}: {which}: {reason}", column.name()));
    }
}

/// One text per kind of problem, so that rows with the same problem share a note.
fn in_words(warning: &Warning) -> Option<String> {
    match warning {
        Warning::Disturbed { cause, .. } => Some(format!("most samples disturbed: {cause}")),
        Warning::FewLaunches { .. } => {
            Some("too few launches: excludes variation between processes".to_owned())
        }
        Warning::TooFewSamples { .. } => None, // their intervals are missing, and that is said
        warning => warning.is_about_figure().then(|| warning.to_string()),
    }
}

/// Numbers of threads, the least first.
fn thread_specs(view: &ShowView) -> Vec<ThreadSpec> {
    let mut specs: Vec<ThreadSpec> = view.rows.iter().map(|row| row.key.threads).collect();
    specs.sort_unstable();
    specs.dedup();
    specs
}

/// In the order in which they first come.
fn workloads<'a>(machines: &[GridColumn<'a>]) -> Vec<&'a str> {
    let mut workloads: Vec<&str> = Vec::new();
    for row in machines.iter().flat_map(|machine| &machine.view.rows) {
        if !workloads.contains(&row.key.name.as_str()) {
            workloads.push(&row.key.name);
        }
    }
    workloads
}

fn why_no_figure(column: &GridColumn, row: &RowResult) -> Option<String> {
    match (&row.outcome, row.view(column.kind)) {
        (Some(outcome), _) => Some(format!("{}: {}", outcome.outcome, outcome.message)),
        _ if row.fixed_rate_per_s.is_some() => {
            Some("its rate is fixed; `sizeup show` prints its latencies".to_owned())
        }
        (None, None) => {
            Some(format!("too few samples for an interval ({})", view_in_words(column.kind)))
        }
        (None, Some(_)) => None,
    }
}

#[cfg(test)]
mod tests;
