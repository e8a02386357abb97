//! Finds two states of one quantity.

use super::mode::{between, topmost_mode};
use super::{mean, quantile};
use serde::Serialize;

/// The two states of a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct States {
    /// Mean of the lower state.
    pub low: f64,
    /// Mean of the upper state.
    pub high: f64,
    /// Values above belong to the upper state.
    pub threshold: f64,
    /// Share of the values in the upper state, 0 … 1.
    pub high_share: f64,
}

/// Fewer values than this, or a smaller share of all, are outliers and not a state.
const LEAST_IN_A_STATE: usize = 8;
const LEAST_SHARE: f64 = 0.03;
/// Values further below the upper state than this factor are outliers, too: two threads that share a core get more
/// than that.
const MOST_FACTOR: f64 = 3.0;
/// The lower state is further below the upper one than this factor. A neighbour on a core's sibling takes nearly half
/// of its width (see `docs/methodology.md`), other causes take less.
const LEAST_FACTOR: f64 = 1.25;
/// An upper state is narrow: more values lie within this factor of it than above.
const NARROW: f64 = 1.07;
/// One state is so narrow that its middle half lies within this factor.
const ONE_STATE: f64 = 1.15;

/// Finds two states of values, if there are two. The upper state is the topmost mode: there values are nearly constant,
/// while they may be anything below. Ignores values that are not positive.
pub fn two_states(values: &[f64]) -> Option<States> {
    two_states_within(values, MOST_FACTOR)
}

/// Allows a lower state further below the upper one, by at most this factor.
pub fn two_states_within(values: &[f64], most_factor: f64) -> Option<States> {
    let logs = sorted_logs(values);
    if logs.len() < 2 * LEAST_IN_A_STATE {
        return None;
    }
    let least = LEAST_IN_A_STATE.max((LEAST_SHARE * logs.len() as f64) as usize);
    let high = mean(topmost_mode(&logs, least)?);
    let threshold = high - LEAST_FACTOR.ln();
    let near = between(&logs, high - NARROW.ln(), high + NARROW.ln());
    let above = between(&logs, high + NARROW.ln(), f64::INFINITY);
    let upper = between(&logs, threshold, f64::INFINITY);
    let low = between(&logs, high - most_factor.ln(), threshold);
    (above.len() <= near.len() && low.len() >= least).then(|| States {
        low: mean(low).exp(),
        high: high.exp(),
        threshold: threshold.exp(),
        high_share: upper.len() as f64 / (upper.len() + low.len()) as f64,
    })
}

/// Whether values without [`two_states`] form a single state and are not scattered.
pub fn is_one_state(values: &[f64]) -> bool {
    let logs = sorted_logs(values);
    logs.is_empty() || quantile(&logs, 0.75) - quantile(&logs, 0.25) < ONE_STATE.ln()
}

fn sorted_logs(values: &[f64]) -> Vec<f64> {
    let mut logs: Vec<f64> =
        values.iter().filter(|v| v.is_finite() && **v > 0.0).map(|v| v.ln()).collect();
    logs.sort_by(f64::total_cmp);
    logs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_contended_and_an_uncontended_core_are_distinguished() {
        let widths: Vec<f64> =
            (0..40).map(|i| if i % 4 == 0 { 1.8 } else { 3.8 } + f64::from(i % 5) * 0.02).collect();
        let states = two_states(&widths).unwrap();
        assert!(states.low < 2.0 && states.high > 3.7, "{states:?}");
        assert!((states.high_share - 0.75).abs() < 1e-9);
        assert!(states.threshold > 1.9 && states.threshold < 3.8);
    }

    #[test]
    fn a_frequent_broad_state_does_not_distort_the_narrow_one() {
        // Neighbours that take varying shares of the core, four fifths of the time.
        let mut widths: Vec<f64> = (0..400).map(|i| 2.0 + f64::from(i) * 0.0035).collect();
        widths.extend((0..100).map(|i| 3.83 + f64::from(i) * 0.001));
        let states = two_states(&widths).unwrap();
        assert!((states.high / 3.88 - 1.0).abs() < 0.02, "{states:?}");
        // Some values in between are contended only a little.
        assert!((0.2..0.4).contains(&states.high_share), "{states:?}");
    }

    #[test]
    fn one_state_is_not_split() {
        let widths: Vec<f64> = (0..40).map(|i| 3.8 + f64::from(i % 7) * 0.02).collect();
        assert_eq!(two_states(&widths), None);
        assert!(is_one_state(&widths));
    }

    #[test]
    fn scattered_values_are_neither_one_state_nor_two() {
        let widths: Vec<f64> = (0..400).map(|i| 1.9 + f64::from(i) * 0.004).collect();
        assert_eq!(two_states(&widths), None);
        assert!(!is_one_state(&widths));
    }

    #[test]
    fn an_even_spread_is_not_split() {
        let widths: Vec<f64> = (0..100).map(|i| 3.0 + f64::from(i) * 0.01).collect();
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn a_few_outliers_are_not_a_state() {
        let mut widths = vec![3.8; 40];
        widths.extend([1.8; 3]);
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn outliers_do_not_hide_two_states() {
        // Interrupted pulses, far below both.
        let mut widths = vec![0.02, 0.1, 0.2, 0.37];
        widths.extend((0..30).map(|i| 1.8 + f64::from(i) * 0.01));
        widths.extend((0..30).map(|i| 3.7 + f64::from(i) * 0.01));
        let states = two_states(&widths).unwrap();
        assert!(states.low > 1.7 && states.high > 3.6, "{states:?}");
    }

    #[test]
    fn many_values_far_below_the_others_are_not_a_neighbour() {
        let mut widths = vec![0.2; 20];
        widths.extend([3.8; 40]);
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn many_outliers_do_not_hide_two_states_either() {
        let mut widths = vec![0.2; 8];
        widths.extend([1.9; 92]);
        widths.extend([3.8; 100]);
        let states = two_states(&widths).unwrap();
        assert!((states.low - 1.9).abs() < 1e-9 && (states.high - 3.8).abs() < 1e-9, "{states:?}");
    }

    proptest! {
        #[test]
        fn it_never_panics(values in prop::collection::vec(any::<f64>(), 0..60)) {
            if let Some(states) = two_states(&values) {
                prop_assert!(states.low <= states.threshold && states.threshold <= states.high);
            }
        }
    }
}
