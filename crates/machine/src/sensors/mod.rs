//! Sensors of heat, clock, power and load that can be read while a machine works: one file per source.

mod channel;
mod clock;
mod hwmon;
mod kernel_counts;
mod pressure;
mod rapl;
mod thermal;

use std::path::Path;

pub use channel::SensorChannel;

use super::LoadAverage;
use super::fact::{Fact, Read};
use super::files::Files;

/// A kind of sensors of this machine.
#[derive(Debug, Clone)]
pub struct Sensors {
    /// `rapl`, `hwmon-power`, `temperature`, …
    pub source: &'static str,
    /// Readable channels, or why there are none.
    pub channels: Fact<Vec<SensorChannel>>,
    files: Files,
}

type Find = fn(&Files) -> Read<Vec<SensorChannel>>;

/// Every source, in the order in which they are shown.
const SOURCES: [(&str, Find); 9] = [
    ("rapl", rapl::channels),
    ("hwmon-power", hwmon::power),
    ("hwmon-temperature", hwmon::temperatures),
    ("thermal-zone", thermal::channels),
    ("fan", hwmon::fans),
    ("cpufreq", clock::channels),
    ("pressure", pressure::channels),
    ("kernel", kernel_counts::channels),
    ("load", load),
];

impl Sensors {
    /// All kinds that there are, under the folder with `/proc` and `/sys`.
    pub fn find(root: &Path) -> Vec<Self> {
        let files = Files::new(root);
        let sensors = |(source, find): (&'static str, Find)| {
            let channels = find(&files).map(|mut channels| {
                channel::numbered(&mut channels);
                channels
            });
            Self { source, channels: channels.into(), files: files.clone() }
        };
        SOURCES.into_iter().map(sensors).collect()
    }

    /// Reads all channels; one that can't be read now is left out, with why.
    pub fn read(&mut self) -> Vec<(&str, Result<f64, String>)> {
        let Fact::Known(channels) = &mut self.channels else { return Vec::new() };
        let files = &self.files;
        let read = |channel: &mut SensorChannel| channel.read(files);
        let values: Vec<Result<f64, String>> = channels.iter_mut().map(read).collect();
        channels.iter().map(|channel| channel.name.as_str()).zip(values).collect()
    }

    /// Whether it shows power or energy.
    pub fn is_meter(&self) -> bool {
        matches!(self.source, "rapl" | "hwmon-power") && self.channels.known().is_some()
    }
}

/// `load1`, how many tasks wanted to run, on average over the last minute.
fn load(files: &Files) -> Read<Vec<SensorChannel>> {
    let path = "/proc/loadavg";
    let text = files.value(path)?;
    LoadAverage::parse(&text).ok_or_else(|| format!("{path} does not hold load averages"))?;
    Ok(vec![SensorChannel::line(("load1", path), ("", ""), 1.0)])
}

#[cfg(test)]
mod tests;
