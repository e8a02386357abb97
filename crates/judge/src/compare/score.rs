//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out over rows as
//! independent ones would. The interval therefore comes from what the rows have in common: how far each round, or each
//! host of a group, lay above or below the rows' own centres.

use super::contention::Contention;
use super::cores_times_clock::CoresTimesClock;
use super::group::Group;
use super::pairs::{Pair, Pairs};
use super::robustness::{Robustness, Weightings};
use super::score_line::{ScoreLine, geometric_mean};
use super::scored_pair::ScoredPair;
use super::sheet::RowResult;
use super::spread::Spread;
use super::weighted::mix_line;
use catalog::{Mix, OVERALL};
use estimate::{ViewKind, Warning};
use serde::Serialize;

/// A group's scores against a baseline: of rows in several units only ratios have a mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// What is scored.
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
    /// How the group's runs differ; empty for a single run.
    pub spreads: Vec<Spread>,
    /// What cores and clock alone would make of it, where both are known.
    pub cores_times_clock: Option<CoresTimesClock>,
    /// What must be known of the group and its baseline before anything else is believed.
    pub notes: Vec<String>,
    /// Rows that are in no score, each with the reason.
    pub missing: Vec<String>,
    /// Rows whose differences were allowed, each with what differs.
    pub allowed: Vec<String>,
}

impl Score {
    /// Whether it is below 1 over all rows on the most threads.
    pub fn is_behind(&self) -> bool {
        let overall = self.lines.iter().filter(|line| line.category == OVERALL);
        let most = overall.filter(|line| line.score.is_some()).max_by_key(|line| line.threads);
        most.and_then(|line| line.score).is_some_and(|score| score.centre < 1.0)
    }

    /// Whether all rows are in it, and every score that there is has an error bar.
    pub fn is_whole(&self) -> bool {
        let has_error_bar = |line: &ScoreLine| line.score.is_none_or(|score| score.is_known());
        self.missing.is_empty() && self.lines.iter().all(has_error_bar)
    }
}

impl Pairs<'_> {
    /// Scores the other group against the baseline, and as a mix weighs its rows. `weightings` are for at least as many rows as it
    /// has.
    pub fn score(&self, mix: Option<&Mix>, weightings: &Weightings) -> Score {
        let (group, baseline) = (self.other, self.baseline);
        let (mut missing, mut allowed) = (Vec::new(), Vec::new());
        let mut scored = Vec::new();
        let mut of_group: Vec<(usize, &Pair)> =
            self.rows.iter().filter_map(|pair| Some((pair.other?, pair))).collect();
        of_group.sort_by_key(|(row, _)| *row);
        for (row, pair) in of_group {
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
        let mut lines = lines(group, baseline, &scored, weightings);
        for threads in group.thread_specs() {
            let Some(mix) = mix else { continue };
            let rows: Vec<&ScoredPair> =
                scored.iter().filter(|pair| pair.threads == threads).collect();
            match mix_line(mix, &rows, threads, (group, baseline), weightings) {
                Ok(line) => lines.push(line),
                Err(why) => missing.push(format!("the mix, {}: {why}", threads.in_words())),
            }
        }
        Score {
            label: group.label.clone(),
            baseline: baseline.label.clone(),
            view: group.view,
            contention: group.contention.clone(),
            lines,
            spreads: group.spreads(),
            cores_times_clock: CoresTimesClock::of(baseline, group),
            notes,
            missing,
            allowed,
        }
    }

    /// A row as it is scored, or why it can't be.
    fn scored(
        &self,
        row: usize,
        pair: &Pair,
        allowed: &mut Vec<String>,
    ) -> Result<ScoredPair<'_>, String> {
        let (group, baseline) = (self.other, self.baseline);
        let view = group.rows[row].view.ok_or_else(|| group.why_no_figure(row))?;
        let workload = group.first_figure(row).map_or("", |figure| &figure.workload);
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
        Ok(ScoredPair { workload, name, threads, row, baseline_row, log })
    }
}

fn lines(
    group: &Group,
    baseline: &Group,
    pairs: &[ScoredPair],
    weightings: &Weightings,
) -> Vec<ScoreLine> {
    let mut lines = Vec::new();
    let categories = group.categories();
    for threads in group.thread_specs() {
        let mut line = |category: &str, rows: &[&ScoredPair]| {
            let weights = vec![1.0; rows.len()];
            let score = geometric_mean(rows, &weights, group, baseline);
            lines.push(ScoreLine {
                category: category.to_owned(),
                threads,
                rows: rows.len(),
                score,
                robustness: Robustness::of(rows, &weights, score, weightings),
            });
        };
        let spec = threads.to_string();
        let of_spec: Vec<&ScoredPair> =
            pairs.iter().filter(|pair| pair.threads == threads).collect();
        for category in categories.iter().filter(|category| category.is_on(&spec)) {
            let members = category.members();
            let is_in = |pair: &&&ScoredPair| members.contains(pair.workload);
            let rows: Vec<&ScoredPair> = of_spec.iter().filter(is_in).copied().collect();
            line(&category.name, &rows);
        }
        line(OVERALL, &of_spec);
    }
    lines
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
        let (count, rows) = (rows.len(), rows.join(", "));
        format!("most samples of {count} rows were disturbed: {rows}")
    })
}
