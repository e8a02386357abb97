//! The spec table of a machine.

use machine::Machine;
use table::Table;

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
