//! Reading a run file. Nothing in it is believed before it was checked.

use super::lines::{Line, Lines};
use super::plan::Plan;
use super::records::{Header, Imported, Record};
use super::run::{ClockStart, Note, Run};
use super::window::Measured;
use super::{Ended, FORMAT, check_measured};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A file that can't be read as a run.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct ReadError {
    path: PathBuf,
    what: What,
}

#[derive(Debug, thiserror::Error)]
enum What {
    #[error("can't be read: {0}")]
    Io(#[from] io::Error),
    #[error("is not a run file: {0}")]
    NotARun(String),
    #[error("is of run file format {0}, this sizeup reads up to {major}.x: use a newer sizeup", major = FORMAT.0)]
    TooNew(String),
    #[error("line {line}: {what}")]
    Line { line: u64, what: String },
}

/// Reads a run file.
///
/// # Errors
/// When it can't be read, is no run file, is of a newer format or holds what can't be. A torn last
/// line is not an error but a [`Note`].
pub fn read(path: &Path) -> Result<Run, ReadError> {
    open(path)
        .map_err(What::Io)
        .and_then(|file| {
            let bytes = file.metadata()?.len();
            read_from(BufReader::with_capacity(BUFFER_BYTES, file), path, bytes)
        })
        .map_err(|what| ReadError { path: path.to_owned(), what })
}

/// Opens a regular file: a pipe would keep us waiting for ever.
fn open(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

/// Files are read in a go, by whole folders.
const BUFFER_BYTES: usize = 1 << 18;
/// A window of one thread has about so many bytes …
const WINDOW_BYTES: u64 = 500;
/// … and there is room for so many at most before any was seen: a file may be as large as it likes.
const MOST_EXPECTED_WINDOWS: u64 = 1 << 16;

fn read_from(from: impl BufRead, path: &Path, bytes: u64) -> Result<Run, What> {
    let mut lines = Lines::new(from);
    if !lines.advance()? {
        return Err(What::NotARun("it is empty".to_owned()));
    }
    let first = match lines.last() {
        Line::Whole(line) => line,
        Line::TooLong => return Err(What::NotARun("its first line is too long".to_owned())),
        Line::Torn(_) => {
            return Err(What::NotARun("its first line is torn: nothing was measured".to_owned()));
        }
    };
    let mut builder = Builder::new(path, header(first)?, first.len() as u64 + 1);
    let expected = (bytes / WINDOW_BYTES).min(MOST_EXPECTED_WINDOWS);
    builder.run.windows.reserve(expected as usize);
    while lines.advance()? {
        builder.line += 1;
        match lines.last() {
            Line::Whole(bytes) => {
                builder.add_line(bytes, || lines.digest_before())?;
                builder.run.whole_bytes += bytes.len() as u64 + 1;
            }
            // What stands behind the end was not torn off a run.
            Line::Torn(_) if builder.run.close.is_some() => builder.note_changed(),
            Line::Torn(bytes) => builder.note(Note::Torn { bytes: bytes.len() as u64 }),
            Line::TooLong => return Err(builder.error("is too long for a record")),
        }
    }
    Ok(builder.finish())
}

/// What is looked at before a header is believed to be one.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    record: Value,
    #[serde(default)]
    format: Value,
}

/// The header, after its format was looked at: that of another major format may look quite different.
fn header(line: &[u8]) -> Result<Header, What> {
    let head: Head = serde_json::from_slice(line).map_err(|e| {
        let is = if e.is_data() { "a header" } else { "JSON" };
        What::NotARun(format!("its first line is not {is}"))
    })?;
    let format = match (&head.record, &head.format) {
        (Value::String(record), Value::String(format)) if record == "header" => format,
        _ => return Err(What::NotARun("its first line is not a header".to_owned())),
    };
    let major = format.split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major > FORMAT.0 => return Err(What::TooNew(format.to_owned())),
        Some(_) => {}
        None => return Err(What::NotARun(format!("its format is {format:?}"))),
    }
    let wrong = |what: String| What::Line { line: 1, what };
    let header: Header =
        serde_json::from_slice(line).map_err(|e| wrong(format!("the header: {e}")))?;
    check_header(&header).map_err(wrong)?;
    Ok(header)
}

fn check_header(header: &Header) -> Result<(), String> {
    let Plan { precision_ppm, timing, budget_ns, .. } = &header.plan;
    if *budget_ns == 0
        || *precision_ppm == 0
        || timing.window_ns == 0
        || timing.rounds_per_launch == 0
    {
        return Err(
            "the plan has a budget, a precision, a window or a launch of nothing".to_owned()
        );
    }
    if let Some(mix) = &header.plan.mix {
        mix.check().map_err(|what| format!("the mix of the plan: {what}"))?;
        if !mix.has_rates() {
            return Err("the mix of the plan: a demand has no rate".to_owned());
        }
    }
    let mut rows = BTreeSet::new();
    for (number, case) in header.plan.cases.iter().enumerate() {
        if !header.workloads.contains_key(&case.workload) {
            return Err(format!("case {number}: the workload {:?} is not defined", case.workload));
        }
        if case.threads == 0 || case.cpus.is_empty() {
            return Err(format!("case {number} has no thread or no CPU"));
        }
        let row = (case.name(), case.thread_spec);
        if !rows.insert(row) {
            return Err(format!("case {number}, {}, was there before", case.name()));
        }
    }
    Ok(())
}

