//! The score of a mix: rows weighted by what their user has to do.

use super::group::Group;
use super::robustness::{Robustness, Weightings};
use super::score_line::{MIX, ScoreLine, Sides, as_wide_as_weighed, weighted_mean};
use super::scored_pair::ScoredPair;
use super::votes::Votes;
use catalog::{Demand, Mix};
use record::ThreadSpec;

/// The score of a mix on a number of threads, among whose rows are all that it demands: with weights the geometric mean as
/// they weigh; with rates the time that the baseline takes for all of it over the time that the group takes, which is how
/// many of the group's machines one of the baseline's is worth for this mix.
///
/// # Errors
/// When a demand has no row, or no rate that its unit has: with what is missing.
pub(super) fn mix_line(
    mix: &Mix,
    pairs: &[&ScoredPair],
    threads: ThreadSpec,
    (group, baseline): (&Group, &Group),
    weightings: &Weightings,
) -> Result<ScoreLine, String> {
    let (rows, mut weights) = weighted(mix, pairs, baseline)?;
    let mut score = weighted_mean(&rows, &weights, group, baseline);
    let votes = Votes::weighted(&rows, &weights);
    let mut robustness = Robustness::of(&rows, &votes, score, weightings);
    if !mix.has_weights() {
        // Of one unit of the baseline's time, what the group takes for each row.
        let times: Vec<f64> =
            rows.iter().zip(&weights).map(|(pair, weight)| weight / pair.log.exp()).collect();
        let all: f64 = times.iter().sum();
        score = score.map(|score| score.scaled(1.0 / (all * score.centre)));
        // A row's error counts as much as it takes of the group's time. Random weights are of means.
        weights = times.into_iter().map(|time| time / all).collect();
        robustness = None;
    }
    let score = score.map(|score| as_wide_as_weighed(score, &rows, &weights, group, baseline));
    let (category, sides) = (MIX.to_owned(), Sides::of(&rows));
    Ok(ScoreLine { category, threads, rows: rows.len(), score, sides, robustness })
}

/// The rows of a mix, each with its weight; weights sum up to 1. Where the mix has rates instead of weights, a row weighs
/// as much as it takes of the baseline's time.
fn weighted<'a>(
    mix: &Mix,
    pairs: &[&'a ScoredPair<'a>],
    baseline: &Group,
) -> Result<(Vec<&'a ScoredPair<'a>>, Vec<f64>), String> {
    let (mut rows, mut weights) = (Vec::new(), Vec::new());
    for demand in &mix.demands {
        let pair = pairs.iter().find(|pair| pair.name == demand.workload);
        let pair = *pair.ok_or_else(|| format!("{} has no score", demand.workload))?;
        weights.push(match demand.weight.filter(|_| mix.has_weights()) {
            Some(weight) => weight,
            None => share_of_time(demand, pair, baseline)?,
        });
        rows.push(pair);
    }
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    Ok((rows, weights))
}

/// How many of the baseline's machines a demand takes.
fn share_of_time(demand: &Demand, pair: &ScoredPair, baseline: &Group) -> Result<f64, String> {
    let message = |what: &str| format!("{} {what}", demand.workload);
    let rate = demand.rate.ok_or_else(|| message("has no rate"))?;
    let no_figure = || message(&format!("has no figure on {}", baseline.label));
    let view = baseline.rows[pair.baseline_row].view.ok_or_else(no_figure)?;
    let figure = baseline.first_figure(pair.baseline_row).ok_or_else(no_figure)?;
    let per_s = rate.per_s(&figure.unit, figure.bytes_per_op);
    Ok(per_s.map_err(|what| format!("{}: {what}", demand.workload))? / view.interval.centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Pairs, Sheet};
    use estimate::ViewKind;
    use record::fixture::run;
    use stats::Interval;

    const STEADY: &[u64] = &[100; 20];

    fn group(rows: &[(&str, &[u64])]) -> Group {
        let figures = Sheet::of(&run(rows), ViewKind::Uncontended);
        Group::of("m7g".to_owned(), ViewKind::Uncontended, vec![figures]).unwrap()
    }

    /// The mix's score of a group that is four times as fast on `a/x` as the baseline, or what is missing.
    fn score_of(mix: &str) -> Result<ScoreLine, String> {
        let mix: Mix = toml::from_str(mix).unwrap();
        let baseline = group(&[("a/x", STEADY), ("b/x", STEADY)]);
        let other = group(&[("a/x", &[400; 20]), ("b/x", STEADY)]);
        let mut score = Pairs::of(&baseline, &other, &[]).score(Some(&mix), &Weightings::of(2));
        let is_mix = |line: &ScoreLine| line.category == MIX;
        score.lines.into_iter().find(is_mix).ok_or_else(|| score.missing.remove(0))
    }

    fn demands(a: &str, b: &str) -> String {
        format!("[[demand]]\nworkload = \"a/x\"\n{a}\n[[demand]]\nworkload = \"b/x\"\n{b}\n")
    }

    #[test]
    fn rows_count_as_they_weigh() {
        let line = score_of(&demands("weight = 3", "weight = 1")).unwrap();
        assert!((line.score.unwrap().centre - 4.0_f64.powf(0.75)).abs() < 1e-9, "{line:?}");
        let robustness = line.robustness.unwrap();
        let (least, greatest) = (robustness.least.unwrap(), robustness.greatest.unwrap());
        assert_eq!((least.without.as_str(), greatest.without.as_str()), ("a/x", "b/x"));
        assert!((least.score - 1.0).abs() < 1e-9 && (greatest.score - 4.0).abs() < 1e-9);
    }

    #[test]
    fn the_score_of_rates_is_the_ratio_of_the_times_that_they_take() {
        // The baseline does 1e9 ops/s of ten bytes: three machines' time and one's.
        let mix = demands("rate = \"3,000,000,000 ops/s\"", "rate = \"10 GB/s\"");
        let line = score_of(&mix).unwrap();
        // Four machines' time before, and 3/4 and 1 now.
        assert!((line.score.unwrap().centre - 4.0 / 1.75).abs() < 1e-6, "{line:?}");
    }

    #[test]
    fn a_mix_of_more_than_was_measured_has_no_score() {
        let mix = demands("weight = 3", "weight = 1").replace("b/x", "c/x");
        assert_eq!(score_of(&mix).unwrap_err(), "the mix, 1 thread: c/x has no score");
    }

    #[test]
    fn one_row_that_carries_nearly_all_weight_is_as_uncertain_as_by_itself() {
        let noisy: Vec<u64> = (0..40).map(|i| 80 + 40 * (i % 2)).collect();
        let baseline = group(&[("a/x", STEADY), ("b/x", STEADY)]);
        let other = group(&[("a/x", &noisy), ("b/x", STEADY)]);
        let interval = |a: &str, b: &str| -> Interval {
            let mix: Mix = toml::from_str(&demands(a, b)).unwrap();
            let score = Pairs::of(&baseline, &other, &[]).score(Some(&mix), &Weightings::of(2));
            score.lines.last().unwrap().score.unwrap()
        };
        let own = other.rows[0].view.unwrap().row.margin();
        assert!(interval("weight = 1000", "weight = 1").margin() >= own * 0.99);
    }
}
