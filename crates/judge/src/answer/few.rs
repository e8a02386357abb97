//! Scores that rest on few of the rows that were measured.

use crate::compare::{Comparison, Row};
use record::ThreadSpec;

/// A score over fewer than this part of the rows says little of the rest.
const LEAST_ROWS: f64 = 0.5;

/// Whether so many rows are too few of those that there are for a score to stand for all.
pub(super) fn are_few(scored: usize, of: usize) -> bool {
    (scored as f64) < LEAST_ROWS * of as f64
}

/// Says so where the score of a comparison rests on few of the rows that were measured on as many threads.
pub fn few_rows(comparison: &Comparison, threads: ThreadSpec) -> Option<String> {
    let scored = count(comparison, threads, |row| row.ratio.is_some());
    let rows = count(comparison, threads, |_| true);
    let on = threads.in_words();
    (scored > 0 && are_few(scored, rows))
        .then(|| format!("Only {scored} of {rows} workloads on {on} could be compared."))
}

/// Whether the two have enough comparable rows, of those that both measured, for a place in a ranking.
pub fn has_place(comparison: &Comparison, threads: ThreadSpec) -> bool {
    let measured = [
        count(comparison, threads, |row| row.baseline.is_some()),
        count(comparison, threads, |row| row.other.is_some()),
    ];
    let scored = count(comparison, threads, |row| row.ratio.is_some());
    !are_few(scored, measured[0].min(measured[1]))
}

fn count(comparison: &Comparison, threads: ThreadSpec, is_it: impl Fn(&Row) -> bool) -> usize {
    comparison.rows.iter().filter(|row| row.threads == threads && is_it(row)).count()
}
