//! A row without pauses, until clock and temperature are steady: what a server under full load settles at.

use super::look::Look;
use record::{Ready, Run, Sample};
use serde::Serialize;
use stats::{Interval, block_means, mean, mean_interval};
use std::collections::{BTreeMap, BTreeSet};

/// A tenth of the longest time is a window; the last two are compared.
const WINDOWS: u64 = 10;
/// Steady is what changes by less than this from one window to the next: clock or throughput, by this share …
const MOST_CHANGE: f64 = 0.005;
/// … and every sensor of heat, by this.
const MOST_CHANGE_C: f64 = 1.0;
/// The last window is cut into so many blocks, whose means give the interval.
const BLOCKS: usize = 5;
/// A load of this share of its longest time was not broken off.
const NEARLY_ALL: f64 = 0.9;
const TEMPERATURE: &str = "temperature_c.";
const NS_PER_S: f64 = 1e9;

/// One sample of a sustained load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SustainedPoint {
    pub end_ns: u64,
    /// In ops/s.
    pub per_s: f64,
    /// The core's clock, where pulses show it.
    pub clock_hz: Option<f64>,
}

impl SustainedPoint {
    pub fn of(sample: &Sample, look: &Look) -> Self {
        Self {
            end_ns: sample.end_ns,
            per_s: look.throughput,
            clock_hz: look.has_clock().then_some(look.clock_hz),
        }
    }

    /// The quantity that must be steady: the clock in Hz, or else ops/s.
    fn level(&self) -> f64 {
        self.clock_hz.unwrap_or(self.per_s)
    }
}

/// A row under sustained load.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Sustained {
    /// The workload, with its variant if there is one.
    pub workload: String,
    pub threads: usize,
    /// Whether clock and temperature were steady in the end.
    pub is_steady: bool,
    /// How long it was loaded, in s.
    pub elapsed_s: f64,
    /// Throughput of the last window in ops/s. It is of one launch: the interval excludes variation between launches.
    pub settled: Interval,
    /// That over the row's figure of short samples.
    pub kept: Option<Interval>,
    /// Clock of the first window and of the last, in Hz, where pulses show it.
    pub clock_hz: Option<(f64, f64)>,
}

/// A window of a load of at most this length, in ns.
pub fn span_ns(longest_ns: u64) -> u64 {
    longest_ns / WINDOWS
}

/// Readings of each temperature sensor, by its name: time in ns, and °C.
pub type Heat = BTreeMap<String, Vec<(u64, f64)>>;

/// Whether a load has settled: two windows agree in clock (or throughput), and every sensor of heat in them.
pub fn is_steady(points: &[SustainedPoint], heat: &Heat, span_ns: u64) -> bool {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return false };
    let middle_ns = last.end_ns.saturating_sub(span_ns);
    let start_ns = middle_ns.saturating_sub(span_ns);
    if first.end_ns > start_ns {
        return false;
    }
    let mean_of = |values: &[(u64, f64)], from_ns: u64, to_ns: u64| {
        let inside = values.iter().filter(|(at_ns, _)| *at_ns > from_ns && *at_ns <= to_ns);
        let values: Vec<f64> = inside.map(|(_, value)| *value).collect();
        (!values.is_empty()).then(|| mean(&values))
    };
    let both = |values: &[(u64, f64)]| {
        mean_of(values, start_ns, middle_ns).zip(mean_of(values, middle_ns, last.end_ns))
    };
    let levels: Vec<(u64, f64)> =
        points.iter().map(|point| (point.end_ns, point.level())).collect();
    let is_cool = |values: &Vec<(u64, f64)>| {
        both(values).is_none_or(|(before, after)| (after - before).abs() < MOST_CHANGE_C)
    };
    both(&levels).is_some_and(|(before, after)| (after / before - 1.0).abs() < MOST_CHANGE)
        && heat.values().all(is_cool)
}

