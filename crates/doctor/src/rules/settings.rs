//! How the machine is set up.

use super::{Judgement, Severity};
use crate::Evidence;
use machine::Fact;

/// What machines say where there is nothing to be seen.
const NONE_SEEN: &str = "none seen";

pub(super) fn emulation(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.moment.as_ref()?.emulation {
        Fact::Known(none) if none == NONE_SEEN => Judgement::fine(NONE_SEEN),
        Fact::Known(who) => Judgement::new(Severity::Unfit, who)
            .means("figures are those of the translator and not of a CPU; even their ratios are")
            .remedy("measure on the hardware, or in a virtual machine with KVM"),
        Fact::NotAvailable(reason) => Judgement::unknown(reason),
    })
}

pub(super) fn virtualisation(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.machine.platform.hypervisor {
        Fact::Known(none) if none == NONE_SEEN => Judgement::fine(NONE_SEEN),
        Fact::Known(who) => Judgement::new(Severity::Note, who)
            .means(
                "other guests may take CPU time, share cores, caches and memory, and it may not be told \
                 which CPUs share a core",
            )
            .remedy("for steadier figures take a dedicated host or bare metal"),
        Fact::NotAvailable(reason) => Judgement::unknown(reason),
    })
}

pub(super) fn governor(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.machine.frequency.governor {
        Fact::Known(best) if best == "performance" => Judgement::fine(best),
        Fact::Known(other) => Judgement::new(Severity::Warning, other)
            .means("the clock follows the load: after a pause a window can begin slow")
            .remedy(
                "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
            ),
        Fact::NotAvailable(reason) => Judgement::unknown(reason),
    })
}

pub(super) fn turbo(evidence: &Evidence) -> Option<Judgement> {
    let frequency = &evidence.machine.frequency;
    let driver = frequency.driver.known().map_or("", String::as_str);
    let switch = if driver.starts_with("intel_") {
        "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
    } else {
        "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
    };
    Some(match frequency.boost {
        Fact::Known(false) => Judgement::fine("off"),
        Fact::Known(true) => Judgement::new(Severity::Note, "on")
            .means(
                "the clock depends on heat and on how many cores are busy. That is how servers run; \
                 the column per GHz leaves the clock out",
            )
            .remedy(format!("only to compare designs and not what they deliver: {switch}")),
        Fact::NotAvailable(ref reason) => Judgement::unknown(reason),
    })
}

/// The highest frequency that is allowed may lie this far below the highest that there is.
const LEAST_ALLOWED: f64 = 0.99;

pub(super) fn frequency_cap(evidence: &Evidence) -> Option<Judgement> {
    let frequency = &evidence.machine.frequency;
    let (allowed, highest) = match (&frequency.allowed_khz, &frequency.max_khz) {
        (Fact::Known(allowed), Fact::Known(highest)) => (*allowed, *highest),
        (Fact::NotAvailable(reason), _) | (_, Fact::NotAvailable(reason)) => {
            return Some(Judgement::unknown(reason));
        }
    };
    let ghz = |khz: u64| khz as f64 / 1e6;
    let seen = format!("up to {:.2} of {:.2} GHz", ghz(allowed), ghz(highest));
    Some(if (allowed as f64) < LEAST_ALLOWED * highest as f64 {
        Judgement::new(Severity::Warning, seen)
            .means("the cores may not clock as high as they can")
            .remedy(format!(
                "echo {highest} | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq"
            ))
    } else {
        Judgement::fine(seen)
    })
}

pub(super) fn smt(evidence: &Evidence) -> Option<Judgement> {
    let topology = &evidence.machine.topology;
    Some(match (&topology.threads_per_core, &topology.cores) {
        (Fact::Known(1), _) => Judgement::fine("a thread a core, as far as the kernel is told"),
        (Fact::Known(threads), Fact::Known(cores)) => Judgement::new(
            Severity::Note,
            format!("{threads} threads a core"),
        )
        .means(
            "threads on one core leave each other little more than half of it; on `all` they \
                     share, on fewer threads than cores they don't (--placement cores)",
        )
        .remedy(format!(
            "for figures of whole cores measure on {cores} threads: --threads {cores}"
        )),
        (Fact::NotAvailable(reason), _) | (_, Fact::NotAvailable(reason)) => {
            Judgement::unknown(reason)
        }
    })
}
