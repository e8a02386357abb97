//! What one window tells.

use super::others::Others;
use super::share::{cpu_share, cpus_of};
use record::{ChainKernel, Measured, PartWindow, Pulse, Ready, ThreadWindow};
use serde::Serialize;
use stats::{mean, median};
use std::fmt;

/// CPU time may fall this far short of elapsed time before the window counts as disturbed.
const LEAST_CPU_SHARE: f64 = 0.98;
/// Of parts that keep each other busy, one used at least this share of its CPUs.
const LEAST_PART_SHARE: f64 = 0.9;
/// A thread that is interrupted this often a second is disturbed, if the worker is short of CPU time at
/// all. (Interruptions by the threads of its own runtime do not make it short.)
const MOST_SWITCHES_PER_S: f64 = 500.0;
const SHORT_CPU_SHARE: f64 = 0.995;
/// Share of the window's CPU time that may be stolen, and of its threads that may be disturbed.
const MOST_DISTURBED_SHARE: f64 = 0.02;
/// Ticks of `/proc/stat` a second: `USER_HZ`, which is 100 on every architecture of Linux but Alpha.
const TICKS_PER_S: f64 = 100.0;
/// The clock may fall this far below the case's median before the window counts as disturbed; and the
/// second look at a clock this far below the first before it counts as interrupted.
const LEAST_CLOCK_SHARE: f64 = 0.9;
/// A chain tells the clock if it takes so many times as long as timing it costs.
const LEAST_COSTS: f64 = 20.0;

/// Why a window was not the workload's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Disturbance {
    /// The hypervisor gave the CPU to others.
    Steal,
    /// The worker was short of CPU time: something else ran in its place.
    CpuTaken,
    /// The worker was short of CPU time though nobody else ran: it waits by its nature.
    Waiting,
    /// The worker was interrupted often.
    Switches,
    /// Pages had to be read from a disk.
    MajorFaults,
    /// The clock was far below what it was in most of the run.
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

/// What the instructions that tell the clock are in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockKernel {
    /// Latency of one.
    pub cycles_per_op: u64,
    /// What a chain inside a window is, if there are any.
    pub chain: Option<ChainKernel>,
}

impl ClockKernel {
    /// Of what a worker says when it is ready.
    pub fn of(ready: &Ready) -> Self {
        Self { cycles_per_op: ready.pulse.clock_cycles_per_op, chain: ready.chain }
    }

    fn hz(self, ops: u64, ns: f64) -> f64 {
        ops as f64 * self.cycles_per_op as f64 * 1e9 / ns
    }

    fn of_pulse_hz(self, pulse: &Pulse) -> f64 {
        self.hz(pulse.clock_ops, pulse.clock_ns as f64)
    }

    /// The clock inside a window: that of the middle half of its chains, for what interrupts a chain makes it longer. Their
    /// mean and not their median, which on machines whose time goes in steps of 40 ns would go in steps of 1 %.
    fn of_chains_hz(self, chains_ns: &[u64]) -> Option<f64> {
        let mut sorted: Vec<f64> = chains_ns.iter().map(|ns| *ns as f64).collect();
        sorted.sort_by(f64::total_cmp);
        let beside = (sorted.len() + 1) / 4;
        let took_ns = mean(&sorted[beside..sorted.len() - beside]);
        let ChainKernel { ops, cost_ns } = self.chain?;
        let cost_ns = cost_ns as f64;
        (took_ns >= LEAST_COSTS * cost_ns).then(|| self.hz(ops, took_ns - cost_ns))
    }
}

/// One thread of a window, seen with its pulses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThreadLook {
    /// Ops per second.
    pub throughput: f64,
    /// Clock of its core in Hz that the work is held to have had.
    pub clock_hz: f64,
    /// What the chains inside the window saw of it, if there were any.
    pub inner_clock_hz: Option<f64>,
    /// What the pulse before the window saw of the clock, and that after it, in Hz.
    pub pulse_clocks_hz: [f64; 2],
    /// Independent instructions per clock, of the pulse before the window and of that after it.
    pub widths: [f64; 2],
}

impl ThreadLook {
    /// Width of the pulse that had least: a core that was shared on either side counts as shared.
    pub fn width(&self) -> f64 {
        self.widths[0].min(self.widths[1])
    }

    /// How far the clock went from one pulse to the other, by factor.
    fn lift(&self) -> f64 {
        self.pulse_clocks_hz[1] / self.pulse_clocks_hz[0]
    }

    /// The clock inside the window, where chains looked at it. Else that after the window, when all threads had been
    /// working; unless it lies far below what it is after `lift` from the one before: then that look was interrupted.
    fn clock_after_lift(&self, lift: f64) -> f64 {
        let [before, after] = self.pulse_clocks_hz;
        let by_pulses =
            if after < LEAST_CLOCK_SHARE * lift * before { lift * before } else { after };
        self.inner_clock_hz.unwrap_or(by_pulses)
    }
}

