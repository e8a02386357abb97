//! What a run starts from, and its start.

use super::bench::Bench;
use super::execution::Execution;
use super::launch::Task;
use super::ready::learn;
use super::receipt::Receipts;
use super::widths::Widths;
use super::{Interrupt, Watch};
use crate::estimate::{Look, RunEstimate};
use crate::machine::{Limits, Topology};
use crate::record::{Copies, Ended, Plan, Run, WorkerBuild, WriteError, Writer};
use crate::telemetry::ActivityWatch;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How a plan is to be done.
#[derive(Debug)]
pub struct Settings<'a> {
    /// What is done.
    pub plan: &'a Plan,
    /// Who does it.
    pub receipts: &'a Receipts,
    /// What this process may take.
    pub limits: &'a Limits,
    /// Which CPUs share a core.
    pub topology: &'a Topology,
    /// The cases in the order in which they are launched: if there is no time for the last, these are left.
    pub order: &'a [usize],
    /// When the budget ends.
    pub deadline: Instant,
    /// How long a worker may take for an answer, beyond what it was asked to take.
    pub answer_timeout: Duration,
    /// Where `/proc` and `/sys` are.
    pub root: &'a Path,
}

/// What a resumed run has already; empty for a new one.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next launch's number.
    pub next_launch: u64,
    /// The next round's number.
    pub next_round: u64,
    /// Of each case.
    pub cases: Vec<CaseProgress>,
    /// Which samples there were.
    pub copies: Copies,
}

/// What is known of a case so far.
#[derive(Debug, Default)]
pub struct CaseProgress {
    /// Its windows, in order.
    pub looks: Vec<Look>,
    /// Windows that can't be, and that no figure is made of.
    pub stray: u64,
    /// Launches that were started.
    pub launches: u64,
    /// Whether it has come to another end than being measured.
    pub ended: bool,
    /// What its worker said last that it is made of.
    pub build: Option<WorkerBuild>,
}

impl Progress {
    /// What a run file has.
    pub fn of(run: &Run) -> Self {
        let looks = RunEstimate::of(run).looks;
        let cases = looks.into_iter().enumerate().map(|(case, looks)| CaseProgress {
            looks,
            stray: run.left_out.iter().filter(|window| window.case == case).count() as u64,
            launches: run.launches.iter().filter(|launch| launch.case == case).count() as u64,
            ended: run.outcome(case).is_some(),
            build: run
                .launches
                .iter()
                .rfind(|launch| launch.case == case)
                .map(|launch| launch.ready.build.clone()),
        });
        Self {
            next_launch: run.launches.iter().map(|launch| launch.launch + 1).max().unwrap_or(0),
            next_round: run.windows.iter().map(|window| window.round + 1).max().unwrap_or(0),
            cases: cases.collect(),
            copies: copies(run),
        }
    }
}

fn copies(run: &Run) -> Copies {
    let mut copies = Copies::default();
    let shares = run.mixed.iter().flat_map(|mixed| &mixed.shares);
    let windows = run.windows.iter().map(|window| (window.case, &window.measured));
    for (case, sample) in windows.chain(shares.map(|share| (share.case, &share.measured))) {
        // Whoever read the run has judged those that it has.
        let _ = copies.add(case, sample);
    }
    copies
}

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
