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

/// What can be written of a run and a meter's log.
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
        for of in &self.readings {
            let at_ns = to_run(of.unix_ns);
            let Some(at_ns) =
                u64::try_from(at_ns).ok().filter(|_| (from_ns..=to_ns).contains(&at_ns))
            else {
                continue;
            };
            if !POSSIBLE_WATTS.contains(&of.watts) {
                let (line, watts) = (of.line, of.watts);
                let what =
                    format!("line {line}: {watts} W while the machine was measured can't be");
                return Err(of_log(what));
            }
            readings.push(Reading { at_ns, source: source.clone(), value: of.watts });
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
        let [first, last] = ends.map(|of| {
            of.map_or_else(String::new, |of| {
                in_words(i128::from(of.unix_ns) + i128::from(offset_ns))
            })
        });
        let (start, end) = (in_words(from_ns + clock_ns), in_words(to_ns + clock_ns));
        format!(
            "no reading falls into the run: the log goes from {first} to {last}, the run from {start} to {end}. If the meter's \
             clock is off, --clock-offset SECONDS is added to its times"
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
    /// When it is, the run's file has changed meanwhile, or the disk refuses it.
    pub fn write(&self, run: &Run, path: &Path) -> Result<(), WriteError> {
        let Some(close) = &run.close else { return Ok(()) };
        let mut writer = Writer::create_after(path, &run.path, close)?;
        let write = || -> Result<(), WriteError> {
            writer.write(&Record::Meter(self.meter.clone()))?;
            for reading in &self.readings {
                writer.write(&Record::Reading(reading.clone()))?;
            }
            writer.close(self.ended, close.at_ns)
        };
        // A run file without an end would be taken for a run that was killed.
        write().inspect_err(|_| drop(std::fs::remove_file(path)))
    }
}

/// How it ended, and its digest, if a meter can be joined to it.
fn check_run(run: &Run, source: &str) -> Result<(Ended, String), String> {
    if run.header.origin.is_some() || run.windows.is_empty() {
        return Err("has no samples that a meter could be joined to by time".to_owned());
    }
    if run.notes.contains(&Note::Changed) {
        return Err(
            "was changed after it was closed (its digest differs): no meter is joined to it"
                .to_owned(),
        );
    }
    if run.readings.iter().any(|reading| reading.source == source) {
        return Err(format!("has readings of {source} already: give another name by --meter"));
    }
    match (&run.close, run.digest()) {
        (Some(close), Some(digest)) => Ok((close.ended, digest.to_owned())),
        _ => Err("is incomplete: finish it by `sizeup run --resume FILE`, then import the meter"
            .to_owned()),
    }
}

/// How far the wall clock was ahead of the clock of the run's times, in ns.
fn wall_ahead_ns(run: &Run) -> Result<i128, &'static str> {
    let ahead_ns = |unix_ns: u64, at_ns: u64| i128::from(unix_ns) - i128::from(at_ns);
    let first = ahead_ns(run.header.started_unix_ns, run.header.started_ns);
    let mut others = run.resumes.iter().map(|of| ahead_ns(of.at_unix_ns, of.at_ns));
    match others.any(|other| (other - first).abs() > CLOCKS_APART_NS) {
        true => Err(
            "was resumed after the machine's clock was set, or the machine started anew: its times are of two clocks, and no \
             meter can be joined to it. Measure again in one go",
        ),
        false => Ok(first),
    }
}

fn check_readings(readings: &[Reading], run: &Run) -> Result<(), String> {
    let from_ns = run.windows.iter().map(|window| window.start_ns).min().unwrap_or_default();
    let to_ns = run.windows.iter().map(|window| window.end_ns).max().unwrap_or_default();
    let inside = readings.iter().filter(|of| (from_ns..=to_ns).contains(&of.at_ns)).count();
    if inside < LEAST_READINGS {
        return Err(format!(
            "only {inside} readings fall between the run's first and last sample, {LEAST_READINGS} are needed: read the meter \
             more often or measure longer"
        ));
    }
    if readings.len() > MOST_READINGS {
        return Err(format!(
            "{} readings fall into the run, {MOST_READINGS} at most are taken: keep means of a tenth of a second",
            readings.len()
        ));
    }
    if readings.iter().all(|of| of.value == readings[0].value) {
        return Err(format!(
            "every reading during the run is {} W: a meter that never changes is taken for broken",
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
