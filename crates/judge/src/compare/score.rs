//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out over rows as
//! independent ones would. The interval therefore comes from what the rows have in common: how far each round, or each
//! host of a group, lay above or below the rows' own centres.

use super::common_rows::CommonRows;
use super::contention::Contention;
use super::cores_times_clock::CoresTimesClock;
use super::group::Group;
use super::pair::Pair;
use super::pairs::Pairs;
use super::robustness::{Robustness, Weightings};
use super::rolling::RollingScore;
use super::score_line::{ScoreLine, Sides, weighted_mean};
use super::scored_pair::{ScoredPair, keep_known_kinds};
use super::sheet::RowResult;
use super::spread::Spread;
use super::votes::{Votes, series};
use super::weighted::{MixScores, ScoredMix};
use crate::numbers::counted;
use catalog::{NamedMix, OVERALL};
use estimate::{ViewKind, Warning};
use record::ThreadSpec;
use serde::Serialize;
use stats::mean;
use std::collections::{BTreeMap, BTreeSet};

/// A group's scores against a baseline: of rows in several units only ratios have a mean.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Score {
    /// The group over its baseline.
    pub label: String,
    /// Against what.
    pub baseline: String,
    /// In which view.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Per category and overall, for each number of threads.
    pub lines: Vec<ScoreLine>,
    /// The mix of which a line is, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mix: Option<ScoredMix>,
    /// How often it does the list of a rolling mix, against the baseline, if both measured it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling: Option<RollingScore>,
    /// The work that was measured both on the most threads and on one, where that is little of either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub across: Option<AcrossThreads>,
    /// How the group's runs differ; empty for a single run.
    pub spreads: Vec<Spread>,
    /// The score expected from cores and clock alone, where both are known.
    pub cores_times_clock: Option<CoresTimesClock>,
    /// Caveats about the group and its baseline that qualify every figure.
    pub notes: Vec<String>,
    /// Rows that are in no score, each with the reason.
    pub missing: Vec<String>,
    /// Rows whose differences were allowed, each with what differs.
    pub allowed: Vec<String>,
}

/// Workloads that were measured both on the most threads and on one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct AcrossThreads {
    /// How many.
    pub workloads: usize,
    /// The geometric mean of their ratios on the most threads; `None` without any.
    pub on_most: Option<f64>,
    /// And on one.
    pub on_one: Option<f64>,
}

impl AcrossThreads {
    /// `None` where at least half of the workloads of the one or the other were measured on both, or all on as many threads.
    fn of(pairs: &[ScoredPair]) -> Option<Self> {
        let one = ThreadSpec::Count(1);
        let most = pairs.iter().map(|pair| pair.threads).max().filter(|most| *most != one)?;
        let on = |threads: ThreadSpec| -> BTreeMap<&str, f64> {
            let mut on = pairs.iter().filter(|pair| pair.threads == threads).collect();
            keep_known_kinds(&mut on);
            on.into_iter().map(|pair| (pair.name.as_str(), pair.log)).collect()
        };
        let (on_most, on_one) = (on(most), on(one));
        let both = on_most.iter().filter_map(|(name, log)| Some((*log, *on_one.get(name)?)));
        let (of_most, of_one): (Vec<f64>, Vec<f64>) = both.unzip();
        let fewer = on_most.len().min(on_one.len());
        let is_little = fewer > 0 && 2 * of_most.len() < fewer;
        let centre = |logs: &[f64]| (!logs.is_empty()).then(|| mean(logs).exp());
        is_little.then(|| Self {
            workloads: of_most.len(),
            on_most: centre(&of_most),
            on_one: centre(&of_one),
        })
    }
}

impl Score {
    /// Which of the categories of so many threads have no row in the score, if any has none: `of 9 of 13 categories`.
    pub fn lacking(&self, threads: ThreadSpec) -> Option<String> {
        let is_category = |line: &&ScoreLine| line.threads == threads && line.is_of_category();
        let categories: Vec<&ScoreLine> = self.lines.iter().filter(is_category).collect();
        let lacks: Vec<&str> = categories
            .iter()
            .filter(|line| line.rows == 0)
            .map(|line| line.category.as_str())
            .collect();
        (!lacks.is_empty()).then(|| {
            let (all, on) = (categories.len(), threads.in_words());
            let scored = all - lacks.len();
            format!(
                "The score on {on} is of {scored} of {all} categories: without {}",
                lacks.join(", ")
            )
        })
    }

    /// Whether all rows are in it, and every score that there is has an error bar.
    pub fn is_whole(&self) -> bool {
        let has_error_bar = |line: &ScoreLine| line.score.is_none_or(|score| score.is_known());
        self.missing.is_empty()
            && self.lines.iter().all(has_error_bar)
            && self.mix.as_ref().is_none_or(ScoredMix::has_all_rows)
    }
}

