//! A forecast of a run: its precision and duration.

use crate::briefing::Briefing;
use estimate::{Forecast, RowForecast};
use judge::numbers::{dash, percent, share};
use record::{Run, ThreadSpec};
use serde::Serialize;
use std::time::Duration;
use terminal::table::{Heading, Table};

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
    /// `None` if the pilot has no sample of it.
    #[serde(flatten)]
    pub forecast: Option<RowForecast>,
    /// Why there is none.
    pub reason: Option<String>,
}

impl ForecastView {
    /// A row per case of the pilot's run, controls excluded.
    pub fn of(run: &Run, forecast: Forecast) -> Self {
        let cases = run.header.plan.cases.iter().enumerate().filter(|(_, case)| case.is_row());
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

/// The precision that the budget buys, the time that the precision takes, then each row.
pub fn forecast_briefing(view: &ForecastView) -> Briefing {
    let mut answer = Briefing::default();
    let precision = percent(view.precision);
    if let (Some(median), Some(widest)) = (view.median_margin, view.widest_margin) {
        answer.say(format!(
            "{} gives {} of {} rows {precision} or better (median {}, widest {}).",
            time(view.budget_s),
            view.converged_rows,
            view.rows.len(),
            percent(median),
            percent(widest),
        ));
    }
    answer.say(match view.needed_s {
        Some(needed_s) if view.is_whole() => {
            format!("All rows need about {} for {precision}.", time(needed_s))
        }
        Some(_) => {
            "How long all rows would take is unknown: the pilot had too few uncontended samples.".to_owned()
        }
        None => format!(
            "More time won't give all rows {precision}: the uncertainty common to all rows (clock, neighbours) is ±{}.",
            share(view.run_effect_margin)
        ),
    });
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("threads"),
        Heading::right(format!("after {}", time(view.budget_s))),
        Heading::right("samples in the pilot").rank(1),
        Heading::left("note").shrinks(),
    ]);
    for row in &view.rows {
        let cell =
            |text: &dyn Fn(&RowForecast) -> String| row.forecast.as_ref().map_or_else(dash, text);
        table.row([
            row.workload.clone(),
            row.threads.to_string(),
            cell(&|row| percent(row.margin)),
            cell(&|row| row.samples.to_string()),
            row.reason.clone().unwrap_or_default(),
        ]);
    }
    answer.table("", table, "rows");
    if view.is_of_variants {
        answer.note(
            "Margins are those of each variant's ratio to the first; the first shows the widest of them",
        );
    }
    answer
}

fn time(seconds: f64) -> String {
    humantime::format_duration(Duration::from_secs(seconds.clamp(1.0, 1e9) as u64)).to_string()
}
