//! Two states of one quantity, found from the data.

use super::least_error::least_error_cut;
use super::mean;
use serde::Serialize;

/// A quantity that sits in one of two states.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct States {
    /// Mean of the lower state.
    pub low: f64,
    /// Mean of the upper state.
    pub high: f64,
    /// What lies above belongs to the upper state.
    pub threshold: f64,
    /// Share of the values in the upper state, 0 … 1.
    pub high_share: f64,
}

/// Fewer values than this, or a smaller share of all, are strays and not a state.
const LEAST_IN_A_STATE: usize = 8;
const LEAST_SHARE: f64 = 0.03;
/// If the fewer of the values lie further below the others than this, by factor, they are strays too: two
/// threads that share a core leave each other more.
const MOST_FACTOR: f64 = 3.0;
/// The states must lie this far apart by factor. A neighbour on a core's sibling takes nearly half of
/// its width (see `docs/methodology.md`), other causes take less.
const LEAST_FACTOR: f64 = 1.25;
/// Ashman's D: the distance of the means over the root mean square of the two spreads; above 2 two
/// states are cleanly apart (Ashman, Bird & Zepf 1994).
const LEAST_SEPARATION: f64 = 2.0;

/// An own core shows the same width each time. Its pulses were seen to spread by 2 to 9 % of it.
const NARROW: f64 = 0.1;

/// Tells whether values lie in two states or in one. Strays are found by the cut that leaves the least spread
/// within the two parts (Otsu 1979), the states by that of the least error, for one may be much broader than
/// the other. Works on logarithms. Values must be positive; others are left out.
pub fn two_states(values: &[f64]) -> Option<States> {
    let mut logs: Vec<f64> =
        values.iter().filter(|v| v.is_finite() && **v > 0.0).map(|v| v.ln()).collect();
    logs.sort_by(f64::total_cmp);
    let mut logs = &logs[..];
    let (low, high) = loop {
        if logs.len() < 2 * LEAST_IN_A_STATE {
            return None;
        }
        let (low, high) = logs.split_at(best_cut(logs));
        let least = LEAST_IN_A_STATE.max((LEAST_SHARE * logs.len() as f64) as usize);
        let are_apart = mean(high) - mean(low) > MOST_FACTOR.ln();
        match (low.len() < least, high.len() < least, are_apart) {
            (true, _, _) => logs = high,
            (_, true, _) => logs = low,
            (_, _, true) if low.len() < high.len() => logs = high,
            (_, _, true) => return None,
            _ => break logs.split_at(least_error_cut(logs, least, NARROW)?),
        }
    };
    let distance = mean(high) - mean(low);
    let spread = f64::midpoint(variance(low), variance(high)).sqrt();
    if distance < LEAST_FACTOR.ln() || distance < LEAST_SEPARATION * spread {
        return None;
    }
    Some(States {
        low: mean(low).exp(),
        high: mean(high).exp(),
        threshold: f64::midpoint(low[low.len() - 1], high[0]).exp(),
        high_share: high.len() as f64 / logs.len() as f64,
    })
}

/// Where to cut a sorted series of at least two values so that the sum of the squares within both
/// parts is least, which is where the one between the parts is greatest.
fn best_cut(sorted: &[f64]) -> usize {
    let total: f64 = sorted.iter().sum();
    let n = sorted.len() as f64;
    let mut below = 0.0;
    let mut best = (1, f64::NEG_INFINITY);
    for cut in 1..sorted.len() {
        below += sorted[cut - 1];
        let (left, right) = (cut as f64, n - cut as f64);
        let between = below * below / left + (total - below).powi(2) / right;
        if between > best.1 {
            best = (cut, between);
        }
    }
    best.0
}

/// Mean square around the mean.
fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_shared_and_an_own_core_are_told_apart() {
        let widths: Vec<f64> =
            (0..40).map(|i| if i % 4 == 0 { 1.8 } else { 3.8 } + f64::from(i % 5) * 0.02).collect();
        let states = two_states(&widths).unwrap();
        assert!(states.low < 2.0 && states.high > 3.7, "{states:?}");
        assert!((states.high_share - 0.75).abs() < 1e-9);
        assert!(states.threshold > 1.9 && states.threshold < 3.8);
    }

    #[test]
    fn a_broad_state_that_prevails_does_not_draw_the_narrow_one_to_it() {
        // Neighbours that leave more or less of the core, four fifths of the time.
        let mut widths: Vec<f64> = (0..400).map(|i| 2.0 + f64::from(i) * 0.0035).collect();
        widths.extend((0..100).map(|i| 3.83 + f64::from(i) * 0.001));
        let states = two_states(&widths).unwrap();
        assert!((states.high / 3.88 - 1.0).abs() < 0.02, "{states:?}");
        assert!((states.high_share - 0.2).abs() < 0.02, "{states:?}");
    }

    #[test]
    fn one_state_is_not_split() {
        let widths: Vec<f64> = (0..40).map(|i| 3.8 + f64::from(i % 7) * 0.02).collect();
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn an_even_spread_is_not_split() {
        let widths: Vec<f64> = (0..100).map(|i| 3.0 + f64::from(i) * 0.01).collect();
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn a_few_strays_are_not_a_state() {
        let mut widths = vec![3.8; 40];
        widths.extend([1.8; 3]);
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn strays_do_not_hide_two_states() {
        // Interrupted pulses, far below both.
        let mut widths = vec![0.02, 0.1, 0.2, 0.37];
        widths.extend((0..30).map(|i| 1.8 + f64::from(i) * 0.01));
        widths.extend((0..30).map(|i| 3.7 + f64::from(i) * 0.01));
        let states = two_states(&widths).unwrap();
        assert!(states.low > 1.7 && states.high > 3.6, "{states:?}");
    }

    #[test]
    fn many_values_far_below_the_others_are_no_neighbour() {
        let mut widths = vec![0.2; 20];
        widths.extend([3.8; 40]);
        assert_eq!(two_states(&widths), None);
    }

    #[test]
    fn many_strays_do_not_hide_two_states_either() {
        let mut widths = vec![0.2; 8];
        widths.extend([1.9; 92]);
        widths.extend([3.8; 100]);
        let states = two_states(&widths).unwrap();
        assert!((states.low - 1.9).abs() < 1e-9 && (states.high - 3.8).abs() < 1e-9, "{states:?}");
    }

    proptest! {
        #[test]
        fn nothing_that_is_fed_in_makes_it_panic(values in prop::collection::vec(any::<f64>(), 0..60)) {
            if let Some(states) = two_states(&values) {
                prop_assert!(states.low <= states.threshold && states.threshold <= states.high);
            }
        }
    }
}
