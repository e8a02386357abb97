//! Clock frequencies and their governors, as the kernel reports them.

use serde::{Deserialize, Serialize};

use super::cpuinfo::CpuInfo;
use super::fact::{Fact, Read};
use super::files::Files;

const FOLDER: &str = "/sys/devices/system/cpu/cpufreq";

/// The frequency settings of all CPUs. Settings that differ between CPUs are listed side by side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct Frequency {
    /// The scaling driver, such as `intel_pstate` or `amd-pstate-epp`.
    pub driver: Fact<String>,
    /// The governor, such as `performance`.
    pub governor: Fact<String>,
    /// The energy-performance preference given to the hardware.
    pub energy_preference: Fact<String>,
    /// The lowest frequency of the slowest CPU, in kHz.
    pub min_khz: Fact<u64>,
    /// The highest frequency of the fastest CPU, turbo included, in kHz.
    pub max_khz: Fact<u64>,
    /// The highest frequency that the settings allow at present, in kHz.
    pub allowed_khz: Fact<u64>,
    /// The base frequency, guaranteed without turbo, in kHz.
    pub base_khz: Fact<u64>,
    /// Whether turbo (boost) is allowed.
    pub boost: Fact<bool>,
    /// The first CPU's frequency in `/proc/cpuinfo` at that moment, in kHz. On a virtual machine it is usually that of
    /// the time-stamp counter and not of the core.
    pub shown_khz: Fact<u64>,
}

impl Frequency {
    pub(super) fn read(files: &Files, info: &Read<CpuInfo>) -> Frequency {
        let policies = Policies::find(files);
        let shown = info.as_ref().map_err(String::clone).and_then(shown_khz);
        Frequency {
            driver: policies.distinct("scaling_driver").into(),
            governor: policies.distinct("scaling_governor").into(),
            energy_preference: policies.distinct("energy_performance_preference").into(),
            min_khz: policies.extreme("cpuinfo_min_freq", u64::min).into(),
            max_khz: policies.extreme("cpuinfo_max_freq", u64::max).into(),
            allowed_khz: policies.extreme("scaling_max_freq", u64::max).into(),
            base_khz: base_khz(files, &policies).into(),
            boost: boost(files, &policies).into(),
            shown_khz: shown.into(),
        }
    }
}

/// The kernel's frequency policies: one per CPU or per group of CPUs that share a clock.
struct Policies<'a> {
    files: &'a Files,
    numbers: Read<Vec<u32>>,
}

impl Policies<'_> {
    fn find(files: &Files) -> Policies<'_> {
        let numbers = files.numbered(FOLDER, "policy").unwrap_or_default();
        let numbers = match numbers.is_empty() {
            true => Err(files.or_no_sys(
                "the kernel has no frequency driver here, as is usual in virtual machines",
            )),
            false => Ok(numbers),
        };
        Policies { files, numbers }
    }

    /// The values of all policies in order, or the reason of the first without one.
    fn each<T>(&self, name: &str, read: impl Fn(&Files, &str) -> Read<T>) -> Read<Vec<T>> {
        let numbers = self.numbers.as_ref().map_err(String::clone)?;
        let path = |number| format!("{FOLDER}/policy{number}/{name}");
        numbers.iter().map(|n| read(self.files, &path(n))).collect()
    }

    fn distinct(&self, name: &str) -> Read<String> {
        let mut values = self.each(name, Files::value)?;
        values.sort();
        values.dedup();
        Ok(values.join(" and "))
    }

    fn extreme(&self, name: &str, pick: fn(u64, u64) -> u64) -> Read<u64> {
        let values = self.each(name, Files::number::<u64>)?;
        let extreme = values.into_iter().reduce(pick);
        extreme.ok_or_else(|| format!("{FOLDER} has no policy"))
    }
}

/// Intel's driver reports it per policy; ACPI's table, which AMD and Arm servers have, gives it in MHz without any
/// driver.
fn base_khz(files: &Files, policies: &Policies) -> Read<u64> {
    let acpi = || {
        let path = "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq";
        let khz = files.number::<u64>(path).ok()?.checked_mul(1_000);
        khz.filter(|&khz| khz > 0)
    };
    policies
        .extreme("base_frequency", u64::max)
        .or_else(|_| acpi().ok_or_else(|| "neither a frequency driver nor ACPI reports it".into()))
}

