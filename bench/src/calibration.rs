//! Whether intervals and verdicts keep what they promise, on noise of known truth.

use crate::noise::{Row, Shape, delivered_share, rows, run, sheet, slowing_rows, variants_run};
use estimate::{RunEstimate, ViewKind};
use judge::compare::{Group, Pairs, Verdict, Weightings, compare_variants};
use record::Run;
use stats::{mean, median};

#[cfg(test)]
mod tests;

/// How often 95 % intervals held the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coverage {
    /// Share of the intervals of rows.
    pub rows: f64,
    /// Median margin of these.
    pub rows_half: f64,
    /// Share of the intervals of the score against the run before.
    pub scores: f64,
    /// Median margin of these.
    pub scores_half: f64,
    /// Median error of a row's centre, by factor.
    pub bias: f64,
    /// How many intervals of rows that is.
    pub intervals: usize,
    /// Share of the comparisons with the run before, of the same machine, in which any row was called different.
    pub alarms: f64,
    /// Median of the differences from which on a row would surely have been called so.
    pub detectable: f64,
}

/// Many runs of rows, each with its own noise, compared with the truth; and each against the one before,
/// where the score is truly 1 (but as delivered, where each machine had its own neighbours).
pub fn coverage(shape: Shape, truth: &[Row], rounds: u64, runs: u64, view: ViewKind) -> Coverage {
    let speed = |row: &Row, seed: u64| match view {
        ViewKind::Uncontended => row.ops_per_s,
        ViewKind::PerGhz => row.ops_per_s / row.clock_share / 3.0,
        ViewKind::Delivered | ViewKind::Imported => {
            row.ops_per_s * delivered_share(shape, row, seed)
        }
    };
    let (mut row_hits, mut row_halves, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let (mut score_hits, mut score_halves) = (Vec::new(), Vec::new());
    let (mut alarms, mut detectable) = (Vec::new(), Vec::new());
    let weightings = Weightings::of(truth.len());
    let mut before: Option<(u64, Group)> = None;
    for seed in 0..runs {
        let run = run(shape, truth, rounds, seed);
        let estimate = RunEstimate::of(&run);
        for (case, row) in estimate.cases.iter().zip(truth) {
            let Some(view) = case.as_ref().and_then(|case| case.view(view)) else { continue };
            let (interval, truth) = (view.interval, speed(row, seed));
            row_hits.push(f64::from(interval.low <= truth && truth <= interval.high));
            row_halves.push(interval.margin());
            errors.push((interval.centre / truth).ln());
        }
        let group = group(&run, &estimate, view);
        if let Some((seed_before, before)) = &before {
            let pairs = Pairs::of(before, &group, &[]);
            let rows = pairs.comparison().rows;
            alarms.push(f64::from(rows.iter().any(|row| is_called(row.verdict))));
            detectable.extend(rows.iter().filter_map(|row| Some(row.ratio.as_ref()?.detectable)));
            let score = pairs.score(None, &weightings);
            let line = score.lines.last().filter(|_| score.missing.is_empty());
            if let Some(interval) = line.and_then(|line| line.score) {
                let log = |row: &Row| (speed(row, seed) / speed(row, *seed_before)).ln();
                let truth = mean(&truth.iter().map(log).collect::<Vec<_>>()).exp();
                score_hits.push(f64::from(interval.low <= truth && truth <= interval.high));
                score_halves.push(interval.margin());
            }
        }
        before = Some((seed, group));
    }
    Coverage {
        rows: mean(&row_hits),
        rows_half: median(&row_halves),
        scores: mean(&score_hits),
        scores_half: median(&score_halves),
        bias: median(&errors),
        intervals: row_hits.len(),
        alarms: mean(&alarms),
        detectable: median(&detectable),
    }
}

/// Rows that make the core clock down to the same share, and what becomes of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slowed {
    /// Share of the clock that they have.
    pub clock_share: f64,
    /// Mean error of their uncontended figures, by factor.
    pub bias: f64,
    /// Share of the 95 % intervals that held the truth.
    pub held: f64,
    /// Median margin of these.
    pub margin: f64,
    /// Median margin of the row's own part.
    pub row_margin: f64,
    /// Mean error of the ratios to a machine that does not clock down.
    pub ratio_bias: f64,
    /// Share of these ratios that were called slower.
    pub called_slower: f64,
}

/// Machines that clock down under some of their rows, compared with the truth and against machines that don't.
pub fn slowed(shape: Shape, row_count: usize, rounds: u64, runs: u64) -> Vec<Slowed> {
    let (plain, truth) = (rows(row_count, 1), slowing_rows(row_count, 1));
    let shares = [1.0, 0.95, 0.8, 0.67];
    let mut found = shares.map(|_| vec![Vec::new(); 6]);
    for seed in 0..runs {
        let [(_, plain), (estimate, slowing)] =
            [(&plain, 2 * seed + 1), (&truth, 2 * seed)].map(|(rows, seed)| {
                let run = run(shape, rows, rounds, seed);
                let estimate = RunEstimate::of(&run);
                let group = group(&run, &estimate, ViewKind::Uncontended);
                (estimate, group)
            });
        let comparison = Pairs::of(&plain, &slowing, &[]).comparison();
        for ((case, row), compared) in estimate.cases.iter().zip(&truth).zip(&comparison.rows) {
            let place = shares.iter().position(|share| *share == row.clock_share);
            let view = case.as_ref().and_then(|case| case.uncontended);
            let (Some(place), Some(view)) = (place, view) else { continue };
            let Some(ratio) = &compared.ratio else { continue };
            let interval = view.interval;
            let held = interval.low <= row.ops_per_s && row.ops_per_s <= interval.high;
            for (values, value) in found[place].iter_mut().zip([
                (interval.centre / row.ops_per_s).ln(),
                f64::from(held),
                interval.margin(),
                view.own.margin(),
                (ratio.interval.centre / row.clock_share).ln(),
                f64::from(compared.verdict == Verdict::Slower),
            ]) {
                values.push(value);
            }
        }
    }
    let summed_up = |(found, clock_share): (&Vec<Vec<f64>>, f64)| Slowed {
        clock_share,
        bias: mean(&found[0]),
        held: mean(&found[1]),
        margin: median(&found[2]),
        row_margin: median(&found[3]),
        ratio_bias: mean(&found[4]),
        called_slower: mean(&found[5]),
    };
    found.iter().zip(shares).map(summed_up).collect()
}

/// Share of the runs with variants that do not differ in which any row was called different, and share of the
/// ratios whose 95 % interval held 1.
pub fn variants(shape: Shape, row_count: usize, rounds: u64, runs: u64) -> (f64, f64) {
    let truth = rows(row_count, 1);
    let (mut alarms, mut hits) = (0.0, Vec::new());
    for seed in 0..runs {
        let comparison = compare_variants(&variants_run(shape, &truth, rounds, seed), None);
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
fn group(run: &Run, estimate: &RunEstimate, view: ViewKind) -> Group {
    let sheet = sheet(run, estimate, view);
    Group::of(run.header.label.clone(), view, vec![sheet]).expect("a run")
}

fn is_called(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Faster | Verdict::Slower)
}
