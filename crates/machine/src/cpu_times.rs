//! CPU time by use, from `/proc/stat`: above all the time that the hypervisor took.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::fact::{Fact, Read};
use super::files::Files;

const PATH: &str = "/proc/stat";

/// Ticks per second of the kernel's counters of CPU time: `USER_HZ`, 100 on every architecture of Linux but
/// Alpha.
pub const TICKS_PER_S: f64 = 100.0;

/// The time of one CPU since boot, in ticks of 1/100 s on all usual kernels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuTicks {
    /// User time, guests included.
    pub user: u64,
    /// Low-priority user time, guests included.
    pub nice: u64,
    /// Kernel time.
    pub system: u64,
    pub idle: u64,
    /// Idle while waiting for storage.
    pub iowait: u64,
    /// Hardware interrupts.
    pub irq: u64,
    /// Deferred interrupt work.
    pub softirq: u64,
    /// There was work, but the hypervisor ran something else.
    pub steal: u64,
}

impl CpuTicks {
    /// All time. `user` and `nice` include time of guests already.
    pub fn total(&self) -> u64 {
        let Self { user, nice, system, idle, iowait, irq, softirq, steal } = *self;
        let kinds = [user, nice, system, idle, iowait, irq, softirq, steal];
        kinds.iter().fold(0, |sum, &ticks| sum.saturating_add(ticks))
    }

    /// Busy time of any kind.
    pub fn busy(&self) -> u64 {
        let Self { user, nice, system, irq, softirq, .. } = *self;
        [user, nice, system, irq, softirq].iter().fold(0, |sum, &ticks| sum.saturating_add(ticks))
    }

    fn parse<'a>(mut fields: impl Iterator<Item = &'a str>) -> Option<CpuTicks> {
        let mut next = || fields.next()?.parse().ok();
        Some(CpuTicks {
            user: next()?,
            nice: next()?,
            system: next()?,
            idle: next()?,
            iowait: next()?,
            irq: next()?,
            softirq: next()?,
            steal: next()?,
        })
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CpuTimes {
    per_cpu: BTreeMap<u32, CpuTicks>,
}

/// Time on a set of CPUs between two moments, in ticks.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Elapsed {
    /// Time that the hypervisor took.
    #[serde(rename = "steal_ticks")]
    pub steal: u64,
    /// Busy time: programs, the kernel, interrupts.
    #[serde(rename = "busy_ticks")]
    pub busy: u64,
    /// All time; 0 if less than a tick passed.
    #[serde(rename = "total_ticks")]
    pub total: u64,
}

impl Elapsed {
    pub fn idle(&self) -> u64 {
        self.total.saturating_sub(self.busy).saturating_sub(self.steal)
    }

    /// Steal over all time, between 0 and 1; `None` if no tick passed.
    pub fn steal_share(&self) -> Option<f64> {
        (self.total > 0).then(|| self.steal as f64 / self.total as f64)
    }
}

impl CpuTimes {
    /// Reads the times from `/proc/stat` under a root.
    pub fn read(root: &Path) -> Fact<CpuTimes> {
        let text = Files::new(root).text(PATH);
        text.and_then(|text| CpuTimes::parse(&text)).into()
    }

    /// Parses the text of `/proc/stat`.
    pub fn parse(text: &str) -> Result<CpuTimes, String> {
        let mut per_cpu = BTreeMap::new();
        for line in text.lines() {
            let mut fields = line.split_whitespace();
            // The line "cpu" without a number is their sum.
            let number = fields.next().and_then(|name| name.strip_prefix("cpu"));
            let Some(Ok(cpu)) = number.map(str::parse::<u32>) else {
                continue;
            };
            let ticks = CpuTicks::parse(fields);
            let ticks = ticks.ok_or_else(|| format!("{PATH}: the line of CPU {cpu} is garbled"))?;
            per_cpu.insert(cpu, ticks);
        }
        if per_cpu.is_empty() {
            return Err(format!("{PATH} has no line of a CPU"));
        }
        Ok(CpuTimes { per_cpu })
    }

    /// `None` if the CPU is offline.
    pub fn of(&self, cpu: u32) -> Option<&CpuTicks> {
        self.per_cpu.get(&cpu)
    }

    /// Time on some CPUs since an earlier moment. Fails for a CPU that is not in both.
    ///
    /// Single counters of the kernel run backwards at times; these count as unchanged.
    pub fn since(&self, earlier: &CpuTimes, cpus: &[u32]) -> Fact<Elapsed> {
        let mut elapsed = Elapsed::default();
        for &cpu in cpus {
            let (Some(now), Some(then)) = (self.of(cpu), earlier.of(cpu)) else {
                return missing(cpu);
            };
            let (steal, total) = (now.steal, now.total());
            let steal = steal.saturating_sub(then.steal);
            let total = total.saturating_sub(then.total());
            elapsed.steal = elapsed.steal.saturating_add(steal);
            elapsed.busy = elapsed.busy.saturating_add(now.busy().saturating_sub(then.busy()));
            elapsed.total = elapsed.total.saturating_add(total);
        }
        // An unchanged counter can make the total smaller than its part.
        elapsed.total = elapsed.total.max(elapsed.steal).max(elapsed.busy);
        Fact::Known(elapsed)
    }
}

