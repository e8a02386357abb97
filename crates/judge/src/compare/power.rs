//! Power of a machine while a row was measured.
//!
//! A reading of a power meter shows the mean of some time up to it, and where in that time its time stamp lies depends on the
//! meter. So it is a row's only if the row had the machine from the reading before it to the reading behind it. A counter of
//! energy shows the mean since the reading before it, so that these two suffice.

use super::meters::{MeterReading, Metered, meters};
use record::{Measured, POWER, RollingPass, Run};
use serde::Serialize;
use stats::{Interval, block_means, mean_interval};
use std::collections::BTreeMap;
use std::fmt;

/// A row needs so many readings of its own.
const LEAST_READINGS: usize = 4;
/// A series of readings is cut into this many blocks, or fewer if it is short.
const BLOCKS: usize = 10;
/// Between its neighbours, a row's reading must have seen the row's samples for this share of the time at least. In the rest
/// workers start and answer, and that takes another power: what it may hide is in the interval, a third at most.
const LEAST_SHARE: f64 = 0.75;
/// Samples that last so many times as long as readings lie apart hold one or two of their own.
const READINGS_A_SAMPLE: f64 = 3.0;
/// Where samples fill this share of the metered time, nothing is said of the rest.
const NEARLY_ALL: f64 = 0.99;
const NS_PER_S: f64 = 1e9;

/// Where watts come from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
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

/// Mean power of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Power {
    /// With its interval; rated watts have one of no width, for nobody knows how far they are off.
    pub watts: Interval,
    /// Power of the idle machine before the run, by the same meter; `None` if it was not read then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<Interval>,
    /// Where they come from.
    pub source: PowerSource,
}

/// Mean power by one meter over a whole run, and how many rows have readings of their own.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RunPower {
    /// The meter.
    pub meter: String,
    /// The log that was joined to the run, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Mean of its readings from the first sample to the last.
    pub watts: f64,
    /// Power of the idle machine before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_watts: Option<f64>,
    /// How many readings that are.
    pub readings: usize,
    /// The usual time between two of them.
    pub every_s: f64,
    /// Rows that have watts of their own.
    pub rows_with_watts: usize,
    /// All rows.
    pub rows: usize,
    /// Among rows with watts, the least share of the metered time that their samples fill.
    pub least_share: Option<f64>,
}

impl RunPower {
    /// Whether there are rows of which only the whole run's power is known.
    pub fn lacks_rows(&self) -> bool {
        self.rows_with_watts < self.rows
    }

    /// A sentence on the rows with watts: how many, the share of time that samples fill, and a remedy for the others.
    fn of_rows(&self) -> String {
        let (known, rows) = (self.rows_with_watts, self.rows);
        if self.lacks_rows() {
            let sample_s = (self.every_s * READINGS_A_SAMPLE).ceil().max(1.0);
            return format!(
                "{} of {rows} rows have no watts of their own, because other rows or pauses lie between two readings. \
                 Measure with samples of {sample_s:.0} s or more: sizeup run --sample-time {sample_s:.0}s",
                rows - known
            );
        }
        match self.least_share.filter(|share| *share < NEARLY_ALL) {
            Some(share) => format!(
                "{known} of {rows} rows have their own watts, with samples in {:.0} % of the metered time or more; the \
                 intervals allow for the rest of the time",
                (share * 100.0).floor()
            ),
            None => format!("{known} of {rows} rows have their own watts"),
        }
    }
}

impl fmt::Display for RunPower {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { meter, watts, readings, every_s, .. } = self;
        write!(f, "{meter}: {watts:.1} W on average over the whole run ({readings} readings, ")?;
        match every_s {
            1.0.. => write!(f, "one every {every_s:.1} s")?,
            _ => write!(f, "one every {:.0} ms", every_s * 1e3)?,
        }
        if let Some(idle) = self.idle_watts {
            write!(f, ", {idle:.1} W idle")?;
        }
        if let Some(file) = &self.file {
            write!(f, ", imported from {file}")?;
        }
        write!(f, "); {}", self.of_rows())
    }
}

