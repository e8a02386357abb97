//! `sizeup run --estimate`: a short pilot, and what a run would come to.

use super::exit::Exit;
use super::run::{carry_out, new_run};
use super::run_args::RunArgs;
use super::talk;
use crate::estimate::{Forecast, RunEstimate};
use crate::execute::Interrupt;
use crate::report::{ForecastView, forecast_table};
use anyhow::bail;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The pilot takes this share of the budget, within bounds.
const PILOT_SHARE: f64 = 0.2;
const PILOT: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(60));

pub(super) fn estimate(args: &RunArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let path = std::env::temp_dir().join(format!("sizeup-pilot-{}.run.jsonl", std::process::id()));
    let mut session = new_run(&RunArgs { output: Some(path.clone()), ..args.clone() }, interrupt)?;
    let _remove = Removed(path);
    let budget = session.budget;
    session.budget = budget.mul_f64(PILOT_SHARE).clamp(PILOT.0, PILOT.1);
    let precision = session.plan.precision_ppm as f64 / 1e6;
    // The pilot goes on though its rows may be narrow: how they spread is what it is for.
    session.plan.precision_ppm = 0;
    talk(format_args!("a pilot of {}", humantime::format_duration(session.budget)));
    let run = carry_out(session, args, started, interrupt)?;
    if interrupt.asked() {
        bail!("the pilot was stopped: there is no estimate");
    }
    let pilot_s = run.spent_ns as f64 / 1e9;
    let forecast = Forecast::of(&RunEstimate::of(&run), pilot_s, budget.as_secs_f64(), precision);
    let view = ForecastView::of(&run, forecast);
    if args.json {
        super::print_json(&view)?;
    } else {
        super::print(&forecast_table(&view))?;
    }
    Ok(if view.is_whole() { Exit::Fine } else { Exit::Incomplete })
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