fn heat(run: &Run) -> Heat {
    let mut heat = Heat::new();
    for reading in &run.readings[run.last_clock.readings..] {
        if reading.source.starts_with(TEMPERATURE) {
            let values = heat.entry(reading.source.clone()).or_default();
            values.push((reading.at_ns, reading.value));
        }
    }
    heat
}

/// Rows whose load went on until they were steady, or for all the time that was given.
pub fn sustained_cases(run: &Run) -> BTreeSet<usize> {
    let Some(longest_ns) = run.header.plan.sustain_ns else { return BTreeSet::new() };
    let heat = heat(run);
    let is_done = |(_, points): &(usize, Vec<SustainedPoint>)| {
        let elapsed_ns =
            points.last().map_or(0, |last| last.end_ns).saturating_sub(points[0].end_ns);
        is_steady(points, &heat, span_ns(longest_ns))
            || elapsed_ns as f64 >= NEARLY_ALL * longest_ns as f64
    };
    sustained_points(run).into_iter().filter(is_done).map(|(case, _)| case).collect()
}

/// The samples of each case under sustained load, in order; of a load that was broken off and begun again, the last.
pub fn sustained_points(run: &Run) -> Vec<(usize, Vec<SustainedPoint>)> {
    let launches: BTreeMap<u64, &Ready> =
        run.launches.iter().map(|launch| (launch.launch, &launch.ready)).collect();
    let mut cases: BTreeMap<usize, (u64, Vec<SustainedPoint>)> = BTreeMap::new();
    for sample in &run.sustained[run.last_clock.sustained..] {
        let Some(ready) = launches.get(&sample.launch) else { continue };
        let point = SustainedPoint::of(sample, &Look::of(sample, ready));
        let (launch, points) = cases.entry(sample.case).or_default();
        if *launch != sample.launch {
            (*launch, *points) = (sample.launch, Vec::new());
        }
        points.push(point);
    }
    let is_any = |(_, (_, points)): &(usize, (u64, Vec<SustainedPoint>))| !points.is_empty();
    cases.into_iter().filter(is_any).map(|(case, (_, points))| (case, points)).collect()
}

