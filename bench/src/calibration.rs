//! Whether intervals and verdicts keep what they promise, on noise of known truth.

use crate::noise::{Row, Shape, delivered_share, rows, run, variants_run};
use sizeup::compare::{Figures, Group, Verdict, Weightings, compare, compare_variants, score};
use sizeup::estimate::{RunEstimate, ViewKind};
use sizeup::record::Run;
use sizeup::stats::{mean, median};

#[cfg(test)]
mod tests;

/// How often 95 % intervals held the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// Share of the intervals of rows.
    pub rows: f64,
    /// Median half-width of these.
    pub rows_half: f64,
    /// Share of the intervals of the score against the run before.
    pub scores: f64,
    /// Median half-width of these.
    pub scores_half: f64,
    /// Median error of a row's centre, by factor.
    pub bias: f64,
    /// How many intervals of rows that is.
    pub intervals: usize,
}

/// Many runs of some rows, each with its own noise, held against the truth; and each against the one before,
/// where the score is truly 1 (but as delivered, where each machine had its own neighbours).
pub fn coverage(
    shape: Shape,
    row_count: usize,
    rounds: u64,
    runs: u64,
    view: ViewKind,
) -> Coverage {
    let truth = rows(row_count, 1);
    let speed = |row: &Row, seed: u64| match view {
        ViewKind::OwnCore => row.ops_per_s,
        ViewKind::PerClock => row.ops_per_s / 3.0,
        ViewKind::Delivered | ViewKind::Imported => {
            row.ops_per_s * delivered_share(shape, row, seed)
        }
    };
    let (mut row_hits, mut row_halves, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let (mut score_hits, mut score_halves) = (Vec::new(), Vec::new());
    let weightings = Weightings::of(row_count);
    let mut before: Option<(u64, Run)> = None;
    for seed in 0..runs {
        let run = run(shape, &truth, rounds, seed);
        let estimate = RunEstimate::of(&run);
        for (case, row) in estimate.cases.iter().zip(&truth) {
            let Some(view) = case.as_ref().and_then(|case| case.view(view)) else { continue };
            let (interval, truth) = (view.interval, speed(row, seed));
            row_hits.push(f64::from(interval.low <= truth && truth <= interval.high));
            row_halves.push(interval.half());
            errors.push((interval.centre / truth).ln());
        }
        if let Some((seed_before, before)) = &before {
            let (group, before) = (group(&run, view), group(before, view));
            let score = score(&group, Some(&before), &[], None, &weightings);
            let line = score.lines.last().filter(|_| score.missing.is_empty());
            if let Some(interval) = line.and_then(|line| line.score) {
                let log = |row: &Row| (speed(row, seed) / speed(row, *seed_before)).ln();
                let truth = mean(&truth.iter().map(log).collect::<Vec<_>>()).exp();
                score_hits.push(f64::from(interval.low <= truth && truth <= interval.high));
                score_halves.push(interval.half());
            }
        }
        before = Some((seed, run));
    }
    Coverage {
        rows: mean(&row_hits),
        rows_half: median(&row_halves),
        scores: mean(&score_hits),
        scores_half: median(&score_halves),
        bias: median(&errors),
        intervals: row_hits.len(),
    }
}

/// Share of comparisons of a machine with itself in which any row was called different, and the median of
/// the differences from which on it would surely have been called.
pub fn false_alarms(shape: Shape, row_count: usize, rounds: u64, comparisons: u64) -> (f64, f64) {
    let truth = rows(row_count, 1);
    let mut alarms = 0.0;
    let mut detectable = Vec::new();
    for seed in 0..comparisons {
        let pair = [2 * seed, 2 * seed + 1].map(|seed| run(shape, &truth, rounds, seed));
        let groups = pair.map(|run| group(&run, ViewKind::OwnCore));
        let comparison = compare(&groups[0], &groups[1], &[]);
        alarms += f64::from(comparison.rows.iter().any(|row| is_called(row.verdict)));
        detectable
            .extend(comparison.rows.iter().filter_map(|row| Some(row.ratio.as_ref()?.detectable)));
    }
    (alarms / comparisons as f64, median(&detectable))
}

/// Share of the runs with variants that do not differ in which any row was called different, and share of the
/// ratios whose 95 % interval held 1.
pub fn variants(shape: Shape, row_count: usize, rounds: u64, runs: u64) -> (f64, f64) {
    let truth = rows(row_count, 1);
    let (mut alarms, mut hits) = (0.0, Vec::new());
    for seed in 0..runs {
        let comparison = compare_variants(&variants_run(shape, &truth, rounds, seed));
        let rows = comparison.map(|comparison| comparison.rows).unwrap_or_default();
        alarms += f64::from(rows.iter().any(|row| is_called(row.verdict)));
        hits.extend(rows.iter().filter_map(|row| {
            let ratio = row.ratio.as_ref()?.interval;
            Some(f64::from(ratio.low <= 1.0 && 1.0 <= ratio.high))
        }));
    }
    (alarms / runs as f64, mean(&hits))
}

/// A group of one run.
fn group(run: &Run, view: ViewKind) -> Group {
    let figures = Figures::of(run, view);
    Group::of(run.header.label.clone(), view, vec![figures]).expect("a run")
}

fn is_called(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Faster | Verdict::Slower)
}
