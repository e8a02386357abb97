//! Evaluates the pulses of many samples: clock drift, neighbours on the cores, and sibling CPUs.

use super::Pair;
use estimate::{
    COMMAND_WORKER, Disturbance, Look, RunEstimate, flicker_floor, run_effect_by_round,
    states_of_memory,
};
use record::{Run, ThreadSample};
use serde::Serialize;
use stats::{States, is_one_state, mean, median, quantile, two_states};
use std::collections::BTreeMap;

/// Fewer samples than this show nothing.
const LEAST_SAMPLES: usize = 8;

#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Pulses {
    /// Single-thread samples that were evaluated.
    pub samples: usize,
    /// Mean clock in Hz; `None` without an undisturbed sample.
    pub clock_hz: Option<f64>,
    /// Spread of the clock between samples around each series' own mean: standard deviation over mean. `None` if no
    /// series has two samples.
    pub clock_spread: Option<f64>,
    /// Slow drift of the clock that longer averaging does not remove, as a margin. `None` after a single round.
    pub clock_drift: Option<f64>,
    /// Mean width in instructions per cycle; `None` without an undisturbed sample.
    pub width: Option<f64>,
    /// Lower and upper quartile of the widths; `None` without an undisturbed sample.
    pub width_quartiles: Option<(f64, f64)>,
    /// Undisturbed samples with a valid clock: clock and width are estimated from these.
    pub clear_samples: usize,
    /// The two states of the cores' width; `null` if there are not two.
    pub width_states: Option<States>,
    /// Whether the widths form a single state.
    pub is_one_state: bool,
    /// Median of the bandwidth that the memory had left for a core, in GB/s; `None` without memory pulses.
    pub memory_gb_s: Option<f64>,
    /// The two states of that bandwidth, with and without a neighbour; `null` if there are not two.
    pub memory_states: Option<States>,
    /// Whether that bandwidth is a single state, where there are not two.
    pub is_memory_steady: bool,
    pub cpus: Vec<CpuPulses>,
    /// Pairs of CPUs that were tried together; `None` if none was to be tried.
    pub pairs: Option<Vec<Pair>>,
    /// Pairs that were not tried because of limits on open files or tasks.
    pub without_room: usize,
}

/// The pulses of one CPU.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CpuPulses {
    pub cpu: u32,
    /// Single-thread samples on it.
    pub samples: usize,
    /// Mean clock in Hz of its undisturbed samples; `None` without one.
    pub clock_hz: Option<f64>,
    /// Mean width of the same samples in instructions per cycle.
    pub width: Option<f64>,
    /// Share of samples in the lower of the two states; `None` without two states.
    pub shared_share: Option<f64>,
    /// CPU time over elapsed time of a thread that never waits; `None` if unknown.
    pub cpu_share: Option<f64>,
}

/// Single-thread samples of the same work on one CPU.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CpuSeries {
    pub cpu: u32,
    pub looks: Vec<Look>,
    /// CPU time of the thread over all samples; `None` where other processes do its work.
    pub cpu_ns: Option<u64>,
    pub elapsed_ns: u64,
}

impl CpuSeries {
    fn add(&mut self, elapsed_ns: u64, cpu_ns: Option<u64>) {
        self.elapsed_ns = self.elapsed_ns.saturating_add(elapsed_ns);
        self.cpu_ns = self.cpu_ns.zip(cpu_ns).map(|(sum, ns)| sum.saturating_add(ns));
    }

    pub fn add_times(&mut self, thread: &ThreadSample) {
        self.add(thread.cpu_elapsed_ns.unwrap_or(thread.elapsed_ns), thread.cpu_ns);
    }
}

impl Pulses {
    /// `None` if there are too few samples.
    pub fn of(series: &[CpuSeries], pairs: Option<Vec<Pair>>) -> Option<Self> {
        let all: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        if all.len() < LEAST_SAMPLES {
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
        let memory: Vec<f64> = clear.iter().filter_map(|look| look.memory_gb_s).collect();
        let by_round = run_effect_by_round(&clocks, mean);
        Some(Self {
            samples: all.len(),
            clock_hz: mean_of(&clear, |look| look.clock_hz),
            clock_spread: spread(&clocks),
            clock_drift: (by_round.len() > 1).then(|| flicker_floor(&by_round).margin),
            width: mean_of(&clear, width),
            is_one_state: width_states.is_none() && is_one_state(&widths),
            memory_gb_s: (!memory.is_empty()).then(|| median(&memory)),
            memory_states: states_of_memory(&memory),
            is_memory_steady: is_one_state(&memory),
            width_quartiles: quartiles(widths),
            clear_samples: clear.len(),
            width_states,
            cpus: cpus(series, width_states.as_ref()),
            pairs,
            without_room: 0,
        })
    }

    /// Uses a run's single-thread samples.
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
        for sample in &run.samples {
            if let Some(series) = series.get_mut(&sample.case) {
                // CPU time of the whole process: its runtime's own threads do not count as other work.
                let of_thread = sample.threads[0].cpu_ns;
                let of_process = of_thread.map(|ns| sample.process_cpu_ns.max(ns));
                series.add(sample.process_elapsed_ns, of_process);
            }
        }
        Self::of(&series.into_values().collect::<Vec<_>>(), None)
    }
}

/// An interruption during the pulse makes a core look slow and narrow.
fn is_clear(look: &Look) -> bool {
    look.has_clock() && !look.disturbances.contains(&Disturbance::CpuTaken)
}

fn width(look: &Look) -> f64 {
    look.threads[0].width()
}

fn mean_of(looks: &[&Look], what: fn(&Look) -> f64) -> Option<f64> {
    let values: Vec<f64> = looks.iter().map(|look| what(look)).collect();
    (!values.is_empty()).then(|| mean(&values))
}

