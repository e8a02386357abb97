//! Cost of the work in a mix when all of it runs at once, compared with each part alone.
//!
//! Shared caches, memory, clocks and cores make concurrent work more expensive; kinds of work that use different parts
//! of a core make it cheaper. CPU time per op is compared: it does not depend on how much of the CPUs each kind of work
//! or other processes got.

use super::run_effect::run_effect_of;
use catalog::{Demand, Mix};
use record::{Measured, Run, ThreadSample};
use serde::Serialize;
use stats::{Interval, mean};
use std::collections::BTreeMap;

/// A mix that was measured concurrently.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Together {
    pub mix: Mix,
    /// Rounds in which all parts were measured at once and each alone.
    pub rounds: usize,
    /// One for each demand, in the mix's order.
    pub parts: Vec<TogetherPart>,
    /// The time that the mix takes over the sum of its parts alone; `None` after fewer than two rounds.
    pub factor: Option<Interval>,
    /// Logarithms of each part's slowdown, by round.
    #[serde(skip)]
    logs: Vec<Vec<f64>>,
}

/// One kind of work of a mix.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TogetherPart {
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// Share of the machine's time that it takes at its rate, by its throughput alone.
    pub wanted: f64,
    /// Share of the mix's CPU time that it got.
    pub share: f64,
    /// CPU time per op within the mix over that alone; `None` after fewer than two rounds.
    pub slowdown: Option<Interval>,
}

impl Together {
    /// `None` if the run has no mix, or never measured it at once.
    pub fn of(run: &Run) -> Option<Self> {
        let mix = run.header.plan.mix.clone()?;
        let cases: Vec<usize> = mix
            .demands
            .iter()
            .map(|demand| case_of(run, &demand.workload))
            .collect::<Option<_>>()?;
        let alone: BTreeMap<(u64, usize), &Measured> =
            run.samples.iter().map(|w| ((w.round, w.case), &w.measured)).collect();
        let (mut logs, mut shares) = (Vec::new(), Vec::new());
        for mixed in &run.mixed {
            let share = |case: &usize| mixed.shares.iter().find(|share| share.case == *case);
            let log = |case: &usize| {
                Some((cost(&share(case)?.measured) / cost(alone.get(&(mixed.round, *case))?)).ln())
            };
            let used = |case: &usize| Some(cpus(&share(case)?.measured));
            let round: Option<(Vec<f64>, Vec<f64>)> =
                cases.iter().map(|case| Some((log(case)?, used(case)?))).collect();
            if let Some((of_round, used)) =
                round.filter(|(logs, _)| logs.iter().all(|log| log.is_finite()))
            {
                let all: f64 = used.iter().sum();
                logs.push(of_round);
                shares.push(used.into_iter().map(|cpus| cpus / all).collect::<Vec<f64>>());
            }
        }
        // Samples that repeat each other tell nothing about any round.
        if logs.is_empty() || cases.iter().any(|case| run.repeated.contains(case)) {
            return None;
        }
        let loads: Vec<f64> = (mix.demands.iter().zip(&cases))
            .map(|(demand, case)| load(run, demand, *case))
            .collect::<Option<_>>()?;
        let all: f64 = loads.iter().sum();
        let part = |(number, demand): (usize, &Demand)| {
            let column = |rounds: &[Vec<f64>]| {
                rounds.iter().map(|round| round[number]).collect::<Vec<f64>>()
            };
            TogetherPart {
                workload: demand.workload.clone(),
                wanted: loads[number] / all,
                share: mean(&column(&shares)),
                slowdown: centre_of(&column(&logs)),
            }
        };
        let parts: Vec<TogetherPart> = mix.demands.iter().enumerate().map(part).collect();
        let together = Self { rounds: logs.len(), parts, factor: None, mix, logs };
        let wanted: Vec<f64> = together.parts.iter().map(|part| part.wanted).collect();
        Some(Self { factor: together.factor_of(&wanted), ..together })
    }

    /// The time that the mix takes over the sum of its parts, given each part's share of that sum.
    fn factor_of(&self, shares: &[f64]) -> Option<Interval> {
        let round = |logs: &Vec<f64>| {
            logs.iter().zip(shares).map(|(log, share)| share * log.exp()).sum::<f64>().ln()
        };
        centre_of(&self.logs.iter().map(round).collect::<Vec<f64>>())
    }
}

