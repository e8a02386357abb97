//! Limits on this process, and whether they leave enough.

use super::{Judgement, Severity, step};
use crate::Evidence;
use machine::{Cap, CpuList, Fact};

const MIB: f64 = 1_048_576.0;

pub(super) fn allowed_cpus(evidence: &Evidence) -> Option<Judgement> {
    let limits = &evidence.machine.limits;
    let (allowed, online) = (limits.allowed_cpus.len(), limits.online_cpus.len());
    if allowed == 0 {
        return Some(Judgement::unknown("the kernel does not report which CPUs are allowed"));
    }
    Some(if allowed < online {
        Judgement::new(Severity::Note, format!("{allowed} of {online} CPUs allowed: {}", limits.allowed_cpus))
            .means("`all` means only these; work on the other CPUs shares caches, memory and clock with them")
            .remedy("to measure the whole machine, start sizeup without taskset and outside a cpuset")
    } else {
        Judgement::fine(format!("all {allowed} CPUs allowed"))
    })
}

/// `0.8 CPUs`.
pub(crate) fn cpus_in_words(quota: f64) -> String {
    let text = format!("{quota:.2}");
    format!("{} CPUs", text.trim_end_matches('0').trim_end_matches('.'))
}

pub(super) fn cpu_quota(evidence: &Evidence) -> Option<Judgement> {
    let limits = &evidence.machine.limits;
    let Some(quota) = limits.tight_quota() else {
        return Some(match &limits.cpu_quota {
            Fact::Known(Cap::Unlimited) => Judgement::fine("no quota"),
            Fact::Known(Cap::At(quota)) => {
                Judgement::fine(format!("quota of {}, enough for all", cpus_in_words(*quota)))
            }
            Fact::NotAvailable(reason) => Judgement::unknown(reason),
        });
    };
    let paid: Vec<u32> =
        limits.allowed_cpus.iter().copied().take(limits.usable_threads().threads).collect();
    let paid = CpuList::from(paid);
    let seen = format!("quota of {} for {} CPUs", cpus_in_words(quota), limits.allowed_cpus.len());
    let remedy = "lift the quota: `docker update --cpus 0`; limits.cpu in Kubernetes; CPUQuota= in systemd; \
                  `echo max > cpu.max` in cgroup v2";
    Some(if quota < 1.0 {
        Judgement::new(Severity::Unfit, seen)
            .means("the kernel stops even a single thread in every period: results are too low")
            .remedy(remedy)
    } else {
        Judgement::new(Severity::Warning, seen)
            .means(format!(
                "`all` means {} of {} CPUs here: rows on all threads are not the machine's, and a run with them is invalid",
                paid.len(),
                limits.allowed_cpus.len()
            ))
            .remedy(format!(
                "{remedy}. Or measure what the quota pays for: `--threads {}`, or `taskset -c {paid} sizeup …`",
                paid.len()
            ))
    })
}

/// Time that CPUs waited because of a quota, over elapsed time.
const WAITED: [f64; 3] = [0.0, 0.002, 0.05];

pub(super) fn throttling(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let quota = evidence.machine.limits.tight_quota();
    let Some(throttled) = activity.throttled else {
        return Some(match (quota, &evidence.machine.limits.cpu_quota) {
            (None, Fact::Known(_)) => Judgement::fine("no quota in effect"),
            (_, Fact::NotAvailable(reason)) => Judgement::unknown(reason),
            _ => Judgement::unknown("the control group does not count throttling"),
        });
    };
    if throttled.times == 0 {
        return Some(Judgement::fine("never throttled"));
    }
    let waited_s = throttled.waited_ns as f64 / 1e9;
    let quota_in_words =
        quota.map_or_else(String::new, |quota| format!(" (quota of {})", cpus_in_words(quota)));
    let seen = format!("throttled {} times for {waited_s:.1} s{quota_in_words}", throttled.times);
    let share = waited_s / activity.seconds().max(1e-9);
    Some(
        Judgement::new(step(share, WAITED), seen)
            .means("the quota stopped CPUs that had work; samples with such a stop are too slow")
            .remedy("lift the quota, or measure fewer threads than it allows: --threads"),
    )
}

pub(super) fn heat(evidence: &Evidence) -> Option<Judgement> {
    Some(match evidence.activity.as_ref()?.thermal_throttles {
        Some(0) => Judgement::fine("no thermal throttling"),
        Some(times) => Judgement::new(Severity::Warning, format!("thermal throttling: {times} times"))
            .means(
                "the clock dropped to keep the chip from overheating; a machine with better cooling may be faster",
            )
            .remedy("check fans, filters and room temperature, or let the machine cool down"),
        None => Judgement::unknown("the kernel does not count thermal throttling here"),
    })
}

/// Below this much free memory, workers no longer all live at once …
const LITTLE_BYTES: u64 = 1 << 30;
/// … and below this much, some cannot run at all.
const LEAST_BYTES: u64 = 256 << 20;

pub(super) fn memory(evidence: &Evidence) -> Option<Judgement> {
    let bytes = match evidence.machine.limits.memory_available_bytes {
        Fact::Known(bytes) => bytes,
        Fact::NotAvailable(ref reason) => return Some(Judgement::unknown(reason)),
    };
    let seen = match bytes as f64 / MIB {
        mib if mib < 1024.0 => format!("{mib:.0} MiB free"),
        mib => format!("{:.1} GiB free", mib / 1024.0),
    };
    let severity = match bytes {
        bytes if bytes < LEAST_BYTES => Severity::Unfit,
        bytes if bytes < LITTLE_BYTES => Severity::Warning,
        _ => Severity::Fine,
    };
    Some(
        Judgement::new(severity, seen)
            .means("few workers fit in memory at once: rows are measured in cohorts, at different times, or not at all")
            .remedy("end processes that use memory, or raise the control group's limit"),
    )
}

pub(super) fn swap(evidence: &Evidence) -> Option<Judgement> {
    let swap = match &evidence.moment.as_ref()?.swap {
        Fact::Known(swap) => swap,
        Fact::NotAvailable(reason) => return Some(Judgement::unknown(reason)),
    };
    if swap.used_bytes == 0 {
        let has_none = evidence.machine.memory.swap_bytes == Fact::Known(0);
        return Some(Judgement::fine(if has_none { "no swap" } else { "empty" }));
    }
    let used = format!("{:.0} MiB in use", swap.used_bytes as f64 / MIB);
    Some(
        Judgement::new(Severity::Note, used)
            .means("memory was short at some point; a process that touches swapped pages waits for the disk")
            .remedy("if there is enough memory now: sudo swapoff -a"),
    )
}

/// Pages per second.
const SWAPPED: [f64; 3] = [0.0, 10.0, 1000.0];

pub(super) fn swapping(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    Some(match activity.swapped_pages {
        None => Judgement::unknown("/proc/vmstat does not count swapped pages"),
        Some(0) => Judgement::fine("no pages swapped"),
        Some(pages) => {
            let rate = pages as f64 / activity.seconds().max(1e-9);
            let seen = format!("{pages} pages swapped, {rate:.0} per second");
            Judgement::new(step(rate, SWAPPED), seen)
                .means("memory is short: a process that touches a swapped page waits for the disk")
                .remedy("end processes that use memory, or measure on fewer threads")
        }
    })
}
