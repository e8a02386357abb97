//! Whether a sensor can be believed: what it showed over a run.

use record::{ENERGY, POSSIBLE_WATTS, POWER, Run};
use serde::Serialize;
use std::collections::BTreeMap;

/// A sensor is judged by so many readings at least.
const LEAST_READINGS: usize = 4;
/// A counter that does not move over its last half, and this many readings, is stuck; a meter that may show whole watts only
/// may well show the same for a while.
const LEAST_STUCK: [usize; 2] = [4, 30];
/// Energy counters are read in pairs close to each other; a step needs this time to show anything. In ns.
const LEAST_STEP_NS: u64 = 5_000_000;
const NS_PER_S: f64 = 1e9;
/// Followed by the CPU's number.
const OF_CPU: &str = ".cpu";
/// Sensors that count, by what they begin with: they are judged by what they count in a second.
const COUNTERS: [&str; 7] = [
    ENERGY,
    "pressure_us.",
    "context_switches",
    "interrupts",
    "page_faults",
    "major_page_faults",
    "telemetry_cpu_s",
];

/// Credibility of a sensor over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SensorState {
    /// It showed what it should.
    Good,
    /// It showed the same all the time, or in the end.
    Stuck,
    /// It showed nothing but zero.
    Zero,
    /// It showed what no machine has.
    Impossible,
    /// It was read too seldom to say.
    Unknown,
    /// It could not be read.
    Absent,
}

/// A sensor over a run.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Sensor {
    /// Its name, or that of a kind of sensors of which there are none.
    pub name: String,
    pub state: SensorState,
    /// Why it is not good, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How often it was read.
    pub readings: usize,
    /// The least and the most that it showed; of a counter in a second, which is watts of one of energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

/// One value, and the time that it is of where that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SensorValue {
    pub at_ns: u64,
    /// In the sensor's unit; of a counter in a second, since the value before.
    pub value: f64,
    /// Since when, of a counter; in ns.
    pub since_ns: Option<u64>,
}

/// Rate of a counter per second, between readings that lie far enough apart: W, if it counts J.
pub fn rates_of_counter(readings: &[(u64, f64)]) -> Vec<SensorValue> {
    let mut values = Vec::new();
    let Some(mut from) = readings.first().copied() else { return values };
    for &(at_ns, joules) in &readings[1..] {
        if joules < from.1 {
            // A run that was resumed counts from zero again.
            from = (at_ns, joules);
            continue;
        }
        let step_ns = at_ns.saturating_sub(from.0);
        if step_ns < LEAST_STEP_NS {
            continue;
        }
        let value = (joules - from.1) / (step_ns as f64 / NS_PER_S);
        values.push(SensorValue { at_ns, value, since_ns: Some(from.0) });
        from = (at_ns, joules);
    }
    values
}

/// The state of a meter of power that showed these values.
pub fn meter_state(values: &[SensorValue]) -> SensorState {
    let is_counter = values.first().is_some_and(|first| first.since_ns.is_some());
    // A counter may move little within a short step, and one of a part of a chip always does.
    let least = if is_counter { 0.0 } else { *POSSIBLE_WATTS.start() };
    let is_possible =
        |reading: &SensorValue| (least..=*POSSIBLE_WATTS.end()).contains(&reading.value);
    if values.len() < LEAST_READINGS {
        SensorState::Unknown
    } else if values.iter().all(|reading| reading.value == 0.0) {
        SensorState::Zero
    } else if is_stuck(values, is_counter) {
        SensorState::Stuck
    } else if values.iter().all(is_possible) {
        SensorState::Good
    } else {
        SensorState::Impossible
    }
}

fn is_stuck(values: &[SensorValue], is_counter: bool) -> bool {
    let moves = |part: &[SensorValue]| part.windows(2).any(|pair| pair[0].value != pair[1].value);
    let half = &values[values.len() / 2..];
    let least = LEAST_STUCK[usize::from(!is_counter)];
    let stands = |value: f64| !is_counter || value == 0.0;
    !moves(values) || (half.len() >= least && !moves(half) && stands(half[0].value))
}

