//! The score of a mix: rows weighted by what their user has to do.

use super::group::Group;
use super::robustness::{Robustness, Weightings};
use super::score_line::{MIX, ScoreLine, Sides, as_wide_as_weighed, weighted_mean};
use super::scored_pair::ScoredPair;
use super::votes::Votes;
use catalog::{Demand, MixSource, NamedMix};
use record::ThreadSpec;
use serde::Serialize;
use std::collections::BTreeMap;

/// A mean over rows of less than this part of a mix's weights would be of other work.
const LEAST_SHARE: f64 = 0.5;

/// A mix by which rows were weighed.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ScoredMix {
    /// The name of one that sizeup has; of any other, its file.
    pub name: String,
    /// `None` if its file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<MixSource>,
    /// Weights that no score includes, for each number of threads that has a score.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<MixLack>,
}

impl ScoredMix {
    /// Whether both runs have all rows that it demands. No run has what no workload stands for.
    pub fn has_all_rows(&self) -> bool {
        self.lacks.iter().all(|lack| lack.workloads.is_empty())
    }
}

/// Weights of a mix that are in no score.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MixLack {
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Their part of all weights, 0 … 1.
    pub share: f64,
    /// Workloads of the mix without a figure in both runs.
    pub workloads: Vec<String>,
    /// Work of the original that no workload stands for.
    pub others: Vec<String>,
}

/// The scores of a mix.
pub(super) struct MixScores {
    pub lines: Vec<ScoreLine>,
    pub mix: ScoredMix,
    /// Numbers of threads without a score, each with the reason.
    pub missing: Vec<String>,
}

impl MixScores {
    /// On each number of threads. With weights a score is the geometric mean, as they weigh, over the rows that both have, if these
    /// have half of all weights on this number of threads. With rates it is the time that the baseline takes for all of the mix over
    /// the time that the group takes, which is how many of the group's machines one of the baseline's is worth for it.
    pub fn of(
        mix: &NamedMix,
        scored: &[ScoredPair],
        group: &Group,
        baseline: &Group,
        weightings: &Weightings,
    ) -> Self {
        let (name, source) = (mix.name.clone(), mix.source.clone());
        let scored_mix = ScoredMix { name, source, lacks: Vec::new() };
        let mut scores = Self { lines: Vec::new(), mix: scored_mix, missing: Vec::new() };
        let mut too_few = Vec::new();
        for threads in group.thread_specs() {
            let parts = Parts::of(mix, scored, threads);
            if mix.mix.has_weights() && parts.lack.share > 1.0 - LEAST_SHARE {
                too_few.push(parts.lack);
                continue;
            }
            match parts.line(mix, threads, group, baseline, weightings) {
                Ok(line) => scores.lines.push(line),
                Err(why) => {
                    scores.missing.push(format!("the mix, {}: {why}", threads.in_words()));
                }
            }
            scores.mix.lacks.extend(Some(parts.lack).filter(|lack| lack.share > 0.0));
        }
        if scores.lines.is_empty() {
            let best = too_few.into_iter().min_by(|a, b| a.share.total_cmp(&b.share));
            scores.missing.extend(best.map(|lack| {
                let (has, needed) = ((1.0 - lack.share) * 100.0, LEAST_SHARE * 100.0);
                let threads = lack.threads.in_words();
                format!("the mix, {threads}: both have rows of {has:.0} % of its weights; a score needs {needed:.0} %")
            }));
        }
        scores
    }
}

/// Demands of a mix on one number of threads.
struct Parts<'a> {
    rows: Vec<(&'a Demand, &'a ScoredPair<'a>)>,
    /// Demands without a row. Their share is 0 in a mix of rates.
    lack: MixLack,
}

