//! The meters whose readings a run holds.

use estimate::{SensorState, SensorValue, meter_state, rates_of_counter};
use record::{ENERGY, POWER, Run};
use std::collections::{BTreeMap, BTreeSet};

/// Meters of the whole machine before those of its parts.
const MOST_FIRST: [&str; 5] = ["wall", "bmc", "power-meter-1", "rapl-psys", PACKAGES];
/// Each of a machine's packages has a meter whose name begins so; their sum is called …
const PACKAGE: &str = "rapl-package-";
/// … so.
const PACKAGES: &str = "rapl-packages";

/// A meter that works.
#[derive(Debug)]
pub(super) struct Metered {
    /// `wall`, `bmc`, `rapl-packages`.
    pub name: String,
    /// In order of time, in ns of the run's clock.
    pub readings: Vec<MeterReading>,
    /// The least by which two of its readings differ: it may show nothing finer. In watts.
    pub step: f64,
}

/// Mean power between two readings.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeterReading {
    pub at_ns: u64,
    pub watts: f64,
    /// The time, in ns, that its power surely lies in: of a counter since the reading before; of others, whose time stamps may lie
    /// anywhere in what they show, from the reading before to the one behind.
    pub within: Option<(u64, u64)>,
    /// How much of a run it stands for, in ns.
    pub weight_ns: f64,
}

/// How many meters were read at a moment, and their sum.
type Moments = BTreeMap<u64, (usize, f64)>;

/// The meters of a run, the one that sees most of the machine first. The packages of a machine are one meter: one of them
/// alone is not the machine. A meter that always tells the same, or ever nothing, is broken or absent: that is not zero watts.
/// Only what followed is taken from a run whose clock started anew.
pub(super) fn meters(run: &Run) -> Vec<Metered> {
    let mut packages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut meters: BTreeMap<(&str, &str), Moments> = BTreeMap::new();
    for reading in &run.readings[run.last_clock.readings..] {
        let stripped = |prefix| Some((prefix, reading.source.strip_prefix(prefix)?));
        let Some((prefix, meter)) = stripped(POWER).or_else(|| stripped(ENERGY)) else { continue };
        let is_package = meter.starts_with(PACKAGE);
        if is_package {
            packages.entry(prefix).or_default().insert(meter);
        }
        let name = if is_package { PACKAGES } else { meter };
        let all = meters.entry((prefix, name)).or_default();
        let (count, sum) = all.entry(reading.at_ns).or_default();
        *count += 1;
        *sum += reading.value;
    }
    let working = |((prefix, name), readings): ((&str, &str), Moments)| {
        let needed = if name == PACKAGES { packages[prefix].len() } else { 1 };
        let whole = readings.into_iter().filter(|(_, (count, _))| *count == needed);
        let readings: Vec<(u64, f64)> = whole.map(|(at_ns, (_, sum))| (at_ns, sum)).collect();
        Metered::of(name, &values(prefix, &readings))
    };
    let mut meters: Vec<Metered> = meters.into_iter().filter_map(working).collect();
    let order = |name: &str| MOST_FIRST.iter().position(|known| *known == name);
    meters.sort_by_key(|meter| order(&meter.name).unwrap_or(MOST_FIRST.len()));
    meters
}

fn values(prefix: &str, readings: &[(u64, f64)]) -> Vec<SensorValue> {
    let as_read = |&(at_ns, value): &(u64, f64)| SensorValue { at_ns, value, since_ns: None };
    if prefix == ENERGY {
        rates_of_counter(readings)
    } else {
        readings.iter().map(as_read).collect()
    }
}

impl Metered {
    /// `None` if it never changes or its state is bad.
    fn of(name: &str, values: &[SensorValue]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().map(|reading| reading.value).collect();
        sorted.sort_by(f64::total_cmp);
        let steps = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
        let step = steps.fold(f64::INFINITY, f64::min);
        let works = matches!(meter_state(values), SensorState::Good | SensorState::Unknown);
        let readings = (0..values.len()).map(|index| reading(values, index)).collect();
        (works && step.is_finite()).then(|| Self { name: name.to_owned(), readings, step })
    }

    /// The usual time between two readings, in ns.
    pub fn every_ns(&self) -> u64 {
        let mut gaps: Vec<u64> =
            self.readings.windows(2).map(|pair| pair[1].at_ns - pair[0].at_ns).collect();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or_default()
    }
}

fn reading(values: &[SensorValue], index: usize) -> MeterReading {
    let SensorValue { at_ns, value, since_ns } = values[index];
    let around = || Some((values[index.checked_sub(1)?].at_ns, values.get(index + 1)?.at_ns));
    MeterReading {
        at_ns,
        watts: value,
        within: since_ns.map(|since_ns| (since_ns, at_ns)).or_else(around),
        weight_ns: since_ns.map_or(1.0, |since_ns| at_ns.saturating_sub(since_ns) as f64),
    }
}
