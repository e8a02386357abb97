//! Scores of a variant: geometric means of the ratios of pairs.

use super::robustness::{Robustness, Weightings};
use super::score_line::{ScoreLine, Sides};
use super::scored_pair::ScoredPair;
use super::variants::{VariantComparison, VariantRow};
use super::votes::{Votes, series};
use catalog::{Category, OVERALL};
use record::ThreadSpec;
use stats::Interval;

/// A variant's scores against the baseline of a comparison, per category and overall, for each number of threads. Pairs are of
/// the same moments, so that rows have no error in common, and their errors average out.
pub fn variant_lines(
    comparison: &VariantComparison,
    variant: &str,
    categories: &[Category],
    weightings: &Weightings,
) -> Vec<ScoreLine> {
    let rows: Vec<&VariantRow> =
        comparison.rows.iter().filter(|row| row.variant == variant).collect();
    let mut specs: Vec<ThreadSpec> = Vec::new();
    for row in &rows {
        if !specs.contains(&row.threads) {
            specs.push(row.threads);
        }
    }
    let mut lines = Vec::new();
    for threads in specs {
        let of_spec = || rows.iter().filter(|row| row.threads == threads).copied();
        for category in categories.iter().filter(|category| category.is_on(&threads.to_string())) {
            let members = category.members();
            let is_in = |row: &&VariantRow| members.contains(row.workload.as_str());
            let votes = |rows: &[&ScoredPair]| Votes::of_category(rows, category);
            lines.push(line(&category.name, threads, of_spec().filter(is_in), votes, weightings));
        }
        let on_spec: Vec<&Category> =
            categories.iter().filter(|category| category.is_on(&threads.to_string())).collect();
        let votes = |rows: &[&ScoredPair]| Votes::of_all(rows, &on_spec);
        lines.push(line(OVERALL, threads, of_spec(), votes, weightings));
    }
    lines
}

fn line<'a>(
    category: &str,
    threads: ThreadSpec,
    rows: impl Iterator<Item = &'a VariantRow>,
    votes: impl Fn(&[&ScoredPair]) -> Votes,
    weightings: &Weightings,
) -> ScoreLine {
    let judged: Vec<(&VariantRow, Interval)> =
        rows.filter_map(|row| Some((row, row.ratio.as_ref()?.interval))).collect();
    let intervals: Vec<Interval> = judged.iter().map(|(_, interval)| *interval).collect();
    let pairs: Vec<ScoredPair> = judged
        .iter()
        .map(|(row, interval)| ScoredPair {
            workload: &row.workload,
            name: row.workload.clone(),
            series: series(&row.workload),
            family: String::new(),
            threads,
            row: 0,
            baseline_row: 0,
            log: interval.centre.ln(),
        })
        .collect();
    let pairs: Vec<&ScoredPair> = pairs.iter().collect();
    let votes = votes(&pairs);
    let score = Interval::of_weighted_mean(&intervals, &votes.weights(pairs.len()));
    let robustness = Robustness::of(&pairs, &votes, score, weightings);
    let (category, sides) = (category.to_owned(), Sides::of(&pairs));
    ScoreLine { category, threads, rows: pairs.len(), score, sides, robustness }
}
