//! What a machine took while a row was measured.

use crate::record::Run;
use crate::stats::{Interval, mean_interval};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::RangeInclusive;

/// Readings of power begin so; what follows is the meter's name.
const SOURCE: &str = "power_w.";
/// A row needs so many readings that fell into its windows.
const LEAST_READINGS: usize = 4;

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

/// Of each case of a run that has enough readings, by the meter whose name comes first. A meter that always tells the
/// same, or ever nothing, is broken or absent: that is not zero watts.
pub(super) fn powers(run: &Run) -> BTreeMap<usize, Power> {
    let mut meters: BTreeMap<&str, Vec<(u64, f64)>> = BTreeMap::new();
    for reading in &run.readings {
        if let Some(meter) = reading.source.strip_prefix(SOURCE) {
            meters.entry(meter).or_default().push((reading.at_ns, reading.value));
        }
    }
    let works = |readings: &Vec<(u64, f64)>| {
        let values: BTreeSet<u64> = readings.iter().map(|(_, value)| value.to_bits()).collect();
        values.len() > 1 && readings.iter().all(|(_, value)| POSSIBLE_WATTS.contains(value))
    };
    let Some((meter, readings)) = meters.iter().find(|(_, readings)| works(readings)) else {
        return BTreeMap::new();
    };
    let mut of_cases: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for window in &run.windows {
        let span = window.measured.start_ns..=window.measured.end_ns;
        let inside = readings.iter().filter(|(at_ns, _)| span.contains(at_ns));
        of_cases.entry(window.case).or_default().extend(inside.map(|(_, watts)| watts));
    }
    let powers = of_cases.into_iter().filter(|(_, values)| values.len() >= LEAST_READINGS);
    let power = |(case, values): (usize, Vec<f64>)| {
        let source = PowerSource::Measured((*meter).to_owned());
        Some((case, Power { watts: mean_interval(&values)?, source }))
    };
    powers.filter_map(power).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Reading, samples};

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
        let power = &powers(&run)[&0];
        assert!((power.watts.centre - 100.0).abs() < 1e-9, "{power:?}");
        assert_eq!(power.source, PowerSource::Measured("wall".to_owned()));
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