impl<'a> Parts<'a> {
    fn of(mix: &'a NamedMix, scored: &'a [ScoredPair<'a>], threads: ThreadSpec) -> Self {
        let on = scored.iter().filter(|pair| pair.threads == threads);
        let by_name: BTreeMap<&str, &ScoredPair> =
            on.rev().map(|pair| (pair.name.as_str(), pair)).collect();
        let weight = |demand: &Demand| demand.weight.unwrap_or_default();
        let (mut rows, mut workloads, mut lost) = (Vec::new(), Vec::new(), 0.0);
        for demand in &mix.mix.demands {
            if let Some(pair) = by_name.get(demand.workload.as_str()) {
                rows.push((demand, *pair));
            } else {
                workloads.push(demand.workload.clone());
                lost += weight(demand);
            }
        }
        let others: f64 = mix.lacks.iter().map(|lack| lack.weight).sum();
        let all: f64 = mix.mix.demands.iter().map(weight).sum::<f64>() + others;
        let share = if mix.mix.has_weights() { (lost + others) / all } else { 0.0 };
        let others = mix.lacks.iter().map(|lack| lack.what.clone()).collect();
        Self { rows, lack: MixLack { threads, share, workloads, others } }
    }

    /// # Errors
    /// When a row has no rate that its unit has, or a demand with a rate no row: with what is missing.
    fn line(
        &self,
        mix: &NamedMix,
        threads: ThreadSpec,
        group: &Group,
        baseline: &Group,
        weightings: &Weightings,
    ) -> Result<ScoreLine, String> {
        let has_weights = mix.mix.has_weights();
        if let Some(workload) = self.lack.workloads.first().filter(|_| !has_weights) {
            return Err(format!("{workload} has no score"));
        }
        let weight = |(demand, pair): &(&Demand, &ScoredPair)| match demand.weight {
            Some(weight) if has_weights => Ok(weight),
            // As much as it takes of the baseline's time.
            _ => share_of_time(demand, pair, baseline),
        };
        let mut weights: Vec<f64> = self.rows.iter().map(weight).collect::<Result<_, _>>()?;
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let rows: Vec<&ScoredPair> = self.rows.iter().map(|(_, pair)| *pair).collect();
        let mut score = weighted_mean(&rows, &weights, group, baseline);
        let votes = Votes::weighted(&rows, &weights);
        let mut robustness = Robustness::of(&rows, &votes, score, weightings);
        if !has_weights {
            // Time the group takes for each row's share of one unit of the baseline's time.
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
    use crate::compare::{Pairs, Score, Sheet};
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
        let mut score = whole_score_of(mix);
        let is_mix = |line: &ScoreLine| line.category == MIX;
        score.lines.into_iter().find(is_mix).ok_or_else(|| score.missing.remove(0))
    }

    fn whole_score_of(mix: &str) -> Score {
        let baseline = group(&[("a/x", STEADY), ("b/x", STEADY)]);
        let other = group(&[("a/x", &[400; 20]), ("b/x", STEADY)]);
        Pairs::of(&baseline, &other, &[]).score(Some(&named(mix)), &Weightings::of(2))
    }

    fn named(mix: &str) -> NamedMix {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mix.toml");
        std::fs::write(&path, mix).unwrap();
        NamedMix::read(&path).unwrap()
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
    fn a_mix_of_rates_of_more_than_was_measured_has_no_score() {
        let mix = demands("rate = \"1 ops/s\"", "rate = \"1 ops/s\"").replace("b/x", "c/x");
        assert_eq!(score_of(&mix).unwrap_err(), "the mix, 1 thread: c/x has no score");
    }

    #[test]
    fn weights_without_a_row_are_left_out_and_their_share_is_known() {
        let mix = demands("weight = 3", "weight = 1").replace("b/x", "c/x")
            + "[[lacks]]\nwhat = \"the database\"\nweight = 1\n";
        let score = whole_score_of(&mix);
        let line = score.lines.iter().find(|line| line.category == MIX).unwrap();
        assert!((line.score.unwrap().centre - 4.0).abs() < 1e-9, "{line:?}");
        let lack = &score.mix.as_ref().unwrap().lacks[0];
        assert!((lack.share - 0.4).abs() < 1e-9, "{lack:?}");
        assert_eq!(
            (&lack.workloads[..], &lack.others[..]),
            (&["c/x".to_owned()][..], &["the database".to_owned()][..])
        );
        assert!(!score.mix.unwrap().has_all_rows());
        // Work that no workload represents can be in no run.
        let mix = demands("weight = 3", "weight = 1") + "[[lacks]]\nwhat = \"x\"\nweight = 1\n";
        assert!(whole_score_of(&mix).mix.unwrap().has_all_rows());
    }

    #[test]
    fn a_score_needs_rows_of_half_of_all_weights() {
        let score = |a: &str, c: &str| {
            let mix = demands(a, c).replace("b/x", "c/x");
            score_of(&mix)
        };
        assert!(score("weight = 1", "weight = 1").is_ok());
        assert_eq!(
            score("weight = 24", "weight = 76").unwrap_err(),
            "the mix, 1 thread: both have rows of 24 % of its weights; a score needs 50 %"
        );
    }

    #[test]
    fn the_scores_of_a_mix_lie_between_those_of_its_rows_and_ignore_the_scale_of_its_weights() {
        let centre = |a: f64, b: f64| {
            let mix = demands(&format!("weight = {a:e}"), &format!("weight = {b:e}"));
            score_of(&mix).unwrap().score.unwrap().centre
        };
        for (a, b) in [(1.0, 1.0), (0.3, 7.0), (1e-9, 1.0), (1e12, 1e12), (1e12, 1e-12)] {
            let score = centre(a, b);
            assert!((1.0 - 1e-9..=4.0 + 1e-9).contains(&score), "{a} {b}: {score}");
            if a < 1e6 {
                assert!((centre(1e3 * a, 1e3 * b) / score - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn one_row_that_carries_nearly_all_weight_is_as_uncertain_as_by_itself() {
        let noisy: Vec<u64> = (0..40).map(|i| 80 + 40 * (i % 2)).collect();
        let baseline = group(&[("a/x", STEADY), ("b/x", STEADY)]);
        let other = group(&[("a/x", &noisy), ("b/x", STEADY)]);
        let interval = |a: &str, b: &str| -> Interval {
            let mix = named(&demands(a, b));
            let score = Pairs::of(&baseline, &other, &[]).score(Some(&mix), &Weightings::of(2));
            score.lines.last().unwrap().score.unwrap()
        };
        let own = other.rows[0].view.unwrap().own.margin();
        assert!(interval("weight = 1000", "weight = 1").margin() >= own * 0.99);
    }
}
