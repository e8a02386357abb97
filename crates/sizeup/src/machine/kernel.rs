//! The kernel: its release, and the settings of its that change how fast programs run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cpu_list::CpuList;
use super::fact::{Fact, Read};
use super::files::Files;

/// The kernel and its settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kernel {
    /// The release, as `uname -r` gives it.
    pub release: Fact<String>,
    /// The boot parameters that matter for speed, in their order. The others are never kept: a command
    /// line may hold addresses, names and identifiers.
    pub parameters: Fact<Vec<String>>,
    /// The clock source in use.
    pub clock_source: Fact<String>,
    /// The driver that puts idle CPUs to sleep.
    pub idle_driver: Fact<String>,
    /// The governor that picks how deep they sleep.
    pub idle_governor: Fact<String>,
    /// The CPUs that the scheduler leaves alone.
    pub isolated_cpus: Fact<CpuList>,
    /// What the kernel does about each known vulnerability of CPUs.
    pub mitigations: Fact<BTreeMap<String, String>>,
}

impl Kernel {
    pub(super) fn read(files: &Files) -> Kernel {
        let devices = "/sys/devices/system";
        let clock_source = format!("{devices}/clocksource/clocksource0/current_clocksource");
        Kernel {
            release: files.value("/proc/sys/kernel/osrelease").into(),
            parameters: files
                .text("/proc/cmdline")
                .map(|line| speed_parameters(&line))
                .into(),
            clock_source: files.value(&clock_source).into(),
            idle_driver: files
                .value(&format!("{devices}/cpu/cpuidle/current_driver"))
                .into(),
            idle_governor: idle_governor(files).into(),
            isolated_cpus: files.cpu_list(&format!("{devices}/cpu/isolated")).into(),
            mitigations: mitigations(files).into(),
        }
    }
}

/// Kernels before 5.8 had the name in a read-only file only.
fn idle_governor(files: &Files) -> Read<String> {
    let path = "/sys/devices/system/cpu/cpuidle/current_governor";
    files
        .value(path)
        .or_else(|_| files.value(&format!("{path}_ro")))
}

fn mitigations(files: &Files) -> Read<BTreeMap<String, String>> {
    let folder = "/sys/devices/system/cpu/vulnerabilities";
    let told = |name: String| {
        let status = files.value(&format!("{folder}/{name}"));
        (
            name,
            status.unwrap_or_else(|reason| format!("not available: {reason}")),
        )
    };
    let names = files.names(folder)?;
    if names.is_empty() {
        return Err(format!("{folder} is empty"));
    }
    Ok(names.into_iter().map(told).collect())
}

/// The parameters that change how fast programs run, per
/// `Documentation/admin-guide/kernel-parameters.txt` of Linux 6.18.
const SPEED_PARAMETERS: &[&str] = &[
    // Which CPUs do what.
    "isolcpus",
    "nohz",
    "nohz_full",
    "rcu_nocbs",
    "irqaffinity",
    "maxcpus",
    "nr_cpus",
    "nosmt",
    "numa",
    "numa_balancing",
    "skew_tick",
    "threadirqs",
    "preempt",
    // Clocks, frequencies and sleep.
    "amd_pstate",
    "clocksource",
    "cpufreq.default_governor",
    "cpufreq.off",
    "cpuidle.governor",
    "cpuidle.off",
    "cpuidle_haltpoll.force",
    "haltpoll.guest_halt_poll_ns",
    "idle",
    "intel_idle.max_cstate",
    "intel_pstate",
    "processor.max_cstate",
    "tsc",
    // Memory.
    "default_hugepagesz",
    "hugepages",
    "hugepagesz",
    "init_on_alloc",
    "init_on_free",
    "mem",
    "page_alloc.shuffle",
    "page_poison",
    "slab_nomerge",
    "transparent_hugepage",
    // Instruction sets that are switched off.
    "arm64.nobti",
    "arm64.nopauth",
    "arm64.nosme",
    "arm64.nosve",
    "clearcpuid",
    "noxsave",
    // Mitigations.
    "gather_data_sampling",
    "indirect_target_selection",
    "kpti",
    "kvm-intel.vmentry_l1d_flush",
    "l1tf",
    "mds",
    "mitigations",
    "mmio_stale_data",
    "nopti",
    "nospec_store_bypass_disable",
    "nospectre_bhb",
    "nospectre_v1",
    "nospectre_v2",
    "pti",
    "reg_file_data_sampling",
    "retbleed",
    "spec_rstack_overflow",
    "spec_store_bypass_disable",
    "spectre_bhi",
    "spectre_v2",
    "spectre_v2_user",
    "srbds",
    "ssbd",
    "tsa",
    "tsx",
    "tsx_async_abort",
    "vmscape",
    // Watchers that take their share.
    "audit",
    "kfence.sample_interval",
    "nmi_watchdog",
    "nosoftlockup",
    "nowatchdog",
    "psi",
];

