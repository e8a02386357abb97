//! Co-runners: what works beside rows, on cores that no row uses.

use super::ask::{CoRunners, PlanError};
use machine::{Placement, Topology, place};
use record::{Case, ThreadSpec};
use std::collections::BTreeSet;

/// A case for each number of co-runners that rows are measured beside. They fill the lowest socket first, where rows
/// begin, so that few of them share caches and memory with rows on few threads.
pub(super) fn co_runner_cases(
    requested: &[CoRunners],
    rows: &[Case],
    topology: &Topology,
    cpus: &[u32],
) -> Result<Vec<Case>, PlanError> {
    if requested.is_empty() {
        return Ok(Vec::new());
    }
    let free = free(rows, topology, cpus)?;
    let of = |of: &CoRunners| {
        let counts = if of.in_steps { steps(free.len()) } else { vec![free.len()] };
        let case = |threads| Case {
            workload: of.workload.clone(),
            thread_spec: ThreadSpec::Count(threads),
            threads,
            placement: Placement::Socket,
            cpus: place(topology, &free, Placement::Socket, threads),
            variant: None,
            control: false,
            co_runner: true,
        };
        counts.into_iter().map(case).collect::<Vec<_>>()
    };
    let mut cases: Vec<Case> = Vec::new();
    for case in requested.iter().flat_map(of) {
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    Ok(cases)
}

/// The CPUs on cores that no row uses.
fn free(rows: &[Case], topology: &Topology, cpus: &[u32]) -> Result<Vec<u32>, PlanError> {
    let of_rows: BTreeSet<u32> = rows.iter().flat_map(|row| &row.cpus).copied().collect();
    let cores = topology.cpus.iter().filter(|cpu| of_rows.contains(&cpu.cpu));
    let used: BTreeSet<u32> = cores.flat_map(|cpu| cpu.siblings.to_vec()).collect();
    let others = || cpus.iter().copied().filter(|cpu| !of_rows.contains(cpu));
    let free: Vec<u32> = others().filter(|cpu| !used.contains(cpu)).collect();
    match free.len() {
        0 => Err(PlanError::NoFreeCore { has_siblings: others().next().is_some() }),
        _ => Ok(free),
    }
}

/// 1, 2, 4, … and `most`.
fn steps(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(count * 2));
    powers.take_while(|count| *count < most).chain([most]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;

    fn row(cpus: &[u32]) -> Case {
        let case = fixture::header().plan.cases.remove(0);
        Case { threads: cpus.len(), cpus: cpus.to_vec(), ..case }
    }

    fn cases(in_steps: bool, rows: &[Case], topology: &Topology) -> Vec<Vec<u32>> {
        let requested = [CoRunners { workload: "fill/x".to_owned(), in_steps }];
        let cpus: Vec<u32> = topology.cpus.iter().map(|cpu| cpu.cpu).collect();
        let cases = co_runner_cases(&requested, rows, topology, &cpus).unwrap();
        assert!(cases.iter().all(|case| case.threads == case.cpus.len()));
        cases.into_iter().map(|case| case.cpus).collect()
    }

    #[test]
    fn they_run_on_cores_that_no_row_uses_in_steps_or_on_all_of_them() {
        let alone = Topology::with_siblings(8, |cpu| vec![cpu]);
        let expected: [&[u32]; 4] = [&[1], &[1, 2], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7]];
        assert_eq!(cases(true, &[row(&[0])], &alone), expected);
        assert_eq!(cases(false, &[row(&[0])], &alone), expected[3..]);
        assert_eq!(cases(true, &[row(&[0]), row(&[0, 1])], &alone)[0], [2]);
    }

    #[test]
    fn siblings_of_a_rows_cores_stay_idle_and_each_core_has_one_before_any_has_two() {
        let siblings = Topology::with_siblings(8, |cpu| vec![cpu % 4, cpu % 4 + 4]);
        let expected: [&[u32]; 4] = [&[1], &[1, 2], &[1, 2, 3, 5], &[1, 2, 3, 5, 6, 7]];
        assert_eq!(cases(true, &[row(&[0])], &siblings), expected);
    }

    #[test]
    fn without_a_free_core_the_plan_says_what_is_in_the_way() {
        let two = Topology::with_siblings(2, |_| vec![0, 1]);
        let requested = [CoRunners { workload: "fill/x".to_owned(), in_steps: true }];
        let refusal = |rows: &[Case]| {
            co_runner_cases(&requested, rows, &two, &[0, 1]).unwrap_err().to_string()
        };
        assert!(refusal(&[row(&[0, 1])]).contains("rows use all CPUs: use fewer, --threads 1"));
        assert!(refusal(&[row(&[0])]).contains("share their cores with rows"));
        assert_eq!(co_runner_cases(&[], &[row(&[0, 1])], &two, &[0, 1]), Ok(Vec::new()));
    }
}
