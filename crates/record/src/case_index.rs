//! Finds a run's records by their case, so that looking at every case takes no longer than reading the file once.

use super::records::{Imported, Launch, Outcome};
use super::sample::Sample;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A record that belongs to a case.
pub(super) trait OfCase {
    fn case(&self) -> usize;
}

impl OfCase for Launch {
    fn case(&self) -> usize {
        self.case
    }
}

impl OfCase for Sample {
    fn case(&self) -> usize {
        self.case
    }
}

impl OfCase for Outcome {
    fn case(&self) -> usize {
        self.case
    }
}

impl OfCase for Imported {
    fn case(&self) -> usize {
        self.case
    }
}

/// Where the records of each case are in a list. It is made when it is first needed, and is no part of the run's content.
#[derive(Debug, Default)]
pub(super) struct CaseIndex(OnceLock<Places>);

#[derive(Debug)]
struct Places {
    /// How many records there were.
    records: usize,
    /// Case → the indices of its records, in order.
    of_case: BTreeMap<usize, Vec<usize>>,
}

impl CaseIndex {
    /// The records of a case, in order. A list that has grown or shrunk since is searched from start to end.
    pub fn find<'a, T: OfCase>(
        &'a self,
        records: &'a [T],
        case: usize,
    ) -> impl Iterator<Item = &'a T> {
        let places = self.0.get_or_init(|| Places::of(records));
        let is_current = places.records == records.len();
        let known = places.of_case.get(&case).filter(|_| is_current);
        let searched = if is_current { &[] } else { records };
        known
            .into_iter()
            .flatten()
            .map(|place| &records[*place])
            .chain(searched)
            .filter(move |record| record.case() == case)
    }
}

impl Places {
    fn of<T: OfCase>(records: &[T]) -> Self {
        let mut of_case: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, record) in records.iter().enumerate() {
            of_case.entry(record.case()).or_default().push(place);
        }
        Self { records: records.len(), of_case }
    }
}

/// A copy finds its records anew.
impl Clone for CaseIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Runs are equal if their records are.
impl PartialEq for CaseIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_in_order_also_after_more_were_added() {
        let figure = |case: usize, per_s: f64| Imported { case, per_s, bytes_per_op: None };
        let mut records = vec![figure(1, 1.0), figure(0, 2.0), figure(1, 3.0)];
        let index = CaseIndex::default();
        let rates = |records: &[Imported], case: usize| -> Vec<f64> {
            index.find(records, case).map(|row| row.per_s).collect()
        };
        assert_eq!((rates(&records, 1), rates(&records, 0)), (vec![1.0, 3.0], vec![2.0]));
        assert!(rates(&records, 7).is_empty());
        records.push(figure(1, 4.0));
        assert_eq!(rates(&records, 1), [1.0, 3.0, 4.0]);
        records.truncate(1);
        assert_eq!((rates(&records, 1), rates(&records, 0)), (vec![1.0], vec![]));
    }
}
