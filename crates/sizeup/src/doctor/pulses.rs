//! What the pulses of many windows tell: how the clock drifts, who shares the cores, and which of our CPUs
//! are siblings.

use super::Pair;
use crate::estimate::{COMMAND_WORKER, Disturbance, Look, RunEstimate, flicker_floor};
use crate::record::{Run, ThreadWindow};
use crate::stats::{States, mean, two_states};
use serde::Serialize;
use std::collections::BTreeMap;

/// Fewer windows than this tell nothing of a CPU.
const LEAST_WINDOWS: usize = 8;

/// What pulses show.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pulses {
    /// Windows of one thread that were looked at.
    pub windows: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Its spread from window to window, around each series' own mean: standard deviation over mean.
    pub clock_spread: f64,
    /// Its slow drift: what averaging for longer would not take away, as the half-width of an interval.
    pub clock_drift: f64,
    /// Mean width per clock.
    pub width: f64,
    /// Windows in which the CPU was ours and whose clock can be believed: what the width rests on.
    pub clear_windows: usize,
    /// The two states of the cores' width, if there are two.
    pub width_states: Option<States>,
    /// Each CPU.
    pub cpus: Vec<CpuPulses>,
    /// Pairs of CPUs that were tried together; `None` if that was not tried.
    pub pairs: Option<Vec<Pair>>,
}

/// What pulses show of a CPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CpuPulses {
    /// Its number.
    pub cpu: u32,
    /// Windows of one thread on it.
    pub windows: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Mean width per clock.
    pub width: f64,
    /// Share of windows in the lower of the two states; `None` where there are no two.
    pub shared_share: Option<f64>,
    /// CPU time over elapsed time of a thread that wanted all of it; `None` where that is not known.
    pub cpu_share: Option<f64>,
}

/// A series of windows of one thread on one CPU, doing the same.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Where.
    pub cpu: u32,
    /// Each window, in order.
    pub looks: Vec<Look>,
    /// CPU time of the thread over all windows; `None` where others do its work.
    pub cpu_ns: Option<u64>,
    /// How long that was.
    pub elapsed_ns: u64,
}

impl Series {
    /// Adds a thread's times.
    pub fn add_times(&mut self, thread: &ThreadWindow) {
        self.elapsed_ns += thread.elapsed_ns;
        self.cpu_ns = self.cpu_ns.map(|ns| ns + thread.cpu_ns);
    }
}

impl Pulses {
    /// Of series of windows. `None` if there are too few.
    pub fn of(series: &[Series], pairs: Option<Vec<Pair>>) -> Option<Self> {
        let all: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        if all.len() < LEAST_WINDOWS {
            return None;
        }
        let clear: Vec<&Look> = all.iter().copied().filter(|look| is_clear(look)).collect();
        let widths: Vec<f64> = clear.iter().map(|look| look.width).collect();
        let clocks: Vec<Vec<(u64, f64)>> = series
            .iter()
            .map(|s| {
                s.looks.iter().filter(|l| is_clear(l)).map(|l| (l.round, l.clock_hz.ln())).collect()
            })
            .filter(|clocks: &Vec<_>| !clocks.is_empty())
            .collect();
        let width_states = two_states(&widths);
        Some(Self {
            windows: all.len(),
            clock_hz: mean(&all.iter().map(|look| look.clock_hz).collect::<Vec<_>>()),
            clock_spread: spread(&clocks),
            clock_drift: flicker_floor(&clocks),
            width: if widths.is_empty() { 0.0 } else { mean(&widths) },
            clear_windows: clear.len(),
            width_states,
            cpus: cpus(series, width_states.as_ref()),
            pairs,
        })
    }

    /// Of the windows with one thread of a run.
    pub fn of_run(run: &Run, estimate: &RunEstimate) -> Option<Self> {
        let mut series: BTreeMap<usize, Series> = BTreeMap::new();
        for (case, looks) in estimate.looks.iter().enumerate() {
            let planned = &run.header.plan.cases[case];
            if planned.threads == 1 && !looks.is_empty() {
                let worker = &run.header.workloads[&planned.workload].worker;
                let cpu_ns = (worker != COMMAND_WORKER).then_some(0);
                let cpu = planned.cpus[0];
                series.insert(case, Series { cpu, looks: looks.clone(), cpu_ns, elapsed_ns: 0 });
            }
        }
        for window in &run.windows {
            if let Some(series) = series.get_mut(&window.case) {
                // The process's: its runtime's own threads are no strangers.
                series.elapsed_ns += window.process_elapsed_ns;
                let of_thread = window.threads[0].cpu_ns;
                series.cpu_ns = series.cpu_ns.map(|ns| ns + window.process_cpu_ns.max(of_thread));
            }
        }
        Self::of(&series.into_values().collect::<Vec<_>>(), None)
    }
}

/// A thread that was interrupted in its pulse looks slow and narrow, and is neither.
fn is_clear(look: &Look) -> bool {
    look.has_clock() && !look.disturbances.contains(&Disturbance::CpuTaken)
}

/// Standard deviation around each series' own mean.
fn spread(logs: &[Vec<(u64, f64)>]) -> f64 {
    let squares: Vec<f64> = logs
        .iter()
        .flat_map(|logs| {
            let centre = mean(&logs.iter().map(|(_, log)| *log).collect::<Vec<_>>());
            logs.iter().map(move |(_, log)| (log - centre).powi(2))
        })
        .collect();
    if squares.is_empty() { 0.0 } else { mean(&squares).sqrt() }
}

fn cpus(series: &[Series], states: Option<&States>) -> Vec<CpuPulses> {
    let mut by_cpu: BTreeMap<u32, Vec<&Series>> = BTreeMap::new();
    for series in series {
        by_cpu.entry(series.cpu).or_default().push(series);
    }
    let of = |(cpu, series): (u32, Vec<&Series>)| {
        let looks: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        let of = |what: fn(&Look) -> f64| mean(&looks.iter().map(|l| what(l)).collect::<Vec<_>>());
        let clear: Vec<&Look> = looks.iter().copied().filter(|look| is_clear(look)).collect();
        let shared = |threshold: f64| {
            let shared = clear.iter().filter(|look| look.width <= threshold).count();
            (!clear.is_empty()).then(|| shared as f64 / clear.len() as f64)
        };
        let told = series.iter().filter_map(|s| Some((s.cpu_ns?, s.elapsed_ns)));
        let (cpu_ns, elapsed_ns) = told.fold((0, 0), |sum, s| (sum.0 + s.0, sum.1 + s.1));
        CpuPulses {
            cpu,
            windows: looks.len(),
            clock_hz: of(|look| look.clock_hz),
            width: of(|look| look.width),
            shared_share: states.and_then(|states| shared(states.threshold)),
            cpu_share: (elapsed_ns > 0).then(|| (cpu_ns as f64 / elapsed_ns as f64).min(1.0)),
        }
    };
    by_cpu.into_iter().map(of).collect()
}
