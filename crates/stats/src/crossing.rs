//! Crossovers of two curves.

use super::interval::student_quantile;

/// The logarithm of the ratio of two curves at a place. Places, such as numbers of threads or prices, are interpolated
/// on a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioPoint {
    /// Above zero.
    pub place: f64,
    /// The logarithm of the ratio.
    pub log: f64,
    /// Margin (95 %) of the error specific to this place.
    pub own_half: f64,
    /// Margin (95 %) of the error common to all places.
    pub shared_half: f64,
    /// Degrees of freedom of Student's t for both margins.
    pub freedom: f64,
}

/// A crossover of two curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The nearest places on both sides at which the order is certain, or observed if no interval is known.
    pub between: (f64, f64),
    /// Where the ratio is 1, by linear interpolation of its logarithm.
    pub at: f64,
    /// Whether the ratio is above 1 after it.
    pub rises: bool,
    /// Lower end of the 95 % confidence interval of the crossover. `None` if no interval is known.
    pub low: Option<f64>,
    /// Upper end of the same interval.
    pub high: Option<f64>,
}

/// Steps between two places at which the certainty of the order is tested.
const STEPS: usize = 512;

/// All crossovers along a curve of ratios, by place. With known intervals, a crossover lies between places at which
/// opposite orders are certain, as equal curves cross often by chance; without, the centres decide. The interval of a
/// crossover contains the places around it at which a ratio of 1 cannot be excluded (inversion of the pointwise tests,
/// as in E. C. Fieller, Some problems in interval estimation, 1954), up to the first on each side where it can.
pub fn crossings(points: &[RatioPoint]) -> Vec<Crossing> {
    let is_known = points.iter().any(|point| point.margin().is_finite());
    let has_order = |point: &RatioPoint| match is_known {
        true => point.is_certain_among(points.len()),
        false => point.log != 0.0,
    };
    let mut last: Option<usize> = None;
    let mut found = Vec::new();
    for (number, point) in points.iter().enumerate().filter(|(_, point)| has_order(point)) {
        if let Some(before) = last.filter(|last| points[*last].is_above() != point.is_above()) {
            found.extend(Crossing::along(&points[before..=number]));
        }
        last = Some(number);
    }
    found
}

impl Crossing {
    /// The crossover in a stretch whose ends have opposite orders. The order may change several times by chance in
    /// between: the middle change is the crossover, and the interval contains all of them.
    fn along(stretch: &[RatioPoint]) -> Option<Self> {
        let (first, last) = (stretch.first()?, stretch.last()?);
        let evens = evens(stretch);
        let looks = stretch.windows(2).flat_map(|pair| {
            let factor = pair[1].place / pair[0].place;
            (0..=STEPS).map(move |step| {
                let place = pair[0].place * factor.powf(step as f64 / STEPS as f64);
                RatioPoint::on_the_way(&pair[0], &pair[1], place)
            })
        });
        let is_as = |look: &RatioPoint, end: &RatioPoint| {
            look.is_certain() && look.is_above() == end.is_above()
        };
        let (from, to) = (*evens.first()?, *evens.last()?);
        let low = looks.clone().filter(|look| look.place <= from).rfind(|look| is_as(look, first));
        let high = looks.filter(|look| look.place >= to).find(|look| is_as(look, last));
        Some(Self {
            between: (first.place, last.place),
            at: evens[evens.len() / 2],
            rises: last.is_above(),
            low: low.map(|look| look.place),
            high: high.map(|look| look.place),
        })
    }
}

/// Zeros of the logarithm of the ratio, by linear interpolation between points that are not zero.
fn evens(points: &[RatioPoint]) -> Vec<f64> {
    let uneven: Vec<&RatioPoint> = points.iter().filter(|point| point.log != 0.0).collect();
    let changes = uneven.windows(2).filter(|pair| pair[0].is_above() != pair[1].is_above());
    changes
        .map(|pair| {
            let share = pair[0].log / (pair[0].log - pair[1].log);
            (pair[0].place.ln() * (1.0 - share) + pair[1].place.ln() * share).exp()
        })
        .collect()
}

