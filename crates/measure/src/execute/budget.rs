//! How the time is shared: what a shift has of it, whether another is worth opening, and what figures take.

use super::runner::LEAST_WINDOWS;
use record::Timing;
use std::time::Duration;

/// Another shift is worth opening if this share of the budget is left.
const LEAST_SHARE_OF_TIME: f64 = 0.1;

/// Beside a window, pulses, waking up and the share of a launch take about this long.
const BESIDE_A_WINDOW: Duration = Duration::from_millis(40);

/// What a shift of so many of the cases that wait has of the time that is left.
pub(super) fn share(left: Duration, live: usize, waiting: usize) -> Duration {
    left.mul_f64(live as f64 / waiting as f64)
}

/// Whether wide cases get another shift after all had one.
pub(super) fn is_worth_a_shift(left: Duration, budget: Duration) -> bool {
    left >= budget.mul_f64(LEAST_SHARE_OF_TIME)
}

/// What the windows of a figure for each of so many cases take, launches not counted.
pub fn least_time(timing: Timing, cases: usize) -> Duration {
    let turn = Duration::from_nanos(timing.settle_ns + timing.window_ns) + BESIDE_A_WINDOW;
    turn.saturating_mul(u32::try_from(cases * LEAST_WINDOWS).unwrap_or(u32::MAX))
}

/// For how many workloads there is time, each with the windows that it lacks: for one at least.
pub(super) fn affordable(windows: &[usize], turn: Duration, left: Duration) -> usize {
    let mut needed = Duration::ZERO;
    let has_time = |windows: &&usize| {
        needed = needed
            .saturating_add(turn.saturating_mul(u32::try_from(**windows).unwrap_or(u32::MAX)));
        needed <= left
    };
    windows.iter().take_while(has_time).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_shift_has_its_share_of_what_is_left_and_the_last_all_of_it() {
        assert_eq!(share(SECOND * 60, 10, 40), SECOND * 15);
        assert_eq!(share(SECOND * 45, 30, 30), SECOND * 45);
        assert_eq!(share(SECOND, 0, 5), Duration::ZERO, "nobody lives: nobody is waited for");
    }

    #[test]
    fn wide_cases_get_another_shift_if_a_tenth_of_the_budget_is_left() {
        assert!(is_worth_a_shift(SECOND * 6, SECOND * 60));
        assert!(!is_worth_a_shift(SECOND * 5, SECOND * 60));
    }

    #[test]
    fn as_many_workloads_as_can_have_their_windows_get_them_and_one_at_least() {
        let of = |left: u64| affordable(&[16, 8, 8], SECOND, Duration::from_secs(left));
        assert_eq!([40, 32, 31, 24, 23, 16, 15, 0].map(of), [3, 3, 2, 2, 1, 1, 1, 1]);
        assert_eq!(affordable(&[], Duration::ZERO, Duration::ZERO), 1, "nothing lacks");
    }
}