/// Rows under sustained load, with the throughput that each settles at; `short` gives the figure of its short samples.
pub fn sustained(run: &Run, short: impl Fn(usize) -> Option<Interval>) -> Vec<Sustained> {
    let Some(longest_ns) = run.header.plan.sustain_ns else { return Vec::new() };
    let (span_ns, heat) = (span_ns(longest_ns), heat(run));
    let of_case = |(case, points): (usize, Vec<SustainedPoint>)| {
        let (first, last) = (points.first()?, points.last()?);
        let planned = run.header.plan.cases.get(case)?;
        let in_last = |point: &&SustainedPoint| point.end_ns > last.end_ns.saturating_sub(span_ns);
        let in_first =
            |point: &&SustainedPoint| point.end_ns < first.end_ns.saturating_add(span_ns);
        let per_s: Vec<f64> = points.iter().filter(in_last).map(|point| point.per_s).collect();
        let settled = mean_interval(&block_means(&per_s, BLOCKS.min(per_s.len()))?)?;
        let settled = match run.repeated.contains(&case) {
            true => Interval::around(settled.centre, f64::INFINITY, 1.0),
            false => settled,
        };
        let clock = |points: Vec<&SustainedPoint>| {
            let clocks: Option<Vec<f64>> = points.iter().map(|point| point.clock_hz).collect();
            clocks.filter(|clocks| !clocks.is_empty()).map(|clocks| mean(&clocks))
        };
        let clocks = clock(points.iter().filter(in_first).collect())
            .zip(clock(points.iter().filter(in_last).collect()));
        Some(Sustained {
            workload: planned.name(),
            threads: planned.threads,
            is_steady: is_steady(&points, &heat, span_ns),
            elapsed_s: last.end_ns.saturating_sub(first.end_ns) as f64 / NS_PER_S,
            kept: short(case).map(|short| settled.ratio_to(&short)),
            settled,
            clock_hz: clocks,
        })
    };
    sustained_points(run).into_iter().filter_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    fn points(clock: impl Fn(u64) -> f64, seconds: u64) -> Vec<SustainedPoint> {
        let point = |at: u64| SustainedPoint {
            end_ns: at * S,
            per_s: clock(at),
            clock_hz: Some(clock(at)),
        };
        (1..=seconds).map(point).collect()
    }

    fn falling(at: u64) -> f64 {
        3e9 * (1.0 + 0.2 * (-(at as f64) / 40.0).exp())
    }

    #[test]
    fn a_clock_that_falls_is_not_steady_before_it_has_settled() {
        let steady_after = |window_s: u64| {
            (1..600)
                .find(|seconds| is_steady(&points(falling, *seconds), &Heat::new(), window_s * S))
        };
        // It changes by 0.5 % a minute from here on.
        assert!((150..260).contains(&steady_after(60).unwrap()), "{:?}", steady_after(60));
        assert_eq!(steady_after(1_000), None);
        let flat = points(|_| 3e9, 130);
        assert!(
            is_steady(&flat, &Heat::new(), 60 * S)
                && !is_steady(&flat[..100], &Heat::new(), 60 * S)
        );
    }

    #[test]
    fn a_machine_that_still_gets_hotter_is_not_steady() {
        let flat = points(|_| 3e9, 130);
        let heat = |per_s: f64| -> Heat {
            let values = (1..=130).map(|at| (at * S, 50.0 + per_s * at as f64)).collect();
            // One that shows the same all the time hides nothing.
            let constant = (1..=130).map(|at| (at * S, 127.0)).collect();
            Heat::from([("cpu".to_owned(), values), ("aux".to_owned(), constant)])
        };
        assert!(!is_steady(&flat, &heat(0.05), 60 * S) && is_steady(&flat, &heat(0.001), 60 * S));
    }

    /// A run with sustained samples of its only row, each of these launches for so many seconds.
    fn loaded(launches: &[(u64, u64)]) -> Run {
        let mut run = record::fixture::run(&[("a/x", &[100; 8])]);
        run.header.plan.sustain_ns = Some(100 * S);
        let sample = run.samples[0].clone();
        let mut end_ns = run.last_ns;
        for (number, seconds) in launches {
            let mut launch = run.launches[0].clone();
            launch.launch = 1_000 + number;
            run.launches.push(launch);
            for at in 0..*seconds {
                end_ns += S;
                let mut sample = sample.clone();
                sample.launch = 1_000 + number;
                // Falls all the time, so that it is never steady.
                sample.measured.threads[0].ops = 1_000 - at * 5;
                let pulse = &mut sample.measured.threads[0];
                pulse.pulse_before.clock_ops = 1_000 - at * 5;
                pulse.pulse_after.clock_ops = 1_000 - at * 5;
                (sample.measured.start_ns, sample.measured.end_ns) = (end_ns - S, end_ns);
                run.sustained.push(sample);
            }
        }
        run
    }

    #[test]
    fn a_load_that_was_broken_off_is_not_done_and_its_samples_are_not_those_of_the_next() {
        assert!(sustained_cases(&loaded(&[(1, 30)])).is_empty());
        assert_eq!(sustained_cases(&loaded(&[(1, 100)])), BTreeSet::from([0]));
        let twice = loaded(&[(1, 30), (2, 95)]);
        assert_eq!(sustained_cases(&twice), BTreeSet::from([0]));
        assert_eq!(sustained_points(&twice)[0].1.len(), 95);
        let found = sustained(&twice, |_| None);
        assert!((found[0].elapsed_s - 94.0).abs() < 0.1 && !found[0].is_steady, "{found:?}");
    }
}
