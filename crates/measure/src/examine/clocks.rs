//! The clock of cores by how many of them work.
//!
//! A worker keeps 1, 2, 4, … cores at integer additions; the chains inside its samples give the clock, as they do in every
//! run. All these workers are live at once and take samples in turn, so that heat and neighbours disturb all numbers equally.

use crate::execute::{Failure, Interrupt, LiveLaunch, Patience, Task, manifest};
use catalog::{Catalog, Workload};
use estimate::{ClockKernel, Look};
use machine::{ClockStep, Machine, Placement, place};
use record::{Case, ThreadSpec, Timing};
use stats::{median, quantile};
use std::collections::BTreeSet;
use std::time::Duration;

/// The warm-up lets cores leave their idle states and the clock follow the load; samples are as long as those of a run.
const TIMING: Timing =
    Timing { warmup_ns: 40_000_000, sample_ns: 50_000_000, rounds_per_launch: ROUNDS };
/// Samples of each number of cores.
const ROUNDS: u64 = 7;
/// How long a worker may take for an answer.
const PATIENCE: Patience = Patience(Duration::from_secs(20));

fn clock_step(cores: usize, looks: &[Look]) -> ClockStep {
    let mut means: Vec<f64> = looks.iter().map(|look| look.clock_hz).collect();
    means.sort_by(f64::total_cmp);
    let end = |pick: fn(f64, f64) -> f64| {
        let clock = |look: &Look| look.threads.iter().map(|thread| thread.clock_hz).reduce(pick);
        median(&looks.iter().filter_map(clock).collect::<Vec<_>>())
    };
    ClockStep {
        cores,
        clock_hz: median(&means),
        quartiles_hz: [0.25, 0.75].map(|share| quantile(&means, share)),
        cores_hz: [end(f64::min), end(f64::max)],
        samples: means.len(),
    }
}

/// Measures the clock with 1, 2, 4, … and all cores that this process may use, by a workload that keeps cores busy.
///
/// # Errors
/// When the worker can't be started or fails.
pub fn clocks(
    machine: &Machine,
    workload: &Workload,
    catalog: &Catalog,
    interrupt: &Interrupt,
) -> Result<Vec<ClockStep>, Failure> {
    let build = manifest(&workload.program, PATIENCE.0, interrupt)?.manifest.build;
    let cpus = one_cpu_each(machine);
    let mut steps = Vec::new();
    for cores in counts(cpus.len()) {
        let case = Case {
            workload: workload.id.clone(),
            thread_spec: ThreadSpec::Count(cores),
            threads: cores,
            placement: Placement::Cores,
            cpus: cpus[..cores].to_vec(),
            variant: None,
            control: true,
            co_runner: false,
        };
        let task = Task::new(0, &case, workload, catalog, false);
        let launch = LiveLaunch::start(&task, 0, 0, &build, PATIENCE, interrupt)?;
        steps.push((cores, launch, Vec::new()));
    }
    for round in 0..ROUNDS {
        for (_, launch, looks) in &mut steps {
            let checked = launch.measure(&TIMING)?;
            if checked.stray.is_none() {
                let kernel = ClockKernel::of(&launch.ready);
                looks.push(Look::at(&checked.measured, (0, round), None, kernel, false));
            }
        }
    }
    let mut clocks = Vec::new();
    for (cores, launch, looks) in steps {
        launch.finish()?;
        if !looks.is_empty() {
            clocks.push(clock_step(cores, &looks));
        }
    }
    Ok(clocks)
}

/// The first CPU of every core that this process may use, socket by socket.
fn one_cpu_each(machine: &Machine) -> Vec<u32> {
    let allowed = machine.limits.allowed_cpus.to_vec();
    let all = place(&machine.topology, &allowed, Placement::Cores, allowed.len());
    let mut seen = BTreeSet::new();
    let core = |cpu: u32| {
        let known = machine.topology.cpus.iter().find(|known| known.cpu == cpu);
        known.map_or(cpu, |known| known.core_key())
    };
    all.into_iter().filter(|cpu| seen.insert(core(*cpu))).collect()
}

/// 1, 2, 4, … and all.
fn counts(cores: usize) -> Vec<usize> {
    let powers = (0..usize::BITS).map(|n| 1 << n).take_while(|count| *count < cores);
    powers.chain((cores > 0).then_some(cores)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::fixture;

    #[test]
    fn cores_double_up_to_all() {
        assert!(counts(0).is_empty());
        assert_eq!(counts(1), [1]);
        assert_eq!(counts(4), [1, 2, 4]);
        assert_eq!(counts(6), [1, 2, 4, 6]);
    }

    #[test]
    fn every_core_has_one_thread() {
        // Eight cores of two CPUs each.
        let mut machine = fixture::machine("xeon-2s");
        assert_eq!(one_cpu_each(&machine), [0, 1, 2, 3, 4, 5, 6, 7]);
        machine.limits.allowed_cpus = vec![2, 10, 5].into();
        assert_eq!(one_cpu_each(&machine), [2, 5]);
    }
}
