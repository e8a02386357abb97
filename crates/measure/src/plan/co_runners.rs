//! Co-runners: what works beside rows, on cores that no row uses.

use super::ask::{CoRunners, PlanError};
use machine::{Machine, Placement, Topology, place, sharing_last_level};
use record::{Case, ThreadSpec};
use std::collections::BTreeSet;

/// A case for each number of co-runners that rows are measured beside. They come where they take most from the rows: first
/// on cores that share a last-level cache with a row, then on the lowest socket, where rows begin.
pub(super) fn co_runner_cases(
    requested: &[CoRunners],
    rows: &[Case],
    machine: &Machine,
    cpus: &[u32],
) -> Result<Vec<Case>, PlanError> {
    if requested.is_empty() {
        return Ok(Vec::new());
    }
    let topology = &machine.topology;
    let free = free(rows, topology, cpus)?;
    let of_rows: BTreeSet<u32> = rows.iter().flat_map(|row| &row.cpus).copied().collect();
    let near = sharing_last_level(&machine.caches, &of_rows);
    let (near, far): (Vec<u32>, Vec<u32>) = free.iter().partition(|cpu| near.contains(cpu));
    let in_order = |cpus: &[u32]| place(topology, cpus, Placement::Socket, cpus.len());
    let order = [in_order(&near), in_order(&far)].concat();
    let cases_of = |asked: &CoRunners| {
        let counts = if asked.in_steps { steps(free.len()) } else { vec![free.len()] };
        let case = |threads| Case {
            workload: asked.workload.clone(),
            thread_spec: ThreadSpec::Count(threads),
            threads,
            placement: Placement::Socket,
            cpus: order[..threads].to_vec(),
            variant: None,
            control: false,
            co_runner: true,
        };
        counts.into_iter().map(case).collect::<Vec<_>>()
    };
    let mut cases: Vec<Case> = Vec::new();
    for case in requested.iter().flat_map(cases_of) {
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
    use machine::{Cache, CpuList, Fact};
    use record::fixture;

    fn row(cpus: &[u32]) -> Case {
        let case = fixture::header().plan.cases.remove(0);
        Case { threads: cpus.len(), cpus: cpus.to_vec(), ..case }
    }

    fn machine(topology: Topology) -> Machine {
        Machine { topology, ..Machine::default() }
    }

    fn cases(in_steps: bool, rows: &[Case], machine: &Machine) -> Vec<Vec<u32>> {
        let requested = [CoRunners { workload: "fill/x".to_owned(), in_steps }];
        let cpus: Vec<u32> = machine.topology.cpus.iter().map(|cpu| cpu.cpu).collect();
        let cases = co_runner_cases(&requested, rows, machine, &cpus).unwrap();
        assert!(cases.iter().all(|case| case.threads == case.cpus.len()));
        cases.into_iter().map(|case| case.cpus).collect()
    }

    #[test]
    fn they_run_on_cores_that_no_row_uses_in_steps_or_on_all_of_them() {
        let alone = machine(Topology::with_siblings(8, |cpu| vec![cpu]));
        let expected: [&[u32]; 4] = [&[1], &[1, 2], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7]];
        assert_eq!(cases(true, &[row(&[0])], &alone), expected);
        assert_eq!(cases(false, &[row(&[0])], &alone), expected[3..]);
        assert_eq!(cases(true, &[row(&[0]), row(&[0, 1])], &alone)[0], [2]);
    }

    #[test]
    fn siblings_of_a_rows_cores_stay_idle_and_each_core_has_one_before_any_has_two() {
        let siblings = machine(Topology::with_siblings(8, |cpu| vec![cpu % 4, cpu % 4 + 4]));
        let expected: [&[u32]; 4] = [&[1], &[1, 2], &[1, 2, 3, 5], &[1, 2, 3, 5, 6, 7]];
        assert_eq!(cases(true, &[row(&[0])], &siblings), expected);
    }

    #[test]
    fn those_that_share_a_last_level_cache_with_a_row_come_first() {
        let shared = |cpus: [&str; 2]| -> Vec<CpuList> {
            cpus.iter().map(|cpus| cpus.parse().unwrap()).collect()
        };
        let cache = |level, shared_by| Cache {
            level,
            kind: "unified".to_owned(),
            size_bytes: Fact::Known(1 << 20),
            line_bytes: Fact::Known(64),
            instances: 2,
            shared_by,
        };
        let mut machine = machine(Topology::with_siblings(8, |cpu| vec![cpu]));
        machine.caches =
            Fact::Known(vec![cache(2, shared(["0-1", "2-7"])), cache(3, shared(["0,5-7", "1-4"]))]);
        let expected: [&[u32]; 4] = [&[5], &[5, 6], &[5, 6, 7, 1], &[5, 6, 7, 1, 2, 3, 4]];
        assert_eq!(cases(true, &[row(&[0])], &machine), expected);
    }

    #[test]
    fn without_a_free_core_the_plan_says_what_is_in_the_way() {
        let two = machine(Topology::with_siblings(2, |_| vec![0, 1]));
        let requested = [CoRunners { workload: "fill/x".to_owned(), in_steps: true }];
        let refusal = |rows: &[Case]| {
            co_runner_cases(&requested, rows, &two, &[0, 1]).unwrap_err().to_string()
        };
        assert!(refusal(&[row(&[0, 1])]).contains("rows use all CPUs: use fewer, --threads 1"));
        assert!(refusal(&[row(&[0])]).contains("share their cores with rows"));
        assert_eq!(co_runner_cases(&[], &[row(&[0, 1])], &two, &[0, 1]), Ok(Vec::new()));
    }
}