/// Each driver has its own switch for the same thing.
fn boost(files: &Files, policies: &Policies) -> Read<bool> {
    if let Ok(no_turbo) = files.number::<u8>("/sys/devices/system/cpu/intel_pstate/no_turbo") {
        return Ok(no_turbo == 0);
    }
    if let Ok(boost) = files.number::<u8>(&format!("{FOLDER}/boost")) {
        return Ok(boost != 0);
    }
    match policies.extreme("boost", u64::max) {
        Ok(boost) => Ok(boost != 0),
        Err(reason) if policies.numbers.is_err() => Err(reason),
        Err(_) => Err("the frequency driver has no switch for it".into()),
    }
}

fn shown_khz(info: &CpuInfo) -> Read<u64> {
    let megahertz: Result<f64, _> = info.text("cpu MHz")?.parse();
    match megahertz {
        Ok(megahertz) if (1.0..1e6).contains(&megahertz) => Ok((megahertz * 1e3).round() as u64),
        _ => Err("/proc/cpuinfo: the field 'cpu MHz' does not hold a frequency".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn read(tree: &str) -> Frequency {
        let fixture = Fixture::unpack(tree);
        let files = Files::new(fixture.root());
        Frequency::read(&files, &CpuInfo::read(&files))
    }

    #[test]
    fn settings_that_differ_between_cpus_are_all_named() {
        let frequency = read(
            "/sys/devices/system/cpu/cpufreq/policy0/scaling_governor: powersave\n\
             /sys/devices/system/cpu/cpufreq/policy{1-3}/scaling_governor: performance\n",
        );
        let governor = frequency.governor.known().unwrap();
        assert_eq!(governor, "performance and powersave");
    }

    #[test]
    fn the_range_spans_the_slowest_and_the_fastest_cpu() {
        let frequency = read(
            "/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_min_freq: 400000\n\
             /sys/devices/system/cpu/cpufreq/policy1/cpuinfo_min_freq: 800000\n\
             /sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq: 2000000\n\
             /sys/devices/system/cpu/cpufreq/policy1/cpuinfo_max_freq: 3900000\n",
        );
        assert_eq!(frequency.min_khz, Fact::Known(400_000));
        assert_eq!(frequency.max_khz, Fact::Known(3_900_000));
    }

    #[test]
    fn a_virtual_machine_says_why_it_has_no_governor() {
        let frequency = read("/sys/devices/system/cpu/cpufreq/boost: 1\n");
        assert_eq!(
            frequency.governor.reason(),
            Some("the kernel has no frequency driver here, as is usual in virtual machines")
        );
    }

    #[test]
    fn without_sys_the_reason_is_not_a_missing_driver() {
        let reason = "/sys/devices/system/cpu does not exist";
        assert_eq!(read("/proc/stat: x\n").governor.reason(), Some(reason));
    }

    #[test]
    fn turbo_is_read_from_whichever_switch_the_driver_has() {
        let boost = |line: &str| read(line).boost;
        let switch = "/sys/devices/system/cpu/intel_pstate/no_turbo";
        assert_eq!(boost(&format!("{switch}: 0")), Fact::Known(true));
        assert_eq!(boost(&format!("{switch}: 1")), Fact::Known(false));
        assert_eq!(boost(&format!("{FOLDER}/boost: 1")), Fact::Known(true));
        assert_eq!(boost(&format!("{FOLDER}/policy0/boost: 0")), Fact::Known(false));
        assert_eq!(
            boost(&format!("{FOLDER}/policy0/scaling_driver: cppc_cpufreq")).reason(),
            Some("the frequency driver has no switch for it")
        );
    }

    #[test]
    fn the_base_frequency_comes_from_acpi_where_the_driver_is_silent() {
        let path = "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq";
        let base = |line: &str| read(line).base_khz;
        assert_eq!(base(&format!("{path}: 3000")), Fact::Known(3_000_000));
        assert!(base(&format!("{path}: 0")).reason().is_some());
        assert!(base(&format!("{path}: 18446744073709551615")).reason().is_some());
    }

    #[test]
    fn an_absurd_shown_frequency_is_refused() {
        let shown = |value: &str| read(&format!("/proc/cpuinfo: cpu MHz : {value}")).shown_khz;
        assert_eq!(shown("2596.142"), Fact::Known(2_596_142));
        for absurd in ["nan", "inf", "-5", "1e300", "fast"] {
            assert!(shown(absurd).reason().is_some(), "{absurd}");
        }
    }
}
