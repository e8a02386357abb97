//! The clock of each CPU, by cpufreq (Documentation/admin-guide/pm/cpufreq.rst).

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::SensorChannel;

const FOLDER: &str = "/sys/devices/system/cpu";

/// `frequency_khz.cpuN` of each CPU.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let channel = |cpu: u32| {
        let path = format!("{FOLDER}/cpu{cpu}/cpufreq/scaling_cur_freq");
        files.number::<u32>(&path).ok()?;
        Some(SensorChannel::alone(format!("frequency_khz.cpu{cpu}"), path, 1.0))
    };
    let cpus = files.numbered(FOLDER, "cpu").unwrap_or_default();
    let channels: Vec<SensorChannel> = cpus.into_iter().filter_map(channel).collect();
    match channels.is_empty() {
        true => Err(files.or_no_sys(
            "the kernel has no frequency driver here, as is usual in virtual machines; pulses measure the clock",
        )),
        false => Ok(channels),
    }
}
