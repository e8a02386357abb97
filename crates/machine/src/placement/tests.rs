use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::{CpuList, LogicalCpu};

/// A machine whose second hyperthreads are numbered after all first ones, as Intel's and AMD's are.
fn machine(sockets: u32, cores: u32, ways: u32) -> Topology {
    let all = sockets * cores;
    let cpu = |number: u32| {
        let core = number % all;
        LogicalCpu {
            cpu: number,
            package: core / cores,
            core: Some(core % cores),
            die: None,
            cluster: None,
            numa_node: None,
            siblings: CpuList::from((0..ways).map(|way| core + way * all).collect::<Vec<_>>()),
        }
    };
    Topology::of((0..all * ways).map(cpu).collect())
}

/// Two sockets, two cores each, two threads each: 0,4 and 1,5 on socket 0; 2,6 and 3,7 on socket 1.
fn small() -> Topology {
    machine(2, 2, 2)
}

#[test]
fn cores_takes_every_core_before_any_second_thread() {
    let placed = place(&small(), &small().cpu_list(), Placement::Cores, 8);
    assert_eq!(placed, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn threads_fills_a_core_before_the_next() {
    let placed = place(&small(), &small().cpu_list(), Placement::Threads, 8);
    assert_eq!(placed, [0, 4, 1, 5, 2, 6, 3, 7]);
}

#[test]
fn socket_fills_a_socket_before_the_next_and_its_cores_before_their_second_threads() {
    let placed = place(&small(), &small().cpu_list(), Placement::Socket, 8);
    assert_eq!(placed, [0, 1, 4, 5, 2, 3, 6, 7]);
}

#[test]
fn more_threads_than_cpus_start_over_in_the_same_order() {
    let placed = place(&small(), &[0, 4], Placement::Cores, 5);
    assert_eq!(placed, [0, 4, 0, 4, 0]);
}

#[test]
fn cpus_that_are_not_allowed_are_never_used() {
    let placed = place(&small(), &[1, 5, 6, 7], Placement::Cores, 4);
    assert_eq!(placed, [1, 6, 7, 5]);
}

#[test]
fn siblings_numbered_side_by_side_are_still_siblings() {
    let topology = Topology::with_siblings(4, |cpu| vec![cpu & !1, cpu | 1]);
    let placed = place(&topology, &topology.cpu_list(), Placement::Cores, 4);
    assert_eq!(placed, [0, 2, 1, 3]);
}

#[test]
fn no_allowed_cpu_gives_no_placement_rather_than_a_panic() {
    assert!(place(&small(), &[], Placement::Cores, 3).is_empty());
}

#[test]
fn a_cpu_that_the_topology_lacks_is_used_last() {
    let placed = place(&small(), &[99, 3, 0], Placement::Socket, 3);
    assert_eq!(placed, [0, 3, 99]);
    let unknown = place(&Topology::default(), &[5, 2], Placement::Cores, 2);
    assert_eq!(unknown, [2, 5]);
}

#[test]
fn placements_read_back_as_they_are_written() {
    for placement in Placement::ALL {
        let json = format!("\"{placement}\"");
        assert_eq!(serde_json::to_string(&placement).unwrap(), json);
        assert_eq!(serde_json::from_str::<Placement>(&json).unwrap(), placement);
    }
    assert!(serde_json::from_str::<Placement>("\"Cores\"").is_err());
}

/// Any machine, any part of its CPUs allowed, any number of threads.
fn situations() -> impl Strategy<Value = (Topology, Vec<u32>, usize)> {
    (1..=3_u32, 1..=5_u32, 1..=4_u32).prop_flat_map(|(sockets, cores, ways)| {
        let topology = machine(sockets, cores, ways);
        let cpus: Vec<u32> = topology.cpu_list().to_vec();
        let count = cpus.len();
        let allowed = proptest::sample::subsequence(cpus, 1..=count).prop_shuffle();
        (Just(topology), allowed, 0..3 * count)
    })
}

fn times_used(placed: &[u32]) -> BTreeMap<u32, usize> {
    placed.iter().fold(BTreeMap::new(), |mut times, cpu| {
        *times.entry(*cpu).or_default() += 1;
        times
    })
}

proptest! {
    #[test]
    fn every_thread_gets_an_allowed_cpu_and_none_is_used_twice_before_all_are_used_once(
        (topology, allowed, threads) in situations()
    ) {
        for placement in Placement::ALL {
            let placed = place(&topology, &allowed, placement, threads);
            prop_assert_eq!(placed.len(), threads);
            prop_assert!(placed.iter().all(|cpu| allowed.contains(cpu)));
            let times = times_used(&placed);
            let rounds = threads / allowed.len();
            for cpu in &allowed {
                let used = times.get(cpu).copied().unwrap_or(0);
                prop_assert!(used == rounds || used == rounds + 1);
            }
        }
    }

    #[test]
    fn with_cores_no_two_threads_share_a_core_while_an_allowed_core_is_free(
        (topology, allowed, threads) in situations()
    ) {
        let core = |cpu: &u32| topology.cpus[*cpu as usize].core_key();
        let cores: BTreeSet<u32> = allowed.iter().map(core).collect();
        let placed = place(&topology, &allowed, Placement::Cores, threads.min(cores.len()));
        let used: BTreeSet<u32> = placed.iter().map(core).collect();
        prop_assert_eq!(used.len(), placed.len());
    }

    #[test]
    fn with_threads_no_core_is_begun_while_the_last_one_has_a_free_thread(
        (topology, allowed, threads) in situations()
    ) {
        let core = |cpu: &u32| topology.cpus[*cpu as usize].core_key();
        let threads = threads.min(allowed.len());
        let placed = place(&topology, &allowed, Placement::Threads, threads);
        let room = |key: u32| allowed.iter().filter(|cpu| core(cpu) == key).count();
        let runs: Vec<&[u32]> = placed.chunk_by(|a, b| core(a) == core(b)).collect();
        for run in runs.iter().rev().skip(1) {
            prop_assert_eq!(run.len(), room(core(&run[0])));
        }
    }

    #[test]
    fn with_socket_no_socket_is_begun_while_the_last_one_has_a_free_cpu(
        (topology, allowed, threads) in situations()
    ) {
        let socket = |cpu: &u32| topology.cpus[*cpu as usize].package;
        let threads = threads.min(allowed.len());
        let placed = place(&topology, &allowed, Placement::Socket, threads);
        prop_assert!(placed.iter().map(socket).is_sorted());
        let last = placed.last().map(socket);
        for cpu in allowed.iter().filter(|cpu| Some(socket(cpu)) < last) {
            prop_assert!(placed.contains(cpu));
        }
    }
}
