//! Assigns CPUs to the threads of a measurement.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::topology::Topology;

/// The order in which threads use the machine's CPUs.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// One thread per physical core first, over all sockets; the cores' second threads come after.
    Cores,
    /// All threads of a core before the next core.
    Threads,
    /// One socket first, its cores before their second threads; then the next socket.
    Socket,
}

impl Placement {
    /// In the order of help texts.
    pub const ALL: [Placement; 3] = [Placement::Cores, Placement::Threads, Placement::Socket];
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Assigns one of the allowed CPUs to each of `threads` threads.
///
/// Every allowed CPU is used once before any is used twice; with more threads than CPUs the order
/// starts over. An allowed CPU that the topology lacks counts as a core on a socket of its own,
/// last of all. Empty without any allowed CPU.
pub fn place(
    topology: &Topology,
    allowed: &[u32],
    placement: Placement,
    threads: usize,
) -> Vec<u32> {
    let sockets = allowed_cores(topology, allowed);
    let order: Vec<u32> = match placement {
        Placement::Cores => by_rank(sockets.iter().flatten()),
        Placement::Threads => sockets.iter().flatten().flatten().copied().collect(),
        Placement::Socket => sockets.iter().flat_map(by_rank).collect(),
    };
    order.iter().copied().cycle().take(threads).collect()
}

/// The CPUs of a core, in order.
type Core = Vec<u32>;

/// The allowed CPUs of each socket's cores: sockets by number, cores by their lowest CPU.
fn allowed_cores(topology: &Topology, allowed: &[u32]) -> Vec<Vec<Core>> {
    let cpus = topology.cpus.iter();
    let known: BTreeMap<u32, _> = cpus.map(|cpu| (cpu.cpu, cpu)).collect();
    let mut sockets: BTreeMap<Option<u32>, BTreeMap<u32, Core>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for cpu in allowed.iter().copied().collect::<BTreeSet<u32>>() {
        match known.get(&cpu) {
            Some(place) => {
                let socket = sockets.entry(Some(place.package)).or_default();
                socket.entry(place.core_key()).or_default().push(cpu);
            }
            None => unknown.push(vec![cpu]),
        }
    }
    let sockets = sockets.into_values().map(|c| c.into_values().collect());
    sockets.chain([unknown]).collect()
}

/// Every core's first thread, then every core's second, and so on.
fn by_rank<'a>(cores: impl IntoIterator<Item = &'a Core>) -> Vec<u32> {
    let cores: Vec<&Core> = cores.into_iter().collect();
    let most = cores.iter().map(|core| core.len()).max().unwrap_or(0);
    (0..most)
        .flat_map(|rank| cores.iter().filter_map(move |core| core.get(rank)))
        .copied()
        .collect()
}

#[cfg(test)]
mod tests;
