//! A mix's turn: all its work at once, on the same CPUs.

use super::context::RunContext;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch};
use super::runner::Runner;
use catalog::{Mix, Rate};
use record::{Mixed, MixedShare, Record, Timing, WriteError};
use rustix::process::{Pid, getpriority_pgrp, setpriority_pgrp};
use std::time::Duration;

/// A step of niceness is so much less CPU time beside others (Linux, `sched_prio_to_weight`).
const NICE_STEP: f64 = 1.25;
/// The kernel has no more steps.
const MOST_NICE: i32 = 19;

/// All work of a mix.
pub(super) struct MixedTurn<'a> {
    /// All cases but references.
    rows: Vec<&'a mut Runner>,
    mix: &'a Mix,
    timing: Timing,
}

/// A worker's part of a sample, and why no figure may be made of it, if so.
type Share = (MixedShare, Option<String>);

impl<'a> MixedTurn<'a> {
    /// `None` unless all of it is live.
    pub fn of(cases: &'a mut [Runner], mix: &'a Mix, timing: &Timing) -> Option<Self> {
        let rows: Vec<&mut Runner> = cases.iter_mut().filter(|case| !case.is_reference()).collect();
        let is_live = rows.iter().all(|row| row.launch().is_some());
        let timing = Timing { window_ns: Mixed::WINDOW_NS, ..*timing };
        is_live.then_some(Self { rows, mix, timing })
    }

    /// How long it will take.
    pub fn time(&self) -> Duration {
        self.rows[0].turn_time(&self.timing)
    }

    /// All at once: each case on all its CPUs, standing back for the others as far as the mix has less of it.
    pub fn take(mut self, run: &mut RunContext) -> Result<(), WriteError> {
        for row in &mut self.rows {
            if let Some(failure) = without_bytes(row, self.mix) {
                return row.fail(failure, run);
            }
        }
        self.stand_back();
        let answers = self.measure();
        self.keep(answers, run)
    }

    fn stand_back(&self) {
        let loads: Vec<f64> = self.rows.iter().map(|row| load(row, self.mix)).collect();
        for (row, nice) in self.rows.iter().zip(niceness(&loads)) {
            if let Some(launch) = row.launch() {
                stand_back(launch, nice);
            }
        }
    }

    /// All are asked before the first answer is waited for; and all are waited for, whatever became of one.
    fn measure(&mut self) -> Vec<Result<Share, Failure>> {
        let timing = &self.timing;
        let asked: Vec<Result<u64, Failure>> =
            self.rows.iter_mut().map(|row| live(row)?.ask(timing)).collect();
        let rows = self.rows.iter_mut().zip(asked);
        rows.map(|(row, asked)| share(row, timing, asked)).collect()
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
                // Whoever reads the file leaves out a stray, and with it what was measured together.
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
        // After what was measured: the outcome of a case is the last that a run file says of it.
        strays.into_iter().try_for_each(|(row, stray)| row.count_stray(stray, run))
    }
}

fn live(row: &mut Runner) -> Result<&mut LiveLaunch, Failure> {
    row.launch_mut().ok_or_else(|| Failure::new("launch", "it is not running", ""))
}

/// The answer to what was asked for.
fn share(row: &mut Runner, timing: &Timing, asked: Result<u64, Failure>) -> Result<Share, Failure> {
    let case = row.number();
    let launch = live(row)?;
    let Checked { measured, stray } = launch.window(timing, asked?)?;
    let stray = stray.or_else(|| Mixed::stray(&measured));
    let (number, nice) = (launch.number, niceness_of(launch));
    Ok((MixedShare { launch: number, case, nice, measured }, stray))
}

/// What is wrong with a demand in bytes of work that has none.
fn without_bytes(row: &Runner, mix: &Mix) -> Option<Failure> {
    let bytes_per_op = row.launch()?.ready.bytes_per_op;
    let is_known = rate(row, mix)?.ops_per_s(bytes_per_op).is_some();
    let message = "the mix demands bytes of it, and its ops have none";
    (!is_known).then(|| Failure::new("mix", message, "give its rate in ops/s"))
}

fn rate(row: &Runner, mix: &Mix) -> Option<Rate> {
    mix.demands.iter().find(|demand| demand.workload == row.case().workload)?.rate
}

/// A case's share of the machine's time: its rate over what the machine does of it alone. Not a number if it isn't known.
fn load(row: &Runner, mix: &Mix) -> f64 {
    let ops_per_s = || rate(row, mix)?.ops_per_s(row.launch()?.ready.bytes_per_op);
    ops_per_s().map_or(f64::NAN, |ops_per_s| ops_per_s / row.ops_per_s_alone())
}

/// How far each case must stand back for these shares of the machine's time, beside the case with most.
fn niceness(loads: &[f64]) -> Vec<i32> {
    let most = loads.iter().copied().fold(0.0, f64::max);
    // What is not known (NaN) does not stand back.
    let steps = |load: &f64| ((most / load).ln() / NICE_STEP.ln()).round() as i32;
    loads.iter().map(|load| steps(load).clamp(0, MOST_NICE)).collect()
}

fn group_of(launch: &LiveLaunch) -> Option<Pid> {
    Pid::from_raw(i32::try_from(launch.pid()).ok()?)
}

/// Has a worker stand back. Who may not (it would have to come forward again) stays where it is: the record tells.
fn stand_back(launch: &LiveLaunch, nice: i32) {
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
    fn a_case_stands_back_as_far_as_the_mix_has_less_of_it_and_not_where_that_is_not_known() {
        let loads = [1.0, 0.8, 0.64, 1e-9, f64::NAN];
        assert_eq!(niceness(&loads), [0, 1, 2, MOST_NICE, 0]);
    }
}
