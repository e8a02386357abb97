//! What a run starts from, and its start.

use super::bench::Bench;
use super::execution::Execution;
use super::progress::Progress;
use super::ready::learn;
use super::receipt::Receipts;
use super::settings::Settings;
use super::task::Task;
use super::widths::Widths;
use super::{Interrupt, Watch};
use crate::telemetry::ActivityWatch;
use record::{Ended, WorkerBuild, WriteError, Writer};
use std::collections::BTreeMap;

/// What each worker said that it is made of; of one without a receipt nothing is measured.
fn builds(receipts: &Receipts) -> BTreeMap<String, WorkerBuild> {
    let listed = receipts.iter().filter_map(|(name, answer)| Some((name, answer.as_ref().ok()?)));
    listed.map(|(name, listed)| (name.clone(), listed.receipt.build.clone())).collect()
}

/// Does the tasks until all are measured as narrowly as asked, the time is over or someone stops it.
/// What goes wrong with a case becomes its outcome and does not stop the run.
///
/// # Errors
/// When the run file can't be written.
pub fn execute(
    settings: &Settings,
    tasks: Vec<Task>,
    progress: Progress,
    writer: &mut Writer,
    watch: &mut dyn Watch,
    interrupt: &Interrupt,
) -> Result<Ended, WriteError> {
    let mut cases = progress.cases.into_iter();
    let benches: Vec<Bench> =
        tasks.into_iter().map(|task| Bench::new(task, cases.next().unwrap_or_default())).collect();
    let mut builds = builds(settings.receipts);
    for bench in &benches {
        if let Some((build, told)) =
            builds.get_mut(&bench.task.program.name).zip(bench.progress.build.as_ref())
        {
            learn(build, told);
        }
    }
    let cpus: Vec<u32> = settings.plan.cases.iter().flat_map(|case| &case.cpus).copied().collect();
    let mut execution = Execution {
        activity: ActivityWatch::start(settings.root, &cpus),
        settings,
        interrupt,
        writer,
        watch,
        benches,
        round: progress.next_round,
        copies: progress.copies,
        next_launch: progress.next_launch,
        launchings_ns: Vec::new(),
        endings_ns: Vec::new(),
        builds,
        widths: Widths::new(settings.plan.thread_counts_on_shared_cores(settings.topology)),
    };
    let ended = execution.refuse_too_large().and_then(|()| execution.shifts());
    if matches!(ended, Ok(Ended::Budget)) {
        execution.tell_unfinished()?;
    }
    for bench in &mut execution.benches {
        bench.launch = None;
    }
    execution.end_orphans();
    ended
}
