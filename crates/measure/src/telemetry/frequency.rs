//! The frequency of each CPU as reported by cpufreq, if available.

use std::fs;
use std::path::Path;

/// `frequency_khz.cpuN` of each CPU.
pub(super) fn readings(root: &Path) -> Vec<(String, f64)> {
    let folder = root.join("sys/devices/system/cpu");
    let mut readings: Vec<(u32, f64)> = fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let cpu = entry.file_name().to_str()?.strip_prefix("cpu")?.parse().ok()?;
            let text = fs::read_to_string(entry.path().join("cpufreq/scaling_cur_freq")).ok()?;
            Some((cpu, f64::from(text.trim().parse::<u32>().ok()?)))
        })
        .collect();
    readings.sort_by_key(|(cpu, _)| *cpu);
    readings.into_iter().map(|(cpu, khz)| (format!("frequency_khz.cpu{cpu}"), khz)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cpu_with_a_frequency_is_read_in_order() {
        let root = tempfile::tempdir().unwrap();
        for (cpu, khz) in
            [("cpu10", "2600000\n"), ("cpu2", "1500000\n"), ("cpuidle", "1\n"), ("cpu3", "x")]
        {
            let folder = root.path().join("sys/devices/system/cpu").join(cpu).join("cpufreq");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("scaling_cur_freq"), khz).unwrap();
        }
        let expected = [
            ("frequency_khz.cpu2".to_owned(), 1_500_000.0),
            ("frequency_khz.cpu10".to_owned(), 2_600_000.0),
        ];
        assert_eq!(readings(root.path()), expected);
    }

    #[test]
    fn a_machine_without_cpufreq_has_no_reading() {
        assert_eq!(readings(Path::new("/nowhere")), []);
    }
}
