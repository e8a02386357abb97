//! The cut between two normal parts of a series, of which one may be much broader or larger than the other.

use super::mean;

/// The spread of a part is at least this: values that are all the same would have none.
const LEAST_SPREAD: f64 = 0.005;
/// From how many cuts to start.
const STARTS: usize = 20;
/// Steps from the first cut to the last. Each is nearly always shorter than the one before.
const MOST_STEPS: usize = 50;

/// A part of a series, taken as normal.
#[derive(Clone, Copy)]
struct Part {
    share: f64,
    centre: f64,
    variance: f64,
}

impl Part {
    fn of(values: &[f64], of: usize) -> Self {
        let centre = mean(values);
        let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
        let variance = (squares / values.len() as f64).max(LEAST_SPREAD * LEAST_SPREAD);
        Self { share: values.len() as f64 / of as f64, centre, variance }
    }

    /// Twice the logarithm of the likelihood that a value is of this part, but for what is the same for all.
    fn likelihood(&self, value: f64) -> f64 {
        2.0 * self.share.ln() - self.variance.ln() - (value - self.centre).powi(2) / self.variance
    }

    /// What it adds to the criterion, which is small where few values would be taken for one of the other part.
    fn error(&self) -> f64 {
        self.share * (self.variance.ln() - 2.0 * self.share.ln())
    }
}

/// Where to cut a sorted series so that fewest values would be taken for one of the other part, were both parts
/// normal (Kittler & Illingworth 1986). Each part has at least `least` values. The criterion also falls where a
/// part vanishes, so only cuts count that a value next to them confirms: those at which it is as likely to
/// be of either part. The upper part must not be broader than the lower, or have a standard deviation of no more
/// than `narrow`. `None` if there is no such cut.
pub(super) fn least_error_cut(sorted: &[f64], least: usize, narrow: f64) -> Option<usize> {
    let starts = (1..STARTS).map(|k| k * sorted.len() / STARTS);
    let cuts = starts.filter_map(|start| confirmed_cut(sorted, start, least));
    let is_narrow = |low: &Part, high: &Part| high.variance <= low.variance.max(narrow * narrow);
    cuts.filter(|(_, [low, high])| is_narrow(low, high))
        .min_by(|(_, a), (_, b)| error(a).total_cmp(&error(b)))
        .map(|(cut, _)| cut)
}

/// What Kittler and Illingworth make least.
fn error(parts: &[Part; 2]) -> f64 {
    parts.iter().map(Part::error).sum()
}

/// The confirmed cut that one comes to from `cut`, and what it parts.
fn confirmed_cut(sorted: &[f64], mut cut: usize, least: usize) -> Option<(usize, [Part; 2])> {
    for _ in 0..MOST_STEPS {
        if cut < least || sorted.len() - cut < least {
            return None;
        }
        let (low, high) = sorted.split_at(cut);
        let (low, high) = (Part::of(low, sorted.len()), Part::of(high, sorted.len()));
        let first = sorted.partition_point(|value| *value <= low.centre);
        let last = sorted.partition_point(|value| *value < high.centre).max(first);
        let is_low = |value: &f64| low.likelihood(*value) >= high.likelihood(*value);
        let next = first + sorted[first..last].partition_point(is_low);
        if next == cut {
            return Some((cut, [low, high]));
        }
        cut = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Evenly spaced quantiles of something bell-shaped: the mean of three even spreads.
    fn bell(count: usize, centre: f64, spread: f64) -> Vec<f64> {
        let even = |i: usize, step: usize| ((i * step) % count) as f64 / count as f64 - 0.5;
        let of = |i| centre + 2.0 * spread * (even(i, 1) + even(i, 7) + even(i, 13));
        (0..count).map(of).collect()
    }

    fn sorted(parts: [Vec<f64>; 2]) -> Vec<f64> {
        let mut all = parts.concat();
        all.sort_by(f64::total_cmp);
        all
    }

    #[test]
    fn a_broad_part_and_a_narrow_one_are_cut_between_them_whatever_their_sizes() {
        for (broad, narrow) in [(901, 101), (501, 501), (101, 901)] {
            let all = sorted([bell(broad, 1.0, 0.12), bell(narrow, 1.6, 0.03)]);
            let cut = least_error_cut(&all, 8, 0.1).unwrap();
            assert!(cut.abs_diff(broad) <= broad / 50, "{broad} {narrow}: {cut}");
        }
    }

    #[test]
    fn a_narrow_part_below_a_broad_one_is_no_cut() {
        let all = sorted([bell(101, 0.7, 0.03), bell(901, 1.1, 0.12)]);
        assert_eq!(least_error_cut(&all, 8, 0.1), None);
        assert!(least_error_cut(&all, 8, 0.2).is_some());
    }

    #[test]
    fn two_parts_without_spread_are_cut_between_them() {
        assert_eq!(least_error_cut(&sorted([vec![1.0; 30], vec![2.0; 70]]), 8, 0.1), Some(30));
    }

    #[test]
    fn all_the_same_has_no_cut() {
        assert_eq!(least_error_cut(&[1.0; 40], 8, 0.1), None);
    }

    proptest! {
        #[test]
        fn parts_are_never_smaller_than_asked(
            values in prop::collection::vec(-3.0..3.0, 0..200), least in 1_usize..20,
        ) {
            let all = sorted([values, Vec::new()]);
            if let Some(cut) = least_error_cut(&all, least, 0.1) {
                prop_assert!(cut >= least && all.len() - cut >= least);
            }
        }
    }
}
