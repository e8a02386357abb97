//! Counters of the kernel for the whole machine (man 5 proc): switches, interrupts, page faults; and available memory.

use super::super::fact::Read;
use super::super::files::Files;
use super::channel::SensorChannel;

const CHANNELS: [(&str, &str, &str, f64); 5] = [
    ("context_switches", "/proc/stat", "ctxt ", 1.0),
    ("interrupts", "/proc/stat", "intr ", 1.0),
    ("page_faults", "/proc/vmstat", "pgfault ", 1.0),
    ("major_page_faults", "/proc/vmstat", "pgmajfault ", 1.0),
    ("memory_available_bytes", "/proc/meminfo", "MemAvailable:", 1.0 / 1024.0),
];

/// Counts since boot, and bytes.
pub(super) fn channels(files: &Files) -> Read<Vec<SensorChannel>> {
    let channel =
        |(name, path, start, scale)| SensorChannel::line((name, path), (start, ""), scale);
    let all = CHANNELS.into_iter().map(channel);
    let readable: Vec<SensorChannel> =
        all.filter(|channel: &SensorChannel| channel.clone().read(files).is_ok()).collect();
    if readable.is_empty() {
        Err("/proc shows none of its counts".to_owned())
    } else {
        Ok(readable)
    }
}