/// A window, seen with its pulses.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Its launch.
    pub launch: u64,
    /// Its round.
    pub round: u64,
    /// When it began, in ns of the machine's clock.
    pub at_ns: u64,
    /// Each thread.
    pub threads: Vec<ThreadLook>,
    /// Ops per second, summed over threads.
    pub throughput: f64,
    /// Mean clock of the threads' cores in Hz that the work is held to have had.
    pub clock_hz: f64,
    /// What was in its way.
    pub disturbances: Vec<Disturbance>,
    /// What others had of its CPUs; `None` where that is not known.
    pub others: Option<Others>,
}

impl Look {
    /// Derives everything from a window's integers. CPU time is not looked at if it can't tell whether the work was in
    /// want of CPUs: a side of it is on another machine, for which both may wait.
    pub fn at(
        window: &Measured,
        (launch, round): (u64, u64),
        steal_ticks: Option<u64>,
        kernel: ClockKernel,
        ignores_cpu_time: bool,
    ) -> Self {
        let of = |thread: &ThreadWindow| {
            // Each pulse against its own clock: the clock may have risen from one to the other.
            let width = |pulse: &Pulse| width_per_s(pulse) / kernel.of_pulse_hz(pulse);
            let pulses = [&thread.pulse_before, &thread.pulse_after];
            let mut look = ThreadLook {
                throughput: per_s(thread.ops, thread.elapsed_ns),
                clock_hz: 0.0,
                inner_clock_hz: kernel.of_chains_hz(&thread.chains_ns),
                pulse_clocks_hz: pulses.map(|pulse| kernel.of_pulse_hz(pulse)),
                widths: pulses.map(width),
            };
            look.clock_hz = look.clock_after_lift(1.0);
            look
        };
        // CPUs of a client say nothing of how the server's work went.
        let is_measured = |thread: &&ThreadWindow| thread.ops > 0 || !window.has_parts();
        let threads: Vec<ThreadLook> = window.threads.iter().filter(is_measured).map(of).collect();
        Self {
            launch,
            round,
            at_ns: window.start_ns,
            throughput: threads.iter().map(|thread| thread.throughput).sum(),
            clock_hz: mean_clock_hz(&threads),
            threads,
            disturbances: disturbances(window, steal_ticks, ignores_cpu_time),
            others: None,
        }
    }

    /// The same, with what others had of its CPUs.
    #[must_use]
    pub fn beside(self, others: Option<Others>) -> Self {
        Self { others, ..self }
    }

    /// Whether it had its CPUs to itself.
    pub(super) fn is_undisturbed(&self) -> bool {
        let is_so = |d: &Disturbance| matches!(d, Disturbance::Steal | Disturbance::CpuTaken);
        !self.disturbances.iter().any(is_so)
    }

    /// Whether the pulses can be believed: an interrupted one makes the clock look slow.
    pub fn has_clock(&self) -> bool {
        !self.disturbances.contains(&Disturbance::FrequencyDrop)
    }
}

/// The windows in which the workload had its CPUs to itself.
pub(super) fn undisturbed(looks: &[Look]) -> impl Iterator<Item = &Look> {
    looks.iter().filter(|look| look.is_undisturbed())
}

/// Finds the clocks of a case's windows, given how far the clock goes in most of them: work may make it fall, which one
/// window alone can't tell from an interrupted look.
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

/// Marks the windows of a case whose clock was far below the median of the case, and no others.
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

fn per_s(count: u64, ns: u64) -> f64 {
    count as f64 * 1e9 / ns as f64
}

fn mean_clock_hz(threads: &[ThreadLook]) -> f64 {
    threads.iter().map(|thread| thread.clock_hz).sum::<f64>() / threads.len() as f64
}

fn width_per_s(pulse: &Pulse) -> f64 {
    per_s(pulse.width_ops, pulse.width_ns)
}

/// Whether, of parts that keep each other busy, none was: something else had their CPUs. What becomes due at a rate
/// leaves them idle.
fn nobody_was_busy(window: &Measured) -> bool {
    let share =
        |part: &PartWindow| part.cpu_ns as f64 / (part.elapsed_ns as f64 * part.cpu_count as f64);
    let is_idle = |part: &PartWindow| share(part) < LEAST_PART_SHARE;
    window.has_parts() && window.due_ops.is_none() && window.parts.iter().all(is_idle)
}

fn disturbances(
    window: &Measured,
    steal_ticks: Option<u64>,
    ignores_cpu_time: bool,
) -> Vec<Disturbance> {
    let threads = &window.threads;
    let cpus = cpus_of(window);
    let there_was_ns = window.process_elapsed_ns as f64 * cpus.len() as f64;
    let cpu_share = cpu_share(window, cpus.len());
    let is_short = |least: f64| !ignores_cpu_time && !window.has_parts() && cpu_share < least;
    let is_taken = is_short(LEAST_CPU_SHARE) || !ignores_cpu_time && nobody_was_busy(window);
    let stolen = steal_ticks.unwrap_or(0) as f64 / TICKS_PER_S * 1e9 / there_was_ns;
    let many = |is_so: &dyn Fn(&ThreadWindow) -> bool| {
        let count = threads.iter().filter(|thread| is_so(thread)).count();
        count as f64 > MOST_DISTURBED_SHARE * threads.len() as f64
    };
    // With more threads than CPUs they take turns, and that is no disturbance.
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