/// A resumed run counts on from the greatest number.
fn check_number(what: &str, number: u64) -> Result<(), String> {
    if number < u64::MAX { Ok(()) } else { Err(format!("{what} {number} can have no successor")) }
}

/// How sizeup begins the lines of windows and launches; who begins them otherwise is read, too.
const WINDOW: &str = r#"{"record":"window","#;
const LAUNCH: &str = r#"{"record":"launch","#;

/// Puts a run together, line by line.
struct Builder {
    run: Run,
    line: u64,
    unknown: u64,
    launches: BTreeMap<u64, Launched>,
}

/// What is known of a launch while its windows are read.
struct Launched {
    case: usize,
    /// Where its last window ended, on the clock of the last start or resume.
    last_end_ns: Option<u64>,
}

impl Builder {
    fn new(path: &Path, header: Header, whole_bytes: u64) -> Self {
        let last_ns = header.started_ns;
        let planted = header.planted.clone().map(|workload| Note::Planted { workload });
        let imported = header.origin.as_ref().map(|origin| {
            let lacks = origin.lacks.join(", ");
            Note::Imported { tool: origin.tool.clone(), lacks }
        });
        let emulated = header.emulation().map(|seen| Note::Emulated { seen });
        let run = Run {
            path: path.to_owned(),
            header,
            launches: Vec::new(),
            windows: Vec::new(),
            mixed: Vec::new(),
            verified: BTreeSet::new(),
            outcomes: Vec::new(),
            readings: Vec::new(),
            imported: Vec::new(),
            activity: Vec::new(),
            resumes: Vec::new(),
            close: None,
            whole_bytes,
            last_ns,
            last_clock: ClockStart::default(),
            spent_ns: 0,
            notes: planted.into_iter().chain(emulated).chain(imported).collect(),
        };
        Self { run, line: 1, unknown: 0, launches: BTreeMap::new() }
    }

    fn note(&mut self, note: Note) {
        self.run.notes.push(note);
    }

    fn note_changed(&mut self) {
        if !self.run.notes.contains(&Note::Changed) {
            self.note(Note::Changed);
        }
    }

    fn error(&self, what: impl Into<String>) -> What {
        What::Line { line: self.line, what: what.into() }
    }

    fn add_line(&mut self, line: &[u8], digest_before: impl Fn() -> String) -> Result<(), What> {
        // The whole line at once: a parser of bytes would look at each name and string for itself.
        let line = str::from_utf8(line).map_err(|e| self.error(format!("is not JSON: {e}")))?;
        // Nearly all of a file: not by way of a tree, as the others are.
        let record = if line.starts_with(WINDOW) {
            serde_json::from_str(line).map(Record::Window)
        } else if line.starts_with(LAUNCH) {
            serde_json::from_str(line).map(Record::Launch)
        } else {
            let value: Value =
                serde_json::from_str(line).map_err(|e| self.error(format!("is not JSON: {e}")))?;
            match value["record"].as_str() {
                Some(kind) if KNOWN.contains(&kind) => serde_json::from_value(value),
                _ => {
                    self.unknown += 1;
                    return Ok(());
                }
            }
        };
        let record = record.map_err(|e| self.error(e.to_string()))?;
        self.add(record, digest_before).map_err(|what| self.error(what))
    }

