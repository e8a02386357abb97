//! Opens a cohort: decides which cases are launched together.

use super::Event;
use super::admission::Room;
use super::budget::least_time;
use super::context::RunContext;
use super::failure::Failure;
use super::runner::Runner;
use machine::format_bytes;
use record::WriteError;

/// Cases whose workers are live at once, and the room left.
struct Opening<'a> {
    cases: &'a mut [Runner],
    live: Vec<usize>,
    room: Room,
}

/// Launches the co-runners and the controls that become due before the end, then waiting cases while there is room and time. Returns the
/// live cases.
pub(super) fn open(
    cases: &mut [Runner],
    waiting: &mut Vec<usize>,
    run: &mut RunContext,
) -> Result<Vec<usize>, WriteError> {
    let all = waiting.len();
    let room = Room::of(run.settings().limits);
    let mut opening = Opening { cases, live: Vec::new(), room };
    run.see(&Event::Opening { live: 0, cases: all });
    opening.admit_companions(run)?;
    while let Some(&case) = waiting.first() {
        let is_first = waiting.len() == all;
        if run.is_stopped() || run.left().is_zero() || !opening.is_for(case, is_first, run) {
            break;
        }
        waiting.remove(0);
        opening.admit(case, run)?;
        run.see(&Event::Opening { live: all - waiting.len(), cases: all });
    }
    Ok(opening.live)
}

impl Opening<'_> {
    fn admit_companions(&mut self, run: &mut RunContext) -> Result<(), WriteError> {
        for case in 0..self.cases.len() {
            let (left, runner) = (run.left(), &self.cases[case]);
            let is_due = runner.is_co_runner() && !runner.has_ended();
            if !left.is_zero() && (is_due || runner.is_late_within(left)) {
                match self.no_room_for(case) {
                    Some(failure) => self.cases[case].fail(failure, run)?,
                    None => self.admit(case, run)?,
                }
            }
        }
        Ok(())
    }

    /// Why co-runners can't be live together with the others; those of rows that don't fit wait for another cohort.
    fn no_room_for(&self, case: usize) -> Option<Failure> {
        let runner = &self.cases[case];
        let (threads, bytes) = (runner.case().threads, runner.task().memory_bytes());
        (runner.is_co_runner() && !self.room.is_for(threads, bytes)).then(|| {
            let who = match threads {
                1 => "1 more co-runner, which needs".to_owned(),
                many => format!("{many} more co-runners, which need"),
            };
            let what = format!("no room for {who} {}", format_bytes(bytes));
            Failure::new("memory", what, "choose co-runners that need less: --squeeze=WORKLOAD")
        })
    }

    /// Whether there is room and time for another case. The first always has room; another cohort would have no more.
    fn is_for(&self, case: usize, is_first: bool, run: &RunContext) -> bool {
        let case = &self.cases[case];
        let has_room =
            is_first || self.room.is_for(case.case().threads, case.task().memory_bytes());
        has_room && (self.has_time(case, run) || is_first && is_worth_it(case, self.cases))
    }

    /// Whether there is time for this case beside those that are live, with enough samples for a figure of each. Launch times show how busy the
    /// machine is, and each case will be launched once more.
    fn has_time(&self, newcomer: &Runner, run: &RunContext) -> bool {
        let live = self.live.iter().map(|case| &self.cases[*case]);
        let sampled = live.filter(|case| !case.is_co_runner()).chain([newcomer]);
        let samples = least_time(run.settings().plan, sampled.map(Runner::task));
        run.costs().of_launching(self.live.len() + 1) + samples < run.left()
    }

    /// Launches a case, and counts it among the live ones if that succeeded.
    fn admit(&mut self, case: usize, run: &mut RunContext) -> Result<(), WriteError> {
        if !self.cases[case].start(run)? {
            return Ok(());
        }
        let newcomer = &self.cases[case];
        let resident_bytes = newcomer.launch().map_or(0, |launch| launch.ready.resident_bytes);
        // It may again need as much memory as during set-up.
        self.room.take(newcomer.case().threads, resident_bytes.max(newcomer.task().memory_bytes()));
        let live: Vec<&Runner> = self.live.iter().map(|&other| &self.cases[other]).collect();
        let rounds = newcomer.timing(&run.settings().plan.timing).rounds_per_launch;
        let samples = first_samples(newcomer, &live, rounds);
        self.cases[case].set_samples_left(samples);
        self.live.push(case);
        Ok(())
    }
}

/// How many samples the first launch of a case takes. Staggered, so that replacements are spread over the rounds; variants
/// are replaced together.
fn first_samples(newcomer: &Runner, live: &[&Runner], rounds_per_launch: u64) -> u64 {
    match live.iter().find(|other| newcomer.is_variant_of(other)) {
        Some(sibling) => sibling.samples_left(),
        None => 1 + live.len() as u64 % rounds_per_launch,
    }
}

/// Whether a case is worth a cohort that may be too short for a figure: if it has one already, or no case has a sample.
fn is_worth_it(case: &Runner, cases: &[Runner]) -> bool {
    case.has_figure() || cases.iter().all(|case| case.looks().is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::runner::samples::runner;
    use super::*;
    use machine::{Cap, Fact, Limits};

    #[test]
    fn launches_are_replaced_in_different_rounds_but_variants_in_the_same() {
        let mut cases: Vec<Runner> = Vec::new();
        for (number, workload) in ["a/a", "b/b", "c/c", "a/a", "d/d"].into_iter().enumerate() {
            let mut newcomer = runner(number, workload);
            let samples = first_samples(&newcomer, &cases.iter().collect::<Vec<_>>(), 3);
            newcomer.set_samples_left(samples);
            cases.push(newcomer);
        }
        let samples: Vec<u64> = cases.iter().map(Runner::samples_left).collect();
        assert_eq!(samples, [1, 2, 3, 1, 2]);
    }

    #[test]
    fn co_runners_without_room_are_refused_and_rows_wait() {
        let limits = Limits { max_tasks: Fact::Known(Cap::At(16)), ..Limits::default() };
        let mut cases = [runner(0, "a/a"), runner(1, "b/b").for_co_runners()];
        let opening = Opening { cases: &mut cases, live: Vec::new(), room: Room::of(&limits) };
        let refusal = opening.no_room_for(1).expect("8 tasks are too few for a worker's threads");
        assert!(refusal.message.starts_with("no room for 1 more co-runner"), "{refusal:?}");
        assert!(opening.no_room_for(0).is_none());
        let room = Room::of(&Limits::default());
        assert!(Opening { room, ..opening }.no_room_for(1).is_none());
    }

    #[test]
    fn a_cohort_too_short_for_a_figure_is_for_a_case_that_has_one_or_the_first_of_all() {
        let none = [runner(0, "a/a"), runner(1, "b/b")];
        assert!(is_worth_it(&none[1], &none));
        let some = [runner(0, "a/a").with_samples(8), runner(1, "b/b").with_samples(7)];
        assert!(is_worth_it(&some[0], &some) && !is_worth_it(&some[1], &some));
    }
}
