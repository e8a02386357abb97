//! Measures a mix: all its workloads at once, on the same CPUs.

use super::context::RunContext;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch};
use super::runner::Runner;
use catalog::{Mix, Rate};
use record::{Mixed, MixedShare, Record, Timing, WriteError};
use rustix::process::{Pid, getpriority_pgrp, getpriority_process, setpriority_pgrp};
use std::time::Duration;

/// Each step of niceness means this factor less CPU time (Linux, `sched_prio_to_weight`).
const NICE_STEP: f64 = 1.25;
/// The kernel's largest niceness.
const MOST_NICE: i32 = 19;

/// One sample of a mix.
pub(super) struct MixedTurn<'a> {
    rows: Vec<&'a mut Runner>,
    mix: &'a Mix,
    timing: Timing,
}

/// A worker's share of a sample, and why it must not be used, if it is unusable.
type Share = (MixedShare, Option<String>);

impl<'a> MixedTurn<'a> {
    /// `None` unless all workers are live.
    pub fn of(cases: &'a mut [Runner], mix: &'a Mix, timing: &Timing) -> Option<Self> {
        let rows: Vec<&mut Runner> = cases.iter_mut().filter(|case| case.case().is_row()).collect();
        let is_live = rows.iter().all(|row| row.launch().is_some());
        let timing = Timing { sample_ns: Mixed::SAMPLE_NS, ..*timing };
        is_live.then_some(Self { rows, mix, timing })
    }

    /// How long it will take.
    pub fn time(&self) -> Duration {
        self.rows[0].turn_time(&self.timing, 1)
    }

    /// Measures all cases at once, each on all its CPUs, with a niceness according to its share of the mix.
    pub fn take(mut self, run: &mut RunContext) -> Result<(), WriteError> {
        for row in &mut self.rows {
            if let Some(failure) = without_bytes(row, self.mix) {
                return row.fail(failure, run);
            }
        }
        self.renice_all();
        let answers = self.measure();
        self.keep(answers, run)
    }

    fn renice_all(&self) {
        let loads: Vec<f64> = self.rows.iter().map(|row| load(row, self.mix)).collect();
        // Workers start with our niceness, which they can only add to.
        let ours = getpriority_process(None).unwrap_or_default();
        for (row, nice) in self.rows.iter().zip(niceness(&loads, ours)) {
            if let Some(launch) = row.launch() {
                renice(launch, nice);
            }
        }
    }

    /// Sends all requests before waiting for the first answer, and waits for all answers even if one fails.
    fn measure(&mut self) -> Vec<Result<Share, Failure>> {
        let timing = &self.timing;
        let sent: Vec<Result<u64, Failure>> =
            self.rows.iter_mut().map(|row| live(row)?.request(timing)).collect();
        let rows = self.rows.iter_mut().zip(sent);
        rows.map(|(row, sent)| share(row, timing, sent)).collect()
    }

    /// Records the sample if it is whole.
    fn keep(
        &mut self,
        answers: Vec<Result<Share, Failure>>,
        run: &mut RunContext,
    ) -> Result<(), WriteError> {
        let rows = self.rows.len();
        let (mut shares, mut strays) = (Vec::new(), Vec::new());
        for (row, answer) in self.rows.iter_mut().zip(answers) {
            match answer {
                // A reader of the file discards a stray share together with the whole sample.
                Ok((share, stray)) => {
                    shares.push(share);
                    strays.push((row, stray));
                }
                Err(failure) => row.fail(failure, run)?,
            }
        }
        let is_whole = shares.len() == rows;
        if is_whole && strays.iter().all(|(_, stray)| stray.is_none()) {
            for ((row, _), share) in strays.iter_mut().zip(&shares) {
                if let Err(failure) = run.count_sample(share.case, &share.measured) {
                    return row.fail(failure, run);
                }
            }
        }
        if is_whole {
            run.write(&Record::Mixed(Mixed { round: run.round(), shares }))?;
        }
        // After the sample, because a case's outcome is its last record in the run file.
        strays.into_iter().try_for_each(|(row, stray)| row.count_stray(stray, run))
    }
}

fn live(row: &mut Runner) -> Result<&mut LiveLaunch, Failure> {
    row.launch_mut().ok_or_else(|| Failure::new("launch", "its worker is not running", ""))
}

/// The answer to a request.
fn share(row: &mut Runner, timing: &Timing, sent: Result<u64, Failure>) -> Result<Share, Failure> {
    let case = row.number();
    let launch = live(row)?;
    let Checked { measured, stray, .. } = launch.sample(timing, sent?)?;
    let stray = stray.or_else(|| Mixed::stray(&measured));
    let (number, nice) = (launch.number, niceness_of(launch));
    Ok((MixedShare { launch: number, case, nice, measured }, stray))
}

/// The failure of a demand in bytes for a workload whose ops have no byte size.
pub(super) fn without_bytes(row: &Runner, mix: &Mix) -> Option<Failure> {
    let bytes_per_op = row.launch()?.ready.bytes_per_op;
    let is_known = rate(row, mix)?.ops_per_s(bytes_per_op).is_some();
    let message = "the mix states a byte rate, but this workload's ops have no byte size";
    (!is_known).then(|| Failure::new("mix", message, "state its rate in ops/s"))
}

fn rate(row: &Runner, mix: &Mix) -> Option<Rate> {
    mix.demands.iter().find(|demand| demand.workload == row.case().workload)?.rate
}

/// A case's share of the machine's time: its rate divided by its throughput alone. NaN if unknown.
pub(super) fn load(row: &Runner, mix: &Mix) -> f64 {
    let ops_per_s = || rate(row, mix)?.ops_per_s(row.launch()?.ready.bytes_per_op);
    ops_per_s().map_or(f64::NAN, |ops_per_s| ops_per_s / row.ops_per_s_alone())
}

/// Each case's niceness for these shares of the machine's time: ours for the largest share, more for smaller ones.
fn niceness(loads: &[f64], ours: i32) -> Vec<i32> {
    let most = loads.iter().copied().fold(0.0, f64::max);
    // An unknown load (NaN) gets ours.
    let steps = |load: &f64| ((most / load).ln() / NICE_STEP.ln()).round() as i32;
    loads.iter().map(|load| (ours + steps(load).clamp(0, MOST_NICE)).min(MOST_NICE)).collect()
}

fn group_of(launch: &LiveLaunch) -> Option<Pid> {
    Pid::from_raw(i32::try_from(launch.pid()).ok()?)
}

/// Raises a worker's niceness. Lowering it needs privileges, so then it stays as it is; the record has the actual value.
fn renice(launch: &LiveLaunch, nice: i32) {
    let group = group_of(launch);
    if getpriority_pgrp(group).is_ok_and(|is| is < nice) {
        let _ = setpriority_pgrp(group, nice);
    }
}

fn niceness_of(launch: &LiveLaunch) -> i32 {
    getpriority_pgrp(group_of(launch)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn niceness_follows_the_share_of_the_mix_from_ours_on_and_is_ours_where_that_is_unknown() {
        let loads = [1.0, 0.8, 0.64, 1e-9, f64::NAN];
        assert_eq!(niceness(&loads, 0), [0, 1, 2, MOST_NICE, 0]);
        assert_eq!(niceness(&loads, 5), [5, 6, 7, MOST_NICE, 5]);
        assert_eq!(niceness(&loads, -5), [-5, -4, -3, MOST_NICE - 5, -5]);
    }
}
