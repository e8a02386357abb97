//! The table of implementations.

use super::comparisons::view_in_words;
use catalog::Unit;
use estimate::ViewKind;
use judge::compare::{ImplementationCell, ImplementationRow, Implementations, Operation, Slowdown};
use judge::numbers::{dash, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use stats::Interval;
use std::collections::BTreeSet;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// A row an implementation, in bundles of an operation, with three columns a machine; then what slowdowns.
pub fn implementations_table(implementations: &Implementations) -> String {
    let mut columns =
        vec!["operation".to_owned(), ">threads".to_owned(), "implementation".to_owned()];
    for machine in &implementations.machines {
        columns.extend([
            format!(">{}", printable(machine)),
            ">of fastest".to_owned(),
            ">95 %".to_owned(),
        ]);
    }
    let sizes_differ: Vec<bool> = implementations.operations.iter().map(sizes_differ).collect();
    let has_sizes = sizes_differ.contains(&true);
    if has_sizes {
        columns.push(">makes".to_owned());
    }
    columns.push("note".to_owned());
    let mut table = Table::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for (operation, sizes_differ) in implementations.operations.iter().zip(sizes_differ) {
        for (place, row) in operation.rows.iter().enumerate() {
            let (name, threads) = match place {
                0 => (operation.operation.clone(), operation.threads.to_string()),
                _ => (String::new(), String::new()),
            };
            let cells = row.cells.iter().flat_map(|of| cell(of, implementations.view));
            let line = [name, threads, row.implementation.clone()].into_iter().chain(cells);
            let size = has_sizes.then(|| if sizes_differ { size(row) } else { String::new() });
            table.row(line.chain(size).chain([note(implementations, &row.cells)]));
        }
    }
    let mut text = format!(
        "{table}\nThroughput: {}; of fastest: over the fastest implementation's on the same machine.\n",
        view_in_words(implementations.view)
    );
    if has_sizes {
        text.push_str("makes: bytes that an op makes, where implementations make different ones of the same input: \
                       the fastest may be the one that does least.\n");
    }
    if implementations.machines.len() > 1 {
        slowdowns(&mut text, implementations);
    }
    for note in &implementations.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

fn slowdowns(text: &mut String, implementations: &Implementations) {
    if implementations.lacks_error_bars() {
        text.push_str("Machine-specific slowdowns are unknown without error bars (1 sample).\n");
    }
    if implementations.slowdowns.is_empty() {
        if !implementations.lacks_error_bars() {
            text.push_str("No machine-specific slowdown detected.\n");
        }
        return;
    }
    text.push_str("Machine-specific slowdowns (5 % or more; significance level 5 %, Holm-corrected over all rows):\n");
    let mut table = Table::new(&[
        "operation",
        ">threads",
        "implementation",
        "slower on",
        ">at",
        ">95 %",
        "against",
    ]);
    for Slowdown { operation, threads, implementation, machine, other, than, ratio, .. } in
        &implementations.slowdowns
    {
        table.row([
            operation.clone(),
            threads.to_string(),
            implementation.clone(),
            machine.clone(),
            format!("{:.3}", ratio.centre),
            interval_width(ratio),
            format!("{than}, and {other}"),
        ]);
    }
    let _ = write!(text, "{table}");
}

/// Figure, share and its width.
fn cell(cell: &ImplementationCell, view: ViewKind) -> [String; 3] {
    let figure = cell.figure.map_or_else(dash, |of| {
        let per_s = of.interval.centre;
        match cell.unit.mib_per_s(per_s, cell.bytes_per_op) {
            Some(mib) => format!("{} {}", quantity(mib), unit_in_words(&Unit::Bytes, view)),
            None => format!("{} {}", in_unit(&cell.unit, per_s), unit_in_words(&cell.unit, view)),
        }
    });
    let share = |of: fn(&Interval) -> String| cell.of_fastest.as_ref().map_or_else(dash, of);
    let width = match &cell.of_fastest {
        Some(interval) if interval.low < interval.high => interval_width(interval),
        _ => String::new(),
    };
    [figure, share(|interval| format!("{:.3}", interval.centre)), width]
}

/// Whether implementations make outputs of different lengths.
fn sizes_differ(operation: &Operation) -> bool {
    let cells = operation.rows.iter().flat_map(|row| &row.cells);
    let sizes: BTreeSet<u64> = cells.filter_map(|cell| cell.output_bytes).collect();
    sizes.len() > 1
}

/// What an implementation makes, in bytes; several figures if machines differ in that.
fn size(row: &ImplementationRow) -> String {
    let sizes: BTreeSet<u64> = row.cells.iter().filter_map(|cell| cell.output_bytes).collect();
    if sizes.is_empty() {
        return dash();
    }
    sizes.iter().map(|bytes| quantity(*bytes as f64)).collect::<Vec<_>>().join(" / ")
}

/// What is missing or must be known, with whose it is if there are several machines.
fn note(implementations: &Implementations, cells: &[ImplementationCell]) -> String {
    let notes = implementations.machines.iter().zip(cells).flat_map(|(machine, cell)| {
        let notes = cell.reason.iter().chain(&cell.warnings);
        notes.map(move |note| match cells.len() {
            1 => note.clone(),
            _ => format!("{machine}: {note}"),
        })
    });
    notes.collect::<Vec<_>>().join("; ")
}