/// The longest parameter that is kept, in bytes.
const LONGEST_PARAMETER: usize = 200;

fn speed_parameters(line: &str) -> Vec<String> {
    split_parameters(line)
        .into_iter()
        .filter(|parameter| matters(parameter))
        .map(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or((&parameter, ""));
            // These parameters take words, numbers and lists; anything else is not what it seems.
            let plain = |c: char| c.is_ascii_alphanumeric() || "_,.:-+/@".contains(c);
            if value.chars().all(plain) && parameter.len() <= LONGEST_PARAMETER {
                parameter
            } else {
                format!("{name}=(value not kept)")
            }
        })
        .collect()
}

/// The kernel takes a dash in a name for an underscore.
fn matters(parameter: &str) -> bool {
    let name = parameter
        .split('=')
        .next()
        .unwrap_or_default()
        .replace('-', "_");
    SPEED_PARAMETERS
        .iter()
        .any(|known| known.replace('-', "_") == name)
}

/// Splits at blanks outside quotes, as the kernel does, and stops at `--`, after which the words are for
/// the first process and not for the kernel.
fn split_parameters(line: &str) -> Vec<String> {
    let mut parameters = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => parameters.push(String::new()),
            c => parameters
                .last_mut()
                .expect("there is always a last word")
                .push(c),
        }
    }
    parameters.retain(|parameter| !parameter.is_empty());
    let end = parameters.iter().position(|parameter| parameter == "--");
    parameters.truncate(end.unwrap_or(parameters.len()));
    parameters
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::machine::fixture::Fixture;

    fn read(tree: &str) -> Kernel {
        Kernel::read(&Files::new(Fixture::unpack(tree).root()))
    }

    #[test]
    fn only_parameters_that_matter_for_speed_are_kept() {
        let line = "BOOT_IMAGE=/vmlinuz root=UUID=1b2c ip=10.0.0.7 hostname=db-7 mitigations=off quiet \
            isolcpus=2-3 nosmt intel_idle.max_cstate=1\n";
        assert_eq!(
            speed_parameters(line),
            [
                "mitigations=off",
                "isolcpus=2-3",
                "nosmt",
                "intel_idle.max_cstate=1"
            ]
        );
    }

    #[test]
    fn words_for_the_first_process_are_not_parameters() {
        let line = "mitigations=auto -- --token idle=poll";
        assert_eq!(speed_parameters(line), ["mitigations=auto"]);
    }

    #[test]
    fn a_quoted_value_is_one_word_and_cannot_smuggle_in_another() {
        assert!(speed_parameters(r#"user="alice idle=poll" quiet"#).is_empty());
        let kept = speed_parameters(r#"idle="poll alice@example""#);
        assert_eq!(kept, ["idle=(value not kept)"]);
    }

    #[test]
    fn a_dash_in_a_name_stands_for_an_underscore() {
        assert_eq!(speed_parameters("nohz-full=1-3"), ["nohz-full=1-3"]);
    }

    #[test]
    fn an_overlong_value_is_not_kept() {
        let line = format!("isolcpus={}", "1".repeat(500));
        assert_eq!(speed_parameters(&line), ["isolcpus=(value not kept)"]);
    }

    #[test]
    fn mitigations_are_told_one_by_one() {
        let kernel = read(
            "/sys/devices/system/cpu/vulnerabilities/meltdown: Mitigation: PTI\n\
             /sys/devices/system/cpu/vulnerabilities/srbds: Not affected\n",
        );
        let told = kernel.mitigations.known().unwrap();
        assert_eq!(told["meltdown"], "Mitigation: PTI");
        assert_eq!(told["srbds"], "Not affected");
    }

    #[test]
    fn a_kernel_that_tells_no_mitigations_says_so() {
        let reason = read("/proc/cmdline: quiet\n").mitigations;
        let expected = "/sys/devices/system/cpu/vulnerabilities does not exist";
        assert_eq!(reason.reason(), Some(expected));
    }

    #[test]
    fn no_isolated_cpu_is_an_empty_list_and_not_a_fault() {
        let kernel = read("/sys/devices/system/cpu/isolated <<\n\n>>\n");
        assert_eq!(kernel.isolated_cpus, Fact::Known(CpuList::default()));
    }

    proptest! {
        #[test]
        fn whatever_the_command_line_only_known_names_are_kept(line in "\\PC{0,300}") {
            for parameter in speed_parameters(&line) {
                prop_assert!(matters(&parameter));
                prop_assert!(parameter.len() <= LONGEST_PARAMETER + 20);
            }
        }
    }
}
