//! What the pulses of many windows tell: how the clock drifts, who shares the cores, and which of our CPUs
//! are siblings.

use super::Pair;
use estimate::{COMMAND_WORKER, Disturbance, Look, RunEstimate, flicker_floor, level_by_round};
use record::{Run, ThreadWindow};
use serde::Serialize;
use stats::{States, is_one_state, mean, quantile, two_states};
use std::collections::BTreeMap;

/// Fewer windows than this tell nothing of a CPU.
const LEAST_WINDOWS: usize = 8;

/// What pulses show.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pulses {
    /// Windows of one thread that were looked at.
    pub windows: usize,
    /// Mean clock in Hz; `None` without a clear window.
    pub clock_hz: Option<f64>,
    /// Its spread from window to window, around each series' own mean: standard deviation over mean. `None` if no series has
    /// two windows.
    pub clock_spread: Option<f64>,
    /// Its slow drift: what averaging for longer would not take away, as the half-width of an interval. `None` after a
    /// single round.
    pub clock_drift: Option<f64>,
    /// Mean width per clock; `None` without a clear window.
    pub width: Option<f64>,
    /// Lower and upper quartile of the widths; `None` without a clear window.
    pub width_quartiles: Option<(f64, f64)>,
    /// Windows in which the CPU was ours and whose clock can be believed: what clock and width rest on.
    pub clear_windows: usize,
    /// The two states of the cores' width, if there are two.
    pub width_states: Option<States>,
    /// Whether it is one state, if there are no two.
    pub is_one_state: bool,
    /// Each CPU.
    pub cpus: Vec<CpuPulses>,
    /// Pairs of CPUs that were tried together; `None` if that was not tried.
    pub pairs: Option<Vec<Pair>>,
    /// Pairs that there was time for, but not the open files or tasks.
    pub without_room: usize,
}

/// What pulses show of a CPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuPulses {
    /// Its number.
    pub cpu: u32,
    /// Windows of one thread on it.
    pub windows: usize,
    /// Mean clock in Hz of its clear windows; `None` without one.
    pub clock_hz: Option<f64>,
    /// Their mean width per clock.
    pub width: Option<f64>,
    /// Share of windows in the lower of the two states; `None` where there are no two.
    pub shared_share: Option<f64>,
    /// CPU time over elapsed time of a thread that wanted all of it; `None` where that is not known.
    pub cpu_share: Option<f64>,
}

/// A series of windows of one thread on one CPU, doing the same.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CpuSeries {
    /// Where.
    pub cpu: u32,
    /// Each window, in order.
    pub looks: Vec<Look>,
    /// CPU time of the thread over all windows; `None` where others do its work.
    pub cpu_ns: Option<u64>,
    /// How long that was.
    pub elapsed_ns: u64,
}

impl CpuSeries {
    fn add(&mut self, elapsed_ns: u64, cpu_ns: Option<u64>) {
        self.elapsed_ns = self.elapsed_ns.saturating_add(elapsed_ns);
        self.cpu_ns = self.cpu_ns.zip(cpu_ns).map(|(sum, ns)| sum.saturating_add(ns));
    }

    /// Adds a thread's times.
    pub fn add_times(&mut self, thread: &ThreadWindow) {
        self.add(thread.cpu_elapsed_ns.unwrap_or(thread.elapsed_ns), thread.cpu_ns);
    }
}

impl Pulses {
    /// Of series of windows. `None` if there are too few.
    pub fn of(series: &[CpuSeries], pairs: Option<Vec<Pair>>) -> Option<Self> {
        let all: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        if all.len() < LEAST_WINDOWS {
            return None;
        }
        let clear: Vec<&Look> = all.iter().copied().filter(|look| is_clear(look)).collect();
        let widths: Vec<f64> = clear.iter().flat_map(|look| look.threads[0].widths).collect();
        let clocks: Vec<Vec<(u64, f64)>> = series
            .iter()
            .map(|s| {
                s.looks.iter().filter(|l| is_clear(l)).map(|l| (l.round, l.clock_hz.ln())).collect()
            })
            .filter(|clocks: &Vec<_>| !clocks.is_empty())
            .collect();
        let width_states = two_states(&widths);
        let by_round = level_by_round(&clocks, mean);
        Some(Self {
            windows: all.len(),
            clock_hz: mean_of(&clear, |look| look.clock_hz),
            clock_spread: spread(&clocks),
            clock_drift: (by_round.len() > 1).then(|| flicker_floor(&by_round).half),
            width: mean_of(&clear, width),
            is_one_state: width_states.is_none() && is_one_state(&widths),
            width_quartiles: quartiles(widths),
            clear_windows: clear.len(),
            width_states,
            cpus: cpus(series, width_states.as_ref()),
            pairs,
            without_room: 0,
        })
    }

