//! A mix's turn: all its work at once, on the same CPUs.

use super::execution::Execution;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch, impossible};
use catalog::Rate;
use record::{Mixed, MixedShare, Record, Timing, WriteError};
use rustix::process::{Pid, getpriority_pgrp, setpriority_pgrp};
use stats::mean;
use std::time::Instant;

/// A step of niceness is so much less CPU time beside others (Linux, `sched_prio_to_weight`).
const NICE_STEP: f64 = 1.25;
/// The kernel has no more steps.
const MOST_NICE: i32 = 19;

impl Execution<'_> {
    /// Whether there is a mix of which all work can still be measured.
    pub fn has_mix(&self) -> bool {
        let has_ended = self.rows().any(|i| self.benches[i].progress.ended);
        self.settings.plan.mix.is_some() && !has_ended
    }

    /// All work of the mix at once, if all of it is live and there is time: each case on all its CPUs, standing back for
    /// the others as far as the mix has less of it.
    pub fn mixed_turn(&mut self, until: Instant) -> Result<(), WriteError> {
        let rows: Vec<usize> = self.rows().collect();
        let are_live = rows.iter().all(|&i| self.benches[i].launch.is_some());
        let timing = Timing { window_ns: Mixed::WINDOW_NS, ..self.settings.plan.timing };
        if !self.has_mix() || !are_live || !self.has_time_for_window(rows[0], &timing, until) {
            return Ok(());
        }
        for &i in &rows {
            if let Some(failure) = self.without_bytes(i) {
                return self.fail(i, failure);
            }
        }
        for (&i, nice) in rows.iter().zip(self.niceness(&rows)) {
            if let Some(launch) = &self.benches[i].launch {
                stand_back(launch, nice);
            }
        }
        let asked: Vec<Result<u64, Failure>> =
            rows.iter().map(|&i| self.with_launch(i, |launch| launch.ask(&timing))).collect();
        // All were asked before the first answer is waited for; and all are waited for, whatever became of one.
        let answers: Vec<Result<(MixedShare, Option<String>), Failure>> = rows
            .iter()
            .zip(asked)
            .map(|(&i, asked)| {
                let case = self.benches[i].task.number;
                self.with_launch(i, |launch| {
                    let Checked { measured, stray } = launch.window(&timing, asked?)?;
                    let stray = stray.or_else(|| Mixed::stray(&measured));
                    let (number, nice) = (launch.number, niceness_of(launch));
                    Ok((MixedShare { launch: number, case, nice, measured }, stray))
                })
            })
            .collect();
        let (mut shares, mut strays) = (Vec::new(), Vec::new());
        for (&i, answer) in rows.iter().zip(answers) {
            match answer {
                // Whoever reads the file leaves out a stray, and with it what was measured together.
                Ok((share, stray)) => {
                    shares.push(share);
                    strays.push((i, stray));
                }
                Err(failure) => self.fail(i, failure)?,
            }
        }
        let is_whole = shares.len() == rows.len();
        if is_whole && strays.iter().all(|(_, stray)| stray.is_none()) {
            for (&i, share) in rows.iter().zip(&shares) {
                if let Err(what) = self.copies.add(share.case, &share.measured) {
                    return self.fail(i, impossible(&what));
                }
            }
        }
        if is_whole {
            self.writer.write(&Record::Mixed(Mixed { round: self.round, shares }))?;
        }
        // After what was measured: the outcome of a case is the last that a run file says of it.
        strays.into_iter().try_for_each(|(i, stray)| self.count_stray(i, stray))
    }

    /// All benches but those of references.
    fn rows(&self) -> impl Iterator<Item = usize> {
        (0..self.benches.len()).filter(|i| !self.benches[*i].is_reference())
    }

    /// What is wrong with a demand in bytes of work that has none.
    fn without_bytes(&self, i: usize) -> Option<Failure> {
        let bench = &self.benches[i];
        let bytes_per_op = bench.launch.as_ref()?.ready.bytes_per_op;
        let is_known = self.rate_of(i)?.ops_per_s(bytes_per_op).is_some();
        let message = "the mix demands bytes of it, and its ops have none";
        (!is_known).then(|| Failure::new("mix", message, "give its rate in ops/s"))
    }

    fn rate_of(&self, i: usize) -> Option<Rate> {
        let workload = &self.benches[i].task.case.workload;
        let demands = &self.settings.plan.mix.as_ref()?.demands;
        demands.iter().find(|demand| demand.workload == *workload)?.rate
    }

    fn with_launch<T>(
        &mut self,
        i: usize,
        act: impl FnOnce(&mut LiveLaunch) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match &mut self.benches[i].launch {
            Some(launch) => act(launch),
            None => Err(Failure::new("launch", "it is not running", "")),
        }
    }

    /// How far each case must stand back for the mix's shares of the machine's time: a case's rate over what the machine
    /// does of it alone, beside the case with most.
    fn niceness(&self, rows: &[usize]) -> Vec<i32> {
        let load = |&i: &usize| -> Option<f64> {
            let bench = &self.benches[i];
            let bytes_per_op = bench.launch.as_ref()?.ready.bytes_per_op;
            let alone: Vec<f64> = bench.progress.looks.iter().map(|look| look.throughput).collect();
            Some(self.rate_of(i)?.ops_per_s(bytes_per_op)? / mean(&alone))
        };
        let loads: Vec<f64> = rows.iter().map(|i| load(i).unwrap_or(f64::NAN)).collect();
        let most = loads.iter().copied().fold(0.0, f64::max);
        // What is not known (NaN) does not stand back.
        let steps = |load: f64| ((most / load).ln() / NICE_STEP.ln()).round() as i32;
        loads.into_iter().map(|load| steps(load).clamp(0, MOST_NICE)).collect()
    }
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