/// Share of the machine's time that a demand takes.
fn load(run: &Run, demand: &Demand, case: usize) -> Option<f64> {
    let samples = run.samples.iter().filter(|sample| sample.case == case);
    let alone: Vec<f64> = samples.map(|sample| ops_per_s(&sample.measured)).collect();
    Some(demand.rate?.ops_per_s(run.bytes_per_op(case))? / mean(&alone))
}

fn case_of(run: &Run, workload: &str) -> Option<usize> {
    run.header.plan.cases.iter().position(|case| case.workload == workload && case.is_row())
}

/// The geometric mean of a series in time.
fn centre_of(logs: &[f64]) -> Option<Interval> {
    let run_effect = run_effect_of(logs);
    (logs.len() > 1)
        .then(|| Interval::around(mean(logs).exp(), run_effect.margin, run_effect.freedom))
}

/// CPUs that the process used.
fn cpus(measured: &Measured) -> f64 {
    measured.process_cpu_ns as f64 / measured.process_elapsed_ns as f64
}

/// Seconds of CPU time per op. Work outside the measured threads (garbage collection, say) counts, too.
fn cost(measured: &Measured) -> f64 {
    cpus(measured) / ops_per_s(measured)
}

fn ops_per_s(measured: &Measured) -> f64 {
    measured.threads.iter().map(ThreadSample::ops_per_s).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Mixed, MixedShare, fixture};

    /// Two kinds of work whose ops take `slowdowns` times their CPU time when both run at once.
    fn run(slowdowns: [f64; 2], rounds: u64) -> Run {
        // 1e9 ops/s of ten bytes each.
        let mut run = fixture::run(&[("a/x", &[100; 20]), ("b/x", &[100; 20])]);
        let mix = "[[demand]]\nworkload = \"b/x\"\nrate = \"10 GB/s\"\n\
                   [[demand]]\nworkload = \"a/x\"\nrate = \"3,000,000,000 ops/s\"\n";
        run.header.plan.mix = Some(toml::from_str(mix).unwrap());
        for round in 0..rounds {
            let share = |case: usize| {
                let alone = run.samples.iter().find(|w| w.case == case && w.round == round);
                let mut measured = alone.unwrap().measured.clone();
                // As many ops as a quarter or three quarters of the CPUs' time give.
                let share = if case == 0 { 0.75 } else { 0.25 };
                measured.process_elapsed_ns = 1_000_000;
                measured.process_cpu_ns = (share * 1e6) as u64;
                measured.threads[0].elapsed_ns = 1_000_000;
                let whole = 1e6 * alone.unwrap().process_elapsed_ns as f64
                    / alone.unwrap().process_cpu_ns as f64;
                measured.threads[0].ops = (share * whole / slowdowns[case]) as u64;
                MixedShare { launch: case as u64, case, nice: 0, measured }
            };
            let shares = vec![share(0), share(1)];
            run.mixed.push(Mixed { round, shares });
        }
        run
    }

    #[test]
    fn a_mix_takes_the_concurrent_time_of_its_parts_weighted_by_their_shares() {
        let together = Together::of(&run([1.5, 1.1], 12)).unwrap();
        assert_eq!((together.rounds, together.parts[0].workload.as_str()), (12, "b/x"));
        let near = |value: f64, truth: f64| assert!((value / truth - 1.0).abs() < 1e-3, "{value}");
        for (part, share, slowdown) in [(0, 0.25, 1.1), (1, 0.75, 1.5)] {
            let part = &together.parts[part];
            near(part.wanted, share);
            near(part.share, share);
            near(part.slowdown.unwrap().centre, slowdown);
        }
        near(together.factor.unwrap().centre, 0.25 * 1.1 + 0.75 * 1.5);
    }

    #[test]
    fn a_single_concurrent_round_has_no_interval_and_no_figure() {
        let together = Together::of(&run([1.5, 1.1], 1)).unwrap();
        assert_eq!((together.rounds, together.factor), (1, None));
        assert_eq!(Together::of(&run([1.0, 1.0], 0)), None);
        assert_eq!(Together::of(&fixture::run(&[("a/x", &[100; 20])])), None);
    }

    #[test]
    fn rounds_with_a_missing_part_do_not_count() {
        let mut run = run([1.0, 1.0], 5);
        run.mixed[2].shares.pop();
        run.mixed[3].shares[0].measured.threads[0].ops = 0;
        assert_eq!(Together::of(&run).unwrap().rounds, 3);
    }
}
