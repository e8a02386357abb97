//! Hardware counters beside samples.

use super::bounds::MOST_GHZ;
use super::sample::Measured;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More groups, or events in one, have no worker.
const MOST: usize = 16;
const LONGEST_NAME: usize = 40;
const MOST_SLOTS: u64 = 64;
/// No core ends more instructions in a cycle, and nothing else that is counted happens as often.
const MOST_PER_CYCLE: u64 = 16;
/// Counting may begin before the readings of the clock around it, and end behind them.
const SPARE_NS: u64 = 1_000_000_000;

/// Hardware events that a launch counts on each thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Counted {
    /// Events that are counted together, in the order of a sample's counts.
    pub groups: Vec<Vec<String>>,
    /// Whether what the kernel does for the thread counts, too.
    pub kernel: bool,
    /// In how many slots of a cycle the core could issue an operation, where its events don't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots_per_cycle: Option<u64>,
    /// Event → why it is not counted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, String>,
}

impl Counted {
    /// Checks that events have names that can be printed, each once.
    ///
    /// # Errors
    /// Names the impossible value.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut names: Vec<&String> = self.groups.iter().flatten().collect();
        let is_plain = |name: &&String| {
            (1..=LONGEST_NAME).contains(&name.len())
                && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        if let Some(name) = names.iter().find(|name| !is_plain(name)) {
            return Err(format!("{name:?} is no name of an event"));
        }
        if self.groups.len() > MOST
            || self.groups.iter().any(|group| group.is_empty() || group.len() > MOST)
        {
            return Err("its counters are in no groups that a worker has".to_owned());
        }
        if self.slots_per_cycle.is_some_and(|slots| !(1..=MOST_SLOTS).contains(&slots)) {
            return Err("no core has so many slots a cycle".to_owned());
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        if names.len() < count { Err("an event is counted twice".to_owned()) } else { Ok(()) }
    }
}

/// Checks that a sample has what its launch counts, and no more of it than a core can do. A thread may lack counters.
///
/// # Errors
/// Names the impossible value.
pub(super) fn check_counters(sample: &Measured, counted: Option<&Counted>) -> Result<(), String> {
    let lengths: Vec<usize> =
        counted.iter().flat_map(|counters| &counters.groups).map(|group| 2 + group.len()).collect();
    for (number, thread) in sample.threads.iter().enumerate() {
        let lie = |what: String| Err(format!("thread {number}: {what}"));
        let counts: Vec<usize> = thread.counters.iter().map(Vec::len).collect();
        if !counts.is_empty() && counts != lengths {
            return lie(format!("counters of {counts:?} numbers, not {lengths:?}"));
        }
        let elapsed_ns = thread.cpu_elapsed_ns.unwrap_or(0);
        for group in &thread.counters {
            let [enabled_ns, running_ns, counts @ ..] = &group[..] else {
                return lie("counters without their times".to_owned());
            };
            if running_ns > enabled_ns || *enabled_ns > elapsed_ns.saturating_mul(2) + SPARE_NS {
                return lie(format!("counted for {running_ns} of {enabled_ns} ns"));
            }
            let most = running_ns.saturating_mul(MOST_GHZ * MOST_PER_CYCLE);
            if let Some(count) = counts.iter().find(|count| **count > most) {
                return lie(format!("{count} events in {running_ns} ns"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::two_threads;

    fn counted(groups: &[&[&str]]) -> Counted {
        let names = |group: &&[&str]| group.iter().map(|name| (*name).to_owned()).collect();
        Counted { groups: groups.iter().map(names).collect(), ..Counted::default() }
    }

    fn sample(counters: &[&[u64]]) -> Measured {
        let mut sample = two_threads([0, 1]);
        sample.threads[1].counters = counters.iter().map(|group| group.to_vec()).collect();
        sample
    }

    #[test]
    fn a_thread_has_the_counters_of_its_launch_or_none() {
        let counters = counted(&[&["cycles", "instructions"], &["llc-misses"]]);
        let ms = 50_000_000;
        assert_eq!(check_counters(&sample(&[]), Some(&counters)), Ok(()));
        assert_eq!(check_counters(&sample(&[]), None), Ok(()));
        let whole: &[&[u64]] = &[&[ms, ms, 1_000, 2_000], &[ms, ms / 2, 7]];
        assert_eq!(check_counters(&sample(whole), Some(&counters)), Ok(()));
        for (wrong, why) in [
            (&[&[ms, ms, 1_000, 2_000][..]][..], "counters of [4] numbers, not [4, 3]"),
            (&[&[ms, ms, 1][..], &[ms, ms, 1]], "counters of [3, 3] numbers"),
            (&[&[ms, ms + 1, 1, 1], &[ms, ms, 1]], "counted for 50000001 of 50000000 ns"),
            (&[&[9_000_000_000, 1, 1, 1], &[ms, ms, 1]], "counted for 1 of 9000000000 ns"),
            (&[&[ms, ms, 1, u64::MAX], &[ms, ms, 1]], "events in 50000000 ns"),
            (&[&[ms, 0, 0, 1], &[ms, ms, 1]], "1 events in 0 ns"),
        ] {
            let refusal = check_counters(&sample(wrong), Some(&counters)).unwrap_err();
            assert!(refusal.starts_with("thread 1: ") && refusal.contains(why), "{refusal}");
        }
        let refusal = check_counters(&sample(whole), None).unwrap_err();
        assert!(refusal.contains("not []"), "{refusal}");
    }

    #[test]
    fn events_have_plain_names_each_once() {
        assert_eq!(counted(&[&["cycles"], &["l1d-misses"]]).check(), Ok(()));
        for wrong in [&[&["\u{1b}[31m"][..]][..], &[&[""]], &[&["a"], &["a"]], &[&[]]] {
            assert!(counted(wrong).check().is_err(), "{wrong:?}");
        }
    }
}
