//! What is known of a run so far.

use estimate::{Look, RunEstimate};
use record::{Copies, Run, WorkerBuild};

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
