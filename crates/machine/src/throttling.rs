//! Throttling by the control group's CPU quota, from `cpu.stat` (`man 7 cgroups`, and the
//! kernel's page on CFS bandwidth control).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cgroup::{self, Version};
use super::fact::{Fact, Read};
use super::files::Files;

/// Counters since the groups were created, summed over the group and its ancestors.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Throttling {
    /// Periods in which a group was throttled.
    pub times: u64,
    /// Time that its CPUs waited, in ns, summed over CPUs.
    pub waited_ns: u64,
}

impl Throttling {
    /// Groups without a quota count nothing.
    pub fn read(root: &Path) -> Fact<Throttling> {
        let files = Files::new(root);
        Throttling::of(&files).into()
    }

    fn of(files: &Files) -> Read<Throttling> {
        let group = cgroup::find(files, "cpu")?;
        let counters = group.each(|folder| {
            let stat = files.text(&format!("{folder}/cpu.stat")).ok()?;
            let field = |name: &str| {
                stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok())
            };
            let waited_ns = match group.version {
                Version::V2 => field("throttled_usec ")?.saturating_mul(1_000),
                Version::V1 => field("throttled_time ")?,
            };
            Some(Throttling { times: field("nr_throttled ")?, waited_ns })
        });
        let sum = counters.into_iter().reduce(|a, b| Throttling {
            times: a.times.saturating_add(b.times),
            waited_ns: a.waited_ns.saturating_add(b.waited_ns),
        });
        sum.ok_or_else(|| "the control group does not count throttling".into())
    }

    /// The increase since an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &Throttling) -> Throttling {
        Throttling {
            times: self.times.saturating_sub(earlier.times),
            waited_ns: self.waited_ns.saturating_sub(earlier.waited_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read(tree: &str) -> Fact<Throttling> {
        Throttling::read(Fixture::unpack(tree).root())
    }

    #[test]
    fn the_unified_hierarchy_is_summed_up_to_its_top() {
        let actual = read(
            "/proc/self/cgroup: 0::/a/b\n\
             /proc/self/mountinfo: 27 22 0:25 / /cg rw - cgroup2 cgroup2 rw\n\
             /cg/a/b/cpu.stat <<\nusage_usec 5\nnr_periods 10\nnr_throttled 3\nthrottled_usec 2500\n>>\n\
             /cg/a/cpu.stat <<\nusage_usec 5\nnr_throttled 1\nthrottled_usec 500\n>>\n\
             /cg/cpu.stat: usage_usec 5\n",
        );
        assert_eq!(actual, Fact::Known(Throttling { times: 4, waited_ns: 3_000_000 }));
    }

    #[test]
    fn an_old_hierarchy_counts_nanoseconds() {
        let actual = read(
            "/proc/self/cgroup: 1:cpu:/job\n\
             /proc/self/mountinfo: 32 31 0:29 / /cg rw - cgroup cgroup rw,cpu\n\
             /cg/job/cpu.stat <<\nnr_periods 62\nnr_throttled 7\nthrottled_time 9000\n>>\n",
        );
        let actual = *actual.known().unwrap();
        assert_eq!(actual, Throttling { times: 7, waited_ns: 9_000 });
        let earlier = Throttling { times: 5, waited_ns: 10_000 };
        assert_eq!(actual.since(&earlier), Throttling { times: 2, waited_ns: 0 });
    }

    #[test]
    fn a_group_that_counts_nothing_says_so() {
        let actual = read(
            "/proc/self/cgroup: 0::/\n\
             /proc/self/mountinfo: 27 22 0:25 / /cg rw - cgroup2 cgroup2 rw\n\
             /cg/cpu.stat: usage_usec 5\n",
        );
        assert_eq!(actual.reason(), Some("the control group does not count throttling"));
    }
}
