//! Sensors read during a run, and which of them are credible.

use estimate::{Sensor, SensorState};
use judge::numbers::four_digits;
use judge::sensor_words::{SensorWords, sensor_words};
use record::{ENERGY, POWER};
use terminal::table::{Heading, Table};

/// A line a sensor, those that are good first.
pub(super) fn sensors(all: &[Sensor]) -> Table {
    let mut table = Table::new([
        Heading::left("sensor"),
        Heading::left("state"),
        Heading::right("least"),
        Heading::right("most"),
        Heading::right("readings"),
        Heading::left("note").shrinks(),
    ]);
    for sensor in all {
        let SensorWords { name, unit, scale } = sensor_words(&sensor.name);
        let value =
            |value: f64| format!("{} {unit}", four_digits(value / scale)).trim_end().to_owned();
        let range = |pick: fn((f64, f64)) -> f64| {
            sensor.range.map_or_else(String::new, |range| value(pick(range)))
        };
        table.row([
            name,
            state(sensor.state).to_owned(),
            range(|ends| ends.0),
            range(|ends| ends.1),
            if sensor.readings > 0 { sensor.readings.to_string() } else { String::new() },
            sensor.reason.clone().unwrap_or_default(),
        ]);
    }
    table
}

/// A caveat about each meter whose watts are not used, for it can't be believed.
pub(super) fn broken_meters(all: &[Sensor]) -> impl Iterator<Item = String> {
    let is_meter =
        |sensor: &&Sensor| sensor.name.starts_with(ENERGY) || sensor.name.starts_with(POWER);
    all.iter().filter(is_meter).filter_map(|sensor| {
        let name = sensor_words(&sensor.name).name;
        let what = match sensor.state {
            SensorState::Stuck => "stuck: it showed the same value all the time, or at the end",
            SensorState::Zero => "not working: it showed 0 W all the time",
            SensorState::Impossible => "wrong: it showed more or less power than any machine uses",
            SensorState::Good | SensorState::Unknown | SensorState::Absent => return None,
        };
        Some(format!("The power meter {name} is {what}. Its watts are not used"))
    })
}

fn state(state: SensorState) -> &'static str {
    match state {
        SensorState::Good => "good",
        SensorState::Stuck => "stuck",
        SensorState::Zero => "zero",
        SensorState::Impossible => "impossible",
        SensorState::Unknown => "too few readings",
        SensorState::Absent => "absent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sensor(name: &str, state: SensorState) -> Sensor {
        let range = Some((1.0, 2e6));
        Sensor { name: name.to_owned(), state, reason: None, readings: 9, range }
    }

    #[test]
    fn a_broken_meter_is_told_and_other_sensors_are_not() {
        let all = [
            sensor("energy_j.rapl-package-0", SensorState::Stuck),
            sensor("power_w.bmc", SensorState::Good),
            sensor("fan_rpm.a", SensorState::Zero),
        ];
        let told: Vec<String> = broken_meters(&all).collect();
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("The power meter rapl-package-0 is stuck"), "{told:?}");
    }
}
