//! The rows of two groups, matched and refused once. What is said of two groups, row by row or as a score, is a function of this.

use super::common_rows::CommonRows;
use super::group::Group;
use super::must_match::MustMatch;
use super::pair::Pair;
use catalog::Category;
use record::ThreadSpec;
use std::collections::BTreeSet;

/// Two groups with their rows matched: in the baseline's order, then what only the other has.
#[derive(Clone)]
pub struct Pairs<'a> {
    /// The baseline.
    pub baseline: &'a Group,
    /// The numerator of all ratios.
    pub other: &'a Group,
    /// Every row that one of them has.
    pub rows: Vec<Pair>,
    /// Those that scores are of: the other's.
    pub(super) categories: Vec<Category>,
    /// The ranking that scores are of, if they are of one.
    pub(super) within: Option<Within<'a>>,
}

/// A ranking that two of its groups, given by number, are scored in.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    common: &'a CommonRows,
    groups: [usize; 2],
}

impl<'a> Within<'a> {
    /// The workloads that count in a category; `None` where one of the two is not ranked.
    pub fn workloads(self, category: &str, threads: ThreadSpec) -> Option<&'a BTreeSet<String>> {
        self.common.workloads(category, threads, self.groups)
    }
}

impl<'a> Pairs<'a> {
    /// Matches the rows of a group with those of a baseline; these kinds of difference are allowed.
    pub fn of(baseline: &'a Group, other: &'a Group, allow: &[MustMatch]) -> Self {
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

    /// Scored by the rows of a ranking only, and weighed as all in it. The two are given by number.
    #[must_use]
    pub fn within(mut self, common: &'a CommonRows, groups: [usize; 2]) -> Self {
        self.within = Some(Within { common, groups });
        self.categories.clone_from(&common.categories);
        self
    }
}
