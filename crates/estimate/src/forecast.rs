//! What a budget would buy, from a short pilot.

use super::look::Look;
use super::run::RunEstimate;
use super::view::View;
use serde::Serialize;
use stats::{median, student_quantile};

/// The normal distribution's two-sided 95 % quantile: a run is longer than its pilot.
const NORMAL_QUANTILE: f64 = 1.96;

/// What a longer run is expected to come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forecast {
    /// The budget in seconds.
    pub budget_s: f64,
    /// The half-width that is wished for.
    pub precision: f64,
    /// Half-width of what all rows share as the pilot shows it: more time does not take it away.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub level_half: f64,
    /// Each row; `None` for one without windows.
    pub rows: Vec<Option<RowForecast>>,
    /// Seconds in which all rows would be within the precision, if that can be.
    pub needed_s: Option<f64>,
}

/// What is expected of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowForecast {
    /// Windows in the pilot.
    pub windows: usize,
    /// Half-width after the budget.
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub half: f64,
    /// Seconds of its own windows that the precision takes, if it can be reached.
    pub needed_s: Option<f64>,
}

/// What is known so far.
struct Known {
    /// Standard error of the row, as if it rested on one second of its own turns.
    row_of_a_second: f64,
    /// Half-width of what all rows share: however long a run is, it is found from as few stretches.
    level_half: f64,
    windows: usize,
}

impl Forecast {
    /// Of a run of `budget_s`, after a pilot that measured for `pilot_s` and in which each case has the view
    /// that it is judged by. Errors of rows fall with the root of the time; what all rows share is taken as
    /// it is.
    pub fn of(
        pilot: &RunEstimate,
        views: &[Option<View>],
        pilot_s: f64,
        budget_s: f64,
        precision: f64,
    ) -> Self {
        let windows: usize = pilot.looks.iter().map(Vec::len).sum();
        let turn_s = pilot_s / windows.max(1) as f64;
        let mut known: Vec<Option<Known>> = pilot
            .looks
            .iter()
            .zip(views)
            .map(|(looks, view)| known(looks, *view, turn_s))
            .collect();
        fill_gaps(pilot, &mut known);
        let level_half = known.iter().flatten().map(|known| known.level_half).fold(0.0, f64::max);
        let rows: Vec<Option<RowForecast>> = known
            .iter()
            .map(|known| {
                let known = known.as_ref()?;
                let share = known.windows as f64 / windows as f64;
                let row = known.row_of_a_second / (budget_s * share).sqrt();
                let row_half = NORMAL_QUANTILE * row;
                let left = precision.powi(2) - known.level_half.powi(2);
                let needed_s = (NORMAL_QUANTILE * known.row_of_a_second).powi(2) / left;
                Some(RowForecast {
                    windows: known.windows,
                    half: row_half.hypot(known.level_half),
                    needed_s: (left > 0.0).then_some(needed_s),
                })
            })
            .collect();
        let needed: Option<Vec<f64>> = rows.iter().flatten().map(|row| row.needed_s).collect();
        Self {
            budget_s,
            precision,
            level_half,
            rows,
            needed_s: needed.map(|needed| needed.iter().sum()),
        }
    }
}

fn known(looks: &[Look], view: Option<View>, turn_s: f64) -> Option<Known> {
    let (view, windows) = (view?, looks.len());
    let row = view.row.half() / student_quantile(view.row.freedom, 0.95);
    Some(Known {
        row_of_a_second: row * (windows as f64 * turn_s).sqrt(),
        level_half: view.level.half,
        windows,
    })
}