    /// Of the windows with one thread of a run.
    pub fn of_run(run: &Run, estimate: &RunEstimate) -> Option<Self> {
        let mut series: BTreeMap<usize, CpuSeries> = BTreeMap::new();
        for (case, looks) in estimate.looks.iter().enumerate() {
            let planned = &run.header.plan.cases[case];
            if planned.threads == 1 && !looks.is_empty() {
                let worker = &run.header.workloads[&planned.workload].worker;
                let cpu_ns = (worker != COMMAND_WORKER).then_some(0);
                let cpu = planned.cpus[0];
                series.insert(case, CpuSeries { cpu, looks: looks.clone(), cpu_ns, elapsed_ns: 0 });
            }
        }
        for window in &run.windows {
            if let Some(series) = series.get_mut(&window.case) {
                // The process's: its runtime's own threads are no strangers.
                let of_thread = window.threads[0].cpu_ns;
                let of_process = of_thread.map(|ns| window.process_cpu_ns.max(ns));
                series.add(window.process_elapsed_ns, of_process);
            }
        }
        Self::of(&series.into_values().collect::<Vec<_>>(), None)
    }
}

/// A thread that was interrupted in its pulse looks slow and narrow, and is neither.
fn is_clear(look: &Look) -> bool {
    look.has_clock() && !look.disturbances.contains(&Disturbance::CpuTaken)
}

/// The width of a window of one thread.
fn width(look: &Look) -> f64 {
    look.threads[0].width()
}

/// A mean over windows; `None` if there are none.
fn mean_of(looks: &[&Look], what: fn(&Look) -> f64) -> Option<f64> {
    let values: Vec<f64> = looks.iter().map(|look| what(look)).collect();
    (!values.is_empty()).then(|| mean(&values))
}

fn quartiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    (!values.is_empty()).then(|| (quantile(&values, 0.25), quantile(&values, 0.75)))
}

/// Standard deviation around each series' own mean, of those with two windows or more.
fn spread(logs: &[Vec<(u64, f64)>]) -> Option<f64> {
    let squares: Vec<f64> = logs
        .iter()
        .filter(|logs| logs.len() > 1)
        .flat_map(|logs| {
            let centre = mean(&logs.iter().map(|(_, log)| *log).collect::<Vec<_>>());
            logs.iter().map(move |(_, log)| (log - centre).powi(2))
        })
        .collect();
    (!squares.is_empty()).then(|| mean(&squares).sqrt())
}

