//! Thread counts as users request them, and what they mean on a machine.

use machine::Topology;
use record::ThreadSpec;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// A sweep has every count up to here …
const EVERY_COUNT_TO: usize = 16;
/// … and above it this many per doubling: 2 apart up to 32, 4 apart up to 64.
const STEPS_A_DOUBLING: usize = 8;
/// Most threads of a case.
const MOST_THREADS: usize = 2048;

/// An item of `--threads`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadsAsked {
    /// A count, or all.
    One(ThreadSpec),
    /// Every count from the first to the last.
    Range(usize, usize),
    /// From 1 to as many as can run at once, for scaling curves.
    Sweep,
}

impl FromStr for ThreadsAsked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error = || {
            format!(
                "{text:?} is not a thread count: 1 … {MOST_THREADS}, a range like 1-8, all, or sweep"
            )
        };
        if text == "sweep" {
            return Ok(Self::Sweep);
        }
        let Some((first, last)) = text.split_once('-') else {
            return text.parse().map(Self::One).map_err(|_| error());
        };
        match (first.parse(), last.parse()) {
            (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= MOST_THREADS => {
                Ok(Self::Range(first, last))
            }
            _ => Err(error()),
        }
    }
}

/// The distinct thread counts of the items, in order, if `all` threads can run at once on these CPUs.
pub(super) fn expand(
    requested: &[ThreadsAsked],
    all: usize,
    topology: &Topology,
    cpus: &[u32],
) -> Vec<ThreadSpec> {
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for item in requested {
        let of_item: Vec<ThreadSpec> = match *item {
            ThreadsAsked::One(spec) => vec![spec],
            ThreadsAsked::Range(first, last) => (first..=last).map(ThreadSpec::Count).collect(),
            ThreadsAsked::Sweep => {
                sweep(all, &edges(topology, cpus)).into_iter().map(ThreadSpec::Count).collect()
            }
        };
        for spec in of_item {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
    }
    specs
}

/// The counts of a sweep: densest at small counts, plus the machine's edges.
fn sweep(all: usize, edges: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut counts: BTreeSet<usize> =
        edges.iter().copied().filter(|n| (1..=all).contains(n)).collect();
    let mut n = 1;
    while n < all {
        counts.insert(n);
        n += step(n);
    }
    counts.insert(all);
    counts
}

/// The distance to the next count.
fn step(n: usize) -> usize {
    if n < EVERY_COUNT_TO { 1 } else { (1 << n.ilog2()) / STEPS_A_DOUBLING }
}

/// Counts that fill a socket's cores or all cores.
fn edges(topology: &Topology, cpus: &[u32]) -> BTreeSet<usize> {
    let used = || topology.cpus.iter().filter(|cpu| cpus.contains(&cpu.cpu));
    let mut cores_of: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for cpu in used() {
        cores_of.entry(cpu.package).or_default().insert(cpu.core_key());
    }
    let of_sockets = cores_of.values().map(BTreeSet::len);
    of_sockets.chain([cores_of.values().map(BTreeSet::len).sum()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requested(text: &str) -> Vec<ThreadsAsked> {
        text.split(',').map(|item| item.parse().unwrap()).collect()
    }

    fn counts(text: &str, all: usize, topology: &Topology) -> String {
        let cpus: Vec<u32> = topology.cpus.iter().map(|cpu| cpu.cpu).collect();
        let specs = expand(&requested(text), all, topology, &cpus);
        specs.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn ranges_and_single_counts_keep_the_requested_order_without_duplicates() {
        assert_eq!(counts("4,1-3,all,2", 8, &Topology::default()), "4,1,2,3,all");
    }

    #[test]
    fn a_sweep_has_every_count_of_a_small_machine() {
        assert_eq!(counts("sweep", 1, &Topology::default()), "1");
        assert_eq!(counts("sweep", 4, &Topology::default()), "1,2,3,4");
    }

    #[test]
    fn a_sweep_of_a_large_machine_has_its_edges_and_no_wide_gap() {
        // 2 sockets with 18 cores each and two threads a core, as c5.18xlarge.
        let mut topology = Topology::with_siblings(72, |cpu| vec![cpu % 36, cpu % 36 + 36]);
        for cpu in &mut topology.cpus {
            cpu.package = cpu.cpu % 36 / 18;
        }
        let counts = counts("sweep", 72, &topology);
        let counts: Vec<usize> = counts.split(',').map(|n| n.parse().unwrap()).collect();
        for edge in [1, 16, 18, 36, 72] {
            assert!(counts.contains(&edge), "{edge} in {counts:?}");
        }
        assert!(counts.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(counts.windows(2).all(|pair| pair[1] - pair[0] <= (pair[0] / 8).max(1)));
        assert!(counts.len() < 40, "{}", counts.len());
    }

    #[test]
    fn an_invalid_thread_count_is_refused() {
        for text in ["", "0", "-1", "1-", "-", "3-2", "0-4", "1-2049", "all-8", "1-2-3", "sweeps"] {
            assert!(text.parse::<ThreadsAsked>().is_err(), "{text}");
        }
    }
}