/// The power of a run.
#[derive(Debug, Default)]
pub struct Powers {
    /// Watts of each case with enough readings, a value per meter; the meter that covers most of the machine first.
    pub of_cases: BTreeMap<usize, Vec<Power>>,
    /// Over the whole run, of each meter.
    pub of_run: Vec<RunPower>,
}

/// Reads the meters of a run.
pub fn powers(run: &Run) -> Powers {
    let mut powers = Powers::default();
    let meters = meters(run);
    let stretches = if meters.is_empty() { Vec::new() } else { stretches(run) };
    for meter in meters {
        let of_cases = watts(&meter, &stretches);
        powers.of_run.extend(run_power(run, &meter, &stretches, &of_cases));
        let idle = idle(run, &meter);
        for (case, (watts, _)) in of_cases {
            let source = PowerSource::Measured(meter.name.clone());
            powers.of_cases.entry(case).or_default().push(Power { watts, idle, source });
        }
    }
    powers
}

/// A time in which a worker did its work: a sample with its warm-up.
struct WorkSpan {
    start_ns: u64,
    end_ns: u64,
    /// `None` if all cases of a mix worked.
    case: Option<usize>,
}

/// In order of time.
fn stretches(run: &Run) -> Vec<WorkSpan> {
    let warmup_ns = run.header.plan.timing.warmup_ns;
    let span = |measured: &Measured, case| WorkSpan {
        start_ns: measured.start_ns.saturating_sub(warmup_ns),
        end_ns: measured.end_ns,
        case,
    };
    let samples = run.samples.iter().skip(run.last_clock.samples);
    let alone = samples.map(|sample| span(&sample.measured, Some(sample.case)));
    let shares = run.mixed.iter().skip(run.last_clock.mixed).flat_map(|mixed| &mixed.shares);
    let passes = run.rolling_passes.iter().skip(run.last_clock.rolling_passes);
    let rolling = passes.flat_map(RollingPass::shares).map(|share| span(&share.measured, None));
    let together = shares.map(|share| span(&share.measured, None)).chain(rolling);
    let mut stretches: Vec<WorkSpan> = alone.chain(together).collect();
    stretches.sort_by_key(|stretch| (stretch.start_ns, stretch.end_ns));
    stretches
}

/// The only case that worked in a time, and for how long of it, in ns.
fn worker_of(stretches: &[WorkSpan], from_ns: u64, to_ns: u64) -> Option<(usize, u64)> {
    let first = stretches.partition_point(|stretch| stretch.end_ns <= from_ns);
    let inside = stretches[first..].iter().take_while(|stretch| stretch.start_ns < to_ns);
    let mut found = None;
    for stretch in inside {
        let worked_ns = stretch.end_ns.min(to_ns).saturating_sub(stretch.start_ns.max(from_ns));
        let case = stretch.case?;
        match &mut found {
            None => found = Some((case, worked_ns)),
            Some((only, sum_ns)) if *only == case => *sum_ns = sum_ns.saturating_add(worked_ns),
            Some(_) => return None,
        }
    }
    found
}

/// A row's readings of a meter.
#[derive(Default)]
struct Own {
    /// Each with how much of the run it stands for.
    watts: Vec<(f64, f64)>,
    worked_ns: f64,
    elapsed_ns: f64,
}

/// Watts of each case with enough readings, and the share of the time between readings that its samples fill.
fn watts(meter: &Metered, stretches: &[WorkSpan]) -> BTreeMap<usize, (Interval, f64)> {
    let mut of_cases: BTreeMap<usize, Own> = BTreeMap::new();
    for reading in &meter.readings {
        let Some((from_ns, to_ns)) = reading.within else { continue };
        let Some((case, worked_ns)) = worker_of(stretches, from_ns, to_ns) else { continue };
        let elapsed_ns = (to_ns - from_ns) as f64;
        if worked_ns as f64 >= LEAST_SHARE * elapsed_ns {
            let own = of_cases.entry(case).or_default();
            own.watts.push((reading.watts, reading.weight_ns));
            own.worked_ns += elapsed_ns.min(worked_ns as f64);
            own.elapsed_ns += elapsed_ns;
        }
    }
    let enough = of_cases.into_iter().filter(|(_, own)| own.watts.len() >= LEAST_READINGS);
    enough.filter_map(|(case, own)| Some((case, own.interval(meter.step)?))).collect()
}

