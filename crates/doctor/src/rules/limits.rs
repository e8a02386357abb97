//! What this process may use, and whether it is enough.

use super::{Judgement, Severity, step};
use crate::Evidence;
use machine::{Cap, Fact};

const MIB: f64 = 1_048_576.0;

pub(super) fn allowed_cpus(evidence: &Evidence) -> Option<Judgement> {
    let limits = &evidence.machine.limits;
    let (allowed, online) = (limits.allowed_cpus.len(), limits.online_cpus.len());
    if allowed == 0 {
        return Some(Judgement::unknown("the kernel does not tell which CPUs may be used"));
    }
    Some(if allowed < online {
        Judgement::new(Severity::Note, format!("{allowed} of {online}: {}", limits.allowed_cpus))
            .means("`all` means these; who works on the others shares caches, memory and clock with us")
            .remedy("to measure the whole machine, start sizeup without taskset and outside of a cpuset")
    } else {
        Judgement::fine(format!("all {allowed}"))
    })
}

/// How many CPUs' worth of time there are, where that is less than the CPUs.
fn tight_quota(evidence: &Evidence) -> Option<f64> {
    let limits = &evidence.machine.limits;
    let quota = limits.cpu_quota.bound().copied()?;
    (quota < limits.allowed_cpus.len().max(1) as f64).then_some(quota)
}

/// `0.8 CPUs`.
fn cpus(quota: f64) -> String {
    let text = format!("{quota:.2}");
    format!("{} CPUs", text.trim_end_matches('0').trim_end_matches('.'))
}

pub(super) fn cpu_quota(evidence: &Evidence) -> Option<Judgement> {
    let limits = &evidence.machine.limits;
    let Some(quota) = tight_quota(evidence) else {
        return Some(match &limits.cpu_quota {
            Fact::Known(Cap::Unlimited) => Judgement::fine("none"),
            Fact::Known(Cap::At(quota)) => {
                Judgement::fine(format!("{}, enough for all", cpus(*quota)))
            }
            Fact::NotAvailable(reason) => Judgement::unknown(reason),
        });
    };
    let seen = format!("the time of {} for {} CPUs", cpus(quota), limits.allowed_cpus.len());
    let remedy = "lift it: `docker update --cpus 0`, in Kubernetes limits.cpu, in systemd CPUQuota=, \
                  in a cgroup v2 `echo max > cpu.max`";
    Some(if quota < 1.0 {
        Judgement::new(Severity::Unfit, seen)
            .means("even one thread is stopped in every period when its share is used up: figures are too low")
            .remedy(remedy)
    } else {
        Judgement::new(Severity::Warning, seen)
            .means(format!(
                "`all` is {} threads here; more, and runtimes with threads of their own, are stopped when \
                 the share is used up",
                limits.usable_threads().threads
            ))
            .remedy(remedy)
    })
}

/// Shares of the time that CPUs waited for a quota.
const WAITED: [f64; 3] = [0.0, 0.002, 0.05];

pub(super) fn throttling(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let quota = tight_quota(evidence);
    let Some(throttled) = activity.throttled else {
        return Some(match (quota, &evidence.machine.limits.cpu_quota) {
            (None, Fact::Known(_)) => Judgement::fine("no quota that could"),
            (_, Fact::NotAvailable(reason)) => Judgement::unknown(reason),
            _ => Judgement::unknown("the control group counts no throttling"),
        });
    };
    if throttled.times == 0 {
        return Some(Judgement::fine("never"));
    }
    let waited_s = throttled.waited_ns as f64 / 1e9;
    let of = quota.map_or_else(String::new, |quota| format!(": quota of {}", cpus(quota)));
    let seen = format!("{} times, {waited_s:.1} s{of}", throttled.times);
    let share = waited_s / activity.seconds().max(1e-9);
    Some(
        Judgement::new(step(share, WAITED), seen)
            .means(
                "CPUs had to wait while there was work; windows that hold such a stop are too slow",
            )
            .remedy("lift the quota, or measure fewer threads than it grants: --threads"),
    )
}

pub(super) fn heat(evidence: &Evidence) -> Option<Judgement> {
    Some(match evidence.activity.as_ref()?.thermal_throttles {
        Some(0) => Judgement::fine("never"),
        Some(times) => Judgement::new(Severity::Warning, format!("slowed down {times} times"))
            .means(
                "the clock fell to keep the chip from overheating; another machine may be cooler",
            )
            .remedy("look after fans, filters and the room, or give the machine time to cool"),
        None => Judgement::unknown("the kernel counts no slowing for heat here"),
    })
}

/// Below this much free memory workers no longer live side by side …
const LITTLE_BYTES: u64 = 1 << 30;
/// … and below this much some can't run at all.
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
            .means("few workers fit side by side: rows are measured in shifts, at unlike times, or not at all")
            .remedy("end what takes memory, or raise the control group's limit"),
    )
}

pub(super) fn swap(evidence: &Evidence) -> Option<Judgement> {
    let swap = match &evidence.moment.as_ref()?.swap {
        Fact::Known(swap) => swap,
        Fact::NotAvailable(reason) => return Some(Judgement::unknown(reason)),
    };
    if swap.used_bytes == 0 {
        let has_none = evidence.machine.memory.swap_bytes == Fact::Known(0);
        return Some(Judgement::fine(if has_none { "there is none" } else { "empty" }));
    }
    let used = format!("{:.0} MiB in use", swap.used_bytes as f64 / MIB);
    Some(
        Judgement::new(Severity::Note, used)
            .means("memory was short at some time; who touches what was swapped waits for a disk")
            .remedy("if memory is enough now: sudo swapoff -a"),
    )
}

/// Pages a second.
const SWAPPED: [f64; 3] = [0.0, 10.0, 1000.0];

pub(super) fn swapping(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    Some(match activity.swapped_pages {
        None => Judgement::unknown("/proc/vmstat does not tell"),
        Some(0) => Judgement::fine("no page moved"),
        Some(pages) => {
            let rate = pages as f64 / activity.seconds().max(1e-9);
            let seen = format!("{pages} pages moved, {rate:.0} a second");
            Judgement::new(step(rate, SWAPPED), seen)
                .means("memory is short: whoever touches a page that is gone waits for a disk")
                .remedy("end what takes memory, or measure on fewer threads")
        }
    })
}
