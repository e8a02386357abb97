//! Divides the time: a cohort's share, whether another cohort is worthwhile, and how long figures take.

use super::runner::LEAST_SAMPLES;
use super::task::Task;
use record::Plan;
use std::time::Duration;

/// Another cohort is worthwhile if this share of the budget is left.
const LEAST_SHARE_OF_TIME: f64 = 0.1;

/// Approximate overhead per sample: pulses, wake-up, and its share of a launch.
const SAMPLE_OVERHEAD: Duration = Duration::from_millis(40);

/// The share of the remaining time for a cohort of `live` out of `waiting` cases.
pub(super) fn share(left: Duration, live: usize, waiting: usize) -> Duration {
    left.mul_f64(live as f64 / waiting as f64)
}

/// Whether cases that have not converged get another cohort after all had one.
pub(super) fn is_worth_a_cohort(left: Duration, budget: Duration) -> bool {
    left >= budget.mul_f64(LEAST_SHARE_OF_TIME)
}

/// The time for enough samples for a figure of each task, alone and beside co-runners, and for launches of those that take
/// long to set up. Other launches are not in it.
pub fn least_time<'a>(plan: &Plan, tasks: impl Iterator<Item = &'a Task>) -> Duration {
    let samples = LEAST_SAMPLES * (1 + plan.co_runners().count());
    let of_task = |task: &Task| {
        let timing = task.timing(plan.timing);
        let turn = Duration::from_nanos(timing.warmup_ns + timing.sample_ns) + SAMPLE_OVERHEAD;
        let launches = (LEAST_SAMPLES as u64).div_ceil(timing.rounds_per_launch.max(1));
        let setup = Duration::from_millis(task.workload.needs.setup_ms);
        turn.saturating_mul(u32::try_from(samples).unwrap_or(u32::MAX))
            + setup.saturating_mul(u32::try_from(launches).unwrap_or(u32::MAX))
    };
    tasks.map(of_task).fold(Duration::ZERO, Duration::saturating_add)
}

/// The number of workloads, at least one, whose missing samples fit into the time left.
pub(super) fn affordable(samples: &[usize], turn: Duration, left: Duration) -> usize {
    let mut needed = Duration::ZERO;
    let has_time = |samples: &&usize| {
        needed = needed
            .saturating_add(turn.saturating_mul(u32::try_from(**samples).unwrap_or(u32::MAX)));
        needed <= left
    };
    samples.iter().take_while(has_time).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_cohort_gets_its_share_of_the_remaining_time_and_the_last_gets_all() {
        assert_eq!(share(SECOND * 60, 10, 40), SECOND * 15);
        assert_eq!(share(SECOND * 45, 30, 30), SECOND * 45);
        assert_eq!(share(SECOND, 0, 5), Duration::ZERO, "no live case: nothing to wait for");
    }

    #[test]
    fn cases_that_have_not_converged_get_another_cohort_if_a_tenth_of_the_budget_is_left() {
        assert!(is_worth_a_cohort(SECOND * 6, SECOND * 60));
        assert!(!is_worth_a_cohort(SECOND * 5, SECOND * 60));
    }

    #[test]
    fn longer_samples_and_set_ups_of_a_workload_count() {
        let plan = record::fixture::header().plan;
        let task = || Task::sample(0, plan.cases[0].clone());
        let time = |tasks: &[Task]| least_time(&plan, tasks.iter());
        let plain = time(&[task()]);
        assert_eq!(time(&[task(), task()]), plain * 2);
        let mut long = task();
        long.workload.definition.sample_ms = Some(1_000);
        assert_eq!(time(&[long.clone()]), plain + Duration::from_millis(950) * 8);
        // Eight samples in two launches.
        long.workload.definition.rounds_per_launch = Some(4);
        long.workload.needs.setup_ms = 3_000;
        let with_setup = plain + Duration::from_millis(950) * 8 + SECOND * 6;
        assert_eq!(time(&[long]), with_setup);
        let mut short = task();
        short.workload.definition.sample_ms = Some(10);
        assert_eq!(time(&[short]), plain, "a table can't shorten what the run asks for");
    }

    #[test]
    fn as_many_workloads_as_fit_and_at_least_one_get_their_samples() {
        let batches = |left: u64| affordable(&[16, 8, 8], SECOND, Duration::from_secs(left));
        assert_eq!([40, 32, 31, 24, 23, 16, 15, 0].map(batches), [3, 3, 2, 2, 1, 1, 1, 1]);
        assert_eq!(affordable(&[], Duration::ZERO, Duration::ZERO), 1, "nothing is missing");
    }
}
