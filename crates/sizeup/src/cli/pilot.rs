//! `sizeup run --estimate`: a short pilot, and what a run would come to.

use super::exit::Exit;
use super::going_on::Outcome;
use super::run::{carry_out, new_run};
use super::run_args::RunArgs;
use super::talk;
use crate::compare::judged_views;
use crate::estimate::{Forecast, RunEstimate};
use crate::execute::Interrupt;
use crate::record::Plan;
use crate::report::{ForecastView, forecast_table};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A pilot takes at least this long, and a tenth of the budget …
const SHORTEST_PILOT: Duration = Duration::from_secs(5);
const PILOT_SHARE: f64 = 0.1;
/// … and long enough for so many windows of each row, of which some may lie on shared cores. A pulse, waking
/// up and starting workers take this long beside each.
const PILOT_WINDOWS: u32 = 16;
const BESIDE_A_WINDOW: Duration = Duration::from_millis(25);

pub(super) fn estimate(args: &RunArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let path = std::env::temp_dir().join(format!("sizeup-pilot-{}.run.jsonl", std::process::id()));
    let mut session = new_run(&RunArgs { output: Some(path.clone()), ..args.clone() }, interrupt)?;
    let _remove = Removed(path);
    let budget = session.budget;
    session.budget = pilot_time(&session.plan, budget);
    let precision = session.plan.precision_ppm as f64 / 1e6;
    // The pilot goes on though its rows may be narrow: how they spread is what it is for.
    session.plan.precision_ppm = 0;
    let longer = if session.budget > budget { ", longer than the budget" } else { "" };
    talk(format_args!("a pilot of {}{longer}", humantime::format_duration(session.budget)));
    let Outcome { run, not_written } = carry_out(session, args, started, interrupt)?;
    if let Some(error) = not_written {
        return Err(error.into());
    }
    if interrupt.asked() {
        talk("the pilot was stopped: there is no estimate");
        return Ok(Exit::Incomplete);
    }
    let pilot_s = run.spent_ns as f64 / 1e9;
    let estimate = RunEstimate::of(&run);
    let views = judged_views(&run, &estimate);
    let forecast = Forecast::of(&estimate, &views, pilot_s, budget.as_secs_f64(), precision);
    let view = ForecastView::of(&run, forecast);
    if args.json {
        super::print_json(&view)?;
    } else {
        super::print(&forecast_table(&view))?;
    }
    Ok(if view.is_whole() { Exit::Fine } else { Exit::Incomplete })
}

/// How long the pilot of a plan takes.
fn pilot_time(plan: &Plan, budget: Duration) -> Duration {
    let turn =
        Duration::from_nanos(plan.timing.settle_ns + plan.timing.window_ns) + BESIDE_A_WINDOW;
    let of_rows = turn * PILOT_WINDOWS * u32::try_from(plan.cases.len()).unwrap_or(u32::MAX);
    of_rows.max(budget.mul_f64(PILOT_SHARE)).max(SHORTEST_PILOT)
}

/// A file that is removed in the end, come what may.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        if let Err(e) = std::fs::remove_file(&self.0) {
            talk(format_args!("{} can't be removed: {e}", self.0.display()));
        }
    }
}
