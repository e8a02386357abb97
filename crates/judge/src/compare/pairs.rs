//! The rows of two groups, matched and refused once. What is said of two groups, row by row or as a score, is a function of this.

use super::allow::{Allow, Difference};
use super::common_rows::Within;
use super::group::Group;
use super::sheet::RowKey;
use catalog::Category;

/// Two groups with their rows matched: in the baseline's order, then what only the other has.
#[derive(Clone)]
pub struct Pairs<'a> {
    /// The baseline.
    pub baseline: &'a Group,
    /// What is held against it.
    pub other: &'a Group,
    /// Every row that one of them has.
    pub rows: Vec<Pair>,
    /// Those that scores are of: the other's.
    pub(super) categories: Vec<Category>,
    /// The ranking that scores are of, if they are of one.
    pub(super) within: Option<Within<'a>>,
}

/// A row of two groups.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Its name in both.
    pub key: RowKey,
    /// Its index in the baseline, if that has it.
    pub baseline: Option<usize>,
    /// Its index in the other.
    pub other: Option<usize>,
    /// What must match and doesn't, between the two or within one of them.
    pub differences: Vec<Difference>,
    /// The first difference that is not allowed: then the row is not comparable.
    pub refusal: Option<Difference>,
}

impl Pair {
    /// The row of a key in two groups.
    pub fn of(baseline: &Group, other: &Group, key: &RowKey, allow: &[Allow]) -> Self {
        let rows = (baseline.find(key), other.find(key));
        let differences = match rows {
            (Some(row), Some(of_other)) => differences((baseline, row), (other, of_other)),
            _ => Vec::new(),
        };
        let refusal = differences.iter().find(|of| !allow.contains(&of.kind)).cloned();
        Self { key: key.clone(), baseline: rows.0, other: rows.1, differences, refusal }
    }

    /// Its indices, where both groups have it.
    pub fn both(&self) -> Option<(usize, usize)> {
        self.baseline.zip(self.other)
    }
}

impl<'a> Pairs<'a> {
    /// Matches the rows of a group with those of a baseline; these kinds of difference are allowed.
    pub fn of(baseline: &'a Group, other: &'a Group, allow: &[Allow]) -> Self {
        let only_other = other.rows.iter().filter(|row| baseline.find(&row.key).is_none());
        let keys = baseline.rows.iter().chain(only_other).map(|row| &row.key);
        let rows = keys.map(|key| Pair::of(baseline, other, key, allow)).collect();
        Self { baseline, other, rows, categories: other.categories(), within: None }
    }

    /// Without rows in which many threads share one stream: a machine that is paid for carries a stream on each.
    #[must_use]
    pub fn without_shared_streams(mut self) -> Self {
        self.rows.retain(|pair| !pair.key.shares_a_stream());
        self
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