fn missing(cpu: u32) -> Fact<Elapsed> {
    let reason: Read<Elapsed> =
        Err(format!("{PATH} has no line of CPU {cpu}: was it taken offline?"));
    reason.into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixture::Fixture;

    fn times(text: &str) -> CpuTimes {
        CpuTimes::parse(text).unwrap()
    }

    const BEFORE: &str = "cpu  30 0 20 1000 0 0 0 6 0 0\n\
        cpu0 10 0 10 500 0 0 0 2 0 0\ncpu1 20 0 10 500 0 0 0 4 0 0\nintr 1 2 3\n";
    const AFTER: &str = "cpu  0 0 0 0 0 0 0 0 0 0\n\
        cpu0 90 0 12 508 0 0 0 12 0 0\ncpu1 20 0 10 600 0 0 0 4 0 0\nintr 1 2 3\n";

    #[test]
    fn steal_and_total_are_summed_over_the_requested_cpus() {
        let (before, after) = (times(BEFORE), times(AFTER));
        let one = after.since(&before, &[0]);
        assert_eq!(one, Fact::Known(Elapsed { steal: 10, busy: 82, total: 100 }));
        assert_eq!(one.known().unwrap().steal_share(), Some(0.1));
        let both = after.since(&before, &[0, 1]);
        assert_eq!(both, Fact::Known(Elapsed { steal: 10, busy: 82, total: 200 }));
    }

    #[test]
    fn within_a_tick_there_is_no_share_rather_than_a_division_by_zero() {
        let now = times(BEFORE);
        let elapsed = *now.since(&now, &[0, 1]).known().unwrap();
        assert_eq!(elapsed.steal_share(), None);
    }

    #[test]
    fn a_cpu_that_went_offline_is_named() {
        let after = times("cpu0 90 0 12 508 0 0 0 12 0 0\n");
        let reason = after.since(&times(BEFORE), &[0, 1]);
        let expected = "/proc/stat has no line of CPU 1: was it taken offline?";
        assert_eq!(reason.reason(), Some(expected));
    }

    #[test]
    fn counters_that_run_backwards_count_as_standing_still() {
        let elapsed = times(BEFORE).since(&times(AFTER), &[0]);
        assert_eq!(elapsed, Fact::Known(Elapsed::default()));
        // Idle time ran back further than anything else went on.
        let (before, after) = ("cpu0 0 0 0 50 0 0 0 0", "cpu0 0 0 0 20 0 0 0 10");
        let elapsed = times(after).since(&times(before), &[0]);
        assert_eq!(elapsed.known().unwrap().steal_share(), Some(1.0));
    }

    #[test]
    fn a_garbled_line_or_none_at_all_is_a_reason() {
        let garbled = CpuTimes::parse("cpu0 1 2 three\n").unwrap_err();
        assert_eq!(garbled, "/proc/stat: the line of CPU 0 is garbled");
        let none = CpuTimes::parse("intr 5\n").unwrap_err();
        assert_eq!(none, "/proc/stat has no line of a CPU");
    }

    #[test]
    fn the_times_are_read_under_the_given_root() {
        let fixture = Fixture::named("epyc-container");
        let times = CpuTimes::read(fixture.root());
        assert_eq!(times.known().unwrap().of(1).unwrap().steal, 412);
        let empty = tempfile::tempdir().unwrap();
        let reason = CpuTimes::read(empty.path());
        assert_eq!(reason.reason(), Some("/proc/stat does not exist"));
    }

    proptest! {
        #[test]
        fn any_two_snapshots_give_a_share_between_0_and_1(
            a in proptest::array::uniform8(0..=u64::MAX),
            b in proptest::array::uniform8(0..=u64::MAX),
        ) {
            let line = |t: [u64; 8]| format!("cpu0 {}", t.map(|t| t.to_string()).join(" "));
            let elapsed = times(&line(b)).since(&times(&line(a)), &[0]);
            if let Some(share) = elapsed.known().unwrap().steal_share() {
                prop_assert!((0.0..=1.0).contains(&share));
            }
        }

        #[test]
        fn any_text_is_times_or_a_reason(
            text in "(cpu[0-9]{0,3}( [0-9a-z]{0,21}){0,9}\n|\\PC*\n){0,5}"
        ) {
            let _ = CpuTimes::parse(&text);
        }
    }
}
