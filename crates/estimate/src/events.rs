//! Hardware events per op.

use super::top_down::TopDown;
use record::{Ready, Sample};
use serde::Serialize;
use std::collections::BTreeMap;

/// Hardware events in one op, over all threads and samples that were counted; `None` where an event is not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct HardwareEvents {
    pub cycles_per_op: Option<f64>,
    pub instructions_per_op: Option<f64>,
    pub branches_per_op: Option<f64>,
    pub branch_misses_per_op: Option<f64>,
    /// Reads that missed the first-level data cache.
    pub l1d_misses_per_op: Option<f64>,
    /// Misses of the last-level cache, as the kernel's event `cache-misses` has them.
    pub llc_misses_per_op: Option<f64>,
    pub dtlb_misses_per_op: Option<f64>,
    /// Cycles in which no instruction could be fetched or decoded.
    pub frontend_stalls_per_op: Option<f64>,
    /// Cycles in which the core waited for data or units.
    pub backend_stalls_per_op: Option<f64>,
    /// Where issue slots went, on CPUs whose events say that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_down: Option<TopDown>,
    /// Whether what the kernel did for the threads is counted, too.
    pub kernel: bool,
    /// Share of the time in which the events were counted: below 1 they took turns, and counts are scaled up.
    pub counted_share: f64,
}

/// Event counts and the ops they cover.
#[derive(Default)]
struct EventSum {
    events: f64,
    ops: f64,
}

impl HardwareEvents {
    /// Each sample comes with its launch's answer. `None` if nothing was counted.
    pub(super) fn of(samples: &[(&Sample, &Ready)]) -> Option<Self> {
        let mut sums: BTreeMap<&str, EventSum> = BTreeMap::new();
        let (mut enabled_ns, mut running_ns) = (0.0, 0.0);
        let mut kernel = true;
        let mut slots_per_cycle = None;
        for (sample, ready) in samples {
            let Some(counted) = &ready.counters else { continue };
            kernel &= counted.kernel;
            slots_per_cycle = slots_per_cycle.or(counted.slots_per_cycle);
            for thread in &sample.threads {
                for (names, group) in counted.groups.iter().zip(&thread.counters) {
                    let [enabled, running, counts @ ..] = &group[..] else { continue };
                    if *running == 0 {
                        continue;
                    }
                    enabled_ns += *enabled as f64;
                    running_ns += *running as f64;
                    let scale = *enabled as f64 / *running as f64;
                    for (name, count) in names.iter().zip(counts) {
                        let sum = sums.entry(name).or_default();
                        sum.events += *count as f64 * scale;
                        sum.ops += thread.ops as f64;
                    }
                }
            }
        }
        if sums.is_empty() {
            return None;
        }
        let per_op = |name: &str| sums.get(name).map(|sum| sum.events / sum.ops);
        Some(Self {
            cycles_per_op: per_op("cycles"),
            instructions_per_op: per_op("instructions"),
            branches_per_op: per_op("branches"),
            branch_misses_per_op: per_op("branch-misses"),
            l1d_misses_per_op: per_op("l1d-misses"),
            llc_misses_per_op: per_op("llc-misses"),
            dtlb_misses_per_op: per_op("dtlb-misses"),
            frontend_stalls_per_op: per_op("frontend-stalls"),
            backend_stalls_per_op: per_op("backend-stalls"),
            top_down: TopDown::of(per_op, slots_per_cycle),
            kernel,
            counted_share: running_ns / enabled_ns,
        })
    }

    /// Instructions per cycle.
    pub fn ipc(&self) -> Option<f64> {
        Some(self.instructions_per_op? / self.cycles_per_op.filter(|cycles| *cycles > 0.0)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Counted;
    use record::fixture::run;

    /// A run of one row with 5 ops a sample, and these counters in each.
    fn events(groups: &[&[&str]], samples: &[&[&[u64]]]) -> Option<HardwareEvents> {
        let mut run = run(&[("a/x", &vec![5; samples.len()])]);
        let names = |group: &&[&str]| group.iter().map(|name| (*name).to_owned()).collect();
        let groups = groups.iter().map(names).collect();
        run.launches[0].ready.counters = Some(Counted { groups, ..Counted::default() });
        for (sample, counters) in run.samples.iter_mut().zip(samples) {
            sample.measured.threads[0].counters =
                counters.iter().map(|group| group.to_vec()).collect();
        }
        let ready = &run.launches[0].ready;
        HardwareEvents::of(&run.samples.iter().map(|sample| (sample, ready)).collect::<Vec<_>>())
    }

    #[test]
    fn events_are_per_op_and_scaled_up_where_groups_took_turns() {
        let groups: &[&[&str]] = &[&["cycles", "instructions"], &["llc-misses"]];
        let samples: &[&[&[u64]]] = &[
            &[&[100, 100, 1_000, 2_000], &[100, 50, 5]],
            &[&[100, 100, 3_000, 6_000], &[100, 25, 5]],
        ];
        let counted = events(groups, samples).expect("counted");
        assert_eq!(
            (counted.cycles_per_op, counted.instructions_per_op),
            (Some(400.0), Some(800.0))
        );
        assert_eq!(counted.ipc(), Some(2.0));
        // 5 × 2 and 5 × 4, in 10 ops.
        assert_eq!((counted.llc_misses_per_op, counted.branches_per_op), (Some(3.0), None));
        assert!((counted.counted_share - 275.0 / 400.0).abs() < 1e-12);
    }

    #[test]
    fn samples_without_counters_or_in_which_a_group_never_had_its_turn_do_not_count() {
        let groups: &[&[&str]] = &[&["cycles"]];
        let counted = events(groups, &[&[], &[&[100, 0, 0]], &[&[100, 100, 50]]]).expect("counted");
        assert_eq!(counted.cycles_per_op, Some(10.0));
        assert_eq!(events(groups, &[&[]]), None);
        assert_eq!(events(&[], &[&[]]), None);
    }
}
