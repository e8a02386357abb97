//! How much each row counts in a score: one operation is one vote, however many sizes and levels of it were measured.

use super::scored_pair::ScoredPair;
use catalog::Category;
use serde::Serialize;
use std::collections::BTreeMap;

/// A smaller share of the weights is lost in rounding.
const LEAST_REST: f64 = 1e-9;

/// A score without one of its workloads or categories.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Left {
    /// The workload that is left out, without its size or level where it has several; `all of` a category.
    pub without: String,
    /// How many rows that are.
    pub rows: usize,
    /// The score of the other rows.
    pub score: f64,
}

/// Rows that are scored together: those of a category, or of all.
pub(super) struct Votes {
    /// Categories, which count the same.
    sets: Vec<Set>,
}

struct Set {
    name: String,
    /// Each row with how much it counts among the others.
    rows: Vec<(usize, f64)>,
    /// By operation (of an implementation).
    operations: BTreeMap<String, Sum>,
    all: Sum,
}

/// Logarithms times how much they count, and how much that is together.
#[derive(Clone, Copy, Default)]
struct Sum {
    logs: f64,
    units: f64,
}

impl Votes {
    /// Over categories, as the suite has them; rows of none count as their families. A row of several categories counts in each.
    /// All rows count the same where every category is flat.
    pub fn of_all(rows: &[&ScoredPair], categories: &[&Category]) -> Self {
        if !categories.is_empty() && categories.iter().all(|category| category.is_flat) {
            let sets = vec![Set::of("all".to_owned(), true, rows, (0..rows.len()).collect())];
            return Self { sets };
        }
        let mut is_in_category = vec![false; rows.len()];
        let mut sets: Vec<Set> = Vec::new();
        for category in categories {
            let members = category.members();
            let is_in = |index: &usize| members.contains(rows[*index].workload);
            let indices: Vec<usize> = (0..rows.len()).filter(is_in).collect();
            indices.iter().for_each(|index| is_in_category[*index] = true);
            sets.push(Set::of(category.name.clone(), category.is_flat, rows, indices));
        }
        let mut rest: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, pair) in rows.iter().enumerate().filter(|(index, _)| !is_in_category[*index]) {
            rest.entry(&pair.family).or_default().push(index);
        }
        let rest =
            rest.into_iter().map(|(name, indices)| Set::of(name.to_owned(), false, rows, indices));
        sets.extend(rest);
        sets.retain(|set| !set.rows.is_empty());
        Self { sets }
    }

    /// A single category is one set.
    pub fn of_category(rows: &[&ScoredPair], category: &Category) -> Self {
        let indices = (0..rows.len()).collect();
        Self { sets: vec![Set::of(category.name.clone(), category.is_flat, rows, indices)] }
    }

    /// One set of all rows, with given weights.
    pub fn weighted(rows: &[&ScoredPair], weights: &[f64]) -> Self {
        let units = weights.iter().copied().enumerate().collect();
        Self { sets: vec![Set::counted(String::new(), rows, units)] }
    }

    /// The weight of each of so many rows; weights sum up to 1.
    pub fn weights(&self, count: usize) -> Vec<f64> {
        let mut weights = vec![0.0; count];
        for set in &self.sets {
            for (row, unit) in &set.rows {
                weights[*row] += unit / (set.all.units * self.sets.len() as f64);
            }
        }
        weights
    }

    /// The mean of the rows' logarithms when each operation is left out, with all its sizes and levels, and each category; none
    /// when nothing is left. An operation or category that is left out gives its vote to the others.
    pub fn lefts(&self, rows: &[&ScoredPair]) -> Vec<Left> {
        let count = self.sets.len() as f64;
        let all: f64 = self.sets.iter().map(|set| set.all.mean()).sum();
        // Sizes and levels of a workload rise and fall together: one of them left out would say little.
        let mut apart: BTreeMap<&str, Vec<&ScoredPair>> = BTreeMap::new();
        for pair in rows {
            apart.entry(&pair.series).or_default().push(pair);
        }
        let mut found = Vec::new();
        for (operation, pairs) in &apart {
            let (mut sum, mut sets) = (all, count);
            for set in &self.sets {
                let Some(theirs) = set.operations.get(*operation) else { continue };
                sum -= set.all.mean();
                let rest = set.all.without(theirs);
                if rest.units > set.all.units * LEAST_REST {
                    sum += rest.mean();
                } else {
                    sets -= 1.0;
                }
            }
            let without =
                if let [pair] = pairs[..] { pair.name.clone() } else { (*operation).to_owned() };
            let score = (sum / sets).exp();
            found.extend((sets > 0.5).then_some(Left { without, rows: pairs.len(), score }));
        }
        for set in self.sets.iter().filter(|_| count > 1.0) {
            let score = ((all - set.all.mean()) / (count - 1.0)).exp();
            let without = format!("all of {}", set.name);
            found.push(Left { without, rows: set.rows.len(), score });
        }
        found
    }
}

impl Set {
    /// Operations count the same, with all their rows; of a flat one rows do.
    fn of(name: String, is_flat: bool, rows: &[&ScoredPair], indices: Vec<usize>) -> Self {
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for index in &indices {
            *sizes.entry(&rows[*index].series).or_default() += 1;
        }
        let unit = |index: usize| match is_flat {
            true => 1.0,
            false => 1.0 / sizes[rows[index].series.as_str()] as f64,
        };
        Self::counted(name, rows, indices.into_iter().map(|index| (index, unit(index))).collect())
    }

