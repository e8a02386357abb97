//! One sample with its pulses, and what disturbed it.

use super::others::Others;
use super::share::{cpu_share, cpus_of};
use record::{ChainKernel, Measured, MemoryPulse, PartSample, Pulse, Ready, Sample, ThreadSample};
use serde::Serialize;
use stats::{mean, median};
use std::fmt;

/// CPU time may fall this far short of elapsed time before the sample counts as disturbed.
const LEAST_CPU_SHARE: f64 = 0.98;
/// Where parts keep each other busy, at least one uses this share of its CPUs.
const LEAST_PART_SHARE: f64 = 0.9;
/// A thread with this many interruptions per second is disturbed, if the worker is short of CPU time at
/// all. (Interruptions by its own runtime's threads do not make it short.)
const MOST_SWITCHES_PER_S: f64 = 500.0;
const SHORT_CPU_SHARE: f64 = 0.995;
/// Share of a sample's CPU time that may be stolen, and of its threads that may be disturbed.
const MOST_DISTURBED_SHARE: f64 = 0.02;
/// Ticks of `/proc/stat` per second: `USER_HZ`, which is 100 on every Linux architecture but Alpha.
const TICKS_PER_S: f64 = 100.0;
/// A clock below this share of the case's median makes a sample disturbed; a second reading of the clock below this
/// share of the first counts as interrupted.
const LEAST_CLOCK_SHARE: f64 = 0.9;
/// Bytes of a line in a memory pulse.
const LINE_BYTES: f64 = 64.0;
/// A chain gives the clock if it takes this many times as long as timing it.
const LEAST_COSTS: f64 = 20.0;

/// Why a sample is disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Disturbance {
    /// The hypervisor gave the CPU to other guests.
    Steal,
    /// The worker was short of CPU time: something else used its CPU.
    CpuTaken,
    /// The worker was short of CPU time although its CPU was idle: the work itself waits.
    Waiting,
    /// The worker was interrupted often.
    Switches,
    /// The worker waited for pages from a disk.
    MajorFaults,
    /// The clock was far below its median in the case.
    FrequencyDrop,
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Steal => "steal",
            Self::CpuTaken => "CPU time taken by others",
            Self::Waiting => "the work itself waits",
            Self::Switches => "many interruptions",
            Self::MajorFaults => "major page faults",
            Self::FrequencyDrop => "the clock dropped",
        })
    }
}

/// The instructions that measure the clock in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockKernel {
    /// Cycles that an instruction takes.
    pub cycles_per_op: u64,
    /// The chains inside samples, if there are any.
    pub chain: Option<ChainKernel>,
}

impl ClockKernel {
    pub fn of(ready: &Ready) -> Self {
        Self { cycles_per_op: ready.pulse.clock_cycles_per_op, chain: ready.chain }
    }

    fn hz(self, ops: u64, ns: f64) -> f64 {
        ops as f64 * self.cycles_per_op as f64 * 1e9 / ns
    }

    fn of_pulse_hz(self, pulse: &Pulse) -> f64 {
        self.hz(pulse.clock_ops, pulse.clock_ns as f64)
    }

    /// The clock inside a sample: that of the middle half of its chains, as interruptions make chains longer. Their
    /// mean and not their median: with timer steps of 40 ns, the median would have steps of 1 %.
    fn of_chains_hz(self, chains_ns: &[u64]) -> Option<f64> {
        let mut sorted: Vec<f64> = chains_ns.iter().map(|ns| *ns as f64).collect();
        sorted.sort_by(f64::total_cmp);
        let cut = (sorted.len() + 1) / 4;
        let took_ns = mean(&sorted[cut..sorted.len() - cut]);
        let ChainKernel { ops, cost_ns } = self.chain?;
        let cost_ns = cost_ns as f64;
        (took_ns >= LEAST_COSTS * cost_ns).then(|| self.hz(ops, took_ns - cost_ns))
    }
}

/// One thread of a sample with its pulses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThreadLook {
    /// Ops per second.
    pub throughput: f64,
    /// Estimated clock of its core during the work, in Hz.
    pub clock_hz: f64,
    /// The clock in Hz by the chains inside the sample, if there are any.
    pub inner_clock_hz: Option<f64>,
    /// The clock in Hz by the pulse before the sample and by that after it.
    pub pulse_clocks_hz: [f64; 2],
    /// Independent instructions per cycle by the pulse before the sample and by that after it.
    pub widths: [f64; 2],
}

