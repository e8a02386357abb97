//! Sensors and counters over a run, thinned out to the resolution of a picture.

use super::events::{Events, MOST_POINTS, events, times};
use super::round::Rounded;
use estimate::{Look, RunEstimate, sensor_values, sustained_points};
use judge::sensor_words::{SensorWords, sensor_words};
use record::{Activity, Run};
use serde::Serialize;
use std::collections::BTreeMap;

const NS_PER_S: f64 = 1e9;
const TEMPERATURE: &str = "temperature_c.";
/// Sensors of which a picture says little; `show --details` has them.
const NOT_DRAWN: [&str; 7] = [
    "pressure_us.",
    "context_switches",
    "interrupts",
    "page_faults",
    "major_page_faults",
    "memory_available_bytes",
    "telemetry_cpu_s",
];

/// One quantity over time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Series"))]
pub(super) struct PageSeries {
    name: String,
    /// In which unit.
    unit: &'static str,
    /// Seconds since the first that is known of the run, and the value; means of neighbouring points where there are many.
    #[cfg_attr(test, schemars(with = "Vec<(f64, Option<f64>)>"))]
    points: Vec<(Rounded, Rounded)>,
}

/// Name and unit → points.
type Points = BTreeMap<(String, &'static str), Vec<(u64, f64)>>;

/// All that is known of a run over time, and what happened meanwhile. Where its clock started anew, because it was resumed on
/// another boot, only what followed is shown.
pub(super) fn telemetry(run: &Run, estimate: &RunEstimate) -> (Vec<PageSeries>, Vec<Events>) {
    let mut all = Points::new();
    of_readings(run, &mut all);
    of_samples(run, estimate, &mut all);
    of_sustained(run, &mut all);
    of_activity(run, &mut all);
    let happened = times(run, estimate);
    let at_ns = || {
        let read = all.values().flatten().map(|(at_ns, _)| *at_ns);
        read.chain(happened.values().flatten().copied())
    };
    let start_ns = at_ns().min().unwrap_or_default();
    let end_ns = at_ns().max().unwrap_or_default();
    let series = all
        .into_iter()
        .map(|((name, unit), mut points)| {
            points.sort_by_key(|(at_ns, _)| *at_ns);
            let seconds = |at_ns: u64| at_ns.saturating_sub(start_ns) as f64 / NS_PER_S;
            let points = thinned(&points).map(|(at_ns, value)| (Rounded(seconds(at_ns)), value));
            PageSeries { name, unit, points: points.collect() }
        })
        .collect();
    (series, events(happened, start_ns, end_ns))
}

/// Means of as many neighbours as it takes.
fn thinned(points: &[(u64, f64)]) -> impl Iterator<Item = (u64, Rounded)> {
    let at_once = points.len().div_ceil(MOST_POINTS).max(1);
    points.chunks(at_once).map(|some| {
        let mean = some.iter().map(|(_, value)| value).sum::<f64>() / some.len() as f64;
        (some[some.len() / 2].0, Rounded(mean))
    })
}

/// Sensors whose course is worth a picture; temperatures as the hottest sensor.
fn of_readings(run: &Run, all: &mut Points) {
    let mut hottest: BTreeMap<u64, f64> = BTreeMap::new();
    for (name, values) in sensor_values(run) {
        if name.starts_with(TEMPERATURE) {
            for reading in values {
                let most = hottest.entry(reading.at_ns).or_insert(reading.value);
                *most = most.max(reading.value);
            }
            continue;
        }
        if NOT_DRAWN.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let SensorWords { name, unit, scale } = sensor_words(name);
        let points = values.iter().map(|reading| (reading.at_ns, reading.value / scale));
        all.entry((name, unit)).or_default().extend(points);
    }
    if !hottest.is_empty() {
        all.insert(("hottest sensor".to_owned(), "°C"), hottest.into_iter().collect());
    }
}

/// The clock that pulses saw, and how much of the core was the workload's own.
fn of_samples(run: &Run, estimate: &RunEstimate, all: &mut Points) {
    for (sample, look) in estimate.in_order(run).skip(run.last_clock.samples) {
        let is_clear = |look: &&Look| look.has_clock() && !look.threads.is_empty();
        let Some(look) = look.filter(is_clear) else { continue };
        let widths = look.threads.iter().map(|thread| thread.width());
        let width = widths.sum::<f64>() / look.threads.len() as f64;
        let mut add = |name: &str, unit, value: f64| {
            if value.is_finite() {
                all.entry((name.to_owned(), unit)).or_default().push((sample.end_ns, value));
            }
        };
        add("core clock", "GHz", look.clock_hz / 1e9);
        add("instructions per cycle in the pulses", "", width);
    }
}

/// Rows under load without pauses: what they did, and the clock that their pulses saw.
fn of_sustained(run: &Run, all: &mut Points) {
    for (case, points) in sustained_points(run) {
        let Some(case) = run.header.plan.cases.get(case) else { continue };
        let name = format!("{} without pauses", case.name());
        let per_s = points.iter().map(|point| (point.end_ns, point.per_s));
        all.entry((name.clone(), "ops/s")).or_default().extend(per_s);
        let clocks = points.iter().filter_map(|point| Some((point.end_ns, point.clock_hz? / 1e9)));
        all.entry((name, "GHz")).or_default().extend(clocks);
    }
}

fn activity_of(run: &Run) -> &[Activity] {
    &run.activity[run.last_clock.activity..]
}

fn of_activity(run: &Run, all: &mut Points) {
    for activity in activity_of(run) {
        let mut add = |name: &str, value: f64| {
            all.entry((name.to_owned(), "%")).or_default().push((activity.at_ns, value * 100.0));
        };
        add("CPU time of other processes", activity.share(activity.others_ticks));
        if let Some(elapsed) = activity.elapsed {
            add("steal", elapsed.steal as f64 / (elapsed.total.max(1)) as f64);
        }
    }
    let throttled = |activity: &Activity| {
        activity.throttled.map(|throttled| throttled.waited_ns as f64 / NS_PER_S)
    };
    of_mishaps(run, "waiting for the CPU quota", "s", throttled, all);
    let swapped = |activity: &Activity| activity.swapped_pages.map(|pages| pages as f64);
    of_mishaps(run, "swapped pages", "", swapped, all);
    let hot = |activity: &Activity| activity.thermal_throttles.map(|times| times as f64);
    of_mishaps(run, "thermal throttling", "times", hot, all);
}

/// Quantities that should be zero are shown only where they are not.
fn of_mishaps(
    run: &Run,
    name: &str,
    unit: &'static str,
    amount: impl Fn(&Activity) -> Option<f64>,
    all: &mut Points,
) {
    let point = |activity: &Activity| Some((activity.at_ns, amount(activity)?));
    let points: Vec<(u64, f64)> = activity_of(run).iter().filter_map(point).collect();
    if points.iter().any(|(_, value)| *value > 0.0) {
        all.insert((name.to_owned(), unit), points);
    }
}
