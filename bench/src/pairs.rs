//! Things measured next to each other, in random order, until their ratio is known well enough.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use stats::{Interval, ratio_interval};

/// How many pairs are taken.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// At least so many.
    pub least: usize,
    /// At most so many.
    pub most: usize,
    /// HostsToDecide when the ratio's interval is as narrow as this margin, by factor.
    pub margin: f64,
}

/// Takes pairs of a first and a second thing, each pair in random order, until the ratio that `judge` makes
/// of all of them is converged or there are enough pairs. The argument of `take` says whether the second is wanted.
///
/// # Errors
/// When one can't be taken.
pub fn pairs<T>(
    rng: &mut ChaCha8Rng,
    bounds: Bounds,
    mut take: impl FnMut(bool) -> anyhow::Result<T>,
    judge: impl Fn(&[(T, T)]) -> Option<Interval>,
) -> anyhow::Result<Vec<(T, T)>> {
    const STEP: usize = 10;
    let mut taken = Vec::new();
    while taken.len() < bounds.most {
        let pair = if rng.random() {
            let first = take(false)?;
            (first, take(true)?)
        } else {
            let second = take(true)?;
            (take(false)?, second)
        };
        taken.push(pair);
        let is_time = taken.len() >= bounds.least && taken.len().is_multiple_of(STEP);
        if is_time && judge(&taken).is_some_and(|ratio| ratio.margin() <= bounds.margin) {
            break;
        }
    }
    Ok(taken)
}

/// The mean ratio of pairs, with its interval; `None` for too few.
pub fn interval<T>(pairs: &[(T, T)], ratio: impl Fn(&(T, T)) -> f64) -> Option<Interval> {
    ratio_interval(&pairs.iter().map(ratio).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn rng() -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(1)
    }

    fn ratio(pair: &(f64, f64)) -> f64 {
        pair.1 / pair.0
    }

    fn judge(pairs: &[(f64, f64)]) -> Option<Interval> {
        interval(pairs, ratio)
    }

    #[test]
    fn equal_pairs_are_enough_at_once_and_unequal_ones_go_on_to_the_bound() {
        let bounds = Bounds { least: 20, most: 100, margin: 0.01 };
        let even = pairs(&mut rng(), bounds, |second| Ok(if second { 2.0 } else { 1.0 }), judge);
        assert_eq!(even.unwrap().len(), 20);
        let mut taken = 0.0;
        let growing = pairs(
            &mut rng(),
            bounds,
            |_| {
                taken += 1.0;
                Ok(taken)
            },
            judge,
        );
        let growing = growing.unwrap();
        assert_eq!(growing.len(), 100);
        let firsts_first = growing.iter().filter(|(first, second)| first < second).count();
        assert!((30..=70).contains(&firsts_first), "{firsts_first} of 100 in the one order");
    }

    #[test]
    fn the_interval_is_of_second_over_first() {
        let taken = [(1.0, 2.0), (10.0, 20.0), (3.0, 6.0)];
        let interval = interval(&taken, ratio).unwrap();
        assert!((interval.centre - 2.0).abs() < 1e-12);
    }
}
