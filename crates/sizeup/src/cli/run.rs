//! `sizeup run`.

use super::choice::{chosen_co_runners, chosen_mix, chosen_suite, how_to_ask_for};
use super::document::{Document, Output};
use super::exit::Exit;
use super::going_on::{advice, command, quoted};
use super::groups::ReadRun;
use super::notes::Caveats;
use super::notices::notify;
use super::progress::ProgressLine;
use super::run_args::RunArgs;
use super::{diagnostic, pilot, reference};
use crate::briefing::{Extent, Screen};
use crate::tables::{ShowView, run_briefing, variant_briefing};
use anyhow::bail;
use catalog::{Catalog, Home, Mix, Suite};
use judge::compare::compare_with_variant;
use measure::execute::{Interrupt, adopt_orphans};
use measure::plan::{Ask, ThreadsAsked, parse_budget, parse_precision};
use measure::session::{Finished, NewRun, Notice, Notify, Resumption, Session};
use record::{Ended, ThreadSpec};
use std::time::Instant;

pub(super) fn run(args: &RunArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let interrupt = Interrupt::catch()?;
    adopt_orphans();
    let catalog = Catalog::load(&Home::find()?, &args.folders)?.with_client(args.client.as_ref());
    if let Some(name) = &args.named {
        bail!(how_to_ask_for(name, &catalog));
    }
    let output = Output { extent: Extent::default(), json: args.json };
    if args.estimate {
        return pilot::pilot(new_run(args, &catalog)?, &output, screen, &interrupt);
    }
    let mut notes = Vec::new();
    let mut notify = |notice: &Notice| notify(notice, &mut notes);
    let session = match &args.resume {
        None => Session::create(new_run(args, &catalog)?, &mut notify, &interrupt)?,
        Some(file) => {
            let resumption = Resumption {
                file,
                catalog: &catalog,
                variants: &args.variants,
                budget: args.budget,
                answer_timeout: args.answer_timeout,
                telemetry: args.telemetry.ask(),
            };
            match Session::resume(resumption, &mut notify, &interrupt)? {
                Some(session) => session,
                None => {
                    diagnostic(format_args!(
                        "{file} is already complete. For narrower intervals measure once more and judge both runs together: \
                         `sizeup compare --group NAME={file} --group NAME=OTHER`",
                        file = file.display()
                    ));
                    return Ok(exit_of(&ShowView::of(&record::read(file)?)));
                }
            }
        }
    };
    let Finished { run, not_written } = measured(session, started, &mut notify, &interrupt)?;
    let read = ReadRun::of(run);
    let ReadRun { run, estimate } = &read;
    let view = ShowView::of_estimate(run, estimate);
    let file = quoted(&run.path.display().to_string());
    let mut answer = match run.header.variants.first() {
        // Who measures settings side by side wants to know how they differ.
        Some(first) => {
            variant_briefing(&compare_with_variant(run, estimate, &first.name, None, &|_| true))
        }
        None => run_briefing(&view, &file, Extent::default()),
    };
    reference::sentence(&read).into_iter().for_each(|text| answer.say(text));
    if view.ended == Some(Ended::Interrupted) {
        answer.next(command(run, args));
    }
    answer.next(format!("sizeup show {file} --details"));
    match &not_written {
        None => diagnostic(format_args!("the run is in {}", run.path.display())),
        Some(error) => diagnostic(advice(run, args, error)),
    }
    let exit = if not_written.is_some() { Exit::Incomplete } else { exit_of(&view) };
    let caveats = Caveats { view: Some(view.judged), notes, ..Caveats::default() };
    Document { command: "run", answer, data: view, caveats, exit }.print(&output, screen)
}

/// Measures what fits into the budget, and shows how it goes on.
pub(super) fn measured(
    session: Session,
    started: Instant,
    notify: &mut Notify,
    interrupt: &Interrupt,
) -> anyhow::Result<Finished> {
    let session = session.leave_out(started, notify)?;
    let mut watch = ProgressLine::new(session.budget());
    let outcome = session.carry_out(started, &mut watch, interrupt);
    watch.end();
    outcome
}

/// Whether every row has its figure.
fn exit_of(view: &ShowView) -> Exit {
    let is_stopped = view.ended == Some(Ended::Interrupted);
    if view.is_whole() && !is_stopped { Exit::Fine } else { Exit::Incomplete }
}

/// Resolves the arguments against the catalog.
fn new_run<'a>(args: &RunArgs, catalog: &'a Catalog) -> anyhow::Result<NewRun<'a>> {
    let mix = chosen_mix(args, catalog)?;
    let suite = chosen_suite(args, mix.as_ref(), catalog)?;
    let (mix, rolling) = match args.rolling {
        true => (None, mix),
        false => (mix.filter(Mix::has_rates), None),
    };
    Ok(NewRun {
        catalog,
        ask: Ask { rolling, ..ask(args, catalog, suite, mix)? },
        label: args.label.clone(),
        host: args.host.clone(),
        facts: args.facts.read()?,
        output: args.output.clone(),
        injected: args.inject_wrong_answer.clone(),
        answer_timeout: args.answer_timeout,
        measure_machine: args.measure_machine,
        telemetry: args.telemetry.ask(),
    })
}

fn ask(
    args: &RunArgs,
    catalog: &Catalog,
    mut suite: Suite,
    mix: Option<Mix>,
) -> anyhow::Result<Ask> {
    let name = suite.name.clone();
    let of_suite = |what: &str| format!("the suite {name:?}: {what}");
    let has_co_runners = !args.squeeze.is_empty() || args.beside_load.is_some();
    let threads: Vec<ThreadsAsked> = if args.threads.is_empty() && has_co_runners {
        // On all threads no CPU would be left for co-runners.
        suite.categories.iter_mut().for_each(|category| category.threads.clear());
        vec![ThreadsAsked::One(ThreadSpec::Count(1))]
    } else if args.threads.is_empty() {
        let parsed = suite.threads.iter().map(|text| text.parse());
        parsed.collect::<Result<_, String>>().map_err(|e| anyhow::anyhow!(of_suite(&e)))?
    } else {
        suite.categories.iter_mut().for_each(|category| category.threads.clear());
        args.threads.clone()
    };
    let precision_ppm = match args.precision {
        Some(ppm) => ppm,
        None => parse_precision(&suite.precision).map_err(|e| anyhow::anyhow!(of_suite(&e)))?,
    };
    let budget = match args.budget {
        Some(budget) => budget,
        None => parse_budget(&suite.budget).map_err(|e| anyhow::anyhow!(of_suite(&e)))?,
    };
    Ok(Ask {
        suite,
        mix,
        rolling: None,
        threads,
        variants: args.variants.clone(),
        isa: args.isa.clone(),
        sustain: args.sustain,
        co_runners: chosen_co_runners(args, catalog)?,
        placement: args.placement,
        cpus: args.cpus.as_ref().map(|cpus| cpus.to_vec()),
        precision_ppm,
        budget,
        timing: args.timing.timing(args.rounds_per_launch),
        seed: args.seed.unwrap_or_else(|| rand::random::<u64>() >> 1),
    })
}