/// The state of another sensor, which may well show the same all the time.
fn other_state(values: &[SensorValue]) -> SensorState {
    let is_counter = values.iter().any(|reading| reading.since_ns.is_some());
    match values.iter().all(|reading| reading.value == 0.0) {
        // That nothing had to wait, say, is good.
        true if values.len() >= LEAST_READINGS && !is_counter => SensorState::Zero,
        _ => SensorState::Good,
    }
}

/// All sensors of a run: those that were read, then what there was none of. Those of each CPU are one.
pub fn sensors(run: &Run) -> Vec<Sensor> {
    let of_read = sensor_values(run).into_iter().map(|(name, values)| of_values(name, &values));
    of_read.chain(absent(run)).collect()
}

/// Readings of each sensor over a run, in order of time; per-CPU sensors as the mean over CPUs.
pub fn sensor_values(run: &Run) -> BTreeMap<&str, Vec<SensorValue>> {
    let mut sums: BTreeMap<(&str, u64), (f64, usize)> = BTreeMap::new();
    for reading in &run.readings[run.last_clock.readings..] {
        let of_cpu = reading.source.split_once(OF_CPU);
        let of_cpu = of_cpu.filter(|(_, cpu)| cpu.parse::<u32>().is_ok());
        let name = of_cpu.map_or(&*reading.source, |(name, _)| name);
        let (sum, count) = sums.entry((name, reading.at_ns)).or_default();
        *sum += reading.value;
        *count += 1;
    }
    let mut read: BTreeMap<&str, Vec<(u64, f64)>> = BTreeMap::new();
    for ((name, at_ns), (sum, count)) in sums {
        read.entry(name).or_default().push((at_ns, sum / count as f64));
    }
    read.into_iter().map(|(name, readings)| (name, values_of(name, &readings))).collect()
}

fn values_of(name: &str, readings: &[(u64, f64)]) -> Vec<SensorValue> {
    let as_read =
        || readings.iter().map(|&(at_ns, value)| SensorValue { at_ns, value, since_ns: None });
    let is_counter = COUNTERS.iter().any(|start| name.starts_with(start));
    if is_counter { rates_of_counter(readings) } else { as_read().collect() }
}

fn of_values(name: &str, values: &[SensorValue]) -> Sensor {
    let is_meter = name.starts_with(ENERGY) || name.starts_with(POWER);
    let state = if is_meter { meter_state(values) } else { other_state(values) };
    let least = values.iter().map(|reading| reading.value).min_by(f64::total_cmp);
    let most = values.iter().map(|reading| reading.value).max_by(f64::total_cmp);
    Sensor {
        name: name.to_owned(),
        state,
        reason: None,
        readings: values.len(),
        range: least.zip(most),
    }
}

