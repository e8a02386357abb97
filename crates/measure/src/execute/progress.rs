//! The progress of a run so far.

use estimate::{Look, RunEstimate, looks_beside, sustained_cases};
use record::{Copies, RollingList, RollingPass, Run, WorkerBuild};
use std::collections::BTreeMap;

/// Work that a resumed run already has; empty for a new run.
#[derive(Debug, Default)]
pub struct Progress {
    /// The next launch's number.
    pub next_launch: u64,
    /// The next round's number.
    pub next_round: u64,
    /// By case.
    pub cases: Vec<CaseProgress>,
    pub copies: Copies,
    /// The list of a rolling mix, once it was made.
    pub rolling_list: Option<RollingList>,
}

/// The progress of a case so far.
#[derive(Debug, Default)]
pub struct CaseProgress {
    /// Its samples, in order.
    pub looks: Vec<Look>,
    /// Its samples while another case ran, by that case's number: a row's beside co-runners, or theirs beside a row.
    pub beside: BTreeMap<usize, Vec<Look>>,
    /// Number of discarded impossible samples.
    pub stray: u64,
    /// Number of launches.
    pub launches: u64,
    /// Whether it was loaded without pauses already.
    pub sustained: bool,
    /// Whether it ended without being measured.
    pub ended: bool,
    /// The build that its worker last reported.
    pub build: Option<WorkerBuild>,
}

impl Progress {
    /// The progress that a run file records.
    pub fn of(run: &Run) -> Self {
        let looks = RunEstimate::of(run).looks;
        let mut beside = looks_beside(run);
        let done = sustained_cases(run);
        let rounds = run.samples.iter().chain(&run.sustained).map(|sample| sample.round);
        let rounds = rounds.chain(run.mixed.iter().map(|mixed| mixed.round));
        let rounds = rounds.chain(run.rolling_passes.iter().map(|pass| pass.round));
        let rounds = rounds.chain(run.beside.iter().map(|beside| beside.row.round));
        let mut stray: BTreeMap<usize, u64> = BTreeMap::new();
        for sample in &run.left_out {
            *stray.entry(sample.case).or_default() += 1;
        }
        let cases = looks.into_iter().enumerate().map(|(case, looks)| CaseProgress {
            looks,
            beside: beside.remove(&case).unwrap_or_default(),
            stray: stray.get(&case).copied().unwrap_or(0),
            launches: run.launches_of(case).count() as u64,
            sustained: done.contains(&case),
            ended: run.outcome(case).is_some(),
            build: run.launches_of(case).last().map(|launch| launch.ready.build.clone()),
        });
        let rolling = run.rolling_launches.iter().map(|launch| launch.launch);
        let launches = run.launches.iter().map(|launch| launch.launch).chain(rolling);
        Self {
            next_launch: launches.map(|launch| launch + 1).max().unwrap_or(0),
            next_round: rounds.map(|round| round + 1).max().unwrap_or(0),
            cases: cases.collect(),
            copies: copies(run),
            rolling_list: run.rolling_list.clone(),
        }
    }
}

fn copies(run: &Run) -> Copies {
    let mut copies = Copies::default();
    let shares = run.mixed.iter().flat_map(|mixed| &mixed.shares);
    let beside = run.beside.iter().flat_map(|beside| [&beside.row, &beside.co_runners]);
    let alone = run.samples.iter().chain(&run.sustained);
    let samples = alone.chain(beside).map(|sample| (sample.case, &sample.measured));
    let rolling = run.rolling_passes.iter().flat_map(RollingPass::shares);
    let rolling = rolling.map(|share| (share.case, &share.measured));
    let shares = shares.map(|share| (share.case, &share.measured)).chain(rolling);
    for (case, sample) in samples.chain(shares) {
        // The reader of the run file has checked these copies.
        let _ = copies.add(case, sample);
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;

    #[test]
    fn the_next_round_follows_every_sample_also_those_under_sustained_load() {
        let mut run = fixture::run(&[("a/x", &[100; 3])]);
        let next = Progress::of(&run).next_round;
        let mut sample = run.samples[0].clone();
        sample.round = next + 4;
        run.sustained.push(sample);
        assert_eq!(Progress::of(&run).next_round, next + 5);
    }
}