impl ThreadLook {
    /// The lesser of both widths: a core that was shared on either side counts as shared.
    pub fn width(&self) -> f64 {
        self.widths[0].min(self.widths[1])
    }

    /// The clock after the sample over that before it.
    fn lift(&self) -> f64 {
        self.pulse_clocks_hz[1] / self.pulse_clocks_hz[0]
    }

    /// The clock inside the sample, where chains measured it. Otherwise the clock after the sample, when all threads
    /// had been working; unless it lies far below `lift` × the clock before: then the pulse after was interrupted.
    fn clock_after_lift(&self, lift: f64) -> f64 {
        let [before, after] = self.pulse_clocks_hz;
        let by_pulses =
            if after < LEAST_CLOCK_SHARE * lift * before { lift * before } else { after };
        self.inner_clock_hz.unwrap_or(by_pulses)
    }
}

/// A sample with its pulses.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    pub launch: u64,
    pub round: u64,
    /// Its begin in ns of the machine's monotonic clock.
    pub at_ns: u64,
    pub threads: Vec<ThreadLook>,
    /// Ops per second, summed over threads.
    pub throughput: f64,
    /// Mean estimated clock of the threads' cores during the work, in Hz.
    pub clock_hz: f64,
    pub disturbances: Vec<Disturbance>,
    /// The memory's bandwidth for a thread by the memory pulses, in GB/s, as a mean over threads: of each the lesser of
    /// that before the sample and that after it. `None` without memory pulses.
    pub memory_gb_s: Option<f64>,
    /// Other work on its CPUs; `None` if unknown.
    pub others: Option<Others>,
}

impl Look {
    /// Evaluates a sample of a launch, including other work on its CPUs.
    pub fn of(sample: &Sample, ready: &Ready) -> Self {
        let ids = (sample.launch, sample.round);
        let (kernel, is_elsewhere) = (ClockKernel::of(ready), ready.is_partly_elsewhere());
        Self::at(&sample.measured, ids, sample.steal_ticks, kernel, is_elsewhere)
            .with_others(Others::of(sample))
    }

    /// Derives everything from a sample's integers. CPU time does not count if a side of the work is on another
    /// machine: both may wait for the network then.
    pub fn at(
        sample: &Measured,
        (launch, round): (u64, u64),
        steal_ticks: Option<u64>,
        kernel: ClockKernel,
        ignores_cpu_time: bool,
    ) -> Self {
        let thread_look = |thread: &ThreadSample| {
            // Each pulse against its own clock: the clock may rise between them.
            let width = |pulse: &Pulse| width_per_s(pulse) / kernel.of_pulse_hz(pulse);
            let pulses = [&thread.pulse_before, &thread.pulse_after];
            let mut look = ThreadLook {
                throughput: thread.ops_per_s(),
                clock_hz: 0.0,
                inner_clock_hz: kernel.of_chains_hz(&thread.chains_ns),
                pulse_clocks_hz: pulses.map(|pulse| kernel.of_pulse_hz(pulse)),
                widths: pulses.map(width),
            };
            look.clock_hz = look.clock_after_lift(1.0);
            look
        };
        // A client's CPUs do not show how the server's work went.
        let is_measured = |thread: &&ThreadSample| thread.ops > 0 || !sample.has_parts();
        let threads: Vec<ThreadLook> =
            sample.threads.iter().filter(is_measured).map(thread_look).collect();
        Self {
            launch,
            round,
            at_ns: sample.start_ns,
            throughput: threads.iter().map(|thread| thread.throughput).sum(),
            clock_hz: mean_clock_hz(&threads),
            threads,
            disturbances: disturbances(sample, steal_ticks, ignores_cpu_time),
            memory_gb_s: memory_gb_s(sample),
            others: None,
        }
    }

    /// Adds what other work used of its CPUs.
    #[must_use]
    pub fn with_others(self, others: Option<Others>) -> Self {
        Self { others, ..self }
    }

    pub(super) fn is_undisturbed(&self) -> bool {
        let is_so = |d: &Disturbance| matches!(d, Disturbance::Steal | Disturbance::CpuTaken);
        !self.disturbances.iter().any(is_so)
    }

    /// Whether the pulses are valid: an interrupted one makes the clock look slow.
    pub fn has_clock(&self) -> bool {
        !self.disturbances.contains(&Disturbance::FrequencyDrop)
    }
}

pub(super) fn undisturbed(looks: &[Look]) -> impl Iterator<Item = &Look> {
    looks.iter().filter(|look| look.is_undisturbed())
}

