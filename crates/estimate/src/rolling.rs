//! How often a machine does the list of a rolling mix, compared with what its rows alone add up to.
//!
//! Both are computed in one way, from throughputs: an item takes its ops over the throughput of a thread. In a pass other
//! work runs beside it, so caches, memory, clock and shared cores decide how far the two differ.

use super::run_effect::run_effect_of;
use catalog::Mix;
use record::{Measured, RollingItem, RollingPass, Run, ThreadSample};
use serde::Serialize;
use stats::{Interval, mean};
use std::collections::BTreeMap;

/// A rolling mix that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Rolling {
    pub mix: Mix,
    /// Threads that go through the list at the same time.
    pub threads: usize,
    /// Passes in rounds in which each row was also measured alone.
    pub passes: usize,
    /// How often per second all threads together do the list.
    pub measured: Interval,
    /// How often they would, if each item took as long as its row alone.
    pub computed: Interval,
    /// The first over the second: above 1, the work gets in its own way less than each row does alone.
    pub additivity: Interval,
    /// Share of the threads' time in which items ran; in the rest processes changed.
    pub busy: f64,
    /// One for each item, in the mix's order.
    pub parts: Vec<RollingPart>,
}

/// One kind of work of the list.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RollingPart {
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// Ops of it that each thread does in a pass.
    pub ops: u64,
    /// Share of the time of a pass.
    pub share: f64,
    /// Its throughput in ops/s, if all threads did nothing else beside the others as they do now.
    pub ops_per_s: f64,
    /// That throughput over the one of its row alone.
    pub additivity: Interval,
}

/// An item in a pass and alone in the same round: how long all threads together take for its ops of one list, in seconds.
#[derive(Debug, Clone, Copy)]
struct Item {
    rolling_s: f64,
    alone_s: f64,
}

impl Rolling {
    /// `None` if the run has no rolling mix, fewer than two passes with rows alone in the same round, or a row that failed.
    pub fn of(run: &Run) -> Option<Self> {
        let list = run.rolling_list.as_ref()?;
        let alone: BTreeMap<(u64, usize), &Measured> =
            run.samples.iter().map(|w| ((w.round, w.case), &w.measured)).collect();
        let items = |pass: &RollingPass| -> Option<Vec<Item>> {
            let rates = rates(pass);
            let item = |item: &RollingItem| {
                let alone = ops_per_s(alone.get(&(pass.round, item.case))?);
                let rolling = *rates.get(&item.case)?;
                let of_ops = |ops_per_s: f64| item.ops as f64 / ops_per_s;
                let is_known = rolling > 0.0 && alone > 0.0;
                is_known.then(|| Item { rolling_s: of_ops(rolling), alone_s: of_ops(alone) })
            };
            list.items.iter().map(item).collect()
        };
        let paired: Vec<(&RollingPass, Vec<Item>)> =
            run.rolling_passes.iter().filter_map(|pass| Some((pass, items(pass)?))).collect();
        let is_unfit = |case: usize| run.repeated.contains(&case) || run.outcome(case).is_some();
        if paired.len() < 2 || list.items.iter().any(|item| is_unfit(item.case)) {
            return None;
        }
        let passes = |seconds: fn(&Item) -> f64| -> Vec<f64> {
            paired.iter().map(|(_, items)| -items.iter().map(seconds).sum::<f64>().ln()).collect()
        };
        let (measured, computed) = (passes(|item| item.rolling_s), passes(|item| item.alone_s));
        let ratio: Vec<f64> = measured.iter().zip(&computed).map(|(m, c)| m - c).collect();
        let parts = list.items.iter().enumerate().map(|(place, item)| {
            let of_place = || paired.iter().map(|(_, items)| (items[place], items));
            let share = |(item, items): (Item, &Vec<Item>)| {
                item.rolling_s / items.iter().map(|item| item.rolling_s).sum::<f64>()
            };
            let logs = of_place().map(|(item, _)| (item.alone_s / item.rolling_s).ln());
            let log_s: Vec<f64> = of_place().map(|(item, _)| item.rolling_s.ln()).collect();
            RollingPart {
                workload: run.header.plan.cases[item.case].workload.clone(),
                ops: item.ops,
                ops_per_s: item.ops as f64 / mean(&log_s).exp(),
                share: mean(&of_place().map(share).collect::<Vec<f64>>()),
                additivity: centre_of(&logs.collect::<Vec<f64>>()),
            }
        });
        Some(Self {
            mix: run.header.plan.rolling.clone()?,
            threads: paired[0].0.threads.len(),
            passes: paired.len(),
            measured: centre_of(&measured),
            computed: centre_of(&computed),
            additivity: centre_of(&ratio),
            busy: mean(&paired.iter().map(|(pass, _)| busy(pass)).collect::<Vec<f64>>()),
            parts: parts.collect(),
        })
    }
}

