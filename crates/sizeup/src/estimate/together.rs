//! What the work of a mix costs beside the rest of it, against what it costs alone.
//!
//! Shared caches, memory, clocks and cores make work dearer in company; two kinds of work that want different parts of a
//! core make it cheaper. What is compared is CPU time per op: how much of the CPUs each kind of work happened to get does
//! not matter then, nor what others took.

use super::level::level_of;
use crate::catalog::{Demand, Mix};
use crate::record::{Measured, Run, ThreadWindow};
use crate::stats::{Interval, mean};
use serde::Serialize;
use std::collections::BTreeMap;

/// A mix that was measured at once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Together {
    /// What it is.
    pub mix: Mix,
    /// How often all of it was measured at once, each time beside a window of each alone.
    pub rounds: usize,
    /// Each demand, in the mix's order.
    pub parts: Vec<TogetherPart>,
    /// The time that the mix takes, by what its parts add up to; `None` of fewer than two rounds.
    pub factor: Option<Interval>,
    /// Logarithm of each part's slowdown in each round.
    #[serde(skip)]
    logs: Vec<Vec<f64>>,
}

/// One kind of work of a mix.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TogetherPart {
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// Share of the machine's time that it takes by its rate and by what the machine does of it alone.
    pub wanted: f64,
    /// Share of the mix's CPU time that it had.
    pub share: f64,
    /// CPU time of an op beside the others, by what it is alone; `None` of fewer than two rounds.
    pub slowdown: Option<Interval>,
}

impl Together {
    /// Of a run of a mix. `None` of any other run, and where it was never measured at once.
    pub fn of(run: &Run) -> Option<Self> {
        let mix = run.header.plan.mix.clone()?;
        let cases: Vec<usize> = mix
            .demands
            .iter()
            .map(|demand| case_of(run, &demand.workload))
            .collect::<Option<_>>()?;
        let alone: BTreeMap<(u64, usize), &Measured> =
            run.windows.iter().map(|w| ((w.round, w.case), &w.measured)).collect();
        let (mut logs, mut shares) = (Vec::new(), Vec::new());
        for mixed in &run.mixed {
            let of = |case: &usize| mixed.shares.iter().find(|share| share.case == *case);
            let log = |case: &usize| {
                Some((cost(&of(case)?.measured) / cost(alone.get(&(mixed.round, *case))?)).ln())
            };
            let used = |case: &usize| Some(cpus(&of(case)?.measured));
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
        if logs.is_empty() {
            return None;
        }
        let loads: Vec<f64> = (mix.demands.iter().zip(&cases))
            .map(|(demand, case)| load(run, demand, *case))
            .collect::<Option<_>>()?;
        let all: f64 = loads.iter().sum();
        let part = |(number, demand): (usize, &Demand)| {
            let of = |rounds: &[Vec<f64>]| {
                rounds.iter().map(|round| round[number]).collect::<Vec<f64>>()
            };
            TogetherPart {
                workload: demand.workload.clone(),
                wanted: loads[number] / all,
                share: mean(&of(&shares)),
                slowdown: centre_of(&of(&logs)),
            }
        };
        let parts: Vec<TogetherPart> = mix.demands.iter().enumerate().map(part).collect();
        let together = Self { rounds: logs.len(), parts, factor: None, mix, logs };
        let wanted: Vec<f64> = together.parts.iter().map(|part| part.wanted).collect();
        Some(Self { factor: together.factor_of(&wanted), ..together })
    }

    /// The time that the mix takes where each part takes such a share of what they add up to.
    fn factor_of(&self, shares: &[f64]) -> Option<Interval> {
        let round = |logs: &Vec<f64>| {
            logs.iter().zip(shares).map(|(log, share)| share * log.exp()).sum::<f64>().ln()
        };
        centre_of(&self.logs.iter().map(round).collect::<Vec<f64>>())
    }
}

/// How much of the machine's time a demand takes.
fn load(run: &Run, demand: &Demand, case: usize) -> Option<f64> {
    let windows = run.windows.iter().filter(|window| window.case == case);
    let alone: Vec<f64> = windows.map(|window| ops_per_s(&window.measured)).collect();
    Some(demand.rate?.ops_per_s(run.bytes_per_op(case))? / mean(&alone))
}

fn case_of(run: &Run, workload: &str) -> Option<usize> {
    run.header.plan.cases.iter().position(|case| case.workload == workload && !case.reference)
}

/// The geometric mean of a series in time.
fn centre_of(logs: &[f64]) -> Option<Interval> {
    let level = level_of(logs);
    (logs.len() > 1).then(|| Interval::around(mean(logs).exp(), level.half, level.freedom))
}

/// How many CPUs the process used.
fn cpus(measured: &Measured) -> f64 {
    measured.process_cpu_ns as f64 / measured.process_elapsed_ns as f64
}

/// Seconds of CPU time per op. Parts of a process (a collector of garbage, say) that are not its threads' count, too.
fn cost(measured: &Measured) -> f64 {
    cpus(measured) / ops_per_s(measured)
}

fn ops_per_s(measured: &Measured) -> f64 {
    let of = |thread: &ThreadWindow| thread.ops as f64 / thread.elapsed_ns as f64 * 1e9;
    measured.threads.iter().map(of).sum()
}
