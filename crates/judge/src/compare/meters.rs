//! The meters whose readings a run holds.

use record::{POSSIBLE_WATTS, POWER, Run};
use std::collections::{BTreeMap, BTreeSet};

/// Meters of the whole machine before those of its parts.
const MOST_FIRST: [&str; 3] = ["wall", "bmc", PACKAGES];
/// Each of a machine's packages has a meter whose name begins so; their sum is called …
const PACKAGE: &str = "rapl-package-";
/// … so.
const PACKAGES: &str = "rapl-packages";

/// A meter that works.
#[derive(Debug)]
pub(super) struct Metered {
    /// `wall`, `bmc`, `rapl-packages`.
    pub name: String,
    /// Watts in order of time, in ns of the run's clock.
    pub readings: Vec<(u64, f64)>,
    /// The least by which two of its readings differ: it may show nothing finer. In watts.
    pub step: f64,
}

/// The meters of a run, the one that sees most of the machine first. The packages of a machine are one meter: one of them
/// alone is not the machine. A meter that always tells the same, or ever nothing, is broken or absent: that is not zero watts.
/// Of a run whose clock started anew, only what followed is taken.
pub(super) fn meters(run: &Run) -> Vec<Metered> {
    let mut packages = BTreeSet::new();
    let mut meters: BTreeMap<&str, BTreeMap<u64, (usize, f64)>> = BTreeMap::new();
    for reading in &run.readings[run.last_clock.readings..] {
        let Some(meter) = reading.source.strip_prefix(POWER) else { continue };
        let is_package = meter.starts_with(PACKAGE);
        if is_package {
            packages.insert(meter);
        }
        let name = if is_package { PACKAGES } else { meter };
        let (count, sum) = meters.entry(name).or_default().entry(reading.at_ns).or_default();
        *count += 1;
        *sum += reading.value;
    }
    let working = |(name, readings): (&str, BTreeMap<u64, (usize, f64)>)| {
        let needed = if name == PACKAGES { packages.len() } else { 1 };
        let whole = readings.into_iter().filter(|(_, (count, _))| *count == needed);
        Metered::of(name, whole.map(|(at_ns, (_, sum))| (at_ns, sum)).collect())
    };
    let mut meters: Vec<Metered> = meters.into_iter().filter_map(working).collect();
    let place = |name: &str| MOST_FIRST.iter().position(|known| *known == name);
    meters.sort_by_key(|meter| place(&meter.name).unwrap_or(MOST_FIRST.len()));
    meters
}

impl Metered {
    /// `None` of one that does not work.
    fn of(name: &str, readings: Vec<(u64, f64)>) -> Option<Self> {
        let mut values: Vec<f64> = readings.iter().map(|(_, watts)| *watts).collect();
        values.sort_by(f64::total_cmp);
        let steps = values.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
        let step = steps.fold(f64::INFINITY, f64::min);
        let works = step.is_finite() && values.iter().all(|of| POSSIBLE_WATTS.contains(of));
        works.then(|| Self { name: name.to_owned(), readings, step })
    }

    /// The usual time between two readings, in ns.
    pub fn every_ns(&self) -> u64 {
        let mut gaps: Vec<u64> =
            self.readings.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied().unwrap_or_default()
    }
}
