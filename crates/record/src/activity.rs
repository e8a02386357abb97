//! Machine activity between two readings of the kernel's counters.

use machine::{Elapsed, TICKS_PER_S, Throttling, Use};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Machine activity since the previous reading. Counters that the kernel does not report are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Activity {
    /// Time of the previous reading.
    pub since_ns: u64,
    /// Time of this reading.
    pub at_ns: u64,
    /// How long this reading took.
    pub took_ns: u64,
    /// The CPUs of the run.
    pub cpus: Vec<u32>,
    /// Time in each state on these CPUs, from `/proc/stat`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed: Option<Elapsed>,
    /// CPU time of sizeup and all its descendants, in ticks of 1/100 s.
    #[serde(default)]
    pub own_ticks: u64,
    /// CPU time of all other visible processes, in ticks.
    #[serde(default)]
    pub others_ticks: u64,
    /// The busiest of these other processes; absent if processes are not visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<Use>>,
    /// Throttling by the control group's CPU quota.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throttled: Option<Throttling>,
    /// Pages written to or read from swap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped_pages: Option<u64>,
    /// How often a core was throttled because of heat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thermal_throttles: Option<u64>,
}

impl Activity {
    /// The time between the two readings, in seconds.
    pub fn seconds(&self) -> f64 {
        self.at_ns.saturating_sub(self.since_ns) as f64 / 1e9
    }

    /// CPU time as a share of one CPU's time between the two readings.
    pub fn share(&self, ticks: u64) -> f64 {
        ticks as f64 / (self.seconds() * TICKS_PER_S).max(1e-9)
    }

    /// CPUs that others used: visible processes, or whatever else than sizeup kept the measured CPUs busy.
    pub fn others_cpus(&self) -> f64 {
        let busy = self.elapsed.map_or(0, |all| all.busy.saturating_add(all.steal));
        self.share(self.others_ticks.max(busy.saturating_sub(self.own_ticks)))
    }

    /// The sum of all parts, as if they followed each other from time 0; `None` without parts. A counter that one part
    /// lacks is absent from the sum.
    pub fn sum(parts: &[Self]) -> Option<Self> {
        let (first, others) = parts.split_first()?;
        let mut sum = Self { cpus: cpus(parts), processes: processes(parts), ..first.clone() };
        (sum.at_ns, sum.since_ns) = (sum.at_ns.saturating_sub(sum.since_ns), 0);
        others.iter().for_each(|part| sum.add(part));
        Some(sum)
    }

    fn add(&mut self, part: &Self) {
        let add = u64::saturating_add;
        self.at_ns = add(self.at_ns, part.at_ns.saturating_sub(part.since_ns));
        self.took_ns = add(self.took_ns, part.took_ns);
        self.elapsed = self.elapsed.zip(part.elapsed).map(|(a, b)| Elapsed {
            steal: add(a.steal, b.steal),
            busy: add(a.busy, b.busy),
            total: add(a.total, b.total),
        });
        self.own_ticks = add(self.own_ticks, part.own_ticks);
        self.others_ticks = add(self.others_ticks, part.others_ticks);
        self.throttled = self.throttled.zip(part.throttled).map(|(a, b)| Throttling {
            times: add(a.times, b.times),
            waited_ns: add(a.waited_ns, b.waited_ns),
        });
        self.swapped_pages = self.swapped_pages.zip(part.swapped_pages).map(|(a, b)| add(a, b));
        self.thermal_throttles =
            self.thermal_throttles.zip(part.thermal_throttles).map(|(a, b)| add(a, b));
    }
}

/// The CPUs of all parts, in order.
fn cpus(parts: &[Activity]) -> Vec<u32> {
    let cpus: BTreeSet<u32> = parts.iter().flat_map(|part| &part.cpus).copied().collect();
    cpus.into_iter().collect()
}

/// Sums the use of each process and CPU over all parts, the busiest first; `None` if a part does not know.
fn processes(parts: &[Activity]) -> Option<Vec<Use>> {
    let mut known: BTreeMap<(u32, &str, Option<u32>), Use> = BTreeMap::new();
    for part in parts {
        for used in part.processes.as_ref()? {
            let key = (used.pid, used.command.as_str(), used.cpu);
            let none = || Use { ticks: 0, ended_ticks: 0, ..used.clone() };
            let sum = known.entry(key).or_insert_with(none);
            sum.ticks = sum.ticks.saturating_add(used.ticks);
            sum.ended_ticks = sum.ended_ticks.saturating_add(used.ended_ticks);
        }
    }
    let mut processes: Vec<Use> = known.into_values().collect();
    processes.sort_by_key(|used| (std::cmp::Reverse(used.total()), used.pid));
    Some(processes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(pid: u32, cpu: Option<u32>, ticks: u64) -> Use {
        Use { pid, command: "x".to_owned(), cpu, ticks, ended_ticks: 0 }
    }

    fn part(since_ns: u64, processes: Vec<Use>) -> Activity {
        Activity {
            since_ns,
            at_ns: since_ns + 1_000_000_000,
            cpus: vec![0],
            elapsed: Some(Elapsed { steal: 1, busy: 60, total: 100 }),
            own_ticks: 50,
            others_ticks: 10,
            processes: Some(processes),
            ..Activity::default()
        }
    }

    #[test]
    fn parts_are_summed_process_by_process_and_cpu_by_cpu() {
        let first = part(5_000_000_000, vec![used(7, Some(0), 3), used(8, None, 2)]);
        // A resumed run may have a reset clock.
        let second = part(0, vec![used(7, Some(1), 9), used(8, None, 2)]);
        let sum = Activity::sum(&[first.clone(), second, first]).unwrap();
        assert!((sum.seconds() - 3.0).abs() < 1e-9);
        assert_eq!(sum.elapsed, Some(Elapsed { steal: 3, busy: 180, total: 300 }));
        assert_eq!((sum.own_ticks, sum.others_ticks), (150, 30));
        let expected = [used(7, Some(1), 9), used(7, Some(0), 6), used(8, None, 6)];
        assert_eq!(sum.processes.unwrap(), expected);
    }

    #[test]
    fn a_counter_that_one_part_lacks_is_absent_from_the_sum() {
        let mut blind = part(0, Vec::new());
        blind.processes = None;
        blind.elapsed = None;
        let sum = Activity::sum(&[part(0, vec![used(7, None, 3)]), blind]).unwrap();
        assert_eq!((sum.processes, sum.elapsed), (None, None));
        assert_eq!(Activity::sum(&[]), None);
    }
}
