//! The estimates of rows that the same runs of a group measured (`run_sets.rs`): what these say together, and how far that may
//! be off.
//!
//! Differences between hosts (or, for one host, between runs) are the error of the group's figure. As within a run, it has two
//! parts. The run effect is how far a host lies above or below all hosts over its rows; few hosts tell little of it. The row
//! effect is the residual of a row; its variance is estimated from all rows together, because each alone was seen a few times
//! only. A row that some hosts lack is estimated as it would be on all (`unit_effects.rs`).

use super::group_row::GroupRow;
use super::sheet::Sheet;
use super::unit_effects::{UNKNOWN, UnitEffects, UnitLogs};
use estimate::{RunEffect, View};
use stats::{CommonVariance, Interval, mean, mean_margin, student_quantile};

/// Numbers of the runs that count as one.
pub type HostRuns = Vec<usize>;

/// How far the mean of some rows may be off, all of the same number of threads.
pub(super) fn pooled_run_effect(
    runs: &[Sheet],
    units: &[HostRuns],
    rows: &[&GroupRow],
) -> RunEffect {
    let within = within(runs, units, rows);
    if units.len() < 2 {
        return with_other_runs(runs, units, rows, within);
    }
    let logs: Vec<UnitLogs> = rows.iter().map(|row| unit_logs(runs, units, row)).collect();
    let run_effects = UnitEffects::of(&logs);
    if logs.iter().any(|row| !run_effects.reach(row)) {
        return UNKNOWN;
    }
    let fit = Fit::of(&logs, &run_effects);
    let lacking: Vec<f64> =
        logs.iter().map(|row| fit.lacking(run_effects.left(row).len())).collect();
    let (variance, freedom) = fit.pooled;
    let of_lacking = student_quantile(freedom, 0.95) * (variance * mean(&lacking)).sqrt();
    let between = run_effects.run_effect();
    let margin =
        if mean(&lacking) > 0.0 { between.margin.hypot(of_lacking) } else { between.margin };
    floored(RunEffect { margin, freedom: between.freedom }, within)
}

/// How far the mean of rows may be off as far as the runs know themselves. Each run counts as much as it has in that mean: rows
/// as one another, units as one another in a row, runs as one another in a unit.
fn within(runs: &[Sheet], units: &[HostRuns], rows: &[&GroupRow]) -> RunEffect {
    let mut shares = vec![0.0; runs.len()];
    for row in rows {
        let having = |unit: &HostRuns| -> HostRuns {
            unit.iter().copied().filter(|run| view_of(runs, row, *run).is_some()).collect()
        };
        let units: Vec<HostRuns> =
            units.iter().map(having).filter(|unit| !unit.is_empty()).collect();
        for unit in &units {
            let share = 1.0 / (rows.len() * units.len() * unit.len()) as f64;
            unit.iter().for_each(|run| shares[*run] += share);
        }
    }
    let having = runs.iter().enumerate().filter(|(run, _)| shares[*run] > 0.0);
    let of_run = |(run, figures): (usize, &Sheet)| {
        let indices: Vec<usize> = rows.iter().filter_map(|row| row.indices[run]).collect();
        figures.run_effect(&indices).scaled(shares[run])
    };
    having.map(of_run).reduce(|a, b| a.and(&b)).unwrap_or(RunEffect::NONE)
}

/// The run effect of a single unit, which shows no difference from others: `within`, which holds the rows' own errors, widened by
/// how the slow noise that rows share grows from run to run.
fn with_other_runs(
    runs: &[Sheet],
    units: &[HostRuns],
    rows: &[&GroupRow],
    within: RunEffect,
) -> RunEffect {
    let more = units.iter().flatten().filter_map(|run| {
        let view = rows.iter().find_map(|row| view_of(runs, row, *run))?;
        let (shared, between) = (view.run_effect.margin, between_runs(&runs[*run], &view).margin);
        Some((between.powi(2) - shared.powi(2)).max(0.0).sqrt())
    });
    RunEffect { margin: within.margin.hypot(more.fold(0.0, f64::max)), ..within }
}

fn between_runs(run: &Sheet, view: &View) -> RunEffect {
    run.spent_s.map_or(view.run_effect, |spent_s| view.run_effect.between_runs(spent_s))
}

/// Never below what the runs themselves do not know, where they know how much that is: what is between hosts holds it.
fn floored(between: RunEffect, within: RunEffect) -> RunEffect {
    if within.margin.is_finite() { between.max(within) } else { between }
}

/// A quantity of the runs of a group, pooled over units: by how it differs between them, and never more certain than the
/// runs themselves are.
pub(super) fn pooled_interval(
    units: &[HostRuns],
    of_run: impl Fn(usize) -> Option<Interval>,
) -> Option<Interval> {
    let all: Vec<Interval> = units.iter().flatten().filter_map(|run| of_run(*run)).collect();
    let of_unit = |unit: &HostRuns| {
        let logs: Vec<f64> = unit.iter().filter_map(|r| Some(of_run(*r)?.centre.ln())).collect();
        (!logs.is_empty()).then(|| mean(&logs))
    };
    let logs: Vec<f64> = units.iter().filter_map(of_unit).collect();
    let within = Interval::of_mean(&all)?;
    let Some((margin, freedom)) = mean_margin(&logs) else { return Some(within) };
    let between = Interval::around(mean(&logs).exp(), margin, freedom);
    let is_known = within.margin().is_finite();
    Some(if is_known { between.at_least(within.margin(), within.freedom) } else { between })
}

