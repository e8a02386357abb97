use super::*;
use crate::{Kernel, fixture};

/// The expected tables of the recorded machines.
const TABLES: &[(&str, &str)] = &[
    ("xeon-2s", include_str!("../../fixtures/xeon-2s.table")),
    ("graviton3", include_str!("../../fixtures/graviton3.table")),
    ("altra", include_str!("../../fixtures/altra.table")),
    ("ampereone", include_str!("../../fixtures/ampereone.table")),
    ("epyc-container", include_str!("../../fixtures/epyc-container.table")),
    ("cgroup-v1", include_str!("../../fixtures/cgroup-v1.table")),
    ("epyc-bare-metal", include_str!("../../fixtures/epyc-bare-metal.table")),
    ("zen5-vm", include_str!("../../fixtures/zen5-vm.table")),
    ("hybrid-laptop", include_str!("../../fixtures/hybrid-laptop.table")),
];

fn table(machine: &Machine) -> String {
    let rows = machine.rows().into_iter();
    rows.map(|row| format!("{} | {} | {}\n", row.group, row.label, row.value)).collect()
}

fn value(machine: &Machine, label: &str) -> String {
    let rows = machine.rows();
    let row = rows.iter().find(|row| row.label == label);
    row.unwrap_or_else(|| panic!("no row {label}")).value.clone()
}

#[test]
fn tables_of_the_recorded_machines_match() {
    for (name, expected) in TABLES {
        let actual = table(&fixture::machine(name));
        // The whole table is printed so that it can be put into the file after a look at it.
        assert!(actual == *expected, "{name}.table should be:\n{actual}");
    }
}

#[test]
fn rows_of_a_group_follow_each_other() {
    let rows = fixture::machine("epyc-container").rows();
    let mut groups: Vec<&str> = rows.iter().map(|row| row.group).collect();
    groups.dedup();
    let runs = groups.len();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), runs);
}

#[test]
fn a_cache_without_a_size_has_the_reason() {
    let mut machine = fixture::machine("graviton3");
    if let Fact::Known(caches) = &mut machine.caches {
        caches[3].size_bytes = Fact::not_available("firmware is silent");
    }
    let actual = value(&machine, "L3");
    assert_eq!(actual, "not available: firmware is silent (1 instance)");
}

#[test]
fn unlimited_is_a_word() {
    let mut machine = fixture::machine("epyc-container");
    machine.limits.memory_limit_bytes = Fact::Known(Cap::Unlimited);
    machine.limits.cpu_quota = Fact::Known(Cap::Unlimited);
    assert_eq!(value(&machine, "memory limit"), "unlimited");
    assert_eq!(value(&machine, "CPU quota"), "unlimited");
}

#[test]
fn a_machine_without_mitigations_has_one_row_with_the_reason() {
    let mut machine = fixture::machine("xeon-2s");
    machine.kernel = Kernel::default();
    assert_eq!(value(&machine, "mitigations"), "not available: not recorded");
}

#[test]
fn a_node_without_cpus_is_marked() {
    let mut machine = fixture::machine("xeon-2s");
    if let Fact::Known(nodes) = &mut machine.memory.nodes {
        nodes[1].cpus = Default::default();
    }
    assert_eq!(value(&machine, "NUMA node 1"), "125.98 GiB, no CPUs");
}
