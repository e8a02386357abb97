//! Forecasts the precision that a budget gives, from a short pilot.

use super::look::Look;
use super::run::RunEstimate;
use serde::Serialize;
use stats::{median, student_quantile};
use verdict::View;

/// The normal distribution's two-sided 95 % quantile: the run is longer than its pilot, so Student's t is close to it.
const NORMAL_QUANTILE: f64 = 1.96;

/// Expected result of a longer run.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Forecast {
    /// The budget in seconds.
    pub budget_s: f64,
    /// The requested margin, relative.
    pub precision: f64,
    /// Margin common to all rows in the pilot; more time does not reduce it.
    #[schemars(with = "Option<f64>")]
    pub run_effect_margin: f64,
    /// Forecasts by row; `None` for one without samples.
    pub rows: Vec<Option<RowForecast>>,
    /// Seconds after which all rows reach the precision; `None` if they cannot.
    pub needed_s: Option<f64>,
}

/// Expected result of a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RowForecast {
    /// Samples in the pilot.
    pub samples: usize,
    /// Margin after the budget, relative.
    #[schemars(with = "Option<f64>")]
    pub margin: f64,
    /// Seconds of its own samples that the precision takes; `None` if it cannot be reached.
    pub needed_s: Option<f64>,
}

/// A row's errors, as the pilot shows them.
struct Known {
    /// Standard error of the row, scaled to one second of its own samples.
    row_of_a_second: f64,
    /// Margin common to all rows: it comes from a fixed number of stretches, however long the run.
    run_effect_margin: f64,
    samples: usize,
}

impl Forecast {
    /// For a run of `budget_s` after a pilot that measured for `pilot_s`, with the view by which each case is
    /// judged. Errors of rows fall with the square root of time; the uncertainty common to all rows stays.
    pub fn of(
        pilot: &RunEstimate,
        views: &[Option<View>],
        pilot_s: f64,
        budget_s: f64,
        precision: f64,
    ) -> Self {
        let samples: usize = pilot.looks.iter().map(Vec::len).sum();
        let turn_s = pilot_s / samples.max(1) as f64;
        let mut known: Vec<Option<Known>> = pilot
            .looks
            .iter()
            .zip(views)
            .map(|(looks, view)| known(looks, *view, turn_s))
            .collect();
        fill_gaps(pilot, &mut known);
        let run_effect_margin =
            known.iter().flatten().map(|known| known.run_effect_margin).fold(0.0, f64::max);
        let rows: Vec<Option<RowForecast>> = known
            .iter()
            .map(|known| {
                let known = known.as_ref()?;
                let share = known.samples as f64 / samples as f64;
                let row = known.row_of_a_second / (budget_s * share).sqrt();
                let row_margin = NORMAL_QUANTILE * row;
                let left = precision.powi(2) - known.run_effect_margin.powi(2);
                let needed_s = (NORMAL_QUANTILE * known.row_of_a_second).powi(2) / left;
                Some(RowForecast {
                    samples: known.samples,
                    margin: row_margin.hypot(known.run_effect_margin),
                    needed_s: (left > 0.0).then_some(needed_s),
                })
            })
            .collect();
        let needed: Option<Vec<f64>> = rows.iter().flatten().map(|row| row.needed_s).collect();
        Self {
            budget_s,
            precision,
            run_effect_margin,
            rows,
            needed_s: needed.map(|needed| needed.iter().sum()),
        }
    }
}

fn known(looks: &[Look], view: Option<View>, turn_s: f64) -> Option<Known> {
    let (view, samples) = (view?, looks.len());
    let row = view.own.margin() / student_quantile(view.own.freedom, 0.95);
    Some(Known {
        row_of_a_second: row * (samples as f64 * turn_s).sqrt(),
        run_effect_margin: view.run_effect.margin,
        samples,
    })
}

/// A row with samples but without an estimate is assumed to be like the median of the others.
fn fill_gaps(pilot: &RunEstimate, known: &mut [Option<Known>]) {
    let all =
        |figure: fn(&Known) -> f64| median(&known.iter().flatten().map(figure).collect::<Vec<_>>());
    let row_of_a_second = all(|known| known.row_of_a_second);
    let run_effect_margin = all(|known| known.run_effect_margin);
    for (known, looks) in known.iter_mut().zip(&pilot.looks) {
        if known.is_none() && !looks.is_empty() && !row_of_a_second.is_nan() {
            *known = Some(Known { row_of_a_second, run_effect_margin, samples: looks.len() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadLook;
    use std::collections::BTreeSet;

    /// Single-thread samples that vary between launches by `row`, and slowly all together by `run_effect`.
    fn pilot(rows: usize, row: f64, run_effect: f64) -> PilotRun {
        let look = |case: u64, round: u64| {
            let swing = if (round / 4 + case).is_multiple_of(2) { 1.0 + row } else { 1.0 - row };
            let slow =
                if (round / 10).is_multiple_of(2) { 1.0 + run_effect } else { 1.0 - run_effect };
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
                memory_gb_s: None,
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
            let uncontended = self.0.cases.iter().map(|case| case.as_ref()?.uncontended);
            Forecast::of(&self.0, &uncontended.collect::<Vec<_>>(), 10.0, budget_s, precision)
        }
    }

    fn margin(forecast: &Forecast) -> f64 {
        forecast.rows[0].unwrap().margin
    }

    #[test]
    fn the_error_of_a_row_falls_with_the_root_of_time() {
        let pilot = pilot(8, 0.01, 0.0);
        let margin_in = |budget_s| margin(&pilot.forecast(budget_s, 0.01));
        assert!(
            (margin_in(100.0) / margin_in(400.0) - 2.0).abs() < 1e-6,
            "{} {}",
            margin_in(100.0),
            margin_in(400.0)
        );
    }

    #[test]
    fn every_row_reaches_the_precision_after_the_needed_time() {
        let pilot = pilot(8, 0.01, 0.0);
        let needed_s = pilot.forecast(100.0, 0.001).needed_s.unwrap();
        let forecast = pilot.forecast(needed_s, 0.001);
        assert!((margin(&forecast) - 0.001).abs() < 1e-6, "{forecast:?}");
    }

    #[test]
    fn time_does_not_reduce_a_run_effect_above_the_precision() {
        let pilot = pilot(8, 0.001, 0.05);
        let run_effect_margin =
            pilot.0.cases[0].as_ref().unwrap().uncontended.unwrap().run_effect.margin;
        // Just below the run effect, which does not fall with time.
        let forecast = pilot.forecast(1e9, 0.95 * run_effect_margin);
        assert_eq!(forecast.needed_s, None);
        assert!((forecast.run_effect_margin / run_effect_margin - 1.0).abs() < 1e-9);
        assert!(margin(&forecast) >= run_effect_margin);
    }

    #[test]
    fn a_row_with_too_few_samples_is_assumed_to_be_like_the_others() {
        let mut looks = pilot(8, 0.01, 0.0).0.looks;
        looks[3].truncate(4);
        let forecast = PilotRun::of(looks).forecast(100.0, 0.01);
        assert!(forecast.rows.iter().all(Option::is_some));
    }

    #[test]
    fn a_pilot_without_samples_gives_no_forecast() {
        let forecast = PilotRun::of(vec![Vec::new()]).forecast(10.0, 0.01);
        assert_eq!(forecast.rows, [None]);
    }
}
