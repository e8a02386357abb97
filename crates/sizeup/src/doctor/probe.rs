//! Taking pulses: many short windows of work that fills a core's units, on CPUs alone and two at a time, one
//! after the other, so that strangers on a core disturb both alike.

use super::Pulses;
use super::pulses::Series;
use super::siblings::{Candidate, Pair, candidates};
use crate::catalog::{Catalog, Workload};
use crate::estimate::{Look, mark_frequency_drops};
use crate::execute::{Failure, Interrupt, Launch, Patience, Task, receipt};
use crate::machine::{CpuTimes, Machine, Placement};
use crate::record::{Case, Measured, ThreadSpec, Timing, WorkerBuild};
use crate::telemetry;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Long enough for the pulses around it, short against a neighbour's episodes of seconds.
const TIMING: Timing = Timing { settle_ns: 1_000_000, window_ns: 10_000_000, rounds_per_launch: 1 };
/// A trial of a pair takes three windows with their pulses.
const TRIAL: Duration = Duration::from_millis(50);
/// So many trials should fit for each pair.
const TRIALS: u32 = 12;
/// How long a worker may take for an answer.
const PATIENCE: Patience = Patience(Duration::from_secs(20));

/// What is needed to take pulses.
#[derive(Debug)]
pub struct Probe<'a> {
    /// Work that fills a core's units.
    pub workload: &'a Workload,
    /// Where it is from.
    pub catalog: &'a Catalog,
    /// The computer under test.
    pub machine: &'a Machine,
    /// Where `/proc` is.
    pub root: &'a Path,
    /// For how long.
    pub time: Duration,
}

/// The workers and what they gave.
struct Trials<'a> {
    probe: &'a Probe<'a>,
    build: WorkerBuild,
    alone: BTreeMap<u32, (Launch, Series)>,
    together: Vec<(Launch, Candidate, Vec<f64>)>,
    round: u64,
}

/// Takes pulses of the CPUs that may be used, or a part of them if they are many. `between` is called
/// between windows.
///
/// # Errors
/// When the worker can't be started or breaks, or gave too few windows.
pub fn pulses(probe: &Probe, between: &mut dyn FnMut()) -> Result<Pulses, String> {
    let pulses = take(probe, between).map_err(|failure| failure.to_string())?;
    pulses.ok_or_else(|| "there was no time for enough windows: look for longer".to_owned())
}

fn take(probe: &Probe, between: &mut dyn FnMut()) -> Result<Option<Pulses>, Failure> {
    let start = Instant::now();
    let (receipt, _) = receipt(&probe.workload.program, PATIENCE.0, &Interrupt::default())?;
    let most = (probe.time.as_secs_f64() / (TRIAL * TRIALS).as_secs_f64()) as usize;
    let allowed = probe.machine.limits.allowed_cpus.to_vec();
    let pairs = candidates(&probe.machine.topology, &allowed, most.max(1));
    let mut cpus: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    if pairs.is_empty() {
        // A single CPU, or a kernel that tells nothing of its CPUs.
        cpus.extend(allowed.first());
    }
    let mut trials = Trials {
        probe,
        build: receipt.build,
        alone: BTreeMap::new(),
        together: Vec::new(),
        round: 0,
    };
    trials.launch(&cpus, &pairs)?;
    while start.elapsed() < probe.time {
        trials.round()?;
        between();
    }
    trials.end()
}

impl Trials<'_> {
    fn launch(&mut self, cpus: &[u32], pairs: &[Candidate]) -> Result<(), Failure> {
        for &cpu in cpus {
            if !self.alone.contains_key(&cpu) {
                let launch = self.worker(&[cpu])?;
                let series = Series { cpu, cpu_ns: Some(0), ..Series::default() };
                self.alone.insert(cpu, (launch, series));
            }
        }
        for pair in pairs {
            let launch = self.worker(&[pair.a, pair.b])?;
            self.together.push((launch, *pair, Vec::new()));
        }
        Ok(())
    }

    fn worker(&self, cpus: &[u32]) -> Result<Launch, Failure> {
        let case = Case {
            workload: self.probe.workload.id.clone(),
            thread_spec: ThreadSpec::Count(cpus.len()),
            threads: cpus.len(),
            placement: Placement::Threads,
            cpus: cpus.to_vec(),
            variant: None,
            reference: true,
        };
        let task = Task::new(0, &case, self.probe.workload, self.probe.catalog, false);
        Launch::start(&task, 0, 0, &self.build, PATIENCE, &Interrupt::default())
    }

    /// Every pair once: the one alone, both together, the other alone.
    fn round(&mut self) -> Result<(), Failure> {
        if self.together.is_empty() {
            let cpus: Vec<u32> = self.alone.keys().copied().collect();
            for cpu in cpus {
                self.alone(cpu)?;
            }
        }
        for i in 0..self.together.len() {
            let Candidate { a, b, .. } = self.together[i].1;
            let first = self.alone(a)?;
            let both = self.together[i].0.measure(&TIMING)?;
            let second = self.alone(b)?;
            let [of_a, of_b] = [0, 1].map(|thread| rate(&both, thread));
            self.together[i].2.push((of_a / first * of_b / second).sqrt());
        }
        self.round += 1;
        Ok(())
    }

    /// A window of one thread; gives its ops per second.
    fn alone(&mut self, cpu: u32) -> Result<f64, Failure> {
        let Some((launch, series)) = self.alone.get_mut(&cpu) else { return Ok(f64::NAN) };
        let before = CpuTimes::read(self.probe.root);
        let window = launch.measure(&TIMING)?;
        let after = CpuTimes::read(self.probe.root);
        let steal_ticks = telemetry::steal_ticks(&before, &after, &[cpu]);
        let cycles = launch.ready.pulse.clock_cycles_per_op;
        series.looks.push(Look::at(&window, (0, self.round), steal_ticks, cycles, false));
        series.add_times(&window.threads[0]);
        Ok(rate(&window, 0))
    }

    /// Ends the workers, which verifies their work, and judges.
    fn end(self) -> Result<Option<Pulses>, Failure> {
        let mut series = Vec::new();
        for (launch, mut of_cpu) in self.alone.into_values() {
            launch.finish()?;
            mark_frequency_drops(&mut of_cpu.looks);
            series.push(of_cpu);
        }
        let mut pairs = Vec::new();
        for (launch, candidate, kept) in self.together {
            launch.finish()?;
            pairs.push(Pair::judge(candidate, &kept));
        }
        Ok(Pulses::of(&series, Some(pairs)))
    }
}

fn rate(window: &Measured, thread: usize) -> f64 {
    let thread = &window.threads[thread];
    thread.ops as f64 / thread.elapsed_ns as f64
}