fn quartiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.sort_by(f64::total_cmp);
    (!values.is_empty()).then(|| (quantile(&values, 0.25), quantile(&values, 0.75)))
}

/// Standard deviation around each series' own mean, of series with at least two samples.
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
    let pulses_of_cpu = |(cpu, series): (u32, Vec<&CpuSeries>)| {
        let looks: Vec<&Look> = series.iter().flat_map(|s| &s.looks).collect();
        let clear: Vec<&Look> = looks.iter().copied().filter(|look| is_clear(look)).collect();
        let shared = |threshold: f64| {
            let shared = clear.iter().filter(|look| width(look) <= threshold).count();
            (!clear.is_empty()).then(|| shared as f64 / clear.len() as f64)
        };
        let known = series.iter().filter_map(|s| Some((s.cpu_ns?, s.elapsed_ns)));
        let (cpu_ns, elapsed_ns) = known
            .fold((0_u64, 0_u64), |sum, s| (sum.0.saturating_add(s.0), sum.1.saturating_add(s.1)));
        CpuPulses {
            cpu,
            samples: looks.len(),
            clock_hz: mean_of(&clear, |look| look.clock_hz),
            width: mean_of(&clear, width),
            shared_share: states.and_then(|states| shared(states.threshold)),
            cpu_share: (elapsed_ns > 0).then(|| (cpu_ns as f64 / elapsed_ns as f64).min(1.0)),
        }
    };
    by_cpu.into_iter().map(pulses_of_cpu).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ThreadLook;

    /// Samples whose clock and width depend on the round.
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
                memory_gb_s: None,
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
            (pulses.clear_samples, pulses.clock_spread, pulses.clock_drift),
            (20, None, None)
        );
    }

    #[test]
    fn a_steady_core_has_one_state_and_neither_spread_nor_drift() {
        let pulses = Pulses::of(&[series(3, |_| 3e9, |_| 4.0)], None).unwrap();
        assert_eq!((pulses.samples, pulses.clear_samples, pulses.width_states), (200, 200, None));
        assert!(pulses.clock_spread.unwrap() < 1e-9 && pulses.clock_drift.unwrap() < 1e-9);
        let cpu = &pulses.cpus[0];
        assert_eq!((cpu.cpu, cpu.shared_share, cpu.cpu_share), (3, None, Some(0.99)));
    }

    #[test]
    fn every_cpu_has_its_share_of_time_with_a_neighbour() {
        let shared_at_times = series(0, |_| 3e9, |i| if i % 4 == 0 { 1.9 } else { 3.8 });
        let own = series(1, |_| 3e9, |_| 3.8);
        let pulses = Pulses::of(&[shared_at_times, own], None).unwrap();
        assert!((pulses.width_states.unwrap().high_share - 0.875).abs() < 1e-9);
        let shares: Vec<_> = pulses.cpus.iter().map(|cpu| cpu.shared_share.unwrap()).collect();
        assert_eq!(shares, [0.25, 0.0]);
    }

    #[test]
    fn fast_noise_is_spread_and_a_slow_swing_is_drift_as_well() {
        let pulses =
            |clock: fn(u64) -> f64| Pulses::of(&[series(0, clock, |_| 4.0)], None).unwrap();
        let noise = pulses(|i| if i % 2 == 0 { 3.0e9 } else { 3.3e9 });
        assert!(noise.clock_spread > Some(0.04) && noise.clock_drift.unwrap() < 0.001, "{noise:?}");
        let swing = pulses(|i| if i / 50 % 2 == 0 { 3.0e9 } else { 3.3e9 });
        assert!(swing.clock_spread > Some(0.04) && swing.clock_drift > Some(0.1), "{swing:?}");
    }

    #[test]
    fn samples_in_which_the_cpu_was_taken_do_not_count_for_the_core() {
        let mut taken = series(0, |_| 3e9, |_| 4.0);
        for look in taken.looks.iter_mut().step_by(2) {
            look.disturbances.push(Disturbance::CpuTaken);
            (look.clock_hz, look.threads[0].widths) = (1e9, [1.5; 2]);
        }
        let pulses = Pulses::of(&[taken], None).unwrap();
        assert_eq!((pulses.clear_samples, pulses.width_states), (100, None));
        assert!(pulses.clock_spread.unwrap() < 1e-9, "{pulses:?}");
        let cpu = &pulses.cpus[0];
        for (clock_hz, width) in [(pulses.clock_hz, pulses.width), (cpu.clock_hz, cpu.width)] {
            assert!((clock_hz.unwrap() / 3e9 - 1.0).abs() < 1e-9, "{pulses:?}");
            assert!((width.unwrap() - 4.0).abs() < 1e-9, "{pulses:?}");
        }
    }

    #[test]
    fn without_a_clear_sample_there_is_neither_clock_nor_width() {
        let mut taken = series(0, |_| 3e9, |_| 4.0);
        taken.looks.iter_mut().for_each(|look| look.disturbances.push(Disturbance::CpuTaken));
        let pulses = Pulses::of(&[taken], None).unwrap();
        assert_eq!((pulses.samples, pulses.clear_samples), (200, 0));
        assert_eq!((pulses.clock_hz, pulses.width), (None, None));
        assert_eq!((pulses.cpus[0].clock_hz, pulses.cpus[0].width), (None, None));
    }

    #[test]
    fn plain_commands_have_no_cpu_share_and_few_samples_give_no_pulses() {
        let mut command = series(0, |_| 3e9, |_| 4.0);
        command.cpu_ns = None;
        assert_eq!(Pulses::of(&[command.clone()], None).unwrap().cpus[0].cpu_share, None);
        command.looks.truncate(7);
        assert_eq!(Pulses::of(&[command], None), None);
    }
}
