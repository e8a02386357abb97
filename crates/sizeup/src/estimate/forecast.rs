//! What a budget would buy, from a short pilot.

use super::run::RunEstimate;
use super::view::ViewKind;
use crate::stats::{median, student_quantile};
use serde::Serialize;

/// The normal distribution's two-sided 95 % quantile: a run is longer than its pilot.
const NORMAL_QUANTILE: f64 = 1.96;

/// What a longer run is expected to come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forecast {
    /// The budget in seconds.
    pub budget_s: f64,
    /// The half-width that is wished for.
    pub precision: f64,
    /// Half-width of what all rows share as the pilot shows it: more time does not take it away.
    pub level_half: f64,
    /// Each row; `None` for one without windows.
    pub rows: Vec<Option<RowForecast>>,
    /// Seconds in which all rows would be within the precision, if that can be.
    pub needed_s: Option<f64>,
}

/// What is expected of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RowForecast {
    /// Windows in the pilot.
    pub windows: usize,
    /// Half-width after the budget.
    pub half: f64,
    /// Seconds of its own windows that the precision takes, if it can be reached.
    pub needed_s: Option<f64>,
}

/// Standard errors of what is known so far.
struct Known {
    /// Of a row, as if it rested on one second of its own turns.
    row_of_a_second: f64,
    /// Of what all rows share.
    level: f64,
    windows: usize,
}

impl Forecast {
    /// Of a run of `budget_s`, after a pilot that measured for `pilot_s`. Errors of rows fall with the root
    /// of the time; what all rows share is taken as it is.
    pub fn of(pilot: &RunEstimate, pilot_s: f64, budget_s: f64, precision: f64) -> Self {
        let windows: usize = pilot.looks.iter().map(Vec::len).sum();
        let turn_s = pilot_s / windows.max(1) as f64;
        let mut known: Vec<Option<Known>> =
            (0..pilot.cases.len()).map(|case| known(pilot, case, turn_s)).collect();
        fill_gaps(pilot, &mut known);
        let level = known.iter().flatten().map(|known| known.level).fold(0.0, f64::max);
        let rows: Vec<Option<RowForecast>> = known
            .iter()
            .map(|known| {
                let known = known.as_ref()?;
                let share = known.windows as f64 / windows as f64;
                let row = known.row_of_a_second / (budget_s * share).sqrt();
                let left = (precision / NORMAL_QUANTILE).powi(2) - known.level.powi(2);
                Some(RowForecast {
                    windows: known.windows,
                    half: NORMAL_QUANTILE * row.hypot(known.level),
                    needed_s: (left > 0.0).then(|| known.row_of_a_second.powi(2) / left),
                })
            })
            .collect();
        let needed: Option<Vec<f64>> = rows.iter().flatten().map(|row| row.needed_s).collect();
        Self {
            budget_s,
            precision,
            level_half: level * NORMAL_QUANTILE,
            rows,
            needed_s: needed.map(|needed| needed.iter().sum()),
        }
    }
}

fn known(pilot: &RunEstimate, case: usize, turn_s: f64) -> Option<Known> {
    let windows = pilot.looks[case].len();
    let view = pilot.cases[case].as_ref()?.view(ViewKind::OwnCore)?;
    let error = |half: f64, freedom: f64| half / student_quantile(freedom, 0.95);
    let row = error(view.row.half(), view.row.freedom);
    Some(Known {
        row_of_a_second: row * (windows as f64 * turn_s).sqrt(),
        level: error(view.level.half, view.level.freedom),
        windows,
    })
}

/// A row that has windows but no estimate yet is taken to be like the median of the others.
fn fill_gaps(pilot: &RunEstimate, known: &mut [Option<Known>]) {
    let all = |of: fn(&Known) -> f64| median(&known.iter().flatten().map(of).collect::<Vec<_>>());
    let (row_of_a_second, level) = (all(|known| known.row_of_a_second), all(|known| known.level));
    for (known, looks) in known.iter_mut().zip(&pilot.looks) {
        if known.is_none() && !looks.is_empty() && !row_of_a_second.is_nan() {
            *known = Some(Known { row_of_a_second, level, windows: looks.len() });
        }
    }
}
