//! Joining a meter's log to a run by time.

use super::MeterLog;
use crate::ImportError;
use jiff::Timestamp;
use record::{Ended, Meter, Note, POSSIBLE_WATTS, POWER, Reading, Record, Run, WriteError, Writer};
use std::path::Path;

/// Fewer readings during the samples say nothing.
const LEAST_READINGS: usize = 4;
/// No run file needs more: ten a second for a day.
const MOST_READINGS: usize = 1_000_000;
/// The wall clock and the monotonic clock of a run go alike but for corrections by NTP, in ns.
const CLOCKS_APART_NS: i128 = 1_000_000_000;

/// Readings of a meter's log that fell into a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    meter: Meter,
    /// On the run's clock, rising.
    readings: Vec<Reading>,
    ended: Ended,
}

impl MeterLog {
    /// The readings that fell into a run, under a meter's name. `offset_ns` is added to the meter's times.
    ///
    /// # Errors
    /// When the run can have no meter, or too few of the readings, or impossible ones, fell into it.
    pub fn join(&self, run: &Run, name: &str, offset_ns: i64) -> Result<Joined, ImportError> {
        let of_run = |what: &str| ImportError { path: run.path.clone(), what: what.to_owned() };
        let of_log = |what: String| ImportError { path: self.file.clone().into(), what };
        let source = format!("{POWER}{name}");
        let (ended, run_sha256) = check_run(run, &source).map_err(|what| of_run(&what))?;
        let clock_ns = wall_ahead_ns(run).map_err(of_run)?;
        let to_run = |unix_ns: i64| i128::from(unix_ns) + i128::from(offset_ns) - clock_ns;
        let (from_ns, to_ns) = (i128::from(run.header.started_ns), i128::from(run.last_ns));
        let mut readings = Vec::new();
        for reading in &self.readings {
            let at_ns = to_run(reading.unix_ns);
            let Some(at_ns) =
                u64::try_from(at_ns).ok().filter(|_| (from_ns..=to_ns).contains(&at_ns))
            else {
                continue;
            };
            if !POSSIBLE_WATTS.contains(&reading.watts) {
                let (line, watts) = (reading.line, reading.watts);
                let what = format!("line {line}: {watts} W during the run is impossible");
                return Err(of_log(what));
            }
            readings.push(Reading { at_ns, source: source.clone(), value: reading.watts });
        }
        if readings.is_empty() {
            return Err(of_log(self.no_overlap(clock_ns, offset_ns, (from_ns, to_ns))));
        }
        check_readings(&readings, run).map_err(of_log)?;
        let meter = Meter { source, file: self.file.clone(), offset_ns, run_sha256 };
        Ok(Joined { meter, readings, ended })
    }

    fn no_overlap(&self, clock_ns: i128, offset_ns: i64, (from_ns, to_ns): (i128, i128)) -> String {
        let ends = [self.readings.first(), self.readings.last()];
        let [first, last] = ends.map(|reading| {
            reading.map_or_else(String::new, |reading| {
                in_words(i128::from(reading.unix_ns) + i128::from(offset_ns))
            })
        });
        let (start, end) = (in_words(from_ns + clock_ns), in_words(to_ns + clock_ns));
        format!(
            "no reading is within the run: the log covers {first} to {last}, the run {start} to {end}. If the meter's \
             clock is wrong, correct it with --clock-offset SECONDS"
        )
    }
}

impl Joined {
    /// How many readings fell into the run.
    pub fn count(&self) -> usize {
        self.readings.len()
    }

    /// Writes the run with the meter's readings as a new closed file, which must not be there yet.
    ///
    /// # Errors
    /// When it exists, the run's file has changed, or it can't be written.
    pub fn write(&self, run: &Run, path: &Path) -> Result<(), WriteError> {
        let Some(close) = &run.close else { return Ok(()) };
        let mut writer = Writer::create_after(path, &run.path, close)?;
        writer.write(&Record::Meter(self.meter.clone()))?;
        for reading in &self.readings {
            writer.write(&Record::Reading(reading.clone()))?;
        }
        writer.close(self.ended, close.at_ns)
    }
}

/// How it ended, and its digest, if a meter can be joined to it.
fn check_run(run: &Run, source: &str) -> Result<(Ended, String), String> {
    if run.header.origin.is_some() || run.samples.is_empty() {
        return Err("has no samples to join a meter's log to".to_owned());
    }
    if run.notes.contains(&Note::Changed) {
        return Err(
            "was modified after it was closed (digest mismatch): cannot join a meter's log"
                .to_owned(),
        );
    }
    if run.readings.iter().any(|reading| reading.source == source) {
        return Err(format!("already has readings of {source}: choose another name with --meter"));
    }
    match (&run.close, run.digest()) {
        (Some(close), Some(digest)) => Ok((close.ended, digest.to_owned())),
        _ => Err("is incomplete: finish it with `sizeup run --resume FILE`, then import the meter"
            .to_owned()),
    }
}

/// How far the wall clock was ahead of the clock of the run's times, in ns.
fn wall_ahead_ns(run: &Run) -> Result<i128, &'static str> {
    let ahead_ns = |unix_ns: u64, at_ns: u64| i128::from(unix_ns) - i128::from(at_ns);
    let first = ahead_ns(run.header.started_unix_ns, run.header.started_ns);
    let mut others = run.resumes.iter().map(|resume| ahead_ns(resume.at_unix_ns, resume.at_ns));
    match others.any(|other| (other - first).abs() > CLOCKS_APART_NS) {
        true => Err(
            "was resumed after the machine rebooted or its clock was set: its times use two clocks, so no \
             meter's log can be joined. Measure again without a pause",
        ),
        false => Ok(first),
    }
}

fn check_readings(readings: &[Reading], run: &Run) -> Result<(), String> {
    let from_ns = run.samples.iter().map(|sample| sample.start_ns).min().unwrap_or_default();
    let to_ns = run.samples.iter().map(|sample| sample.end_ns).max().unwrap_or_default();
    let inside =
        readings.iter().filter(|reading| (from_ns..=to_ns).contains(&reading.at_ns)).count();
    if inside < LEAST_READINGS {
        return Err(format!(
            "only {inside} readings between the run's first and last sample; {LEAST_READINGS} needed. Read the meter \
             more often or measure longer"
        ));
    }
    if readings.len() > MOST_READINGS {
        return Err(format!(
            "{} readings are within the run; the limit is {MOST_READINGS}. Average them over 0.1 s",
            readings.len()
        ));
    }
    if readings.iter().all(|reading| reading.value == readings[0].value) {
        return Err(format!(
            "every reading during the run is {} W: the meter seems to be stuck",
            readings[0].value
        ));
    }
    Ok(())
}

/// A time, as far as there is one.
fn in_words(unix_ns: i128) -> String {
    let time = Timestamp::from_nanosecond(unix_ns).and_then(|time| time.round(jiff::Unit::Second));
    time.map_or_else(|_| format!("{unix_ns} ns since 1970"), |time| time.to_string())
}
