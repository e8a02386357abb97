//! `sizeup test-worker`.

use super::exit::Exit;
use super::{diagnostic, say};
use crate::briefing::{Briefing, Extent, Screen};
use anyhow::bail;
use catalog::{Catalog, Home, OWN_WORKER, Program, Workload};
use clap::Args;
use judge::numbers::counted;
use measure::contract::{CheckProof, check_workload, play_all};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Failures that are shown unless all are asked for: most have one cause.
const MOST_SHOWN: usize = 5;
/// For an answer, or the end of a worker.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Args)]
#[command(
    after_help = "Example: sizeup test-worker sorter\nPerforms every workload, then again with an injected wrong answer that its \
                  check must notice; then plays every transcript, on one thread or two. docs/protocol.md has the rules. Exit \
                  status 1 if a worker breaks one, or if none of its workloads can run here."
)]
pub(super) struct TestWorkerArgs {
    /// The folder with the workers' tables, as for --with
    folder: PathBuf,
    /// Print all failures
    #[arg(long)]
    all: bool,
}

pub(super) fn test_worker(args: &TestWorkerArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let home = Home::find()?;
    let catalog = Catalog::load(&home, std::slice::from_ref(&args.folder))?;
    let own =
        catalog.workloads.values().filter(|workload| workload.program.name.starts_with(OWN_WORKER));
    let mut workers: BTreeMap<&str, (&Program, Vec<&Workload>)> = BTreeMap::new();
    for workload in own {
        let entry = workers.entry(&workload.program.name);
        entry.or_insert_with(|| (&workload.program, Vec::new())).1.push(workload);
    }
    if workers.is_empty() {
        bail!("no table in {} has a worker of your own", args.folder.display());
    }
    let mut answer = Briefing::default();
    let mut keep = true;
    for (program, workloads) in workers.values() {
        keep &= test(&home, &catalog, program, workloads, args.all, &mut answer)?;
    }
    say(&answer, screen, Extent::default())?;
    Ok(if keep { Exit::Fine } else { Exit::CheckFailed })
}

/// Tests a worker, and says what was found; whether all is well.
fn test(
    home: &Home,
    catalog: &Catalog,
    program: &Program,
    workloads: &[&Workload],
    all: bool,
    answer: &mut Briefing,
) -> anyhow::Result<bool> {
    let name = program.name.trim_start_matches(OWN_WORKER);
    let mut failures = Vec::new();
    let mut able = Vec::new();
    for workload in workloads {
        diagnostic(format_args!("{name}: {}, and again with a wrong answer", workload.id));
        match check_workload(catalog, workload, PATIENCE) {
            Ok(CheckProof::Noticed) => able.push(*workload),
            Ok(CheckProof::Unavailable(why)) => {
                answer.note(format!("{} can't run here: {why}", workload.id));
            }
            Err(what) => failures.push(format!("workload {}: {what}", workload.id)),
        }
    }
    if !failures.is_empty() {
        let rows = counted(failures.len(), "workload");
        answer.warn(format!("{name} does not keep the contract: {rows} of {}", workloads.len()));
        answer.note("no transcript was played, because they need workloads that work");
        show(&failures, all, answer);
        return Ok(false);
    }
    if able.is_empty() {
        let none = counted(workloads.len(), "workload");
        answer.warn(format!("{name} was not tested: it has {none}, and none can run here"));
        return Ok(false);
    }
    diagnostic(format_args!("{name}: transcripts"));
    let played = match play_all(&home.contract(), catalog, program, &able, PATIENCE) {
        Ok(played) => played,
        Err(what) => bail!("{name}: {what}"),
    };
    if !played.left_out.is_empty() {
        answer.note(format!(
            "{name}: {} transcripts need inputs or parameters, which no workload that runs here has: {}",
            played.left_out.len(),
            played.left_out.join(", ")
        ));
    }
    let transcripts = counted(played.transcripts, "transcript");
    if played.failures.is_empty() {
        let rows = counted(able.len(), "workload");
        answer.say(format!(
            "{name} keeps the contract: {transcripts}; {rows} noticed an injected wrong answer"
        ));
        return Ok(true);
    }
    let count = counted(played.failures.len(), "failure");
    answer.warn(format!("{name} does not keep the contract: {count} in {transcripts}"));
    show(&played.failures, all, answer);
    Ok(false)
}

/// Failures, of many the first.
fn show(failures: &[String], all: bool, answer: &mut Briefing) {
    let shown = if all { failures.len() } else { failures.len().min(MOST_SHOWN) };
    let lines = failures[..shown].iter().flat_map(|failure| failure.lines());
    answer.drawing("", lines.map(str::to_owned).collect());
    if shown < failures.len() {
        answer.note(format!("{} more failures (--all)", failures.len() - shown));
    }
}
