//! Thermal zones (Documentation/driver-api/thermal/sysfs-api.rst), which Arm machines have rather than hwmon's sensors.

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::{SensorChannel, label};

const FOLDER: &str = "/sys/class/thermal";
const MILLIDEGREES: f64 = 1e3;

/// `temperature_c.zone-TYPE`.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let zones = files.numbered(FOLDER, "thermal_zone").unwrap_or_default();
    let channel = |zone: u32| {
        let folder = format!("{FOLDER}/thermal_zone{zone}");
        let path = format!("{folder}/temp");
        files.number::<f64>(&path).ok()?;
        let kind = label(&files.value(&format!("{folder}/type")).ok()?);
        Some(SensorChannel::alone(format!("temperature_c.zone-{kind}"), path, MILLIDEGREES))
    };
    let channels: Vec<SensorChannel> = zones.into_iter().filter_map(channel).collect();
    match channels.is_empty() {
        true => Err(files.or_no_sys("the kernel has no thermal zone here")),
        false => Ok(channels),
    }
}
