//! What one window tells.

use crate::record::{Measured, Pulse, ThreadWindow};
use serde::Serialize;

/// CPU time may fall this short of elapsed time before the window counts as disturbed.
const LEAST_CPU_SHARE: f64 = 0.98;
/// A thread may be interrupted this often a second before the window counts as disturbed. The monitor
/// of Go's runtime alone comes to some 150, and takes next to no time.
const MOST_SWITCHES_PER_S: f64 = 500.0;

/// The clock may fall this far below the run's median before the window counts as disturbed.
const LEAST_CLOCK_SHARE: f64 = 0.9;

/// Why a window was not the workload's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disturbance {
    /// The hypervisor gave the CPU to others.
    Steal,
    /// The worker was short of CPU time: something else ran in its place.
    CpuTaken,
    /// The worker was interrupted often.
    Switches,
    /// Pages had to be read from a disk.
    MajorFaults,
    /// The clock was far below what it was in most of the run.
    FrequencyDrop,
}

/// A window, seen with its pulses.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Its round.
    pub round: u64,
    /// Ops per second, summed over threads.
    pub throughput: f64,
    /// Mean clock of the threads' cores, in Hz.
    pub clock_hz: f64,
    /// Independent instructions per clock, of the thread that had least.
    pub width: f64,
    /// Independent instructions per second, of the thread that had least: clock and width together.
    pub speed: f64,
    /// What was in its way.
    pub disturbances: Vec<Disturbance>,
}

impl Look {
    /// Derives everything from a window's integers. `cycles_per_op` is the latency of the clock
    /// pulse's instruction; CPU time is not looked at if the work is done by other processes.
    pub fn at(
        window: &Measured,
        round: u64,
        steal_ticks: Option<u64>,
        cycles_per_op: u64,
        by_other_processes: bool,
    ) -> Self {
        let threads = &window.threads;
        let clocks: Vec<f64> =
            threads.iter().map(|t| on_both_sides(t, |p| clock_hz(p, cycles_per_op))).collect();
        let speeds: Vec<f64> = threads
            .iter()
            .map(|t| width_per_s(&t.pulse_before).min(width_per_s(&t.pulse_after)))
            .collect();
        let widths = clocks.iter().zip(&speeds).map(|(clock, speed)| speed / clock);
        Self {
            round,
            throughput: threads.iter().map(|t| per_s(t.ops, t.elapsed_ns)).sum(),
            clock_hz: clocks.iter().sum::<f64>() / clocks.len() as f64,
            width: widths.fold(f64::INFINITY, f64::min),
            speed: speeds.iter().copied().fold(f64::INFINITY, f64::min),
            disturbances: disturbances(window, steal_ticks, by_other_processes),
        }
    }
}

/// Marks the windows whose clock was far below the median of all.
pub(super) fn mark_frequency_drops(looks: &mut [Vec<Look>]) {
    let mut clocks: Vec<f64> = looks.iter().flatten().map(|look| look.clock_hz).collect();
    clocks.sort_by(f64::total_cmp);
    let Some(median) = clocks.get(clocks.len() / 2) else { return };
    for look in looks.iter_mut().flatten().filter(|l| l.clock_hz < LEAST_CLOCK_SHARE * median) {
        look.disturbances.push(Disturbance::FrequencyDrop);
    }
}

fn per_s(count: u64, ns: u64) -> f64 {
    count as f64 * 1e9 / ns as f64
}

fn clock_hz(pulse: &Pulse, cycles_per_op: u64) -> f64 {
    per_s(pulse.clock_ops, pulse.clock_ns) * cycles_per_op as f64
}

fn width_per_s(pulse: &Pulse) -> f64 {
    per_s(pulse.width_ops, pulse.width_ns)
}

/// A clock can't be faster than it is, but an interrupt can make a pulse look slow: the faster of the
/// two looks is the better one.
fn on_both_sides(thread: &ThreadWindow, look: impl Fn(&Pulse) -> f64) -> f64 {
    look(&thread.pulse_before).max(look(&thread.pulse_after))
}

fn disturbances(
    window: &Measured,
    steal_ticks: Option<u64>,
    by_other_processes: bool,
) -> Vec<Disturbance> {
    let threads = &window.threads;
    // The runtime's other threads work on the same CPUs: that is the worker's own CPU time.
    let mut cpus: Vec<u32> = threads.iter().map(|t| t.cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let there_was = window.process_elapsed_ns as f64 * cpus.len() as f64;
    let switches = |t: &ThreadWindow| per_s(t.involuntary_switches, t.elapsed_ns);
    // With more threads than CPUs they take turns, and that is no disturbance.
    let alone = cpus.len() == threads.len();
    let found = [
        (Disturbance::Steal, steal_ticks.is_some_and(|ticks| ticks > 0)),
        (
            Disturbance::CpuTaken,
            !by_other_processes && (window.process_cpu_ns as f64) < LEAST_CPU_SHARE * there_was,
        ),
        (Disturbance::Switches, alone && threads.iter().any(|t| switches(t) > MOST_SWITCHES_PER_S)),
        (Disturbance::MajorFaults, threads.iter().any(|t| t.major_faults > 0)),
    ];
    found.into_iter().filter_map(|(disturbance, is_so)| is_so.then_some(disturbance)).collect()
}