/// Finds the clocks of a case's samples from how the clock changes in most of them: a single sample cannot distinguish
/// work that lowers the clock from an interrupted pulse.
pub(super) fn find_clocks(looks: &mut [Look]) {
    let threads = || looks.iter().flat_map(|look| &look.threads);
    let lift = median(&threads().map(ThreadLook::lift).collect::<Vec<_>>());
    for look in looks {
        for thread in &mut look.threads {
            thread.clock_hz = thread.clock_after_lift(lift);
        }
        look.clock_hz = mean_clock_hz(&look.threads);
    }
}

/// Marks exactly the samples whose clock was far below the median of the case.
pub fn mark_frequency_drops(looks: &mut [Look]) {
    for look in looks.iter_mut() {
        look.disturbances.retain(|disturbance| *disturbance != Disturbance::FrequencyDrop);
    }
    let mut clocks: Vec<f64> = looks.iter().map(|look| look.clock_hz).collect();
    clocks.sort_by(f64::total_cmp);
    let Some(&median) = clocks.get(clocks.len() / 2) else { return };
    for look in looks.iter_mut().filter(|look| look.clock_hz < LEAST_CLOCK_SHARE * median) {
        look.disturbances.push(Disturbance::FrequencyDrop);
    }
}

fn memory_gb_s(sample: &Measured) -> Option<f64> {
    let of_pulse = |pulse: MemoryPulse| pulse.lines as f64 * LINE_BYTES / pulse.lines_ns as f64;
    let of_thread = |thread: &ThreadSample| {
        Some(of_pulse(thread.memory_before?).min(of_pulse(thread.memory_after?)))
    };
    let of_threads: Option<Vec<f64>> = sample.threads.iter().map(of_thread).collect();
    of_threads.map(|all| mean(&all))
}

fn per_s(count: u64, ns: u64) -> f64 {
    count as f64 * 1e9 / ns as f64
}

fn mean_clock_hz(threads: &[ThreadLook]) -> f64 {
    threads.iter().map(|thread| thread.clock_hz).sum::<f64>() / threads.len() as f64
}

fn width_per_s(pulse: &Pulse) -> f64 {
    per_s(pulse.width_ops, pulse.width_ns)
}

/// Whether no part was busy although parts keep each other busy: something else had their CPUs. Not with a fixed rate,
/// which leaves CPUs idle.
fn no_part_was_busy(sample: &Measured) -> bool {
    let share =
        |part: &PartSample| part.cpu_ns as f64 / (part.elapsed_ns as f64 * part.cpu_count as f64);
    let is_idle = |part: &PartSample| share(part) < LEAST_PART_SHARE;
    sample.has_parts() && sample.due_ops.is_none() && sample.parts.iter().all(is_idle)
}

fn disturbances(
    sample: &Measured,
    steal_ticks: Option<u64>,
    ignores_cpu_time: bool,
) -> Vec<Disturbance> {
    let threads = &sample.threads;
    let cpus = cpus_of(sample);
    let there_was_ns = sample.process_elapsed_ns as f64 * cpus.len() as f64;
    let cpu_share = cpu_share(sample, cpus.len());
    let is_short = |least: f64| !ignores_cpu_time && !sample.has_parts() && cpu_share < least;
    let is_taken = is_short(LEAST_CPU_SHARE) || !ignores_cpu_time && no_part_was_busy(sample);
    let stolen = steal_ticks.unwrap_or(0) as f64 / TICKS_PER_S * 1e9 / there_was_ns;
    let many = |is_so: &dyn Fn(&ThreadSample) -> bool| {
        let count = threads.iter().filter(|thread| is_so(thread)).count();
        count as f64 > MOST_DISTURBED_SHARE * threads.len() as f64
    };
    // More threads than CPUs take turns, which is not a disturbance.
    let alone = cpus.len() == threads.len();
    let switched =
        many(&|t| per_s(t.involuntary_switches.unwrap_or(0), t.elapsed_ns) > MOST_SWITCHES_PER_S);
    let found = [
        (Disturbance::Steal, stolen > MOST_DISTURBED_SHARE),
        (Disturbance::CpuTaken, is_taken),
        (Disturbance::Switches, alone && switched && is_short(SHORT_CPU_SHARE)),
        (Disturbance::MajorFaults, many(&|t| t.major_faults.is_some_and(|faults| faults > 0))),
    ];
    found.into_iter().filter_map(|(disturbance, is_so)| is_so.then_some(disturbance)).collect()
}
