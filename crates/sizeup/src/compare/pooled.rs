//! The estimates of a group: what its runs say together, and how far that may be off.
//!
//! What hosts (or, of one host, runs) differ by is the error of the group's figure, and has two parts as within a run.
//! The level is how far a host lies above or below all hosts over its rows; few hosts tell little of it. The profile is
//! what is left of a row; its variance is found from all rows together, for each alone was seen a few times only.

use super::figures::Figures;
use super::group::GroupRow;
use crate::estimate::{Level, View};
use crate::record::ThreadSpec;
use crate::stats::{CommonVariance, Interval, mean, mean_half, student_quantile};
use std::collections::BTreeMap;

/// Numbers of the runs that count as one.
pub type Unit = Vec<usize>;

/// The views of a group's rows, each with the row's number; of a single run its own.
pub(super) fn pooled_views(
    runs: &[Figures],
    units: &[Unit],
    rows: &[GroupRow],
) -> Vec<(usize, View)> {
    let mut of_threads: BTreeMap<ThreadSpec, Vec<usize>> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        of_threads.entry(row.key.threads).or_default().push(number);
    }
    let views = of_threads.into_values().flat_map(|numbers| {
        let chosen: Vec<&GroupRow> = numbers.iter().map(|number| &rows[*number]).collect();
        let views = views(runs, units, &chosen);
        numbers.into_iter().zip(views).filter_map(|(number, view)| Some((number, view?)))
    });
    views.collect()
}

/// How far the mean of some rows may be off, all of the same number of threads.
pub(super) fn pooled_level(runs: &[Figures], units: &[Unit], rows: &[&GroupRow]) -> Level {
    let within: Vec<Level> = runs
        .iter()
        .enumerate()
        .map(|(run, figures)| {
            let places: Vec<usize> = rows.iter().filter_map(|row| row.places[run]).collect();
            figures.level(&places)
        })
        .collect();
    let logs: Vec<Vec<Option<f64>>> = rows.iter().map(|row| unit_logs(runs, units, row)).collect();
    level_between(&logs).max(Level::of_mean(&within))
}

/// Of each row, the mean logarithm of each unit.
fn unit_logs(runs: &[Figures], units: &[Unit], row: &GroupRow) -> Vec<Option<f64>> {
    let of_run = |run: &usize| Some(view_of(runs, row, *run)?.interval.centre.ln());
    let of_unit = |unit: &Unit| -> Option<f64> {
        let logs: Vec<f64> = unit.iter().filter_map(of_run).collect();
        (!logs.is_empty()).then(|| mean(&logs))
    };
    units.iter().map(of_unit).collect()
}

fn view_of(runs: &[Figures], row: &GroupRow, run: usize) -> Option<View> {
    runs[run].rows[row.places[run]?].view
}

/// How far each unit lies above or below the rows' centres, over the rows that it has.
fn unit_levels(logs: &[Vec<Option<f64>>]) -> Vec<Option<f64>> {
    let units = logs.first().map_or(0, Vec::len);
    let of_unit = |unit: usize| {
        let off = |row: &Vec<Option<f64>>| Some(row[unit]? - centre(row)?);
        let all: Vec<f64> = logs.iter().filter_map(off).collect();
        (!all.is_empty()).then(|| mean(&all))
    };
    (0..units).map(of_unit).collect()
}

fn centre(row: &[Option<f64>]) -> Option<f64> {
    let logs: Vec<f64> = row.iter().copied().flatten().collect();
    (!logs.is_empty()).then(|| mean(&logs))
}

fn level_between(logs: &[Vec<Option<f64>>]) -> Level {
    let levels: Vec<f64> = unit_levels(logs).into_iter().flatten().collect();
    mean_half(&levels).map_or(Level::NONE, |(half, freedom)| Level { half, freedom })
}

/// Of rows of the same number of threads.
fn views(runs: &[Figures], units: &[Unit], rows: &[&GroupRow]) -> Vec<Option<View>> {
    let logs: Vec<Vec<Option<f64>>> = rows.iter().map(|row| unit_logs(runs, units, row)).collect();
    let levels = unit_levels(&logs);
    let between = level_between(&logs);
    let variances: Vec<(f64, f64)> =
        logs.iter().map(|row| variance(row, &levels, rows.len())).collect();
    let most = (units.len() as f64) - 1.0;
    let of_all: Vec<f64> =
        variances.iter().filter(|(_, of)| *of == most).map(|(v, _)| *v).collect();
    let common = CommonVariance::of(&of_all, most);
    let view = |(number, row): (usize, &&GroupRow)| {
        let of_runs: Vec<View> =
            (0..runs.len()).filter_map(|run| view_of(runs, row, run)).collect();
        let (variance, freedom) = variances[number];
        if freedom < 1.0 {
            return of_runs.first().copied();
        }
        let (variance, moderated) =
            common.map_or((variance, freedom), |common| common.moderate(variance, freedom));
        let centre = centre(&logs[number])?.exp();
        let half = student_quantile(moderated, 0.95) * (variance / (freedom + 1.0)).sqrt();
        let within = Interval::of_mean(&of_runs.iter().map(|view| view.row).collect::<Vec<_>>())?;
        let own = Interval::around(centre, half, moderated).at_least(within.half(), within.freedom);
        let of_levels: Vec<Level> = of_runs.iter().map(|view| view.level).collect();
        let level = between.max(Level::of_mean(&of_levels));
        Some(View::of(own, level, of_runs.iter().map(|view| view.windows).sum()))
    };
    rows.iter().enumerate().map(view).collect()
}

/// Of what is left of a row's units without their levels, and its degrees of freedom. The levels took something of each
/// row along, the more the fewer rows there are.
fn variance(row: &[Option<f64>], levels: &[Option<f64>], rows: usize) -> (f64, f64) {
    let left: Vec<f64> =
        row.iter().zip(levels).filter_map(|(log, level)| Some((*log)? - (*level)?)).collect();
    let freedom = left.len() as f64 - 1.0;
    if freedom < 1.0 {
        return (0.0, 0.0);
    }
    let squares: f64 = left.iter().map(|x| (x - mean(&left)).powi(2)).sum();
    let taken = if rows > 1 { rows as f64 / (rows as f64 - 1.0) } else { 1.0 };
    (squares / freedom * taken, freedom)
}
