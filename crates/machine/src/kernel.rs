//! The kernel's release and the settings that affect performance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::boot_parameters::speed_parameters;
use super::cpu_list::CpuList;
use super::fact::{Fact, Read};
use super::files::Files;

/// The kernel and its settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Kernel {
    /// The release, as `uname -r` gives it.
    pub release: Fact<String>,
    /// The boot parameters that affect performance, in their order. The others are never kept: a command line may hold
    /// addresses, names and identifiers.
    pub parameters: Fact<Vec<String>>,
    /// The clock source in use.
    pub clock_source: Fact<String>,
    /// The driver that puts idle CPUs to sleep.
    pub idle_driver: Fact<String>,
    /// The governor that selects their sleep states.
    pub idle_governor: Fact<String>,
    /// The CPUs isolated from the scheduler.
    pub isolated_cpus: Fact<CpuList>,
    /// Whether a seccomp filter looks at each system call of this process: `none` or `filter`. Workers inherit it.
    pub call_filter: Fact<String>,
    /// The mitigation of each known CPU vulnerability.
    pub mitigations: Fact<BTreeMap<String, String>>,
}

impl Kernel {
    pub(super) fn read(files: &Files) -> Kernel {
        let devices = "/sys/devices/system";
        let clock_source = format!("{devices}/clocksource/clocksource0/current_clocksource");
        Kernel {
            release: files.value("/proc/sys/kernel/osrelease").into(),
            parameters: files.text("/proc/cmdline").map(|line| speed_parameters(&line)).into(),
            clock_source: files.value(&clock_source).into(),
            idle_driver: files.value(&format!("{devices}/cpu/cpuidle/current_driver")).into(),
            idle_governor: idle_governor(files).into(),
            isolated_cpus: files.cpu_list(&format!("{devices}/cpu/isolated")).into(),
            call_filter: call_filter(files).into(),
            mitigations: mitigations(files).into(),
        }
    }
}

/// Kernels before 5.8 had the name in a read-only file only.
fn idle_governor(files: &Files) -> Read<String> {
    let path = "/sys/devices/system/cpu/cpuidle/current_governor";
    let older = || files.value(&format!("{path}_ro"));
    files.value(path).or_else(|reason| older().map_err(|_| reason))
}

/// The modes of seccomp(2).
fn call_filter(files: &Files) -> Read<String> {
    let path = "/proc/self/status";
    let status = files.text(path)?;
    match status.lines().find_map(|line| line.strip_prefix("Seccomp:")).map(str::trim) {
        Some("0") => Ok("none".to_owned()),
        Some("1" | "2") => Ok("filter".to_owned()),
        _ => Err(format!("{path} does not report Seccomp")),
    }
}

fn mitigations(files: &Files) -> Read<BTreeMap<String, String>> {
    let folder = "/sys/devices/system/cpu/vulnerabilities";
    let read = |name: String| {
        let status = files.value(&format!("{folder}/{name}"));
        (name, status.unwrap_or_else(|reason| format!("not available: {reason}")))
    };
    let names = files.names(folder)?;
    if names.is_empty() {
        return Err(format!("{folder} is empty"));
    }
    Ok(names.into_iter().map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read(tree: &str) -> Kernel {
        Kernel::read(&Files::new(Fixture::unpack(tree).root()))
    }

    #[test]
    fn mitigations_are_listed_one_by_one() {
        let kernel = read(
            "/sys/devices/system/cpu/vulnerabilities/meltdown: Mitigation: PTI\n\
             /sys/devices/system/cpu/vulnerabilities/srbds: Not affected\n",
        );
        let found = kernel.mitigations.known().unwrap();
        assert_eq!(found["meltdown"], "Mitigation: PTI");
        assert_eq!(found["srbds"], "Not affected");
    }

    #[test]
    fn a_filter_of_system_calls_is_seen() {
        let filter = |mode: &str| {
            read(&format!("/proc/self/status <<\nName:\tx\nSeccomp:\t{mode}\n>>\n")).call_filter
        };
        assert_eq!(filter("0").known().unwrap(), "none");
        assert_eq!(filter("2").known().unwrap(), "filter");
        assert_eq!(filter("9").known(), None);
    }

    #[test]
    fn a_kernel_without_mitigations_gives_the_reason() {
        let reason = read("/proc/cmdline: quiet\n").mitigations;
        let expected = "/sys/devices/system/cpu/vulnerabilities does not exist";
        assert_eq!(reason.reason(), Some(expected));
    }

    #[test]
    fn no_isolated_cpu_is_an_empty_list_and_not_a_fault() {
        let kernel = read("/sys/devices/system/cpu/isolated <<\n\n>>\n");
        assert_eq!(kernel.isolated_cpus, Fact::Known(CpuList::default()));
    }
}
