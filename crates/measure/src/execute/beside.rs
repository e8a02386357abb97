//! Measures a row while co-runners work on CPUs that no row uses.

use super::context::RunContext;
use super::failure::Failure;
use super::launch::{Checked, LiveLaunch};
use super::runner::Runner;
use crate::telemetry;
use machine::CpuTimes;
use record::{Beside, Record, Sample, Timing, WriteError};
use std::thread::sleep;
use std::time::Duration;

/// Co-runners probe their cores for some 3 ms before they begin to work.
const HEAD_START: Duration = Duration::from_millis(5);
/// Co-runners work longer than the row's longest sample so far took, by a quarter and this: the next may take longer.
const SPARE: Duration = Duration::from_millis(10);

/// Takes a sample of a row beside co-runners, if the workers of both are live.
pub(super) fn sample_beside(
    row: &mut Runner,
    co_runners: &mut Runner,
    run: &mut RunContext,
) -> Result<(), WriteError> {
    let timing = &row.timing(&run.settings().plan.timing);
    let theirs = timing_of_co_runners(timing, row.longest());
    let (Some(of_row), Some(of_others)) = (row.launch_mut(), co_runners.launch_mut()) else {
        return Ok(());
    };
    let (launch, others_launch) = (of_row.number, of_others.number);
    let before = CpuTimes::read(run.settings().root);
    let (answer, others_answer) = measure((of_row, timing), (of_others, &theirs));
    let after = CpuTimes::read(run.settings().root);
    let round = run.round();
    let taken = |runner: &mut Runner, launch, answer: Result<Checked, Failure>| {
        let elapsed = telemetry::elapsed(&before, &after, &runner.case().cpus);
        let Checked { measured, stray, took } = answer?;
        runner.lasted(took);
        Ok((runner.sample(launch, measured, elapsed, round), stray))
    };
    let of_row = taken(row, launch, answer);
    match (of_row, taken(co_runners, others_launch, others_answer)) {
        (Ok(of_row), Ok(of_others)) => keep((row, of_row), (co_runners, of_others), run),
        (of_row, of_others) => {
            for (runner, taken) in [(row, of_row), (co_runners, of_others)] {
                if let Err(failure) = taken {
                    runner.fail(failure, run)?;
                }
            }
            Ok(())
        }
    }
}

/// How long co-runners are asked to work.
fn timing_of_co_runners(timing: &Timing, longest: Duration) -> Timing {
    let asked = Duration::from_nanos(timing.warmup_ns + timing.sample_ns);
    let longest = longest.max(asked);
    let sample = HEAD_START + longest + longest / 4 + SPARE;
    let sample_ns = u64::try_from(sample.as_nanos()).unwrap_or(u64::MAX);
    Timing { warmup_ns: 0, sample_ns, ..*timing }
}

/// The answers of the row and of the co-runners, which begin before it; waits for both even if one fails.
fn measure(
    (row, timing): (&mut LiveLaunch, &Timing),
    (co_runners, theirs): (&mut LiveLaunch, &Timing),
) -> (Result<Checked, Failure>, Result<Checked, Failure>) {
    let sent_ns = co_runners.request(theirs);
    sleep(HEAD_START);
    let of_row = row.measure(timing);
    (of_row, sent_ns.and_then(|sent_ns| co_runners.sample(theirs, sent_ns)))
}

/// A sample, and why it must not be used, if it is unusable.
type Taken = (Sample, Option<String>);

/// Records both samples.
fn keep(
    (row, (of_row, row_stray)): (&mut Runner, Taken),
    (co_runners, (of_others, others_stray)): (&mut Runner, Taken),
    run: &mut RunContext,
) -> Result<(), WriteError> {
    if row_stray.is_none() && others_stray.is_none() {
        for (runner, sample) in [(&mut *row, &of_row), (&mut *co_runners, &of_others)] {
            if let Err(failure) = run.count_sample(sample.case, &sample.measured) {
                return runner.fail(failure, run);
            }
        }
    }
    let beside = Beside { row: of_row, co_runners: of_others };
    if row_stray.is_none() && others_stray.is_none() && beside.is_covered() {
        row.keep_beside(&beside.row, beside.co_runners.case);
        co_runners.keep_beside(&beside.co_runners, beside.row.case);
    }
    run.write(&Record::Beside(Box::new(beside)))?;
    row.count_stray(row_stray, run)?;
    co_runners.count_stray(others_stray, run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn co_runners_work_longer_than_the_longest_sample_of_their_row_so_far() {
        let timing = Timing { warmup_ns: 5_000_000, sample_ns: 50_000_000, rounds_per_launch: 6 };
        let ms = |longest: u64| {
            timing_of_co_runners(&timing, Duration::from_millis(longest)).sample_ns / 1_000_000
        };
        assert_eq!((ms(0), ms(40), ms(400)), (83, 83, 515));
    }
}
