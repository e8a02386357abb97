//! What a machine took while a row was measured.

use crate::record::{Reading, Run};
use crate::stats::{Interval, block_means, mean_interval};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

/// Readings of power begin so; what follows is the meter's name.
/// A row needs so many readings that fell into its windows.
const LEAST_READINGS: usize = 4;
/// A series of readings is cut into this many blocks, or fewer if it is short.
const BLOCKS: usize = 10;
/// Meters of the whole machine before those of its parts.
const MOST_FIRST: [&str; 3] = ["wall", "bmc", PACKAGES];
/// Each of a machine's packages has a meter whose name begins so; their sum is called …
const PACKAGE: &str = "rapl-package-";
/// … so.
const PACKAGES: &str = "rapl-packages";

/// A machine takes no less than a hundredth of a watt and no more than a hall of them.
const POSSIBLE_WATTS: RangeInclusive<f64> = 0.01..=1e7;

/// Where watts come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PowerSource {
    /// Readings of a meter, by its name: `wall`, `bmc`, `rapl-package-0`.
    Measured(String),
    /// A data sheet or an estimate, as the user gives it: under full load.
    Rated,
}

impl fmt::Display for PowerSource {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Measured(meter) => write!(f, "measured by {meter}"),
            Self::Rated => f.write_str("rated"),
        }
    }
}

/// What a machine took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Power {
    /// With its interval; rated watts have one of no width, for nobody knows how far they are off.
    pub watts: Interval,
    /// Where they come from.
    pub source: PowerSource,
}

/// Of each case of a run that has enough readings, by each meter that works, the one that sees most of the machine first. A
/// meter that always tells the same, or ever nothing, is broken or absent: that is not zero watts.
pub(super) fn powers(run: &Run) -> BTreeMap<usize, Vec<Power>> {
    let mut powers: BTreeMap<usize, Vec<Power>> = BTreeMap::new();
    for (meter, readings) in meters(run) {
        for (case, watts) in watts(run, &readings) {
            let source = PowerSource::Measured(meter.clone());
            powers.entry(case).or_default().push(Power { watts, source });
        }
    }
    let order = |power: &Power| match &power.source {
        PowerSource::Measured(meter) => MOST_FIRST.iter().position(|known| *known == meter),
        PowerSource::Rated => None,
    };
    for of_case in powers.values_mut() {
        of_case.sort_by_key(|power| order(power).unwrap_or(MOST_FIRST.len()));
    }
    powers
}

/// Each meter's readings in time. The packages of a machine are one meter: one of them alone is not the machine.
fn meters(run: &Run) -> BTreeMap<String, BTreeMap<u64, f64>> {
    let mut packages = BTreeSet::new();
    let mut meters: BTreeMap<String, BTreeMap<u64, (usize, f64)>> = BTreeMap::new();
    for reading in &run.readings {
        let Some(meter) = reading.source.strip_prefix(Reading::METER) else { continue };
        let is_package = meter.starts_with(PACKAGE);
        if is_package {
            packages.insert(meter);
        }
        let name = if is_package { PACKAGES } else { meter };
        let (count, sum) =
            meters.entry(name.to_owned()).or_default().entry(reading.at_ns).or_default();
        *count += 1;
        *sum += reading.value;
    }
    let whole = |(name, readings): (String, BTreeMap<u64, (usize, f64)>)| {
        let needed = if name == PACKAGES { packages.len() } else { 1 };
        let readings: BTreeMap<u64, f64> = readings
            .into_iter()
            .filter(|(_, (count, _))| *count == needed)
            .map(|(at_ns, (_, sum))| (at_ns, sum))
            .collect();
        let values: BTreeSet<u64> = readings.values().map(|value| value.to_bits()).collect();
        let works = values.len() > 1 && readings.values().all(|of| POSSIBLE_WATTS.contains(of));
        works.then_some((name, readings))
    };
    meters.into_iter().filter_map(whole).collect()
}

/// Of each case with enough readings of a meter in its windows. Readings that follow each other are alike: what is not known
/// comes from blocks of them.
fn watts(run: &Run, readings: &BTreeMap<u64, f64>) -> BTreeMap<usize, Interval> {
    let mut of_cases: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for window in &run.windows {
        let inside = readings.range(window.measured.start_ns..=window.measured.end_ns);
        of_cases.entry(window.case).or_default().extend(inside.map(|(_, watts)| watts));
    }
    let enough = of_cases.into_iter().filter(|(_, values)| values.len() >= LEAST_READINGS);
    let of_case = |(case, values): (usize, Vec<f64>)| {
        let blocks = block_means(&values, BLOCKS.min(values.len()))?;
        Some((case, mean_interval(&blocks)?))
    };
    enough.filter_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples;

    /// A run whose only case has windows of 100 ns one after the other, and readings in their middle.
    fn run(watts: &[f64], source: &str) -> Run {
        let mut run = samples::run(&[("a/x", &[100; 8])]);
        for (number, window) in run.windows.iter_mut().enumerate() {
            let start_ns = 1_000 * (number as u64 + 1);
            (window.measured.start_ns, window.measured.end_ns) = (start_ns, start_ns + 100);
        }
        let reading = |(number, value): (usize, &f64)| {
            let at_ns = 1_000 * (number as u64 + 1) + 50;
            Reading { at_ns, source: source.to_owned(), value: *value }
        };
        run.readings = watts.iter().enumerate().map(reading).collect();
        run
    }

    #[test]
    fn watts_are_those_that_were_read_in_a_cases_windows() {
        let mut run = run(&[99.0, 101.0, 99.0, 101.0], "power_w.wall");
        let between = Reading { at_ns: 1_500, source: "power_w.wall".to_owned(), value: 500.0 };
        run.readings.push(between);
        let power = &powers(&run)[&0][0];
        assert!((power.watts.centre - 100.0).abs() < 1e-9, "{power:?}");
        assert_eq!(power.source, PowerSource::Measured("wall".to_owned()));
    }

    #[test]
    fn packages_count_together_and_the_wall_before_them() {
        let mut of_both = run(&[50.0, 60.0, 50.0, 60.0], "power_w.rapl-package-0");
        of_both.readings.extend(run(&[30.0, 30.0, 30.0, 40.0], "power_w.rapl-package-1").readings);
        let power = &powers(&of_both)[&0][0];
        assert!((power.watts.centre - 87.5).abs() < 1e-9, "{power:?}");
        assert_eq!(power.source.to_string(), "measured by rapl-packages");
        of_both.readings.extend(run(&[200.0, 210.0, 200.0, 210.0], "power_w.wall").readings);
        let all = &powers(&of_both)[&0];
        assert_eq!(all[0].source.to_string(), "measured by wall");
        // A moment in which one of the packages was not read says nothing of the machine.
        of_both.readings.retain(|reading| reading.at_ns != 1_050 || !reading.source.ends_with('1'));
        assert_eq!(powers(&of_both)[&0].len(), 1, "three readings of both are too few");
    }

    #[test]
    fn a_meter_that_tells_nothing_or_always_the_same_is_absent() {
        for watts in
            [[0.0; 4], [100.0; 4], [99.0, 101.0, f64::NAN, 100.0], [99.0, -1.0, 99.0, 99.0]]
        {
            assert!(powers(&run(&watts, "power_w.bmc")).is_empty(), "{watts:?}");
        }
        assert!(powers(&run(&[99.0, 101.0, 99.0], "power_w.bmc")).is_empty(), "too few");
        assert!(powers(&run(&[99.0, 101.0, 99.0, 101.0], "load1")).is_empty());
    }
}
