//! `sizeup run --estimate`: a short pilot, and what a run would come to.

use super::diagnostic;
use super::document::{Document, Output};
use super::exit::Exit;
use super::notes::Caveats;
use super::notices::notify;
use super::progress::ProgressLine;
use crate::briefing::Screen;
use crate::tables::{ForecastView, forecast_briefing};
use estimate::{Forecast, RunEstimate};
use judge::compare::judged_views;
use measure::execute::Interrupt;
use measure::session::{NewRun, Notice, Pilot};
use std::time::Instant;

pub(super) fn pilot(
    new: NewRun,
    output: &Output,
    screen: &Screen,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let mut notes = Vec::new();
    let mut notify = |notice: &Notice| notify(notice, &mut notes);
    let pilot = Pilot::create(new, &mut notify, interrupt)?;
    let (time, budget, precision) = (pilot.time(), pilot.budget, pilot.precision);
    let longer = if time > budget { ", longer than the budget" } else { "" };
    diagnostic(format_args!("running a pilot for {}{longer}", humantime::format_duration(time)));
    let mut watch = ProgressLine::new(time);
    let run = pilot.carry_out(started, &mut watch, &mut notify, interrupt);
    watch.end();
    let run = run?;
    if interrupt.asked() {
        diagnostic("the pilot was stopped: no estimate");
        return Ok(Exit::Incomplete);
    }
    let pilot_s = run.spent_ns as f64 / 1e9;
    let estimate = RunEstimate::of(&run);
    let views = judged_views(&run, &estimate);
    let forecast = Forecast::of(&estimate, &views, pilot_s, budget.as_secs_f64(), precision);
    let view = ForecastView::of(&run, forecast);
    let answer = forecast_briefing(&view);
    let exit = if view.is_whole() { Exit::Fine } else { Exit::Incomplete };
    let caveats = Caveats { notes, ..Caveats::default() };
    Document { command: "run", answer, data: view, caveats, exit }.print(output, screen)
}