fn cpus(series: &[CpuSeries], states: Option<&States>) -> Vec<CpuPulses> {
    let mut by_cpu: BTreeMap<u32, Vec<&CpuSeries>> = BTreeMap::new();
    for series in series {
        by_cpu.entry(series.cpu).or_default().push(series);
    }
    let of = |(cpu, series): (u32, Vec<&CpuSeries>)| {
        let looks: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        let clear: Vec<&Look> = looks.iter().copied().filter(|look| is_clear(look)).collect();
        let shared = |threshold: f64| {
            let shared = clear.iter().filter(|look| width(look) <= threshold).count();
            (!clear.is_empty()).then(|| shared as f64 / clear.len() as f64)
        };
        let told = series.iter().filter_map(|s| Some((s.cpu_ns?, s.elapsed_ns)));
        let (cpu_ns, elapsed_ns) = told
            .fold((0_u64, 0_u64), |sum, s| (sum.0.saturating_add(s.0), sum.1.saturating_add(s.1)));
        CpuPulses {
            cpu,
            windows: looks.len(),
            clock_hz: mean_of(&clear, |look| look.clock_hz),
            width: mean_of(&clear, width),
            shared_share: states.and_then(|states| shared(states.threshold)),
            cpu_share: (elapsed_ns > 0).then(|| (cpu_ns as f64 / elapsed_ns as f64).min(1.0)),
        }
    };
    by_cpu.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ThreadLook;

    /// Windows at a clock and a width that are told by the round.
    fn series(cpu: u32, clock_hz: impl Fn(u64) -> f64, width: impl Fn(u64) -> f64) -> CpuSeries {
        let look = |round: u64| {
            let thread = ThreadLook {
                throughput: 1.0,
                clock_hz: clock_hz(round),
                inner_clock_hz: None,
                pulse_clocks_hz: [clock_hz(round); 2],
                widths: [width(round); 2],
            };
            Look {
                launch: 0,
                round,
                at_ns: round,
                throughput: 1.0,
                clock_hz: clock_hz(round),
                threads: vec![thread],
                disturbances: Vec::new(),
                others: None,
            }
        };
        let looks = (0..200).map(look).collect();
        CpuSeries { cpu, looks, cpu_ns: Some(1_980), elapsed_ns: 2_000 }
    }

    #[test]
    fn rows_of_one_sample_show_neither_spread_nor_drift() {
        let one = |cpu| {
            let CpuSeries { looks, .. } = series(cpu, |_| 3e9, |_| 4.0);
            CpuSeries { cpu, looks: looks[..1].to_vec(), cpu_ns: None, elapsed_ns: 0 }
        };
        let pulses = Pulses::of(&(0..20).map(one).collect::<Vec<_>>(), None).unwrap();
        assert_eq!(
            (pulses.clear_windows, pulses.clock_spread, pulses.clock_drift),
            (20, None, None)
        );
    }

    #[test]
    fn a_steady_core_has_one_state_and_neither_spread_nor_drift() {
        let pulses = Pulses::of(&[series(3, |_| 3e9, |_| 4.0)], None).unwrap();
        assert_eq!((pulses.windows, pulses.clear_windows, pulses.width_states), (200, 200, None));
        assert!(pulses.clock_spread.unwrap() < 1e-9 && pulses.clock_drift.unwrap() < 1e-9);
        let cpu = &pulses.cpus[0];
        assert_eq!((cpu.cpu, cpu.shared_share, cpu.cpu_share), (3, None, Some(0.99)));
    }

    #[test]
    fn the_time_with_a_neighbour_is_told_for_every_cpu() {
        let shared_at_times = series(0, |_| 3e9, |i| if i % 4 == 0 { 1.9 } else { 3.8 });
        let own = series(1, |_| 3e9, |_| 3.8);
        let pulses = Pulses::of(&[shared_at_times, own], None).unwrap();
        assert!((pulses.width_states.unwrap().high_share - 0.875).abs() < 1e-9);
        let shares: Vec<_> = pulses.cpus.iter().map(|cpu| cpu.shared_share.unwrap()).collect();
        assert_eq!(shares, [0.25, 0.0]);
    }

    #[test]
    fn fast_noise_is_spread_and_a_slow_swing_is_drift_as_well() {
        let of = |clock: fn(u64) -> f64| Pulses::of(&[series(0, clock, |_| 4.0)], None).unwrap();
        let noise = of(|i| if i % 2 == 0 { 3.0e9 } else { 3.3e9 });
        assert!(noise.clock_spread > Some(0.04) && noise.clock_drift.unwrap() < 0.001, "{noise:?}");
        let swing = of(|i| if i / 50 % 2 == 0 { 3.0e9 } else { 3.3e9 });
        assert!(swing.clock_spread > Some(0.04) && swing.clock_drift > Some(0.1), "{swing:?}");
    }

    #[test]
    fn windows_in_which_the_cpu_was_taken_tell_nothing_of_the_core() {
        let mut taken = series(0, |_| 3e9, |_| 4.0);
        for look in taken.looks.iter_mut().step_by(2) {
            look.disturbances.push(Disturbance::CpuTaken);
            (look.clock_hz, look.threads[0].widths) = (1e9, [1.5; 2]);
        }
        let pulses = Pulses::of(&[taken], None).unwrap();
        assert_eq!((pulses.clear_windows, pulses.width_states), (100, None));
        assert!(pulses.clock_spread.unwrap() < 1e-9, "{pulses:?}");
        let cpu = &pulses.cpus[0];
        for (clock_hz, width) in [(pulses.clock_hz, pulses.width), (cpu.clock_hz, cpu.width)] {
            assert!((clock_hz.unwrap() / 3e9 - 1.0).abs() < 1e-9, "{pulses:?}");
            assert!((width.unwrap() - 4.0).abs() < 1e-9, "{pulses:?}");
        }
    }

    #[test]
    fn without_a_clear_window_there_is_neither_clock_nor_width() {
        let mut taken = series(0, |_| 3e9, |_| 4.0);
        taken.looks.iter_mut().for_each(|look| look.disturbances.push(Disturbance::CpuTaken));
        let pulses = Pulses::of(&[taken], None).unwrap();
        assert_eq!((pulses.windows, pulses.clear_windows), (200, 0));
        assert_eq!((pulses.clock_hz, pulses.width), (None, None));
        assert_eq!((pulses.cpus[0].clock_hz, pulses.cpus[0].width), (None, None));
    }

    #[test]
    fn the_work_of_plain_commands_has_no_share_and_few_windows_tell_nothing() {
        let mut command = series(0, |_| 3e9, |_| 4.0);
        command.cpu_ns = None;
        assert_eq!(Pulses::of(&[command.clone()], None).unwrap().cpus[0].cpu_share, None);
        command.looks.truncate(7);
        assert_eq!(Pulses::of(&[command], None), None);
    }
}