/// Sources that could not be read, or no longer, with the reason.
fn absent(run: &Run) -> Vec<Sensor> {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    for telemetry in &run.telemetry {
        match telemetry.readings.reason() {
            Some(reason) => last.insert(&telemetry.source, reason),
            None => last.remove(&*telemetry.source),
        };
    }
    let sensor = |(name, reason): (&str, &str)| Sensor {
        name: name.to_owned(),
        state: SensorState::Absent,
        reason: Some(reason.to_owned()),
        readings: 0,
        range: None,
    };
    last.into_iter().map(sensor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::fixture;
    use record::{Reading, Telemetry};

    const S: u64 = 1_000_000_000;

    fn gauge(values: &[f64]) -> SensorState {
        let value = |(at, value): (usize, &f64)| SensorValue {
            at_ns: at as u64 * S,
            value: *value,
            since_ns: None,
        };
        meter_state(&values.iter().enumerate().map(value).collect::<Vec<_>>())
    }

    fn counter(joules: &[f64]) -> SensorState {
        let readings: Vec<(u64, f64)> =
            joules.iter().enumerate().map(|(at, joules)| (at as u64 * S, *joules)).collect();
        meter_state(&rates_of_counter(&readings))
    }

    #[test]
    fn a_meter_is_good_stuck_zero_or_impossible() {
        let stays = |count| [vec![80.0, 81.0], vec![90.0; count]].concat();
        assert_eq!((gauge(&stays(70)), gauge(&stays(4))), (SensorState::Stuck, SensorState::Good));
        assert_eq!(gauge(&[90.0, 91.0, 90.0, 92.0, 90.0]), SensorState::Good);
        assert_eq!(gauge(&[90.0; 8]), SensorState::Stuck);
        assert_eq!(gauge(&[0.0; 8]), SensorState::Zero);
        assert_eq!(gauge(&[90.0, 1e9, 90.0, 91.0, 90.0]), SensorState::Impossible);
        assert_eq!(gauge(&[90.0, 0.0, 90.0, 91.0, 90.0]), SensorState::Impossible);
        assert_eq!(gauge(&[90.0, 91.0]), SensorState::Unknown);
    }

    #[test]
    fn a_counter_is_judged_by_its_power() {
        assert_eq!(counter(&[0.0, 90.0, 181.0, 270.0, 362.0]), SensorState::Good);
        assert_eq!(counter(&[0.0, 0.001, 0.004, 0.005, 0.009]), SensorState::Good);
        assert_eq!(counter(&[5.0; 9]), SensorState::Zero);
        assert_eq!(
            counter(&[0.0, 90.0, 181.0, 181.0, 181.0, 181.0, 181.0, 181.0]),
            SensorState::Stuck
        );
        // A resumed run counts from zero again.
        assert_eq!(counter(&[0.0, 90.0, 181.0, 0.0, 91.0, 181.0, 270.0]), SensorState::Good);
    }

    #[test]
    fn readings_close_to_each_other_make_no_step() {
        let readings = [(0, 0.0), (S, 50.0), (S + 30_000, 50.0), (2 * S, 100.0)];
        let power = rates_of_counter(&readings);
        assert_eq!(power.iter().map(|reading| reading.value).collect::<Vec<_>>(), [50.0, 50.0]);
        assert_eq!(power[1].since_ns, Some(S));
        assert_eq!(rates_of_counter(&[]), []);
    }

    #[test]
    fn a_run_tells_what_it_read_and_what_it_could_not_read() {
        let mut run = fixture::run(&[("a/x", &[1])]);
        let mut read = |source: &str, values: &[f64]| {
            run.readings.extend(values.iter().enumerate().map(|(at, value)| Reading {
                at_ns: at as u64 * S,
                source: source.to_owned(),
                value: *value,
            }));
        };
        read("power_w.bmc", &[90.0, 90.0, 90.0, 90.0]);
        read("fan_rpm.a", &[0.0; 5]);
        read("frequency_khz.cpu0", &[2e6, 2e6]);
        read("frequency_khz.cpu1", &[3e6, 3e6]);
        read("pressure_us.cpu", &[0.0, 5.0]);
        let gone = machine::Fact::not_available("no driver");
        run.telemetry.push(Telemetry { at_ns: 0, source: "rapl".to_owned(), readings: gone });
        let found = sensors(&run);
        let states: Vec<(&str, SensorState)> =
            found.iter().map(|sensor| (sensor.name.as_str(), sensor.state)).collect();
        let expected = [
            ("fan_rpm.a", SensorState::Zero),
            ("frequency_khz", SensorState::Good),
            ("power_w.bmc", SensorState::Stuck),
            ("pressure_us.cpu", SensorState::Good),
            ("rapl", SensorState::Absent),
        ];
        assert_eq!(states, expected);
        assert_eq!(found[1].range, Some((2.5e6, 2.5e6)));
        assert_eq!(found[4].reason.as_deref(), Some("no driver"));
    }
}
