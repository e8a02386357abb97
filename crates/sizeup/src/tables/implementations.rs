//! Implementations: a line an operation, the fastest first, with a bar for each.

use super::figures::{margin, view_in_words};
use crate::briefing::{Briefing, Extent};
use estimate::ViewKind;
use judge::answer::times;
use judge::compare::{ImplementationCell, Implementations, Operation, Slowdown};
use judge::numbers::{counted, dash, four_digits};
use judge::units::figure_of_op;
use std::collections::{BTreeMap, BTreeSet};
use terminal::table::{Entry, Heading, Table, Tone};

/// Heights of bars, by eighths.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// So many implementations are counted in the answer.
const MOST_NAMED: usize = 3;

/// How often which implementation is the fastest, then each operation.
pub fn implementations_briefing(found: &Implementations, extent: Extent) -> Briefing {
    let mut answer = Briefing::default();
    let machines: Vec<usize> = (0..found.machines.len()).collect();
    match machines.len() {
        0..=MOST_NAMED => {
            machines.iter().for_each(|machine| answer.say(sentence(found, &[*machine])))
        }
        _ => answer.say(sentence(found, &machines)),
    }
    if found.machines.len() > 1 {
        slowdowns(&mut answer, found);
    }
    match extent.details {
        true => answer.table("", details(found), "rows"),
        false => answer.table("", lines(found), "operations"),
    }
    answer.contention(found.contention.as_ref());
    found.notes.iter().for_each(|note| answer.note(note.as_str()));
    notes(&mut answer, found);
    if found.operations.iter().any(sizes_differ) {
        answer.note(
            "Some implementations produce smaller output than others (`--details`, column makes): the fastest may be \
             the one that does least.",
        );
    }
    if found.view != ViewKind::Uncontended {
        answer.note(format!("Figures are {}.", view_in_words(found.view)));
    }
    answer
}

/// `m: of 20 operations, fastest is openssl in 12, go in 5.`
fn sentence(found: &Implementations, machines: &[usize]) -> String {
    let mut wins: BTreeMap<&str, usize> = BTreeMap::new();
    let all = found
        .operations
        .iter()
        .flat_map(|operation| machines.iter().map(move |on| (operation, *on)));
    let first = |(operation, machine)| Some(ordered(operation, machine).first()?.0);
    all.filter_map(first).for_each(|name| *wins.entry(name).or_default() += 1);
    let mut wins: Vec<(&str, usize)> = wins.into_iter().collect();
    wins.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named: Vec<String> =
        wins.iter().take(MOST_NAMED).map(|(name, count)| format!("{name} in {count}")).collect();
    let on = match machines {
        [one] => found.machines[*one].clone(),
        _ => counted(machines.len(), "machine"),
    };
    let operations = counted(found.operations.len() * machines.len(), "operation");
    format!("{on}: of {operations}, fastest is {}.", named.join(", "))
}

/// The implementations of a machine with their shares of the fastest, the fastest first.
fn ordered(operation: &Operation, machine: usize) -> Vec<(&str, f64)> {
    let rows = operation.rows.iter().filter_map(|row| {
        let share = row.cells.get(machine)?.of_fastest.as_ref()?.centre;
        Some((row.implementation.as_str(), share))
    });
    let mut rows: Vec<(&str, f64)> = rows.collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    rows
}

fn lines(found: &Implementations) -> Table {
    let is_one = found.machines.len() == 1;
    let mut columns = vec![Heading::left("operation").shrinks(), Heading::right("threads")];
    columns.extend((!is_one).then(|| Heading::left("machine").shrinks()));
    columns.extend([
        Heading::right("fastest").rank(1),
        Heading::left(""),
        Heading::left("share of the fastest").shrinks(),
    ]);
    let mut table = Table::new(columns);
    for operation in &found.operations {
        for (machine, label) in found.machines.iter().enumerate() {
            let all = ordered(operation, machine);
            let bar = |share: f64| BARS[((share * 8.0).ceil() as usize).clamp(1, 8) - 1];
            let bars: String = all.iter().map(|(_, share)| bar(*share)).collect();
            let named = |(name, share): &(&str, f64)| format!("{name} {:.0} %", share * 100.0);
            let shares: Vec<String> = all.iter().map(named).collect();
            let name = if machine == 0 { operation.operation.as_str() } else { "" };
            let mut cells: Vec<Entry> = vec![name.into(), operation.threads.to_string().into()];
            cells.extend((!is_one).then(|| label.as_str().into()));
            cells.push(fastest(operation, machine, found.view).into());
            cells.push(Entry::of(bars, Tone::Good));
            cells.push(if shares.is_empty() { dash().into() } else { shares.join(" · ").into() });
            table.row(cells);
        }
    }
    table
}

