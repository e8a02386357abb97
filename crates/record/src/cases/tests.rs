use super::*;
use crate::fixture;
use crate::{Case, Origin};
use machine::{CpuList, Placement, Topology};
use proptest::prelude::*;

/// A run on these CPUs of a machine with `cpus` CPUs, two a core.
fn header(cpus: u32, cases: &[(ThreadSpec, &[u32])]) -> Header {
    let mut header = fixture::header();
    header.machine.topology = Topology::with_siblings(cpus, |cpu| {
        let core = cpu % (cpus / 2);
        vec![core, core + cpus / 2]
    });
    header.machine.limits.allowed_cpus = CpuList::from((0..cpus).collect::<Vec<_>>());
    let case = header.plan.cases.remove(0);
    let cases = cases.iter().map(|(thread_spec, cpus)| Case {
        thread_spec: *thread_spec,
        threads: cpus.len(),
        cpus: cpus.to_vec(),
        ..case.clone()
    });
    header.plan.cases = cases.collect();
    header
}

fn refusal(cases: &[(ThreadSpec, &[u32])]) -> String {
    check_cases(&header(4, cases)).unwrap_err()
}

use ThreadSpec::{All, Count};

#[test]
fn a_workload_asks_for_samples_that_a_table_could_ask_for() {
    let mut header = header(4, &[(All, &[0, 1, 2, 3])]);
    let mut asked = |sample_ms, rounds| {
        let definition = header.workloads.values_mut().next().unwrap();
        (definition.sample_ms, definition.rounds_per_launch) = (sample_ms, rounds);
        check_cases(&header).err()
    };
    assert_eq!(asked(Some(600_000), Some(1)), None);
    assert!(asked(Some(0), None).unwrap().ends_with("sample_ms is 0, not 1 … 600000"));
    assert!(asked(None, Some(1_001)).unwrap().contains("rounds_per_launch is 1001"));
}

#[test]
fn threads_are_as_many_as_were_asked_for() {
    let expected = "case 0 has 2 threads, but 1 thread was requested";
    assert_eq!(refusal(&[(Count(1), &[0, 1])]), expected);
    let expected = "case 0 has 1 threads, but 3 threads were requested";
    assert_eq!(refusal(&[(Count(3), &[0])]), expected);
    let mut header = header(4, &[(Count(2), &[0, 1])]);
    header.plan.cases[0].cpus.pop();
    let expected = "case 0 has 2 threads, but names the CPUs of 1";
    assert_eq!(check_cases(&header).unwrap_err(), expected);
}

#[test]
fn all_threads_are_as_many_as_may_run_at_once() {
    assert_eq!(check_cases(&header(4, &[(All, &[0, 1, 2, 3])])), Ok(()));
    // On the requested part of the CPUs.
    assert_eq!(check_cases(&header(4, &[(All, &[1, 3]), (Count(3), &[1, 3, 1])])), Ok(()));
    let expected = "case 0 has 1 threads, but \"all\" means 2";
    assert_eq!(refusal(&[(All, &[0]), (Count(2), &[0, 1])]), expected);
    let expected = "case 0 has 5 threads, but \"all\" means 4";
    assert_eq!(refusal(&[(All, &[0, 1, 2, 3, 0])]), expected);
}

#[test]
fn cpus_are_the_machines_and_in_the_order_of_the_placement() {
    let expected = "case 0 uses CPU 77, but the machine has 0-3";
    assert_eq!(refusal(&[(Count(1), &[77])]), expected);
    let expected = "case 0 has thread 0 on CPU 1, but placement cores puts it on CPU 0";
    assert_eq!(refusal(&[(Count(2), &[1, 0])]), expected);
    // Two threads on one CPU while others are free, as another case shows.
    let expected = "case 0 has thread 1 on CPU 0, but placement cores puts it on CPU 1";
    assert_eq!(refusal(&[(Count(2), &[0, 0]), (Count(3), &[0, 1, 2])]), expected);
    let mut header = header(4, &[(Count(1), &[0]), (Count(2), &[0, 1])]);
    header.plan.cases[0].placement = Placement::Socket;
    let expected = "case 0 is placed by socket, others by cores";
    assert_eq!(check_cases(&header).unwrap_err(), expected);
}

#[test]
fn of_an_imported_run_no_cpu_is_known_and_of_threads_only_how_many() {
    let mut header = header(4, &[(All, &[77, 5]), (Count(1), &[9])]);
    let (tool, sources, lacks) = ("a table".to_owned(), Vec::new(), Vec::new());
    header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    assert_eq!(check_cases(&header), Ok(()));
    header.plan.cases[1].thread_spec = Count(2);
    assert!(check_cases(&header).is_err());
}

proptest! {
    #[test]
    fn every_plan_that_is_made_is_believed(
        cpus in 1..9_u32,
        used in prop::collection::btree_set(0..16_u32, 1..9),
        counts in prop::collection::btree_set(1..20_usize, 1..5),
        placement in prop::sample::select(Placement::ALL.to_vec()),
    ) {
        let cpus = 2 * cpus;
        let used: Vec<u32> = used.into_iter().filter(|cpu| *cpu < cpus).collect();
        prop_assume!(!used.is_empty());
        let mut header = header(cpus, &[]);
        let a_case = fixture::header().plan.cases.remove(0);
        let specs = counts.into_iter().map(Count).chain([All]);
        header.plan.cases = specs
            .map(|thread_spec| {
                let threads = match thread_spec { Count(count) => count, All => used.len() };
                let cpus = place(&header.machine.topology, &used, placement, threads);
                Case { thread_spec, threads, cpus, placement, ..a_case.clone() }
            })
            .collect();
        prop_assert_eq!(check_cases(&header), Ok(()));
    }
}
