//! The parameters of the kernel's command line that are kept.
//!
//! A command line can hold addresses, host names, user names and identifiers of disks, so only
//! parameters on a list are kept, and of these only values of a plain form.

/// The parameters that affect performance, per
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
    // Watchdogs that use CPU time.
    "audit",
    "kfence.sample_interval",
    "nmi_watchdog",
    "nosoftlockup",
    "nowatchdog",
    "psi",
];

/// The longest parameter that is kept, in bytes.
const LONGEST_PARAMETER: usize = 200;

/// The parameters of a command line that affect performance, in their order.
pub(super) fn speed_parameters(line: &str) -> Vec<String> {
    split_parameters(line)
        .into_iter()
        .filter(|parameter| matters(parameter))
        .map(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or((&parameter, ""));
            // These parameters take words, numbers and lists; anything else is suspicious.
            let plain = |c: char| c.is_ascii_alphanumeric() || "_,.:-+/@".contains(c);
            if value.chars().all(plain) && parameter.len() <= LONGEST_PARAMETER {
                parameter
            } else {
                format!("{name}=(value not kept)")
            }
        })
        .collect()
}

/// The kernel treats a dash in a name as an underscore.
fn matters(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default().replace('-', "_");
    SPEED_PARAMETERS.iter().any(|known| known.replace('-', "_") == name)
}

/// Splits at blanks outside quotes, as the kernel does, and stops at `--`, after which the words
/// are for the first process and not for the kernel.
fn split_parameters(line: &str) -> Vec<String> {
    let mut parameters = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => parameters.push(String::new()),
            c => parameters.last_mut().expect("there is always a last word").push(c),
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

    #[test]
    fn only_parameters_that_matter_for_speed_are_kept() {
        let line = "BOOT_IMAGE=/vmlinuz root=UUID=1b2c ip=10.0.0.7 hostname=db-7 quiet \
            mitigations=off isolcpus=2-3 nosmt intel_idle.max_cstate=1\n";
        assert_eq!(
            speed_parameters(line),
            ["mitigations=off", "isolcpus=2-3", "nosmt", "intel_idle.max_cstate=1"]
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
