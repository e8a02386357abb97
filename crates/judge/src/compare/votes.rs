//! How much each row counts in a score: one operation is one vote, however many sizes and levels of it were measured.

use super::robustness::series;
use super::scored_pair::ScoredPair;
use catalog::Category;
use std::collections::BTreeMap;

/// Rows that are scored together: those of a category, or of all.
pub(super) struct Votes {
    /// Sets that count the same, each with what it is called and whether its rows do.
    sets: Vec<Set>,
}

struct Set {
    name: String,
    is_flat: bool,
    /// Rows, each with its operation.
    rows: Vec<(usize, String)>,
}

impl Votes {
    /// Over categories, as the suite has them; rows of none count as their families. A row of several categories counts in each.
    /// All rows count the same where every category is flat.
    pub fn of_all(rows: &[&ScoredPair], categories: &[&Category]) -> Self {
        if !categories.is_empty() && categories.iter().all(|category| category.is_flat) {
            return Self { sets: vec![Set::of("all".to_owned(), true, rows, |_| true)] };
        }
        let mut sets: Vec<Set> = Vec::new();
        let mut rest: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for category in categories {
            let members = category.members();
            let is_in = |pair: &ScoredPair| members.contains(pair.workload);
            sets.push(Set::of(category.name.clone(), category.is_flat, rows, is_in));
        }
        for (place, pair) in rows.iter().enumerate() {
            if !sets.iter().any(|set| set.rows.iter().any(|(row, _)| *row == place)) {
                rest.entry(pair.family.clone()).or_default().push(place);
            }
        }
        sets.extend(rest.into_iter().map(|(name, places)| {
            let rows = places.into_iter().map(|place| (place, series(&rows[place].name)));
            Set { name, is_flat: false, rows: rows.collect() }
        }));
        sets.retain(|set| !set.rows.is_empty());
        Self { sets }
    }

    /// Of one category.
    pub fn of_category(rows: &[&ScoredPair], category: &Category) -> Self {
        let set = Set::of(category.name.clone(), category.is_flat, rows, |_| true);
        Self { sets: vec![set] }
    }

    /// The weight of each of so many rows; weights sum up to 1. Rows that are left out have none, and a category or operation of
    /// which no row is left has no vote.
    pub fn weights(&self, count: usize, is_left_out: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut weights = vec![0.0; count];
        let is_left = |row: &&(usize, String)| !is_left_out(row.0);
        let sets: Vec<(&Set, Vec<&(usize, String)>)> = self
            .sets
            .iter()
            .map(|set| (set, set.rows.iter().filter(is_left).collect()))
            .filter(|(_, rows): &(_, Vec<_>)| !rows.is_empty())
            .collect();
        for (set, rows) in &sets {
            let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
            rows.iter().for_each(|(_, operation)| *sizes.entry(operation).or_default() += 1);
            for (row, operation) in rows {
                let within = match set.is_flat {
                    true => rows.len() as f64,
                    false => (sizes.len() * sizes[operation.as_str()]) as f64,
                };
                weights[*row] += 1.0 / (within * sets.len() as f64);
            }
        }
        weights
    }

    /// Its categories, where it has more than one, each with its rows.
    pub fn categories(&self) -> impl Iterator<Item = (&str, Vec<usize>)> {
        let several = self.sets.iter().filter(|_| self.sets.len() > 1);
        several.map(|set| (set.name.as_str(), set.rows.iter().map(|(row, _)| *row).collect()))
    }
}

impl Set {
    fn of(
        name: String,
        is_flat: bool,
        rows: &[&ScoredPair],
        is_in: impl Fn(&ScoredPair) -> bool,
    ) -> Self {
        let members = rows.iter().enumerate().filter(|(_, pair)| is_in(pair));
        let rows = members.map(|(place, pair)| (place, series(&pair.name))).collect();
        Self { name, is_flat, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<'a>(name: &'a str, family: &str) -> ScoredPair<'a> {
        ScoredPair {
            workload: name,
            name: name.to_owned(),
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

    fn weights(categories: &[Category], is_left_out: impl Fn(usize) -> bool) -> Vec<f64> {
        let rows =
            NAMES.map(|name| row(name, if name.starts_with('g') { "compress" } else { "c" }));
        let rows: Vec<&ScoredPair> = rows.iter().collect();
        let categories: Vec<&Category> = categories.iter().collect();
        Votes::of_all(&rows, &categories).weights(NAMES.len(), is_left_out)
    }

    #[test]
    fn an_operation_has_one_vote_in_its_category_and_a_category_one_in_all() {
        let sixth = 1.0 / 12.0;
        let expected = [sixth, sixth, sixth, 0.25, 0.25, 0.25];
        let named = [category("c", false, &NAMES[..4]), category("z", false, &NAMES[4..])];
        for categories in [&named[..], &[]] {
            let found = weights(categories, |_| false);
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
        }
    }

    #[test]
    fn rows_of_a_flat_suite_count_the_same() {
        let flat = [category("c", true, &NAMES[..4]), category("z", true, &NAMES[4..])];
        assert!(weights(&flat, |_| false).iter().all(|weight| (weight - 1.0 / 6.0).abs() < 1e-12));
        let half = [category("c", true, &NAMES[..4]), category("z", false, &NAMES[4..])];
        assert!((weights(&half, |_| false)[0] - 0.125).abs() < 1e-12);
    }

    #[test]
    fn what_is_left_out_gives_its_vote_to_the_others_of_its_category() {
        let found = weights(&[], |row| row < 3);
        assert_eq!(found, [0.0, 0.0, 0.0, 0.5, 0.25, 0.25]);
        assert_eq!(weights(&[], |row| row < 4)[4], 0.5);
        assert!(weights(&[], |_| true).iter().all(|weight| *weight == 0.0));
    }
}