/// A row that has windows but no estimate yet is taken to be like the median of the others.
fn fill_gaps(pilot: &RunEstimate, known: &mut [Option<Known>]) {
    let all = |of: fn(&Known) -> f64| median(&known.iter().flatten().map(of).collect::<Vec<_>>());
    let row_of_a_second = all(|known| known.row_of_a_second);
    let level_half = all(|known| known.level_half);
    for (known, looks) in known.iter_mut().zip(&pilot.looks) {
        if known.is_none() && !looks.is_empty() && !row_of_a_second.is_nan() {
            *known = Some(Known { row_of_a_second, level_half, windows: looks.len() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadLook;
    use std::collections::BTreeSet;

    /// Windows of one thread that swing from launch to launch by `row`, and slowly all together by `level`.
    fn pilot(rows: usize, row: f64, level: f64) -> PilotRun {
        let look = |case: u64, round: u64| {
            let swing = if (round / 4 + case).is_multiple_of(2) { 1.0 + row } else { 1.0 - row };
            let slow = if (round / 10).is_multiple_of(2) { 1.0 + level } else { 1.0 - level };
            let throughput = 1000.0 * swing * slow;
            let clocks = [3e9; 2];
            let thread = ThreadLook {
                throughput,
                clock_hz: 3e9,
                inner_clock_hz: None,
                pulse_clocks_hz: clocks,
                widths: [4.0; 2],
            };
            Look {
                launch: round / 4,
                round,
                at_ns: round,
                threads: vec![thread],
                throughput,
                clock_hz: 3e9,
                disturbances: Vec::new(),
                others: None,
            }
        };
        let looks = |case: u64| (0..40).map(|round| look(case, round)).collect();
        PilotRun::of((0..rows as u64).map(looks).collect())
    }

    struct PilotRun(RunEstimate);

    impl PilotRun {
        fn of(looks: Vec<Vec<Look>>) -> Self {
            Self(RunEstimate::of_looks(looks, &BTreeSet::new()))
        }

        fn forecast(&self, budget_s: f64, precision: f64) -> Forecast {
            let own_core = self.0.cases.iter().map(|case| case.as_ref()?.own_core);
            Forecast::of(&self.0, &own_core.collect::<Vec<_>>(), 10.0, budget_s, precision)
        }
    }

    fn half(forecast: &Forecast) -> f64 {
        forecast.rows[0].unwrap().half
    }

    #[test]
    fn a_rows_error_falls_with_the_root_of_the_time() {
        let pilot = pilot(8, 0.01, 0.0);
        let of = |budget_s| half(&pilot.forecast(budget_s, 0.01));
        assert!((of(100.0) / of(400.0) - 2.0).abs() < 1e-6, "{} {}", of(100.0), of(400.0));
    }

    #[test]
    fn the_time_that_is_needed_brings_every_row_to_the_precision() {
        let pilot = pilot(8, 0.01, 0.0);
        let needed_s = pilot.forecast(100.0, 0.001).needed_s.unwrap();
        let forecast = pilot.forecast(needed_s, 0.001);
        assert!((half(&forecast) - 0.001).abs() < 1e-6, "{forecast:?}");
    }

    #[test]
    fn a_level_that_is_wider_than_the_precision_is_not_narrowed_by_time() {
        let pilot = pilot(8, 0.001, 0.05);
        let level_half = pilot.0.cases[0].as_ref().unwrap().own_core.unwrap().level.half;
        // Just below what the run's level will be, which does not fall with time.
        let forecast = pilot.forecast(1e9, 0.95 * level_half);
        assert_eq!(forecast.needed_s, None);
        assert!((forecast.level_half / level_half - 1.0).abs() < 1e-9);
        assert!(half(&forecast) >= level_half);
    }

    #[test]
    fn a_row_that_has_too_few_windows_is_taken_to_be_like_the_others() {
        let mut looks = pilot(8, 0.01, 0.0).0.looks;
        looks[3].truncate(4);
        let forecast = PilotRun::of(looks).forecast(100.0, 0.01);
        assert!(forecast.rows.iter().all(Option::is_some));
    }

    #[test]
    fn a_pilot_without_windows_tells_nothing() {
        let forecast = PilotRun::of(vec![Vec::new()]).forecast(10.0, 0.01);
        assert_eq!(forecast.rows, [None]);
    }
}