/// Mean power while nothing worked; `None` with too few readings then.
fn idle(run: &Run, meter: &Metered) -> Option<Interval> {
    let idles = &run.idles[run.last_clock.idles..];
    let is_idle = |(from_ns, to_ns): (u64, u64)| {
        idles.iter().any(|idle| idle.start_ns <= from_ns && to_ns <= idle.end_ns)
    };
    let inside = meter.readings.iter().filter(|reading| reading.within.is_some_and(is_idle));
    let watts: Vec<f64> = inside.map(|reading| reading.watts).collect();
    if watts.len() < LEAST_READINGS {
        return None;
    }
    let blocks = block_means(&watts, BLOCKS.min(watts.len()))?;
    let known = mean_interval(&blocks)?;
    let margin = known.margin().hypot(meter.step / 2.0 / known.centre);
    Some(Interval::around(known.centre, margin, known.freedom))
}

/// Means of blocks of readings, each reading as long as it stands for.
fn weighted_block_means(watts: &[(f64, f64)]) -> Vec<f64> {
    let count = BLOCKS.min(watts.len());
    let edge = |block: usize| block * watts.len() / count;
    let mean = |block: usize| {
        let some = &watts[edge(block)..edge(block + 1)];
        let weight: f64 = some.iter().map(|(_, weight)| weight).sum();
        some.iter().map(|(watts, weight)| watts * weight).sum::<f64>() / weight
    };
    (0..count).map(mean).collect()
}

impl Own {
    /// Readings that follow each other are alike: how far their mean may be off comes from blocks of them, from the meter's
    /// step, and from what pauses may hide.
    fn interval(&self, step: f64) -> Option<(Interval, f64)> {
        let blocks = weighted_block_means(&self.watts);
        let known = mean_interval(&blocks)?;
        let share = self.worked_ns / self.elapsed_ns;
        let margin = known.margin().hypot(step / 2.0 / known.centre) - share.ln();
        Some((Interval::around(known.centre, margin, known.freedom), share))
    }
}

fn run_power(
    run: &Run,
    meter: &Metered,
    stretches: &[WorkSpan],
    of_cases: &BTreeMap<usize, (Interval, f64)>,
) -> Option<RunPower> {
    let from_ns = stretches.first()?.start_ns;
    let to_ns = stretches.iter().map(|stretch| stretch.end_ns).max()?;
    let is_inside = |reading: &&MeterReading| (from_ns..=to_ns).contains(&reading.at_ns);
    let inside: Vec<&MeterReading> = meter.readings.iter().filter(is_inside).collect();
    let weight_ns: f64 = inside.iter().map(|reading| reading.weight_ns).sum();
    let sum: f64 = inside.iter().map(|reading| reading.watts * reading.weight_ns).sum();
    let rows: Vec<usize> = run.judged_cases().map(|(number, _)| number).collect();
    let source = format!("{POWER}{}", meter.name);
    let shares = rows.iter().filter_map(|case| of_cases.get(case)).map(|(_, share)| *share);
    (!inside.is_empty()).then(|| RunPower {
        meter: meter.name.clone(),
        file: run
            .meters
            .iter()
            .find(|meter| meter.source == source)
            .map(|meter| meter.file.clone()),
        watts: sum / weight_ns,
        idle_watts: idle(run, meter).map(|idle| idle.centre),
        readings: inside.len(),
        every_s: meter.every_ns() as f64 / NS_PER_S,
        rows_with_watts: shares.clone().count(),
        rows: rows.len(),
        least_share: shares.min_by(f64::total_cmp),
    })
}

#[cfg(test)]
mod tests;
