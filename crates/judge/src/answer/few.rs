//! Scores that rest on few of the rows that were measured.

use crate::compare::{Comparison, Row};
use record::ThreadSpec;

/// A score over fewer than this part of the rows says little of the rest.
const LEAST_ROWS: f64 = 0.5;

/// Says so where the score of a comparison rests on few of the rows that were measured on as many threads.
pub fn few_rows(comparison: &Comparison, threads: ThreadSpec) -> Option<String> {
    let scored = count(comparison, threads, |row| row.ratio.is_some());
    let rows = count(comparison, threads, |_| true);
    let on = threads.in_words();
    (scored > 0 && (scored as f64) < LEAST_ROWS * rows as f64)
        .then(|| format!("Only {scored} of {rows} workloads on {on} could be compared."))
}

fn count(comparison: &Comparison, threads: ThreadSpec, is_it: impl Fn(&Row) -> bool) -> usize {
    comparison.rows.iter().filter(|row| row.threads == threads && is_it(row)).count()
}