impl Pairs<'_> {
    /// Scores the other group against the baseline, and as a mix weighs its rows. `weightings` are for at least as many rows as it
    /// has.
    pub fn score(&self, mix: Option<&NamedMix>, weightings: &Weightings) -> Score {
        let (group, baseline) = (self.other, self.baseline);
        let (mut missing, mut allowed) = (Vec::new(), Vec::new());
        let mut scored = Vec::new();
        for (row, pair) in self.rows_of_other() {
            match self.scored(row, pair, &mut allowed) {
                Ok(pair) => scored.push(pair),
                Err(why) => missing.push(format!("{}: {why}", pair.key.in_words())),
            }
        }
        for pair in self.rows.iter().filter(|pair| pair.other.is_none()) {
            missing.push(format!("{}: measured on {} only", pair.key.in_words(), baseline.label));
        }
        let mut notes = group.notes();
        let disturbed = |group: &Group, rows: Vec<usize>| {
            disturbed_note(group, rows.into_iter()).map(|note| format!("{}: {note}", group.label))
        };
        notes.extend(disturbed(group, scored.iter().map(|pair| pair.row).collect()));
        notes.extend(baseline.notes());
        notes.extend(disturbed(baseline, scored.iter().map(|pair| pair.baseline_row).collect()));
        let mut lines = self.lines(&scored, Some(weightings), &[]);
        let mix = mix.map(|mix| {
            let scores = MixScores::of(mix, &scored, group, baseline, weightings);
            lines.extend(scores.lines);
            missing.extend(scores.missing);
            scores.mix
        });
        Score {
            label: group.label.clone(),
            baseline: baseline.label.clone(),
            view: group.view,
            contention: group.contention.clone(),
            lines,
            mix,
            rolling: self.rolling(),
            across: AcrossThreads::of(&scored),
            spreads: group.spreads(),
            cores_times_clock: CoresTimesClock::of(baseline, group),
            notes,
            missing,
            allowed,
        }
    }

    /// The lines of its score, and of those in a ranking, in which the two are given by number, the ones of other rows. Without
    /// weightings nothing says how robust they are. A page has these of each two machines, and nothing else of a score.
    pub fn score_lines(
        &self,
        ranking: Option<(&CommonRows, [usize; 2])>,
        weightings: Option<&Weightings>,
    ) -> (Vec<ScoreLine>, Vec<ScoreLine>) {
        let scored = self.all_scored();
        let of_all = self.lines(&scored, weightings, &[]);
        let of_ranking =
            ranking.map(|ranking| self.ranked(ranking).lines(&scored, weightings, &of_all));
        (of_all, of_ranking.unwrap_or_default())
    }

    /// The lines that the score would have with other ratios of its rows, without the rows that have none: weighed as the score is.
    pub(crate) fn lines_of(
        &self,
        ranking: Option<(&CommonRows, [usize; 2])>,
        ratio: impl Fn(&str, ThreadSpec) -> Option<f64>,
    ) -> Vec<ScoreLine> {
        let mut scored = self.all_scored();
        scored.retain_mut(|pair| {
            let ratio = ratio(&pair.name, pair.threads);
            pair.log = ratio.unwrap_or(1.0).ln();
            ratio.is_some()
        });
        match ranking {
            Some(ranking) => self.ranked(ranking).lines(&scored, None, &[]),
            None => self.lines(&scored, None, &[]),
        }
    }

    /// The two in a ranking, in which they are given by number.
    fn ranked<'a>(&'a self, (common, groups): (&'a CommonRows, [usize; 2])) -> Pairs<'a> {
        let (rows, categories) = (Vec::new(), Vec::new());
        let (baseline, other) = (self.baseline, self.other);
        Pairs { baseline, other, rows, categories, within: None }.within(common, groups)
    }

    /// The rows that can be scored.
    fn all_scored(&self) -> Vec<ScoredPair<'_>> {
        let rows = self.rows_of_other().into_iter();
        rows.filter_map(|(row, pair)| self.scored(row, pair, &mut Vec::new()).ok()).collect()
    }

    /// The rows that the other group has, in its order.
    fn rows_of_other(&self) -> Vec<(usize, &Pair)> {
        let mut rows: Vec<(usize, &Pair)> =
            self.rows.iter().filter_map(|pair| Some((pair.other?, pair))).collect();
        rows.sort_by_key(|(row, _)| *row);
        rows
    }

    /// A row as it is scored, or why it can't be.
    fn scored(
        &self,
        row: usize,
        pair: &Pair,
        allowed: &mut Vec<String>,
    ) -> Result<ScoredPair<'_>, String> {
        let (group, baseline) = (self.other, self.baseline);
        if pair.key.shares_a_stream() {
            return Err("all threads share one stream".to_owned());
        }
        let view = group.rows[row].view.ok_or_else(|| group.why_no_figure(row))?;
        let figure = group.first_figure(row);
        let workload = figure.map_or("", |figure| &figure.workload);
        let family = figure.and_then(|figure| figure.family.as_ref());
        let family = family.map(ToString::to_string).unwrap_or_default();
        let baseline_row =
            pair.baseline.ok_or_else(|| format!("not measured on {}", baseline.label))?;
        if let Some(difference) = &pair.refusal {
            return Err(format!("not comparable, {difference}"));
        }
        let names = pair.differences.iter();
        allowed.extend(names.map(|difference| format!("{}: {difference}", pair.key.in_words())));
        let base = baseline.rows[baseline_row].view.ok_or_else(|| {
            format!("{}: {}", baseline.label, baseline.why_no_figure(baseline_row))
        })?;
        let log = view.interval.centre.ln() - base.interval.centre.ln();
        let (name, threads) = (pair.key.name.clone(), pair.key.threads);
        let series = series(&name);
        Ok(ScoredPair { workload, name, series, family, threads, row, baseline_row, log })
    }

    /// Lines of each category and of all, on each number of threads, without those of as many rows as a known one.
    fn lines(
        &self,
        pairs: &[ScoredPair],
        weightings: Option<&Weightings>,
        known: &[ScoreLine],
    ) -> Vec<ScoreLine> {
        let (group, baseline) = (self.other, self.baseline);
        let mut lines = Vec::new();
        for threads in group.thread_specs() {
            let is_known = |category: &str, rows: &[&ScoredPair]| {
                let mut same = known.iter().filter(|line| line.category == category);
                same.any(|line| line.threads == threads && line.rows == rows.len())
            };
            let mut line = |category: &str, rows: &[&ScoredPair], votes: &Votes| {
                let score = weighted_mean(rows, &votes.weights(rows.len()), group, baseline);
                lines.push(ScoreLine {
                    category: category.to_owned(),
                    threads,
                    rows: rows.len(),
                    score,
                    sides: Sides::of(rows),
                    robustness: weightings
                        .and_then(|weightings| Robustness::of(rows, votes, score, weightings)),
                });
            };
            let spec = threads.to_string();
            let is_ranked = |category: &str| {
                let workloads = self.within.map(|within| within.workloads(category, threads));
                let is_one = |workloads: Option<&BTreeSet<String>>, pair: &ScoredPair| {
                    workloads.is_some_and(|workloads| workloads.contains(&pair.name))
                };
                move |pair: &ScoredPair| workloads.is_none_or(|workloads| is_one(workloads, pair))
            };
            let mut of_spec: Vec<&ScoredPair> =
                pairs.iter().filter(|pair| pair.threads == threads).collect();
            let on_spec = || self.categories.iter().filter(|category| category.is_on(&spec));
            for category in on_spec() {
                let members = category.members();
                let is_in = |pair: &&&ScoredPair| members.contains(pair.workload);
                let is_ranked = is_ranked(&category.name);
                let rows = of_spec.iter().filter(is_in).copied();
                let rows: Vec<&ScoredPair> = rows.filter(|pair| is_ranked(pair)).collect();
                if !is_known(&category.name, &rows) {
                    line(&category.name, &rows, &Votes::of_category(&rows, category));
                }
            }
            let is_ranked = is_ranked(OVERALL);
            of_spec.retain(|pair| is_ranked(pair));
            keep_known_kinds(&mut of_spec);
            if !is_known(OVERALL, &of_spec) {
                line(OVERALL, &of_spec, &Votes::of_all(&of_spec, &on_spec().collect::<Vec<_>>()));
            }
        }
        lines
    }
}

/// A word if rows that are scored rest mostly on disturbed samples.
pub fn disturbed_note(group: &Group, rows: impl Iterator<Item = usize>) -> Option<String> {
    let is_disturbed = |row: &usize| {
        let mut warnings = group.figures(*row).flat_map(RowResult::warnings);
        warnings.any(|warning| matches!(warning, Warning::Disturbed { .. }))
    };
    let rows: Vec<String> =
        rows.filter(is_disturbed).map(|row| group.rows[row].key.in_words()).collect();
    (!rows.is_empty()).then(|| {
        let (count, rows) = (counted(rows.len(), "row"), rows.join(", "));
        format!("most samples of {count} were disturbed: {rows}")
    })
}