/// The mean logarithm of each row on each unit.
fn unit_logs(runs: &[Sheet], units: &[HostRuns], row: &GroupRow) -> UnitLogs {
    let of_run = |run: &usize| Some(view_of(runs, row, *run)?.interval.centre.ln());
    let of_unit = |unit: &HostRuns| -> Option<f64> {
        let logs: Vec<f64> = unit.iter().filter_map(of_run).collect();
        (!logs.is_empty()).then(|| mean(&logs))
    };
    units.iter().map(of_unit).collect()
}

fn view_of(runs: &[Sheet], row: &GroupRow, run: usize) -> Option<View> {
    runs[run].figure(row.indices[run]?)
}

/// The views of rows of the same number of threads; of a single run its own.
pub(super) fn pooled_views(
    runs: &[Sheet],
    units: &[HostRuns],
    rows: &[&GroupRow],
) -> Vec<Option<View>> {
    let logs: Vec<UnitLogs> = rows.iter().map(|row| unit_logs(runs, units, row)).collect();
    let run_effects = UnitEffects::of(&logs);
    let fit = Fit::of(&logs, &run_effects);
    let view = |(number, row): (usize, &&GroupRow)| {
        let of_runs: Vec<View> =
            units.iter().flatten().filter_map(|run| view_of(runs, row, *run)).collect();
        if units.len() < 2 || of_runs.is_empty() {
            let (run, view) =
                units.iter().flatten().find_map(|run| Some((run, view_of(runs, row, *run)?)))?;
            return Some(View::of(view.own, between_runs(&runs[*run], &view), view.samples));
        }
        let count = of_runs.iter().map(|view| view.samples).sum();
        let within = Interval::of_mean(&of_runs.iter().map(|view| view.own).collect::<Vec<_>>())?;
        let left = run_effects.left(&logs[number]);
        if left.is_empty() {
            // Hosts that share no row with the others: their effects are unknown.
            return Some(View::of(within, UNKNOWN, count));
        }
        let own = fit.own(&left);
        let of_run_effects: Vec<RunEffect> = of_runs.iter().map(|view| view.run_effect).collect();
        let is_known = within.margin().is_finite();
        let own = if is_known { own.at_least(within.margin(), within.freedom) } else { own };
        Some(View::of(
            own,
            floored(run_effects.run_effect(), RunEffect::of_mean(&of_run_effects)),
            count,
        ))
    };
    rows.iter().enumerate().map(view).collect()
}

/// How what is left of rows varies from unit to unit.
struct Fit {
    common: Option<CommonVariance>,
    /// Over all rows, with its degrees of freedom; not known (infinite) without any row on two units.
    pooled: (f64, f64),
    /// Rows that are on two units or more.
    rows: usize,
    units: usize,
}

impl Fit {
    fn of(logs: &[UnitLogs], run_effects: &UnitEffects) -> Self {
        let left: Vec<Vec<f64>> = logs.iter().map(|row| run_effects.left(row)).collect();
        let rows = left.iter().filter(|left| left.len() > 1).count();
        let variances: Vec<(f64, f64)> = left.iter().map(|left| variance(left, rows)).collect();
        let freedom: f64 = variances.iter().map(|(_, freedom)| freedom).sum();
        let squares: f64 = variances.iter().map(|(variance, freedom)| variance * freedom).sum();
        let pooled =
            if freedom > 0.0 { (squares / freedom, freedom) } else { (f64::INFINITY, 1.0) };
        let units = logs.first().map_or(0, Vec::len);
        // Only rows that most units have, if they are enough for an estimate.
        let common = (2..=units).rev().find_map(|units| {
            let known_variance = |(left, (variance, _)): (&Vec<f64>, &(f64, f64))| {
                (left.len() == units).then_some(*variance)
            };
            let some: Vec<f64> = left.iter().zip(&variances).filter_map(known_variance).collect();
            CommonVariance::of(&some, (units - 1) as f64)
        });
        Self { common, pooled, rows, units }
    }

    /// A row's figure for all units, as uncertain as the row alone is, from what is left of it on those that have it.
    fn own(&self, left: &[f64]) -> Interval {
        let (own, freedom) = variance(left, self.rows);
        let (variance, freedom) = match (self.common, freedom > 0.0) {
            (Some(common), _) => common.moderate(own, freedom),
            (None, true) => (own, freedom),
            (None, false) => self.pooled,
        };
        let count = left.len() as f64;
        let error = variance * (1.0 / count + self.lacking(left.len()));
        Interval::around(mean(left).exp(), student_quantile(freedom, 0.95) * error.sqrt(), freedom)
    }

    /// Adds to a row's variance, as a multiple of it, where only so many units have the row: the others' run effects come from
    /// other rows, with an error.
    fn lacking(&self, units: usize) -> f64 {
        (1.0 / units as f64 - 1.0 / self.units as f64) / self.rows.max(1) as f64
    }
}

/// Variance of a row's residuals, and its degrees of freedom. The fewer rows there are, the more the estimated run effects
/// absorb of each row; the variance is raised to compensate.
fn variance(left: &[f64], rows: usize) -> (f64, f64) {
    let freedom = left.len() as f64 - 1.0;
    if freedom < 1.0 {
        return (0.0, 0.0);
    }
    let squares: f64 = left.iter().map(|x| (x - mean(left)).powi(2)).sum();
    let taken = if rows > 1 { rows as f64 / (rows as f64 - 1.0) } else { 1.0 };
    (squares / freedom * taken, freedom)
}