impl RatioPoint {
    /// Interpolates linearly between two points, over the logarithm of the place. The specific errors of both are
    /// independent.
    pub fn on_the_way(left: &Self, right: &Self, place: f64) -> Self {
        let share = (place / left.place).ln() / (right.place / left.place).ln();
        let mix = |a: f64, b: f64| match share {
            // Zero times infinity is not a number.
            0.0 => a,
            1.0 => b,
            _ => a * (1.0 - share) + b * share,
        };
        Self {
            place,
            log: mix(left.log, right.log),
            own_half: mix(left.own_half, 0.0).hypot(mix(0.0, right.own_half)),
            shared_half: mix(left.shared_half, right.shared_half),
            freedom: left.freedom.min(right.freedom),
        }
    }

    /// Whether the ratio is above 1.
    pub fn is_above(&self) -> bool {
        self.log > 0.0
    }

    /// Margin of the 95 % interval.
    pub fn margin(&self) -> f64 {
        self.own_half.hypot(self.shared_half)
    }

    /// Whether the interval excludes 1.
    pub fn is_certain(&self) -> bool {
        self.log.abs() > self.margin()
    }

    /// Whether an interval that is simultaneous for `count` points at 95 % (Bonferroni) excludes 1.
    pub fn is_certain_among(&self, count: usize) -> bool {
        let quantile = |missed: f64| student_quantile(self.freedom, 1.0 - missed);
        self.log.abs() > self.margin() * quantile(0.05 / count as f64) / quantile(0.05)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::Normal;

    fn points(logs: &[f64], own_half: f64, shared_half: f64) -> Vec<RatioPoint> {
        let point = |(i, log): (usize, &f64)| RatioPoint {
            place: (i + 1) as f64,
            log: *log,
            own_half,
            shared_half,
            freedom: f64::INFINITY,
        };
        logs.iter().enumerate().map(point).collect()
    }

    #[test]
    fn a_curve_that_stays_on_one_side_never_crosses() {
        assert_eq!(crossings(&points(&[-0.3, -0.1, -0.01], 0.0, 0.0)), []);
        assert_eq!(crossings(&points(&[0.2, 0.0, 0.2], 0.0, 0.0)), []);
        assert_eq!(crossings(&[]), []);
    }

    #[test]
    fn a_crossing_lies_between_the_places_of_opposite_order() {
        let found = crossings(&points(&[-0.1, -0.1, 0.1, 0.2], 0.0, 0.0));
        assert_eq!(found.len(), 1);
        let Crossing { between, at, rises, low, high } = found[0];
        assert_eq!((between, rises), ((2.0, 3.0), true));
        assert!((at - 6.0_f64.sqrt()).abs() < 1e-9, "{at}");
        assert!(low.unwrap() <= at && high.unwrap() >= at && high.unwrap() - low.unwrap() < 0.05);
    }

    #[test]
    fn a_tie_at_a_place_is_a_crossing_only_if_the_order_changes_after_it() {
        let found = crossings(&points(&[0.1, 0.0, 0.0, -0.1], 0.0, 0.0));
        assert_eq!((found.len(), found[0].between, found[0].rises), (1, (1.0, 4.0), false));
    }

    #[test]
    fn a_jagged_curve_crosses_several_times() {
        let found = crossings(&points(&[-1.0, 1.0, -1.0, 1.0], 0.0, 0.0));
        assert_eq!(found.len(), 3);
        assert_eq!(found.iter().map(|c| c.rises).collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn the_interval_ends_where_the_order_is_certain_if_it_ever_is() {
        let logs: Vec<f64> = (1..=40).map(|i| (f64::from(i) / 20.5).ln()).collect();
        let found = crossings(&points(&logs, 0.0, 0.1));
        let (low, high) = (found[0].low.unwrap(), found[0].high.unwrap());
        assert!((low - 20.5 * (-0.1_f64).exp()).abs() < 0.05, "{low}");
        assert!((high - 20.5 * 0.1_f64.exp()).abs() < 0.05, "{high}");
        let unknown = crossings(&points(&logs, f64::INFINITY, 0.0));
        assert_eq!((unknown[0].low, unknown[0].high), (None, None));
        // The ratio reaches only 1.95: it is not certain anywhere that it is above 1.
        assert_eq!(crossings(&points(&logs, 0.0, 1.0)), []);
    }

    #[test]
    fn changes_of_order_within_the_interval_are_one_crossing() {
        let found = crossings(&points(&[-1.0, -0.5, 0.01, -0.01, 0.01, 0.5, 1.0], 0.1, 0.0));
        assert_eq!((found.len(), found[0].between, found[0].rises), (1, (2.0, 6.0), true));
        assert!((found[0].at - 12.0_f64.sqrt()).abs() < 1e-9, "{found:?}");
        assert!(found[0].low.unwrap() < 3.0 && found[0].high.unwrap() > 5.0, "{found:?}");
        // No crossing if the order at the end is that at the start.
        assert_eq!(crossings(&points(&[-1.0, 0.01, -0.01, 0.01, -1.0], 0.1, 0.0)), []);
    }

    #[test]
    fn equal_curves_rarely_cross() {
        const TRIALS: usize = 1_000;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut logs = || -> Vec<f64> {
            (0..28).map(|_| 0.01 * Normal::standard().sample(&mut random)).collect()
        };
        let crosses = |_: &usize| !crossings(&points(&logs(), 0.0196, 0.0)).is_empty();
        let share = (0..TRIALS).filter(crosses).count() as f64 / TRIALS as f64;
        assert!(share < 0.01, "{share}");
    }

    /// Share of trials whose interval contains the true crossover at 20 threads, after which the ratio rises by 1.5 %
    /// with each further percent of threads.
    fn coverage(places: &[f64], own: f64, shared: f64) -> f64 {
        const TRIALS: u64 = 4_000;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut normal = |deviation: f64| deviation * Normal::standard().sample(&mut random);
        let mut holds = |_: u64| {
            let level = normal(shared);
            let mut point = |place: &f64| RatioPoint {
                place: *place,
                log: 1.5 * (place / 20.0).ln() + level + normal(own),
                own_half: 1.96 * own,
                shared_half: 1.96 * shared,
                freedom: f64::INFINITY,
            };
            let points: Vec<RatioPoint> = places.iter().map(&mut point).collect();
            let is_in = |crossing: &Crossing| {
                crossing.low.is_none_or(|low| low <= 20.0)
                    && crossing.high.is_none_or(|high| 20.0 <= high)
            };
            crossings(&points).iter().any(is_in)
        };
        (0..TRIALS).filter(|trial| holds(*trial)).count() as f64 / TRIALS as f64
    }

    #[test]
    #[expect(clippy::disallowed_macros, reason = "says what it found")]
    fn intervals_of_crossings_cover_the_truth() {
        let dense: Vec<f64> = (1..=64).map(f64::from).collect();
        let sparse = [1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0];
        for (own, shared) in [(0.0, 0.05), (0.01, 0.04), (0.02, 0.02), (0.04, 0.0)] {
            for places in [&dense[..], &sparse] {
                let held = coverage(places, own, shared);
                println!("{} places, own {own}, shared {shared}: {held}", places.len());
                assert!((0.93..=0.97).contains(&held), "own {own}, shared {shared}: {held}");
            }
        }
    }

    proptest! {
        #[test]
        fn crossings_alternate_and_lie_in_their_intervals(
            logs in prop::collection::vec(-1.0..1.0_f64, 0..40), margin in 0.0..0.5_f64,
        ) {
            let found = crossings(&points(&logs, margin, margin / 2.0));
            for pair in found.windows(2) {
                prop_assert!(pair[0].rises != pair[1].rises && pair[0].at <= pair[1].at);
            }
            for crossing in found {
                prop_assert!(crossing.low.is_none_or(|low| low <= crossing.at));
                prop_assert!(crossing.high.is_none_or(|high| high >= crossing.at));
                prop_assert!(crossing.between.0 <= crossing.at && crossing.at <= crossing.between.1);
            }
        }
    }
}
