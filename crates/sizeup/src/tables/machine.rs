//! What a machine is.

use crate::briefing::{Briefing, Extent};
use judge::numbers::counted;
use machine::Machine;
use table::{Heading, Table};

/// Rows that most readers never need.
const REST: [&str; 3] = ["features", "identity", "microcode"];

/// Its CPU and size, then the spec table; what workers were built with by `--all`.
pub fn machine_briefing(
    machine: &Machine,
    built_with: &[(String, String)],
    extent: Extent,
) -> Briefing {
    let mut answer = Briefing::default();
    let model = machine.cpu.model.known().map_or("unknown CPU", String::as_str);
    let topology = &machine.topology;
    let parts = [
        topology.threads.known().map(|count| counted(*count as usize, "CPU")),
        topology.cores.known().map(|count| counted(*count as usize, "core")),
        topology.sockets.known().map(|count| counted(*count as usize, "socket")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    answer.say(format!("{model}: {}.", parts.join(", ")));
    let value = Heading::left("");
    let value = if extent.all { value.wraps() } else { value.shrinks() };
    let mut table = Table::new([Heading::left(""), Heading::left(""), value]);
    let mut last = "";
    let is_shown = |label: &str| extent.all || !REST.contains(&label);
    for row in machine.rows().into_iter().filter(|row| is_shown(&row.label)) {
        let group = if row.group == last { "" } else { row.group };
        table.row([group, &row.label, &row.value]);
        last = row.group;
    }
    answer.table("", table, "rows");
    if extent.all {
        let mut table = Table::new([Heading::left(""), Heading::left("").wraps()]);
        for (label, value) in built_with {
            table.row([label, value].map(String::as_str));
        }
        answer.table("Built with", table, "rows");
    } else {
        answer.next("sizeup machine --all   # CPU features, compilers, library versions");
    }
    answer
}
