//! A row of two groups, matched and refused.

use super::group::Group;
use super::must_match::{Difference, MustMatch};
use super::sheet::RowKey;

/// A row of two groups.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Its name in both.
    pub key: RowKey,
    /// Its index in the baseline, if that has it.
    pub baseline: Option<usize>,
    /// Its index in the other.
    pub other: Option<usize>,
    /// Properties that must match but differ, between the two groups or within one of them.
    pub differences: Vec<Difference>,
    /// The first difference that is not allowed: then the row is not comparable.
    pub refusal: Option<Difference>,
}

impl Pair {
    /// The row of a key in two groups.
    pub fn of(baseline: &Group, other: &Group, key: &RowKey, allow: &[MustMatch]) -> Self {
        let rows = (baseline.find(key), other.find(key));
        let differences = match rows {
            (Some(row), Some(of_other)) => differences((baseline, row), (other, of_other)),
            _ => Vec::new(),
        };
        let refusal =
            differences.iter().find(|difference| !allow.contains(&difference.kind)).cloned();
        Self { key: key.clone(), baseline: rows.0, other: rows.1, differences, refusal }
    }

    /// Its indices, where both groups have it.
    pub fn both(&self) -> Option<(usize, usize)> {
        self.baseline.zip(self.other)
    }
}

fn differences(
    (baseline, row): (&Group, usize),
    (other, of_other): (&Group, usize),
) -> Vec<Difference> {
    let between = baseline.first_figure(row).zip(other.first_figure(of_other));
    let mut found = between.map(|(a, b)| a.identity.differences(&b.identity)).unwrap_or_default();
    for difference in baseline.rows[row].differences.iter().chain(&other.rows[of_other].differences)
    {
        if !found.contains(difference) {
            found.push(difference.clone());
        }
    }
    found
}
