//! How the machine is set up.

use super::{Judgement, Severity};
use crate::Evidence;
use machine::Fact;

/// Reported by `machine` where it detects nothing.
const NONE_SEEN: &str = "none seen";

pub(super) fn emulation(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.moment.as_ref()?.emulation {
        Fact::Known(none) if none == NONE_SEEN => Judgement::fine(NONE_SEEN),
        Fact::Known(who) => Judgement::new(Severity::Unfit, who)
            .means("results and ratios between rows describe the emulator, not a CPU")
            .remedy("measure on real hardware, or in a virtual machine with KVM"),
        Fact::NotAvailable(reason) => Judgement::unknown(reason),
    })
}

pub(super) fn virtualisation(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.machine.platform.hypervisor {
        Fact::Known(none) if none == NONE_SEEN => Judgement::fine(NONE_SEEN),
        Fact::Known(who) => Judgement::new(Severity::Note, who)
            .means(
                "other guests may take CPU time and share cores, caches and memory; the kernel may not know \
                 which CPUs share a core",
            )
            .remedy("for steadier results, use a dedicated host or bare metal"),
        Fact::NotAvailable(reason) => Judgement::unknown(reason),
    })
}

pub(super) fn governor(evidence: &Evidence) -> Option<Judgement> {
    Some(match &evidence.machine.frequency.governor {
        Fact::Known(best) if best == "performance" => Judgement::fine(best),
        Fact::Known(other) => Judgement::new(Severity::Warning, other)
            .means("the clock follows the load, so a sample after a pause can start slow")
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
                "the clock depends on temperature and on how many cores are busy. Servers usually run \
                 like this; the column per GHz excludes the clock",
            )
            .remedy(format!("only to compare core designs rather than delivered speed: {switch}")),
        Fact::NotAvailable(ref reason) => Judgement::unknown(reason),
    })
}

/// An allowed frequency below this share of the hardware maximum is a cap.
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
    let seen = format!("limit {:.2} GHz, hardware maximum {:.2} GHz", ghz(allowed), ghz(highest));
    Some(if (allowed as f64) < LEAST_ALLOWED * highest as f64 {
        Judgement::new(Severity::Warning, seen)
            .means("the cores cannot reach their highest clock")
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
        (Fact::Known(1), _) => Judgement::fine("1 thread per core, as far as the kernel knows"),
        (Fact::Known(threads), Fact::Known(cores)) => Judgement::new(
            Severity::Note,
            format!("{threads} threads per core"),
        )
        .means(
            "threads that share a core each get little more than half of it: threads of rows on `all` share \
             cores, threads of rows on fewer threads than cores do not (--placement cores)",
        )
        .remedy(format!(
            "to measure whole cores: --threads {cores}"
        )),
        (Fact::NotAvailable(reason), _) | (_, Fact::NotAvailable(reason)) => {
            Judgement::unknown(reason)
        }
    })
}