    fn add(&mut self, record: Record, digest_before: impl Fn() -> String) -> Result<(), String> {
        if self.run.close.is_some() && !matches!(record, Record::Resume(_)) {
            // No digest covers what stands behind the end.
            self.note_changed();
        }
        match record {
            Record::Header(_) => return Err("a second header".to_owned()),
            Record::Launch(launch) => {
                self.check_case(launch.case)?;
                check_number("launch", launch.launch)?;
                if launch.ready.batch_ops == 0 {
                    return Err("a batch of no op".to_owned());
                }
                if launch.ready.pulse.clock_cycles_per_op == 0 {
                    return Err("a clock pulse of instructions that take no cycle".to_owned());
                }
                let launched = Launched { case: launch.case, last_end_ns: None };
                if self.launches.insert(launch.launch, launched).is_some() {
                    return Err(format!("launch {} was there before", launch.launch));
                }
                self.now(launch.at_ns);
                self.run.launches.push(*launch);
            }
            Record::Window(window) => {
                self.check_window((window.launch, window.case), window.round, &window.measured)?;
                self.now(window.end_ns);
                self.run.windows.push(window);
            }
            Record::Mixed(mixed) => {
                let rows = self.run.header.plan.cases.iter().filter(|case| !case.reference).count();
                let cases: BTreeSet<usize> = mixed.shares.iter().map(|share| share.case).collect();
                if (cases.len(), mixed.shares.len()) != (rows, rows) {
                    return Err(format!("{} shares of {rows} cases", mixed.shares.len()));
                }
                for share in &mixed.shares {
                    if share.measured.process_cpu_ns == 0 {
                        return Err(format!("case {} without CPU time", share.case));
                    }
                    self.check_window((share.launch, share.case), mixed.round, &share.measured)?;
                    self.now(share.measured.end_ns);
                }
                self.run.mixed.push(mixed);
            }
            Record::Verified(verified) => {
                if !self.launches.contains_key(&verified.launch) {
                    return Err(format!("there is no launch {}", verified.launch));
                }
                self.now(verified.at_ns);
                self.run.verified.insert(verified.launch);
            }
            Record::Outcome(outcome) => {
                self.check_case(outcome.case)?;
                self.run.outcomes.push(outcome);
            }
            Record::Reading(reading) => {
                self.now(reading.at_ns);
                self.run.readings.push(reading);
            }
            Record::Imported(imported) => {
                self.check_case(imported.case)?;
                if !Imported::POSSIBLE_OPS_PER_S.contains(&imported.ops_per_s) {
                    return Err(format!("a throughput of {} ops/s", imported.ops_per_s));
                }
                self.run.imported.push(imported);
            }
            Record::Activity(activity) => {
                if activity.since_ns > activity.at_ns {
                    return Err("activity that ends before it starts".to_owned());
                }
                self.now(activity.at_ns);
                self.run.activity.push(activity);
            }
            Record::Resume(resume) => {
                self.run.close = None;
                // The clock may have started anew.
                self.launches.values_mut().for_each(|launched| launched.last_end_ns = None);
                if resume.at_ns < self.run.last_ns {
                    self.run.last_clock = ClockStart {
                        launches: self.run.launches.len(),
                        windows: self.run.windows.len(),
                        readings: self.run.readings.len(),
                        activity: self.run.activity.len(),
                        resumes: self.run.resumes.len(),
                    };
                }
                self.run.last_ns = resume.at_ns;
                self.run.resumes.push(resume);
            }
            Record::Close(close) => {
                if close.sha256 != digest_before() {
                    self.note_changed();
                }
                self.now(close.at_ns);
                self.run.close = Some(close);
            }
        }
        Ok(())
    }

    /// Moves the time on; it may start anew after a resume.
    fn now(&mut self, at_ns: u64) {
        let step = at_ns.saturating_sub(self.run.last_ns);
        self.run.spent_ns = self.run.spent_ns.saturating_add(step);
        self.run.last_ns = self.run.last_ns.max(at_ns);
    }

    fn check_case(&self, case: usize) -> Result<(), String> {
        let cases = self.run.header.plan.cases.len();
        if case < cases { Ok(()) } else { Err(format!("there is no case {case}, only {cases}")) }
    }

    fn check_window(
        &mut self,
        (launch, case): (u64, usize),
        round: u64,
        measured: &Measured,
    ) -> Result<(), String> {
        let launched = self.launches.get_mut(&launch).filter(|launched| launched.case == case);
        let Some(launched) = launched else {
            return Err(format!(
                "the window is of launch {launch} and case {case}, which don't belong together"
            ));
        };
        check_number("round", round)?;
        let last_end_ns = launched.last_end_ns.replace(measured.end_ns);
        if last_end_ns.is_some_and(|end_ns| measured.start_ns < end_ns) {
            return Err(format!("launch {launch} has two windows at once"));
        }
        check_measured(measured, self.run.header.plan.cases[case].threads)
    }

    fn finish(mut self) -> Run {
        match self.run.close.as_ref().map(|close| close.ended) {
            None => self.note(Note::Open),
            Some(Ended::Interrupted) => self.note(Note::Interrupted),
            Some(_) => {}
        }
        let was_measured = self.run.header.origin.is_none();
        if was_measured && self.run.header.plan.timing.window_ns < LEAST_WINDOW_NS {
            self.note(Note::ShortWindows);
        }
        if self.unknown > 0 {
            self.note(Note::Unknown { records: self.unknown });
        }
        self.run
    }
}

/// The method asks for windows of at least 50 ms.
const LEAST_WINDOW_NS: u64 = 50_000_000;

const KNOWN: [&str; 11] = [
    "header", "launch", "window", "mixed", "verified", "outcome", "reading", "activity", "resume",
    "imported", "close",
];