/// The figure of the fastest.
fn fastest(operation: &Operation, machine: usize, view: ViewKind) -> String {
    let first = ordered(operation, machine).first().map(|(name, _)| (*name).to_owned());
    let row = operation.rows.iter().find(|row| Some(&row.implementation) == first.as_ref());
    let cell = row.and_then(|row| row.cells.get(machine));
    cell.map_or_else(dash, |cell| figure_of(cell, view))
}

fn figure_of(cell: &ImplementationCell, view: ViewKind) -> String {
    let Some(figure) = cell.figure else { return dash() };
    figure_of_op(&cell.unit, cell.bytes_per_op, figure.interval.centre, view)
}

/// A line an implementation, three columns a machine.
fn details(found: &Implementations) -> Table {
    let mut columns = vec![
        Heading::left("operation"),
        Heading::right("threads"),
        Heading::left("implementation"),
    ];
    for machine in &found.machines {
        columns.extend([machine, "of fastest", "±"].map(Heading::right));
    }
    columns.extend([Heading::right("makes"), Heading::left("note")]);
    let mut table = Table::new(columns);
    for operation in &found.operations {
        for row in &operation.rows {
            let mut cells = vec![
                operation.operation.clone(),
                operation.threads.to_string(),
                row.implementation.clone(),
            ];
            for cell in &row.cells {
                let share = cell.of_fastest.as_ref();
                cells.push(figure_of(cell, found.view));
                cells.push(share.map_or_else(dash, |share| times(share.centre)));
                cells.push(share.map_or_else(String::new, margin));
            }
            let sizes: BTreeSet<u64> =
                row.cells.iter().filter_map(|cell| cell.output_bytes).collect();
            let sizes: Vec<String> = sizes.iter().map(|bytes| four_digits(*bytes as f64)).collect();
            cells.push(if sizes.is_empty() { dash() } else { sizes.join(" / ") });
            cells.push(note(found, &row.cells));
            table.row(cells);
        }
    }
    table
}

/// Whether implementations make outputs of different lengths.
fn sizes_differ(operation: &Operation) -> bool {
    let cells = operation.rows.iter().flat_map(|row| &row.cells);
    let sizes: BTreeSet<u64> = cells.filter_map(|cell| cell.output_bytes).collect();
    sizes.len() > 1
}

/// Missing figures and warnings, each with its machine if there are several.
fn note(found: &Implementations, cells: &[ImplementationCell]) -> String {
    let notes = found.machines.iter().zip(cells).flat_map(|(machine, cell)| {
        let notes = cell.reason.iter().chain(&cell.warnings);
        notes.map(move |note| match cells.len() {
            1 => note.clone(),
            _ => format!("{machine}: {note}"),
        })
    });
    notes.collect::<Vec<_>>().join("; ")
}

/// Cells without a figure, by reason.
fn notes(answer: &mut Briefing, found: &Implementations) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let cells =
        found.operations.iter().flat_map(|operation| &operation.rows).flat_map(|row| &row.cells);
    for reason in cells.filter_map(|cell| cell.reason.clone()) {
        *reasons.entry(reason).or_default() += 1;
    }
    for (reason, count) in reasons {
        answer.note(format!("{} without a share: {reason}", counted(count, "figure")));
    }
}

fn slowdowns(answer: &mut Briefing, found: &Implementations) {
    if found.lacks_error_bars() {
        answer.say("Machine-specific slowdowns are unknown without error bars.");
        return;
    }
    if found.slowdowns.is_empty() {
        answer.say("No machine-specific slowdown detected.");
        return;
    }
    let count = counted(found.slowdowns.len(), "machine-specific slowdown");
    answer.say(format!("{count} of 5 % or more."));
    let mut table = Table::new([
        Heading::left("slower on").shrinks(),
        Heading::left("implementation"),
        Heading::left("operation").shrinks(),
        Heading::right("threads").rank(1),
        Heading::right("by"),
        Heading::right("±"),
        Heading::left("against").shrinks().rank(2),
    ]);
    for Slowdown { operation, threads, implementation, machine, other, than, ratio, .. } in
        &found.slowdowns
    {
        let cells: [Entry; 7] = [
            machine.as_str().into(),
            implementation.as_str().into(),
            operation.as_str().into(),
            threads.to_string().into(),
            Entry::of(times(ratio.centre), Tone::Bad),
            margin(ratio).into(),
            format!("{than}, and {other}").into(),
        ];
        table.row(cells);
    }
    answer.table("Machine-specific slowdowns", table, "slowdowns");
    answer.note("Slowdowns: significance level 5 %, Holm-corrected over all rows.");
}
