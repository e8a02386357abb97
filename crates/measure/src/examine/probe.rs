//! Takes pulses: many short samples of work that saturates a core, on single CPUs and pairs in alternation, so that
//! other users of a core disturb both equally.

use super::candidates::candidates;
use crate::execute::{Checked, Failure, Interrupt, LiveLaunch, Patience, Room, Task, manifest};
use crate::telemetry;
use catalog::{Catalog, Workload};
use doctor::{Candidate, CpuSeries, Go, Pair, Pulses, kept};
use estimate::{ClockKernel, Look, mark_frequency_drops};
use machine::{CpuTimes, Machine, Placement};
use record::{Case, ThreadSample, ThreadSpec, Timing, WorkerBuild};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Long enough for the pulses around it, short against a neighbour's episodes of seconds.
const TIMING: Timing = Timing { warmup_ns: 1_000_000, sample_ns: 10_000_000, rounds_per_launch: 1 };
/// Duration of a trial of a pair: three samples with their pulses.
const TRIAL: Duration = Duration::from_millis(50);
/// Least number of trials per pair that should fit.
const TRIALS: u32 = 12;
/// How long a worker may take for an answer.
const PATIENCE: Patience = Patience(Duration::from_secs(20));

/// Input for taking pulses.
#[derive(Debug)]
pub struct Probe<'a> {
    /// A workload that saturates a core.
    pub workload: &'a Workload,
    pub catalog: &'a Catalog,
    /// The computer under test.
    pub machine: &'a Machine,
    /// Where `/proc` is.
    pub root: &'a Path,
    /// How long to probe.
    pub time: Duration,
}

/// The workers and their results so far.
struct Trials<'a> {
    probe: &'a Probe<'a>,
    build: WorkerBuild,
    alone: BTreeMap<u32, (LiveLaunch, CpuSeries)>,
    together: Vec<(LiveLaunch, Candidate, Vec<Option<f64>>)>,
    round: u64,
}

/// Takes pulses of the allowed CPUs, or of some of them if there are many. `between` is called between samples.
///
/// # Errors
/// When the worker can't be started or fails, or there are too few samples.
pub fn pulses(probe: &Probe, between: &mut dyn FnMut()) -> Result<Pulses, String> {
    let pulses = take(probe, between).map_err(|failure| failure.to_string())?;
    pulses.ok_or_else(|| "too few samples: raise the probing time".to_owned())
}

fn take(probe: &Probe, between: &mut dyn FnMut()) -> Result<Option<Pulses>, Failure> {
    let start = Instant::now();
    let manifest = manifest(&probe.workload.program, PATIENCE.0, &Interrupt::default())?.manifest;
    let most = (probe.time.as_secs_f64() / (TRIAL * TRIALS).as_secs_f64()) as usize;
    let limits = &probe.machine.limits;
    let allowed = limits.allowed_cpus.to_vec();
    let few_enough = |most: usize| candidates(&probe.machine.topology, &allowed, most.max(1));
    let wanted = few_enough(most);
    let pairs = few_enough(room_for_pairs(Room::of(limits), wanted.len()));
    let without_room = wanted.len() - pairs.len();
    let mut cpus: Vec<u32> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    if pairs.is_empty() {
        // A single CPU, or an unknown topology.
        cpus.extend(allowed.first());
    }
    let mut trials = Trials {
        probe,
        build: manifest.build,
        alone: BTreeMap::new(),
        together: Vec::new(),
        round: 0,
    };
    trials.launch(&cpus, &pairs)?;
    while start.elapsed() < probe.time {
        trials.round()?;
        between();
    }
    Ok(trials.end()?.map(|pulses| Pulses { without_room, ..pulses }))
}

/// How many pairs there is room for, up to `most`: each needs a worker per CPU and one on both.
fn room_for_pairs(mut room: Room, most: usize) -> usize {
    let mut has_room = |_: &usize| {
        [1, 1, 2].into_iter().all(|threads| {
            let is_room = room.is_for(threads, 0);
            // Their memory is negligible.
            room.take(threads, 0);
            is_room
        })
    };
    (0..most).take_while(|pair| has_room(pair)).count()
}

