//! A rolling mix: all threads go through one list of work, each from another place on, so that different work always runs
//! beside each other.

use super::plan::{Case, Timing};
use super::ready::Ready;
use super::sample::Measured;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The list, made once from the rows measured alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RollingList {
    pub at_ns: u64,
    /// In the mix's order.
    #[schemars(length(min = 1))]
    pub items: Vec<RollingItem>,
}

/// One kind of work of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RollingItem {
    /// The row that measures it alone.
    pub case: usize,
    /// How many ops of it each thread does in a pass.
    #[schemars(range(min = 1))]
    pub ops: u64,
    /// How long these ops took alone, which is requested of each sample.
    #[schemars(range(min = 1_000_000))]
    pub sample_ns: u64,
}

impl RollingList {
    /// Sums over longer lists would lose digits.
    const MOST_OPS: u64 = 1 << 52;

    /// The items in the order in which a thread takes them, by their places in the list.
    pub fn order(&self, thread: usize, threads: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.items.len();
        let first = thread * count / threads;
        (0..count).map(move |step| (first + step) % count)
    }

    /// Checks that it has each row once, for a time that a sample can have.
    pub(super) fn check(&self, cases: &[Case]) -> Result<(), String> {
        let rows: BTreeSet<usize> = (0..cases.len()).filter(|case| cases[*case].is_row()).collect();
        let listed: BTreeSet<usize> = self.items.iter().map(|item| item.case).collect();
        if listed != rows || self.items.len() != rows.len() {
            return Err(format!("a list of {} items for {} rows", self.items.len(), rows.len()));
        }
        let threads: BTreeSet<usize> = rows.iter().map(|case| cases[*case].threads).collect();
        if threads.len() > 1 {
            return Err("the rows of a rolling mix have different numbers of threads".to_owned());
        }
        for RollingItem { case, ops, sample_ns } in &self.items {
            let is_possible = Timing::POSSIBLE_SAMPLE_NS.contains(sample_ns);
            if !is_possible || !(1..=Self::MOST_OPS).contains(ops) {
                return Err(format!("{ops} ops of case {case} in {sample_ns} ns are impossible"));
            }
        }
        Ok(())
    }
}

/// The process that does one item on one thread. It ends with its verification, its successor, or its case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RollingLaunch {
    /// Its number among all launches of the run.
    pub launch: u64,
    /// The row that measures the work alone.
    pub case: usize,
    /// Which of the row's threads.
    pub thread: usize,
    /// When the worker was ready.
    pub at_ns: u64,
    /// The worker's answer to `prepare`.
    pub ready: Ready,
}

/// Every thread went through the whole list once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RollingPass {
    /// The round; each row also has a sample alone in it.
    pub round: u64,
    /// When the first item was requested.
    pub start_ns: u64,
    /// When the last thread had done its last item.
    pub end_ns: u64,
    /// The samples of each thread, one after another.
    #[schemars(length(min = 1))]
    pub threads: Vec<Vec<RollingShare>>,
}

/// One item on one thread, while the other threads do other items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RollingShare {
    pub launch: u64,
    pub case: usize,
    /// As the worker measured it.
    #[serde(flatten)]
    pub measured: Measured,
}

impl RollingPass {
    /// Checks that each thread did all of the list, from its place on, one item after another and within the pass.
    ///
    /// # Errors
    /// The case that can't have been measured so, and why.
    pub fn check(&self, list: &RollingList, threads: usize) -> Result<(), (usize, String)> {
        let first = list.items.first().map_or(0, |item| item.case);
        if self.threads.len() != threads {
            return Err((
                first,
                format!("a pass of {} threads, not {threads}", self.threads.len()),
            ));
        }
        for (thread, shares) in self.threads.iter().enumerate() {
            if shares.len() != list.items.len() {
                let (shares, items) = (shares.len(), list.items.len());
                return Err((first, format!("thread {thread} did {shares} items of {items}")));
            }
            for (share, place) in shares.iter().zip(list.order(thread, threads)) {
                let (case, planned) = (share.case, list.items[place].case);
                if case != planned {
                    return Err((planned, format!("thread {thread} did case {case} in its place")));
                }
                let Measured { start_ns, end_ns, .. } = share.measured;
                if start_ns < self.start_ns || end_ns > self.end_ns {
                    let what =
                        format!("it worked from {start_ns} to {end_ns} ns, outside the pass");
                    return Err((case, what));
                }
            }
            // The next item is requested when this one has answered, so this one spoke before its end.
            for (share, next) in shares.iter().zip(shares.iter().skip(1)) {
                let (end_ns, next_ns) = (share.measured.end_ns, next.measured.start_ns);
                if end_ns > next_ns {
                    let what = format!(
                        "it worked on thread {thread} until {end_ns} ns, but the next item from {next_ns} ns"
                    );
                    return Err((share.case, what));
                }
            }
        }
        Ok(())
    }

    /// All of its samples.
    pub fn shares(&self) -> impl Iterator<Item = &RollingShare> {
        self.threads.iter().flatten()
    }
}

impl RollingLaunch {
    /// Why a worker can't take part: what it does must be done when its sample ends, and all of it must count.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn check_kind(ready: &Ready) -> Result<(), String> {
        let what = if !ready.parts.is_empty() {
            "other processes do its work"
        } else if ready.fixed_rate_per_s.is_some() {
            "its ops become due at a fixed rate"
        } else if ready.counts_part {
            "only a part of each op counts"
        } else {
            return Ok(());
        };
        Err(format!("it can't be part of a rolling mix: {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_begins_at_another_place_and_takes_every_item_once() {
        let item = |case| RollingItem { case, ops: 1, sample_ns: 1_000_000 };
        let list = RollingList { at_ns: 0, items: (0..4).map(item).collect() };
        let orders = |threads: usize| -> Vec<Vec<usize>> {
            (0..threads).map(|thread| list.order(thread, threads).collect()).collect()
        };
        assert_eq!(orders(1), [[0, 1, 2, 3]]);
        assert_eq!(orders(3), [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1]]);
        // More threads than items: as many at each place.
        let firsts: Vec<usize> = orders(8).iter().map(|order| order[0]).collect();
        assert_eq!(firsts, [0, 0, 1, 1, 2, 2, 3, 3]);
    }
}
