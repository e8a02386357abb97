//! Scores: geometric means per category and overall, with intervals.
//!
//! The rows of a run share the machine's good and bad moments, so their errors do not average out over rows as
//! independent ones would. The interval therefore comes from what the rows have in common: how far each round, or each
//! host of a group, lay above or below the rows' own centres.

use super::allow::Allow;
use super::contention::Contention;
use super::cores_times_clock::CoresTimesClock;
use super::group::Group;
use super::robustness::{Robustness, Weightings};
use super::row::differences;
use super::sheet::RowResult;
use super::score_line::{ScoreLine, geometric_mean};
use super::scored_pair::ScoredPair;
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

/// Scores a group against a baseline, and as a mix weighs its rows. `weightings` are for as many rows as
/// the group has at least.
pub fn score(
    group: &Group,
    baseline: &Group,
    allow: &[Allow],
    mix: Option<&Mix>,
    weightings: &Weightings,
) -> Score {
    let (mut missing, mut allowed) = (Vec::new(), Vec::new());
    let mut pairs = Vec::new();
    for row in 0..group.rows.len() {
        match pair(group, row, baseline, allow, &mut allowed) {
            Ok(pair) => pairs.push(pair),
            Err(why) => missing.push(format!("{}: {why}", group.rows[row].key.in_words())),
        }
    }
    for row in &baseline.rows {
        if group.find(&row.key).is_none() {
            missing.push(format!("{}: measured on {} only", row.key.in_words(), baseline.label));
        }
    }
    let mut notes = group.notes();
    let of = |group: &Group, rows: Vec<usize>| {
        disturbed_note(group, rows.into_iter()).map(|note| format!("{}: {note}", group.label))
    };
    notes.extend(of(group, pairs.iter().map(|pair| pair.row).collect()));
    notes.extend(baseline.notes());
    notes.extend(of(baseline, pairs.iter().map(|pair| pair.baseline_row).collect()));
    let mut lines = lines(group, baseline, &pairs, weightings);
    for threads in group.thread_specs() {
        let Some(mix) = mix else { continue };
        let rows: Vec<&ScoredPair> = pairs.iter().filter(|pair| pair.threads == threads).collect();
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

/// A row in both groups, or why it can't be scored.
fn pair<'a>(
    group: &'a Group,
    row: usize,
    baseline: &Group,
    allow: &[Allow],
    allowed: &mut Vec<String>,
) -> Result<ScoredPair<'a>, String> {
    let key = &group.rows[row].key;
    let view = group.rows[row].view.ok_or_else(|| group.why_no_figure(row))?;
    let workload = group.first_figure(row).map_or("", |figure| &figure.workload);
    let baseline_row =
        baseline.find(key).ok_or_else(|| format!("not measured on {}", baseline.label))?;
    let found = differences((baseline, baseline_row), (group, row));
    if let Some(difference) = found.iter().find(|d| !allow.contains(&d.kind)) {
        return Err(format!("not comparable, {difference}"));
    }
    allowed.extend(found.iter().map(|difference| format!("{}: {difference}", key.in_words())));
    let base = baseline.rows[baseline_row].view;
    let base = base
        .ok_or_else(|| format!("{}: {}", baseline.label, baseline.why_no_figure(baseline_row)))?;
    let log = view.interval.centre.ln() - base.interval.centre.ln();
    let (name, threads) = (key.name.clone(), key.threads);
    Ok(ScoredPair { workload, name, threads, row, baseline_row, log })
}
