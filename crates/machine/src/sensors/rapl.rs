//! Energy counters of processors (RAPL), by the kernel's power capping framework
//! (Documentation/power/powercap/powercap.rst).

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::SensorChannel;
use std::thread::sleep;
use std::time::{Duration, Instant};

const FOLDER: &str = "/sys/class/powercap";
/// Zones of the model-specific registers; AMD's processors have them under the same name. The same counters through memory
/// (`intel-rapl-mmio`) are left out.
const ZONE: &str = "intel-rapl:";
const UJ_PER_J: f64 = 1e6;

/// Counters of zones that show the same energy differ by what is used between two readings: at some hundred watts, on a machine that
/// is busy meanwhile. Two counters of their own, of which each may show tens of thousands of joules, are hardly ever so near.
const SAME_UJ: u64 = 10_000_000;
/// How often counters that show the same must have gone on together to be one counter, …
const STEPS: usize = 3;
/// … how far apart, and how long to wait for one that stands still.
const BETWEEN: Duration = Duration::from_millis(15);
const STANDS_STILL: Duration = Duration::from_secs(2);

/// `energy_j.rapl-package-0` of each socket, `energy_j.rapl-dram-0` and others of its parts, by the socket's number. A zone that
/// shows the counter of another (each die of some processors shows its socket's) is left out: its energy would count twice.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let names = files.names(FOLDER).unwrap_or_default();
    let zones: Vec<&String> = names.iter().filter(|name| name.starts_with(ZONE)).collect();
    if zones.is_empty() {
        return Err(files.or_no_sys("the kernel shows no RAPL zone here, as is usual in virtual machines, in containers and on Arm"));
    }
    let mut channels = Vec::new();
    let mirrors = mirrors(files, &zones);
    for zone in zones {
        if mirrors.contains(zone) {
            continue;
        }
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

/// Zones of whole packages and dies whose counters go on in step with that of a zone before them.
fn mirrors(files: &Files, zones: &[&String]) -> Vec<String> {
    let energy = |zone: &str| files.number::<u64>(&format!("{FOLDER}/{zone}/energy_uj")).ok();
    let is_same = |one: &str, other: &str| -> Option<u64> {
        let (one, other) = (energy(one)?, energy(other)?);
        (one > 0 && one.abs_diff(other) <= SAME_UJ).then_some(one)
    };
    let goes_in_step = |one: &str, other: &str| {
        let Some(mut last) = is_same(one, other) else { return false };
        let (mut steps, mut moved) = (0, Instant::now());
        while steps < STEPS {
            sleep(BETWEEN);
            match is_same(one, other) {
                None => return false,
                Some(now) if now != last => {
                    (steps, last, moved) = (steps + 1, now, Instant::now());
                }
                Some(_) if moved.elapsed() > STANDS_STILL => return false,
                Some(_) => {}
            }
        }
        true
    };
    let tops: Vec<&str> = zones
        .iter()
        .map(|zone| zone.as_str())
        .filter(|zone| zone.matches(':').count() == 1)
        .filter(|zone| {
            let name = files.value(&format!("{FOLDER}/{zone}/name")).unwrap_or_default();
            name.starts_with("package")
        })
        .collect();
    let mut mirrors: Vec<String> = Vec::new();
    for (place, zone) in tops.iter().enumerate() {
        let mut before = tops[..place].iter().filter(|top| !mirrors.iter().any(|m| m == *top));
        if before.any(|one| goes_in_step(one, zone)) {
            mirrors.push((*zone).to_owned());
        }
    }
    mirrors
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
