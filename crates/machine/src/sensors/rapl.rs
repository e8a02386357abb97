//! Energy counters of processors (RAPL), by the kernel's power capping framework
//! (Documentation/power/powercap/powercap.rst).

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::SensorChannel;

const FOLDER: &str = "/sys/class/powercap";
/// Zones of the model-specific registers; AMD's processors have them under the same name. The same counters through memory
/// (`intel-rapl-mmio`) are left out.
const ZONE: &str = "intel-rapl:";
const UJ_PER_J: f64 = 1e6;

/// `energy_j.rapl-package-0` of each socket, `energy_j.rapl-dram-0` and others of its parts, by the socket's number.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let names = files.names(FOLDER).unwrap_or_default();
    let zones: Vec<&String> = names.iter().filter(|name| name.starts_with(ZONE)).collect();
    if zones.is_empty() {
        return Err(files.or_no_sys("the kernel shows no RAPL zone here, as is usual in virtual machines, in containers and on Arm"));
    }
    let mut channels = Vec::new();
    for zone in zones {
        let path = format!("{FOLDER}/{zone}/energy_uj");
        // A zone without a counter (a power limit only) is no meter.
        if !files.exists(&path) {
            continue;
        }
        readable(files, &path)?;
        let name = name(files, zone)?;
        let range = files.number::<u64>(&format!("{FOLDER}/{zone}/max_energy_range_uj")).ok();
        channels.push(SensorChannel::counter(
            name,
            path,
            range.filter(|range| *range > 0),
            UJ_PER_J,
        ));
    }
    if channels.is_empty() {
        Err("the RAPL zones have no energy counter".to_owned())
    } else {
        Ok(channels)
    }
}

fn readable(files: &Files, path: &str) -> Read<()> {
    files.number::<u64>(path).map(|_| ()).map_err(remedy)
}

/// Kernels since 2020 let only root read the counters, for they tell what others compute (CVE-2020-8694).
pub(super) fn remedy(reason: String) -> String {
    if !reason.ends_with("is not readable by this user") {
        return reason;
    }
    format!(
        "{reason}. Run as root, or first: sudo chmod a+r {FOLDER}/{ZONE}*/energy_uj (until the next boot)"
    )
}

/// `intel-rapl:1` → its own name (`package-1`); `intel-rapl:1:0` → its name (`dram`) and the number of its socket.
fn name(files: &Files, zone: &str) -> Read<String> {
    let own = super::channel::label(&files.value(&format!("{FOLDER}/{zone}/name"))?);
    let numbers: Vec<&str> = zone.split(':').skip(1).collect();
    Ok(match numbers[..] {
        [_] => format!("energy_j.rapl-{own}"),
        _ => {
            let parent =
                files.value(&format!("{FOLDER}/{ZONE}{}/name", numbers[0])).unwrap_or_default();
            let socket = parent.strip_prefix("package-").unwrap_or(numbers[0]);
            format!("energy_j.rapl-{own}-{}", super::channel::label(socket))
        }
    })
}
