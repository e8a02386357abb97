//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out
//! over rows as independent ones would. The interval therefore comes from blocks of time: each row's
//! series is cut into as many blocks, the score of a block is the mean over the rows, and Student's
//! interval is taken over the blocks.

use super::comparable::{Allow, differences};
use super::row::is_same_row;
use crate::estimate::RunEstimate;
use crate::record::{Run, ThreadSpec};
use crate::stats::{Interval, block_means, mean, student_quantile};
use serde::Serialize;

/// Blocks of time, or fewer if a row has fewer windows.
const BLOCKS: usize = 10;
/// Fewer blocks than this have no interval.
const LEAST_BLOCKS: usize = 2;

/// A run's scores, against a baseline if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// What is scored.
    pub label: String,
    /// Against what.
    pub baseline: Option<String>,
    /// Per category and overall, for each number of threads.
    pub lines: Vec<ScoreLine>,
    /// Rows that are in no score, each with the reason.
    pub missing: Vec<String>,
}

/// One score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreLine {
    /// The category, or `overall`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that are in it.
    pub rows: usize,
    /// Geometric mean: of ops/s, or of the ratios to the baseline.
    pub score: Option<Interval>,
}

/// A row that both runs have: the logarithms of its windows' throughput in each.
struct Pair {
    category: String,
    threads: ThreadSpec,
    series: Vec<f64>,
    baseline: Option<Vec<f64>>,
}

/// Scores a run, against a baseline if there is one.
pub fn score(run: &Run, baseline: Option<&Run>, allow: &[Allow]) -> Score {
    let mut missing = Vec::new();
    let pairs = pairs(run, baseline, allow, &mut missing);
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for case in run.header.plan.cases.iter().filter(|case| !case.reference) {
        if !specs.contains(&case.thread_spec) {
            specs.push(case.thread_spec);
        }
    }
    let floors = [Some(run), baseline].map(|run| {
        run.and_then(|run| RunEstimate::of(run).steadiness).map_or(0.0, |s| s.flicker_floor)
    });
    let floor = floors[0].hypot(floors[1]);
    let categories = run.header.categories.iter().map(|category| category.name.as_str());
    let lines = specs
        .iter()
        .flat_map(|&threads| {
            let pairs = &pairs;
            categories.clone().chain(["overall"]).map(move |category| {
                let rows: Vec<&Pair> = pairs
                    .iter()
                    .filter(|pair| pair.threads == threads)
                    .filter(|pair| category == "overall" || pair.category == category)
                    .collect();
                ScoreLine {
                    category: category.to_owned(),
                    threads,
                    rows: rows.len(),
                    score: geometric_mean(&rows, floor),
                }
            })
        })
        .collect();
    Score {
        label: run.header.label.clone(),
        baseline: baseline.map(|run| run.header.label.clone()),
        lines,
        missing,
    }
}

fn pairs(
    run: &Run,
    baseline: Option<&Run>,
    allow: &[Allow],
    missing: &mut Vec<String>,
) -> Vec<Pair> {
    let series = series(run);
    let base_series = baseline.map(self::series);
    let mut pairs = Vec::new();
    let cases = run.header.plan.cases.iter().enumerate();
    for (number, case) in cases.filter(|(_, case)| !case.reference) {
        let name = format!("{} on {} threads", case.workload, case.thread_spec);
        let mut leave_out = |why: String| missing.push(format!("{name}: {why}"));
        if series[number].len() < LEAST_BLOCKS {
            leave_out("too few windows".to_owned());
            continue;
        }
        let mut pair = Pair {
            category: category_of(run, &case.workload),
            threads: case.thread_spec,
            series: series[number].clone(),
            baseline: None,
        };
        if let (Some(baseline), Some(base_series)) = (baseline, &base_series) {
            let cases = &baseline.header.plan.cases;
            let Some(other) = cases.iter().position(|candidate| is_same_row(case, candidate))
            else {
                leave_out("the baseline doesn't have it".to_owned());
                continue;
            };
            let found = differences(baseline, other, run, number);
            if let Some(difference) = found.iter().find(|d| !allow.contains(&d.kind)) {
                leave_out(format!("not comparable, {difference}"));
                continue;
            }
            if base_series[other].len() < LEAST_BLOCKS {
                leave_out("too few windows in the baseline".to_owned());
                continue;
            }
            pair.baseline = Some(base_series[other].clone());
        }
        pairs.push(pair);
    }
    pairs
}

/// The logarithms of each case's throughputs, in order.
fn series(run: &Run) -> Vec<Vec<f64>> {
    let looks = RunEstimate::of(run).looks;
    looks.iter().map(|looks| looks.iter().map(|look| look.throughput.ln()).collect()).collect()
}

fn category_of(run: &Run, workload: &String) -> String {
    let categories = &run.header.categories;
    let category = categories.iter().find(|category| category.workloads.contains(workload));
    category.map_or("overall", |category| category.name.as_str()).to_owned()
}

/// The geometric mean over rows, with an interval from blocks of time.
fn geometric_mean(rows: &[&Pair], floor: f64) -> Option<Interval> {
    if rows.is_empty() {
        return None;
    }
    let run: Vec<&[f64]> = rows.iter().map(|pair| &pair.series[..]).collect();
    let baseline: Vec<&[f64]> = rows.iter().filter_map(|pair| pair.baseline.as_deref()).collect();
    let (log, half) = mean_over_rows(&run)?;
    let (base_log, base_half) =
        if baseline.is_empty() { (0.0, 0.0) } else { mean_over_rows(&baseline)? };
    Some(Interval::around((log - base_log).exp(), half.hypot(base_half)).at_least(floor))
}

/// The mean over rows of their mean logarithm, and half the width of its 95 % interval.
fn mean_over_rows(rows: &[&[f64]]) -> Option<(f64, f64)> {
    let count = rows.iter().map(|series| series.len()).min()?.min(BLOCKS);
    let blocks: Vec<Vec<f64>> =
        rows.iter().map(|series| block_means(series, count)).collect::<Option<_>>()?;
    let scores: Vec<f64> =
        (0..count).map(|b| mean(&blocks.iter().map(|row| row[b]).collect::<Vec<_>>())).collect();
    let centre = mean(&scores);
    let freedom = (count - 1) as f64;
    let variance = scores.iter().map(|s| (s - centre).powi(2)).sum::<f64>() / freedom;
    Some((centre, student_quantile(freedom) * (variance / count as f64).sqrt()))
}
