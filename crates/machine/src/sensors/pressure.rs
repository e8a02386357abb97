//! Pressure stall information (Documentation/accounting/psi.rst): for how long tasks waited for CPUs, memory and disks.

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::SensorChannel;

/// File and channel.
const CHANNELS: [(&str, &str); 3] =
    [("cpu", "pressure_us.cpu"), ("memory", "pressure_us.memory"), ("io", "pressure_us.io")];

/// `pressure_us.cpu`, `….memory`, `….io`: for how long at least one task has waited since boot.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let channel = |(resource, name): (&str, &str)| {
        let path = format!("/proc/pressure/{resource}");
        let channel = SensorChannel::line((name, &path), ("some", "total="), 1.0);
        channel.clone().read(files).map(|_| channel)
    };
    CHANNELS.into_iter().map(channel).collect::<Read<Vec<SensorChannel>>>().map_err(|reason| {
        format!("{reason}: the kernel needs CONFIG_PSI and, on some distributions, psi=1 on its command line")
    })
}