impl Trials<'_> {
    fn launch(&mut self, cpus: &[u32], pairs: &[Candidate]) -> Result<(), Failure> {
        for &cpu in cpus {
            if !self.alone.contains_key(&cpu) {
                let launch = self.worker(&[cpu])?;
                let series = CpuSeries { cpu, cpu_ns: Some(0), ..CpuSeries::default() };
                self.alone.insert(cpu, (launch, series));
            }
        }
        for pair in pairs {
            let launch = self.worker(&[pair.a, pair.b])?;
            self.together.push((launch, *pair, Vec::new()));
        }
        Ok(())
    }

    fn worker(&self, cpus: &[u32]) -> Result<LiveLaunch, Failure> {
        let case = Case {
            workload: self.probe.workload.id.clone(),
            thread_spec: ThreadSpec::Count(cpus.len()),
            threads: cpus.len(),
            placement: Placement::Threads,
            cpus: cpus.to_vec(),
            variant: None,
            control: true,
            co_runner: false,
        };
        let task = Task::new(0, &case, self.probe.workload, self.probe.catalog, false);
        LiveLaunch::start(&task, 0, 0, &self.build, PATIENCE, &Interrupt::default())
    }

    /// Tries every pair once: the first CPU alone, both together, the second alone.
    fn round(&mut self) -> Result<(), Failure> {
        if self.together.is_empty() {
            let cpus: Vec<u32> = self.alone.keys().copied().collect();
            for cpu in cpus {
                self.alone(cpu)?;
            }
        }
        for i in 0..self.together.len() {
            let Candidate { a, b, .. } = self.together[i].1;
            let of_a = self.alone(a)?;
            let both = self.together[i].0.measure(&TIMING)?;
            let of_b = self.alone(b)?;
            if let (Some(of_a), Some(of_b), None) = (of_a, of_b, both.stray) {
                let together = [0, 1].map(|thread| go(&both.measured.threads[thread]));
                self.together[i].2.push(kept([of_a, of_b], together));
            }
        }
        self.round += 1;
        Ok(())
    }

    /// A sample of one thread; `None` on a CPU without a worker, and if the sample is unusable.
    fn alone(&mut self, cpu: u32) -> Result<Option<Go>, Failure> {
        let Some((launch, series)) = self.alone.get_mut(&cpu) else { return Ok(None) };
        let before = CpuTimes::read(self.probe.root);
        let Checked { measured: sample, stray, .. } = launch.measure(&TIMING)?;
        if stray.is_some() {
            return Ok(None);
        }
        let after = CpuTimes::read(self.probe.root);
        let steal_ticks = telemetry::elapsed(&before, &after, &[cpu]).map(|elapsed| elapsed.steal);
        let kernel = ClockKernel::of(&launch.ready);
        series.looks.push(Look::at(&sample, (0, self.round), steal_ticks, kernel, false));
        series.add_times(&sample.threads[0]);
        Ok(Some(go(&sample.threads[0])))
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
        for (launch, candidate, trials) in self.together {
            launch.finish()?;
            pairs.push(Pair::judge(candidate, &trials));
        }
        Ok(Pulses::of(&series, Some(pairs)))
    }
}

fn go(thread: &ThreadSample) -> Go {
    // The worker does the work itself, so both are known.
    let (cpu_ns, read_ns) = thread.cpu_ns.zip(thread.cpu_elapsed_ns).unwrap_or((0, 1));
    let cpu_share = cpu_ns as f64 / read_ns as f64;
    Go { rate: thread.ops as f64 / thread.elapsed_ns as f64, cpu_share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{Cap, Fact, Limits};

    fn pairs(limits: Limits, most: usize) -> usize {
        room_for_pairs(Room::of(&limits), most)
    }

    #[test]
    fn open_files_and_tasks_bound_the_pairs_that_are_tried() {
        let at = |cap: u64| Fact::Known(Cap::At(cap));
        assert_eq!(pairs(Limits::default(), 200), 200);
        // 64 for ourselves, and three pipes and a spare for each of three workers.
        let files = || Limits { max_open_files: at(1024), ..Limits::default() };
        assert_eq!(pairs(files(), 200), 80);
        assert_eq!(pairs(files(), 33), 33);
        // Half of what is allowed; workers of one, one and two threads with eight of their own each.
        assert_eq!(pairs(Limits { max_tasks: at(560), ..Limits::default() }, 200), 10);
        assert_eq!(pairs(Limits { max_open_files: at(70), ..Limits::default() }, 200), 0);
    }
}
