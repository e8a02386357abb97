//! A rolling mix on two machines: how often they do the list of the baseline's.

use super::group::Group;
use super::pairs::Pairs;
use estimate::Rolling;
use serde::Serialize;
use stats::Interval;

/// How often two groups do one list of work per second, while all threads go through it, each from another position on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RollingScore {
    /// Threads of the group, as many as it has.
    pub threads: usize,
    /// Lists per second of the group.
    pub lists_per_s: Interval,
    /// Those of the baseline, whose list it is.
    pub baseline_lists_per_s: Interval,
    /// The first over the second.
    pub ratio: Interval,
    /// That ratio by the rows alone.
    pub computed: f64,
}

impl Pairs<'_> {
    /// `None` unless both measured one rolling mix, of rows that can be compared.
    pub(super) fn rolling(&self) -> Option<RollingScore> {
        let base = first(self.baseline)?;
        let other = first(self.other).filter(|other| other.mix.demands == base.mix.demands)?;
        let is_refused = self.rows.iter().any(|pair| {
            let is_it = |name: &String| base.parts.iter().any(|part| part.workload == *name);
            is_it(&pair.key.name) && (pair.refusal.is_some() || pair.other.is_none())
        });
        if is_refused {
            return None;
        }
        let lists_of = |group: &Group| {
            group.pooled(|run| {
                let rolling = group.runs[run].rolling.as_ref();
                rolling.filter(|rolling| rolling.mix.demands == base.mix.demands)?.lists_of(base)
            })
        };
        let (lists_per_s, baseline_lists_per_s) = (lists_of(self.other)?, lists_of(self.baseline)?);
        let ratio = lists_per_s.ratio_to(&baseline_lists_per_s);
        let computed = ratio.centre * base.additivity.centre / other.additivity.centre;
        Some(RollingScore {
            threads: other.threads,
            lists_per_s,
            baseline_lists_per_s,
            ratio,
            computed,
        })
    }
}

/// The first run of a group whose mix rolled.
fn first(group: &Group) -> Option<&Rolling> {
    group.runs.iter().find_map(|run| run.rolling.as_ref())
}

#[cfg(test)]
mod tests {
    use super::super::tests::group;
    use super::*;
    use record::{Run, fixture};

    /// On a machine that does so many ops of each in a sample.
    fn rolled(ops: [u64; 2], slowdowns: [f64; 2]) -> Run {
        let near = |ops: u64| (0..20).map(|i| ops + i % 3).collect::<Vec<u64>>();
        let (a, b) = (near(ops[0]), near(ops[1]));
        let mut run = fixture::run(&[("a/x", &a), ("b/x", &b)]);
        fixture::roll(&mut run, &slowdowns, 20);
        run
    }

    fn score(baseline: &Run, other: &Run) -> Option<RollingScore> {
        let [baseline, other] = [baseline, other].map(|run| group("g", &[run]));
        Pairs::of(&baseline, &other, &[]).rolling()
    }

    #[test]
    fn machines_are_compared_by_the_lists_they_do_while_all_of_the_work_rolls() {
        let baseline = rolled([100_000, 100_000], [1.0, 1.0]);
        let faster = rolled([200_000, 200_000], [1.0, 1.0]);
        let score = score(&baseline, &faster).unwrap();
        assert!((score.ratio.centre - 2.0).abs() < 0.01, "{score:?}");
        let ratio = score.ratio;
        assert!(ratio.low < ratio.centre && ratio.centre < ratio.high, "{score:?}");
        assert!((score.computed - 2.0).abs() < 0.01, "{score:?}");
    }

    #[test]
    fn what_rows_alone_promise_and_a_mix_does_not_keep_shows() {
        let baseline = rolled([100_000, 100_000], [1.0, 1.0]);
        let crowded = rolled([200_000, 200_000], [1.25, 1.25]);
        let score = score(&baseline, &crowded).unwrap();
        assert!((score.ratio.centre - 1.6).abs() < 0.01, "{score:?}");
        assert!((score.computed - 2.0).abs() < 0.01, "{score:?}");
    }

    #[test]
    fn other_mixes_and_runs_without_one_have_no_such_score() {
        let baseline = rolled([100_000, 100_000], [1.0, 1.0]);
        let plain = fixture::run(&[("a/x", &[100; 20]), ("b/x", &[100; 20])]);
        assert_eq!(score(&baseline, &plain), None);
        let mut other = baseline.clone();
        let mix = other.header.plan.rolling.as_mut().unwrap();
        mix.demands[0].weight = Some(3.0);
        assert_eq!(score(&baseline, &other), None);
    }
}
