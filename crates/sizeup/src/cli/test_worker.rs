//! `sizeup test-worker`.

use super::exit::Exit;
use super::say;
use crate::briefing::{Briefing, Extent, Screen};
use anyhow::bail;
use catalog::{Catalog, Home, OWN_WORKER, Program, Workload};
use clap::Args;
use contract::{CheckProof, check_workload, play_all};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// For an answer, or the end of a worker.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Args)]
#[command(
    after_help = "Example: sizeup test-worker sorter\nEvery transcript is played on one thread or two, then every \
                  workload is performed, and again with an injected wrong answer, which its check must notice. \
                  docs/protocol.md is what workers must keep to. Exit status 1 if one doesn't."
)]
pub(super) struct TestWorkerArgs {
    /// The folder with the workers' tables, as for --with
    folder: PathBuf,
}

pub(super) fn test_worker(args: &TestWorkerArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let home = Home::find()?;
    let catalog = Catalog::load(&home, std::slice::from_ref(&args.folder))?;
    let own = catalog.workloads.values().filter(|of| of.program.name.starts_with(OWN_WORKER));
    let mut workers: BTreeMap<&str, (&Program, Vec<&Workload>)> = BTreeMap::new();
    for workload in own {
        let of = workers.entry(&workload.program.name);
        of.or_insert_with(|| (&workload.program, Vec::new())).1.push(workload);
    }
    if workers.is_empty() {
        bail!("no table in {} has a worker of your own", args.folder.display());
    }
    let mut answer = Briefing::default();
    let mut keep = true;
    for (program, workloads) in workers.values() {
        keep &= test(&home, &catalog, program, workloads, &mut answer)?;
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
    answer: &mut Briefing,
) -> anyhow::Result<bool> {
    let name = program.name.trim_start_matches(OWN_WORKER);
    let played = match play_all(&home.contract(), catalog, program, PATIENCE) {
        Ok(played) => played,
        Err(what) => bail!("{name}: {what}"),
    };
    let mut failures = played.failures;
    let mut unavailable = 0;
    for workload in workloads {
        match check_workload(catalog, workload, PATIENCE) {
            Ok(CheckProof::Noticed) => {}
            Ok(CheckProof::Unavailable(why)) => {
                unavailable += 1;
                answer.note(format!("{} can't run here: {why}", workload.id));
            }
            Err(what) => failures.push(format!("workload {}: {what}", workload.id)),
        }
    }
    if !played.left_out.is_empty() {
        answer.note(format!(
            "{name}: {} transcripts need inputs or parameters, which none of its workloads has: {}",
            played.left_out.len(),
            played.left_out.join(", ")
        ));
    }
    let (transcripts, rows) = (played.transcripts, workloads.len() - unavailable);
    if failures.is_empty() {
        answer.say(format!(
            "{name} keeps the contract: {transcripts} transcripts; the checks of {rows} workloads notice a wrong answer"
        ));
        return Ok(true);
    }
    answer.warn(format!(
        "{name} does not keep the contract: {} failures in {transcripts} transcripts and {rows} workloads",
        failures.len()
    ));
    let lines = failures.iter().flat_map(|failure| failure.lines());
    answer.drawing("", lines.map(terminal::printable).map(|line| line.to_string()).collect());
    Ok(false)
}
