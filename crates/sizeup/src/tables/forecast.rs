//! What a run would come to.

use estimate::{Forecast, RowForecast};
use judge::numbers::{percent, share};
use record::{Run, ThreadSpec};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;
use table::Table;

/// A forecast with the names of its rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ForecastView {
    /// Margin of the widest row after the budget; `None` if no row has samples.
    pub widest_margin: Option<f64>,
    /// Median margin of the rows after the budget; `None` if no row has samples.
    pub median_margin: Option<f64>,
    /// How many rows would be within the precision after the budget.
    pub converged_rows: usize,
    /// The budget in seconds.
    pub budget_s: f64,
    /// The margin that is wished for.
    pub precision: f64,
    /// Margin of what all rows share, which more time does not take away.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub run_effect_margin: f64,
    /// Seconds in which all rows would be within the precision; `None` if more time won't do.
    pub needed_s: Option<f64>,
    /// Whether the intervals are those of ratios of variants.
    pub is_of_variants: bool,
    /// In the plan's order.
    pub rows: Vec<ForecastRow>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("x-has-nulls" = true)))]
pub struct ForecastRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// What is expected; `None` if the pilot has no sample of it.
    #[serde(flatten)]
    pub forecast: Option<RowForecast>,
    /// Why there is none.
    pub reason: Option<String>,
}

impl ForecastView {
    /// Of a pilot's run; controls are no rows.
    pub fn of(run: &Run, forecast: Forecast) -> Self {
        let cases = run.header.plan.cases.iter().enumerate().filter(|(_, case)| !case.control);
        let rows: Vec<ForecastRow> = cases
            .map(|(number, case)| ForecastRow {
                workload: case.name(),
                threads: case.thread_spec,
                forecast: forecast.rows[number],
                reason: run.outcome(number).map(|outcome| outcome.message.clone()),
            })
            .collect();
        let mut halves: Vec<f64> =
            rows.iter().filter_map(|row| Some(row.forecast?.margin)).collect();
        halves.sort_by(f64::total_cmp);
        Self {
            widest_margin: halves.last().copied(),
            median_margin: halves.get(halves.len() / 2).copied(),
            converged_rows: halves.iter().filter(|margin| **margin <= forecast.precision).count(),
            budget_s: forecast.budget_s,
            precision: forecast.precision,
            run_effect_margin: forecast.run_effect_margin,
            needed_s: forecast.needed_s,
            is_of_variants: !run.header.variants.is_empty(),
            rows,
        }
    }

    /// Whether something could be said of every row.
    pub fn is_whole(&self) -> bool {
        self.rows.iter().all(|row| row.forecast.is_some())
    }
}

/// A row for each case, then what it comes to.
pub fn forecast_table(view: &ForecastView) -> String {
    let mut table = Table::new(&["workload", ">threads", ">samples", ">then", "note"]);
    for row in &view.rows {
        let cell = |of: &dyn Fn(&RowForecast) -> String| {
            row.forecast.as_ref().map_or_else(|| "–".to_owned(), of)
        };
        table.row([
            row.workload.clone(),
            row.threads.to_string(),
            cell(&|row| row.samples.to_string()),
            cell(&|row| percent(row.margin)),
            row.reason.clone().unwrap_or_default(),
        ]);
    }
    let time = |seconds: f64| {
        humantime::format_duration(Duration::from_secs(seconds.clamp(1.0, 1e9) as u64)).to_string()
    };
    let of = if view.is_of_variants {
        " of a variant's ratio to the first; of the first the widest of these,"
    } else {
        ""
    };
    let mut text = format!(
        "{table}\nsamples: in the pilot; then: the 95 % interval{of} after {}.\n",
        time(view.budget_s)
    );
    if let (Some(median), Some(widest)) = (view.median_margin, view.widest_margin) {
        let _ = writeln!(
            text,
            "In {}: median {}, widest {}, {} of {} rows within {}.",
            time(view.budget_s),
            percent(median),
            percent(widest),
            view.converged_rows,
            view.rows.len(),
            percent(view.precision)
        );
    }
    let _ = match view.needed_s {
        Some(needed_s) if view.is_whole() => {
            writeln!(text, "All rows within {}: about {}.", percent(view.precision), time(needed_s))
        }
        Some(_) => writeln!(
            text,
            "How long all rows would take is not known: the pilot had too few uncontended samples."
        ),
        None => writeln!(
            text,
            "All rows within {}: not by more time. What all rows share (the clock, neighbours) is known to \
             ±{} only.",
            percent(view.precision),
            share(view.run_effect_margin)
        ),
    };
    text
}
