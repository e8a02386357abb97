//! Which kinds of work no row is of: an answer over all rows says nothing of these.

use super::group::Group;
use catalog::Family;
use std::collections::BTreeSet;

/// Families of work that servers do most, with their names. A score that lacks one must say so.
pub const EXPECTED_FAMILIES: [(Family, &str); 11] = [
    (Family::Http, "HTTP"),
    (Family::Database, "databases"),
    (Family::Tls, "TLS handshakes"),
    (Family::Kernel, "kernel"),
    (Family::Memory, "memory"),
    (Family::Data, "JSON and SQL"),
    (Family::Inference, "inference"),
    (Family::Agents, "builds and tools"),
    (Family::Compress, "compression"),
    (Family::Hash, "hash"),
    (Family::Aead, "AEAD"),
];

/// Those that no row of any group is of.
pub fn missing_families(groups: &[&Group]) -> Vec<&'static str> {
    let rows = groups.iter().flat_map(|group| &group.runs).flat_map(|run| &run.rows);
    let families: BTreeSet<Family> = rows.filter_map(|row| row.family.clone()).collect();
    let missing = EXPECTED_FAMILIES.iter().filter(|(family, _)| !families.contains(family));
    missing.map(|(_, name)| *name).collect()
}
