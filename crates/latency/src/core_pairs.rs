//! Which CPUs are near to each other, and which pairs of them are measured.

use machine::{Cache, CorePair, LogicalCpu, Relation, Topology};
use std::collections::BTreeMap;

/// On more CPUs than this not all pairs are measured …
const MOST_CPUS: usize = 16;
/// … but so many of each relation.
const MOST_OF_RELATION: usize = 12;

/// Where a CPU is: core, L3, socket.
#[derive(Clone, Copy)]
struct Seat {
    core: u32,
    l3: Option<usize>,
    socket: u32,
}

impl Seat {
    fn of(cpu: &LogicalCpu, l3s: &[&[u32]]) -> Self {
        let l3 = l3s.iter().position(|cpus| cpus.contains(&cpu.cpu));
        Self { core: cpu.core_key(), l3, socket: cpu.package }
    }

    fn relation(self, other: Self) -> Relation {
        if self.core == other.core {
            Relation::SmtSiblings
        } else if self.l3.is_some() && self.l3 == other.l3 {
            Relation::SameL3
        } else if self.socket == other.socket {
            Relation::SameSocket
        } else {
            Relation::OtherSocket
        }
    }
}

/// All pairs of a few allowed CPUs, or pairs of each relation from all over a large machine. CPUs that the topology lacks
/// are in none.
pub fn core_pairs(topology: &Topology, caches: &[Cache], allowed: &[u32]) -> Vec<CorePair> {
    let l3s = caches.iter().filter(|cache| cache.level == 3).flat_map(|cache| &cache.shared_by);
    let l3s: Vec<&[u32]> = l3s.map(|cpus| &**cpus).collect();
    let is_allowed = |cpu: &&LogicalCpu| allowed.contains(&cpu.cpu);
    let seats: Vec<(u32, Seat)> =
        topology.cpus.iter().filter(is_allowed).map(|cpu| (cpu.cpu, Seat::of(cpu, &l3s))).collect();
    let mut of_relation: BTreeMap<Relation, Vec<CorePair>> = BTreeMap::new();
    for (place, &(a, seat)) in seats.iter().enumerate() {
        for &(b, other) in &seats[place + 1..] {
            let relation = seat.relation(other);
            of_relation.entry(relation).or_default().push(CorePair { a, b, relation });
        }
    }
    let most = if seats.len() > MOST_CPUS { MOST_OF_RELATION } else { usize::MAX };
    of_relation.values().flat_map(|pairs| evenly(pairs, most)).collect()
}

/// So many of a list, from all over it.
fn evenly(pairs: &[CorePair], most: usize) -> Vec<CorePair> {
    let count = most.min(pairs.len());
    // Not from the edge of each part: pairs of the first CPU would be there more often than others.
    (0..count).map(|i| pairs[(2 * i + 1) * pairs.len() / (2 * count)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::fixture;
    use proptest::prelude::*;

    fn pairs(name: &str, allowed: &[u32]) -> Vec<CorePair> {
        let machine = fixture::machine(name);
        core_pairs(&machine.topology, machine.caches.known().unwrap(), allowed)
    }

    fn relation(name: &str, a: u32, b: u32) -> Relation {
        pairs(name, &[a, b])[0].relation
    }

    #[test]
    fn relations_are_those_of_sockets_caches_and_cores() {
        // CPUs 0-3 and 8-11 are on the first socket, whose L3 they share; 0 and 8 are one core.
        assert_eq!(relation("xeon-2s", 0, 8), Relation::SmtSiblings);
        assert_eq!(relation("xeon-2s", 0, 3), Relation::SameL3);
        assert_eq!(relation("xeon-2s", 0, 9), Relation::SameL3);
        assert_eq!(relation("xeon-2s", 0, 4), Relation::OtherSocket);
        // Firmware describes no L3 there.
        assert_eq!(relation("altra", 0, 1), Relation::SameSocket);
        assert_eq!(relation("epyc-container", 0, 1), Relation::SameL3);
    }

    #[test]
    fn a_small_machine_has_all_its_pairs_and_a_single_cpu_none() {
        let all: Vec<u32> = (0..16).collect();
        let found = pairs("xeon-2s", &all);
        assert_eq!(found.len(), 16 * 15 / 2);
        let count = |relation| found.iter().filter(|pair| pair.relation == relation).count();
        assert_eq!((count(Relation::SmtSiblings), count(Relation::OtherSocket)), (8, 64));
        assert_eq!(pairs("xeon-2s", &[3]), []);
        assert_eq!(core_pairs(&Topology::default(), &[], &[0, 1]), []);
    }

    proptest! {
        #[test]
        fn a_large_machine_has_some_pairs_of_each_relation_it_has(cores in 10_u32..80, sockets in 1_u32..4) {
            let cpu = |number: u32| LogicalCpu {
                cpu: number,
                package: number / cores,
                core: None,
                die: None,
                cluster: None,
                numa_node: None,
                siblings: vec![number / 2 * 2, number / 2 * 2 + 1].into(),
            };
            // Sockets of an even number of CPUs, two of each core.
            let cores = cores * 2;
            let cpu = |number: u32| LogicalCpu { package: number / cores, ..cpu(number) };
            let topology = Topology::of((0..cores * sockets).map(cpu).collect());
            let all: Vec<u32> = (0..cores * sockets).collect();
            let found = core_pairs(&topology, &[], &all);
            let count = |relation| found.iter().filter(|pair| pair.relation == relation).count();
            prop_assert_eq!(count(Relation::SmtSiblings), MOST_OF_RELATION.min((cores * sockets / 2) as usize));
            prop_assert_eq!(count(Relation::SameSocket), MOST_OF_RELATION);
            prop_assert_eq!(count(Relation::OtherSocket), if sockets > 1 { MOST_OF_RELATION } else { 0 });
            let mut distinct: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), found.len());
        }
    }
}
