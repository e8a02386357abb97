//! The few rows that studies put at their start to say on what they measured.

use super::{SpecRow, rows};
use crate::Machine;

/// By group and label; no labels stand for all of a group.
const ROWS: [(&str, &[&str]); 7] = [
    ("CPU", &["model", "core", "architecture"]),
    ("Topology", &["sockets", "cores", "threads"]),
    ("Frequency", &["base", "highest", "turbo"]),
    ("Caches", &[]),
    ("Memory", &["total", "modules", "channels"]),
    ("Kernel", &["release"]),
    ("Platform", &["product", "hypervisor", "operating system", "C library"]),
];

/// These rows in their order, and how many NUMA nodes there are.
pub fn summary(machine: &Machine) -> Vec<SpecRow> {
    let all = rows(machine);
    let mut found: Vec<SpecRow> = Vec::new();
    for (group, labels) in ROWS {
        let of_group = all.iter().filter(|row| row.group == group);
        found.extend(
            of_group.filter(|row| labels.is_empty() || labels.contains(&&row.label[..])).cloned(),
        );
        if group == "Memory" {
            let nodes = machine.memory.nodes.map(|nodes| nodes.len());
            let label = "NUMA nodes".to_owned();
            found.push(SpecRow { group, label, value: nodes.to_string() });
        }
    }
    found
}