/// The throughput of each case in a pass, over all threads.
fn rates(pass: &RollingPass) -> BTreeMap<usize, f64> {
    let mut rates = BTreeMap::new();
    for share in pass.shares() {
        *rates.entry(share.case).or_default() += ops_per_s(&share.measured);
    }
    rates
}

impl Rolling {
    /// How often per second all threads together would do the list of another run; `None` if it has other work.
    pub fn lists_of(&self, other: &Self) -> Option<Interval> {
        let seconds = |theirs: &RollingPart| {
            let ours = self.parts.iter().find(|part| part.workload == theirs.workload)?;
            Some(theirs.ops as f64 / ours.ops_per_s)
        };
        let list_s: f64 = other.parts.iter().map(seconds).sum::<Option<f64>>()?;
        let is_same = self.parts.len() == other.parts.len();
        is_same.then(|| self.measured.scaled(1.0 / (list_s * self.measured.centre)))
    }
}

/// In which share of the threads' time items ran.
fn busy(pass: &RollingPass) -> f64 {
    let length_ns = pass.end_ns.saturating_sub(pass.start_ns) as f64;
    let worked_ns: f64 = pass.shares().map(|share| share.measured.length_ns() as f64).sum();
    worked_ns / (length_ns * pass.threads.len() as f64)
}

/// The geometric mean of a series in time.
fn centre_of(logs: &[f64]) -> Interval {
    let run_effect = run_effect_of(logs);
    Interval::around(mean(logs).exp(), run_effect.margin, run_effect.freedom)
}

fn ops_per_s(measured: &Measured) -> f64 {
    measured.threads.iter().map(ThreadSample::ops_per_s).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;

    /// Two kinds of work on a thread, with 1e9 and 5e8 ops/s alone, whose ops take `slowdowns` times as long in the list.
    fn run(slowdowns: [f64; 2], rounds: u64) -> Run {
        let mut run = fixture::run(&[("a/x", &[100; 20]), ("b/x", &[50; 20])]);
        fixture::roll(&mut run, &slowdowns, rounds);
        run
    }

    fn near(value: f64, truth: f64) {
        assert!((value / truth - 1.0).abs() < 1e-3, "{value}, not {truth}");
    }

    #[test]
    fn lists_are_measured_and_computed_from_the_same_ops_and_their_ratio_is_the_additivity() {
        let rolling = Rolling::of(&run([1.5, 1.1], 12)).unwrap();
        // 1e8 ops of the first and 2e8 of the second.
        let (a_s, b_s) = (0.1, 0.4);
        near(rolling.computed.centre, 1.0 / (a_s + b_s));
        near(rolling.measured.centre, 1.0 / (1.5 * a_s + 1.1 * b_s));
        near(rolling.additivity.centre, (a_s + b_s) / (1.5 * a_s + 1.1 * b_s));
        near(rolling.parts[0].additivity.centre, 1.0 / 1.5);
        near(rolling.parts[1].additivity.centre, 1.0 / 1.1);
        near(rolling.parts[1].ops_per_s, 5e8 / 1.1);
        near(rolling.parts[1].share, 1.1 * b_s / (1.5 * a_s + 1.1 * b_s));
        near(rolling.busy, 0.5);
        let part = &rolling.parts[1];
        assert_eq!((part.workload.as_str(), part.ops, rolling.passes), ("b/x", 200_000_000, 12));
    }

    #[test]
    fn more_threads_do_more_lists_in_the_same_time() {
        let mut run = run([1.0, 1.0], 12);
        let one = Rolling::of(&run).unwrap().measured.centre;
        for pass in &mut run.rolling_passes {
            pass.threads.push(pass.threads[0].clone());
        }
        let two = Rolling::of(&run).unwrap();
        near(two.measured.centre, 2.0 * one);
        near(two.busy, 0.5);
    }

    #[test]
    fn a_pass_without_a_row_alone_in_its_round_does_not_count_and_one_alone_has_no_interval() {
        let mut run = run([1.0, 1.0], 5);
        run.samples.retain(|sample| (sample.round, sample.case) != (2, 1));
        assert_eq!(Rolling::of(&run).unwrap().passes, 4);
        run.rolling_passes.truncate(1);
        assert_eq!(Rolling::of(&run), None);
        assert_eq!(Rolling::of(&fixture::run(&[("a/x", &[100; 20])])), None);
    }

    #[test]
    fn the_list_of_another_run_takes_what_its_ops_take_here() {
        let [ours, theirs] =
            [[1.0, 1.0], [2.0, 1.0]].map(|slow| Rolling::of(&run(slow, 8)).unwrap());
        near(ours.lists_of(&theirs).unwrap().centre, 2.0);
        near(theirs.lists_of(&ours).unwrap().centre, 1.0 / 0.6);
        let mut longer = theirs.clone();
        longer.parts[0].ops *= 6;
        near(ours.lists_of(&longer).unwrap().centre, 1.0);
        longer.parts.pop();
        assert_eq!(ours.lists_of(&longer), None);
    }
}