    fn counted(name: String, rows: &[&ScoredPair], units: Vec<(usize, f64)>) -> Self {
        let mut operations: BTreeMap<String, Sum> = BTreeMap::new();
        let mut all = Sum::default();
        for (index, unit) in &units {
            let operation = operations.entry(rows[*index].series.clone()).or_default();
            for sum in [operation, &mut all] {
                sum.logs += unit * rows[*index].log;
                sum.units += unit;
            }
        }
        Self { name, rows: units, operations, all }
    }
}

impl Sum {
    fn mean(&self) -> f64 {
        self.logs / self.units
    }

    fn without(&self, other: &Self) -> Self {
        Self { logs: self.logs - other.logs, units: self.units - other.units }
    }
}

/// A workload's name without sizes (`8KiB`, `16B`) and without a level at the end of its operation.
pub(super) fn series(workload: &str) -> String {
    let (operation, rest) = workload.split_once('/').unwrap_or((workload, ""));
    let parts: Vec<&str> = operation.split('-').collect();
    let last = parts.len() - 1;
    let is_size = |part: &str| {
        let unit = part.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < part.len() && matches!(unit, "B" | "KiB" | "MiB" | "GiB")
    };
    let is_level = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let kept = parts.iter().enumerate().filter(|(index, part)| {
        *index == 0 || !(is_size(part) || (*index == last && is_level(part)))
    });
    let kept: Vec<&str> = kept.map(|(_, part)| *part).collect();
    format!("{}/{rest}", kept.join("-")).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<'a>(name: &'a str, family: &str) -> ScoredPair<'a> {
        ScoredPair {
            workload: name,
            name: name.to_owned(),
            series: series(name),
            family: family.to_owned(),
            threads: record::ThreadSpec::All,
            row: 0,
            baseline_row: 0,
            log: 0.0,
        }
    }

    fn category(name: &str, is_flat: bool, workloads: &[&str]) -> Category {
        let workloads = workloads.iter().map(ToString::to_string).collect();
        Category { name: name.to_owned(), threads: Vec::new(), is_flat, workloads }
    }

    const NAMES: [&str; 6] =
        ["sm4-16B/x", "sm4-1KiB/x", "sm4-8KiB/x", "aes-1KiB/x", "gzip-1/z", "gzip-9/z"];

    fn votes(categories: &[Category], logs: [f64; 6]) -> (Vec<f64>, Vec<Left>) {
        let rows = NAMES.map(|name| row(name, if name.starts_with('g') { "z" } else { "c" }));
        let mut rows = Vec::from(rows);
        rows.iter_mut().zip(logs).for_each(|(row, log)| row.log = log);
        let rows: Vec<&ScoredPair> = rows.iter().collect();
        let categories: Vec<&Category> = categories.iter().collect();
        let votes = Votes::of_all(&rows, &categories);
        (votes.weights(NAMES.len()), votes.lefts(&rows))
    }

    #[test]
    fn an_operation_has_one_vote_in_its_category_and_a_category_one_in_all() {
        let twelfth = 1.0 / 12.0;
        let expected = [twelfth, twelfth, twelfth, 0.25, 0.25, 0.25];
        let named = [category("c", false, &NAMES[..4]), category("z", false, &NAMES[4..])];
        for categories in [&named[..], &[]] {
            let (found, _) = votes(categories, [0.0; 6]);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
    }

    #[test]
    fn rows_of_a_flat_suite_count_the_same() {
        let flat = [category("c", true, &NAMES[..4]), category("z", true, &NAMES[4..])];
        let (found, _) = votes(&flat, [0.0; 6]);
        assert!(found.iter().all(|weight| (weight - 1.0 / 6.0).abs() < 1e-12));
        let half = [category("c", true, &NAMES[..4]), category("z", false, &NAMES[4..])];
        assert!((votes(&half, [0.0; 6]).0[0] - 0.125).abs() < 1e-12);
    }

    #[test]
    fn a_workload_is_the_same_at_every_size_and_level() {
        for (name, expected) in [
            ("sm4-cbc-16384B/openssl", "sm4-cbc/openssl"),
            ("aes-128-gcm-seal-8KiB/go", "aes-128-gcm-seal/go"),
            ("sha-256-16KiB/openssl", "sha-256/openssl"),
            ("brotli-11/brotli", "brotli/brotli"),
            ("compress-14/zstd", "compress/zstd"),
            ("gzip-6-flush/zlib-ng", "gzip-6-flush/zlib-ng"),
            ("sha-256-x/openssl", "sha-256-x/openssl"),
            ("8KiB", "8KiB"),
        ] {
            assert_eq!(series(name), expected);
        }
    }

    #[test]
    fn what_is_left_out_gives_its_vote_to_the_others() {
        // c: sm4 (2, at three sizes) and aes (−1). z: gzip (0.5, at two levels).
        let (_, lefts) = votes(&[], [2.0, 2.0, 2.0, -1.0, 0.5, 0.5]);
        let found: Vec<(&str, usize, f64)> = lefts
            .iter()
            .map(|left| (left.without.as_str(), left.rows, (left.score.ln() * 1e6).round() / 1e6))
            .collect();
        assert_eq!(
            found,
            [
                ("aes-1KiB/x", 1, 1.25),
                ("gzip/z", 2, 0.5),
                ("sm4/x", 3, -0.25),
                ("all of c", 4, 0.5),
                ("all of z", 2, 0.5),
            ]
        );
    }
}
