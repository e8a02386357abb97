//! Putting a run together from the records of its file. Nothing in them is believed before it was checked.

use super::bounds::{Flaw, check_measured};
use super::mixed::Mixed;
use super::records::{Ended, Header, Imported, Launch, Record, Resume};
use super::run::{ClockStart, LeftOut, Note, Run};
use super::window::Measured;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A resumed run counts on from the greatest number.
fn check_number(what: &str, number: u64) -> Result<(), String> {
    if number < u64::MAX { Ok(()) } else { Err(format!("{what} {number} can have no successor")) }
}

/// How sizeup begins the lines of windows and launches; who begins them otherwise is read, too.
const WINDOW: &str = r#"{"record":"window","#;
const LAUNCH: &str = r#"{"record":"launch","#;

/// Puts a run together, line by line.
pub(super) struct Builder {
    pub run: Run,
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
    pub fn new(path: &Path, header: Header, whole_bytes: u64) -> Self {
        let last_ns = header.started_ns;
        let planted = header.planted.clone().map(|workload| Note::Planted { workload });
        let imported = header.origin.as_ref().map(|origin| {
            let lacks = origin.lacks.join(", ");
            Note::Imported { tool: origin.tool.clone(), lacks }
        });
        let emulated = header.emulation().map(|seen| Note::Emulated { seen });
        let run = Run {
            whole_bytes,
            last_ns,
            notes: planted.into_iter().chain(emulated).chain(imported).collect(),
            ..Run::empty(path.to_owned(), header)
        };
        Self { run, unknown: 0, launches: BTreeMap::new() }
    }

    pub fn note(&mut self, note: Note) {
        self.run.notes.push(note);
    }

    pub fn note_changed(&mut self) {
        if !self.run.notes.contains(&Note::Changed) {
            self.note(Note::Changed);
        }
    }

    pub fn add_line(
        &mut self,
        line: &[u8],
        digest_before: impl Fn() -> String,
    ) -> Result<(), String> {
        // The whole line at once: a parser of bytes would look at each name and string for itself.
        let line = str::from_utf8(line).map_err(|e| format!("is not JSON: {e}"))?;
        // Nearly all of a file: not by way of a tree, as the others are.
        let record = if line.starts_with(WINDOW) {
            serde_json::from_str(line).map(Record::Window)
        } else if line.starts_with(LAUNCH) {
            serde_json::from_str(line).map(Record::Launch)
        } else {
            let value: Value =
                serde_json::from_str(line).map_err(|e| format!("is not JSON: {e}"))?;
            match value["record"].as_str() {
                Some(kind) if KNOWN.contains(&kind) => serde_json::from_value(value),
                _ => {
                    self.unknown += 1;
                    return Ok(());
                }
            }
        };
        self.add(record.map_err(|e| e.to_string())?, digest_before)
    }

    fn add(&mut self, record: Record, digest_before: impl Fn() -> String) -> Result<(), String> {
        if self.run.close.is_some() && !matches!(record, Record::Resume(_)) {
            // No digest covers what stands behind the end.
            self.note_changed();
        }
        match record {
            Record::Header(_) => return Err("a second header".to_owned()),
            Record::Launch(launch) => self.add_launch(*launch)?,
            Record::Window(window) => {
                let ids = (window.launch, window.case);
                let left_out = self.check_window(ids, window.round, &window.measured)?;
                self.now(window.end_ns);
                match left_out {
                    None => self.run.windows.push(window),
                    Some(left_out) => self.run.left_out.push(left_out),
                }
            }
            Record::Mixed(mixed) => self.add_mixed(mixed)?,
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
            Record::Resume(resume) => self.add_resume(resume),
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

    fn add_launch(&mut self, launch: Launch) -> Result<(), String> {
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
        self.run.launches.push(launch);
        Ok(())
    }

    fn add_mixed(&mut self, mixed: Mixed) -> Result<(), String> {
        let rows = self.run.header.plan.cases.iter().filter(|case| !case.reference).count();
        let cases: BTreeSet<usize> = mixed.shares.iter().map(|share| share.case).collect();
        if (cases.len(), mixed.shares.len()) != (rows, rows) {
            return Err(format!("{} shares of {rows} cases", mixed.shares.len()));
        }
        let mut left_out = Vec::new();
        for share in &mixed.shares {
            if share.measured.process_cpu_ns == 0 {
                return Err(format!("case {} without CPU time", share.case));
            }
            let ids = (share.launch, share.case);
            left_out.extend(self.check_window(ids, mixed.round, &share.measured)?);
            self.now(share.measured.end_ns);
        }
        // What one share leaves out, the others were measured beside.
        match left_out.is_empty() {
            true => self.run.mixed.push(mixed),
            false => self.run.left_out.extend(left_out),
        }
        Ok(())
    }

    fn add_resume(&mut self, resume: Resume) {
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
    ) -> Result<Option<LeftOut>, String> {
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
        match check_measured(measured, self.run.header.plan.cases[case].threads) {
            Ok(()) => Ok(None),
            Err(Flaw::Stray(what)) => Ok(Some(LeftOut { case, what })),
            Err(Flaw::Lie(what)) => Err(what),
        }
    }

    pub fn finish(mut self) -> Run {
        let was_measured = self.run.header.origin.is_none();
        match self.run.close.as_ref().map(|close| close.ended) {
            None => self.note(if was_measured { Note::Open } else { Note::OpenImport }),
            Some(Ended::Interrupted) => self.note(Note::Interrupted),
            Some(_) => {}
        }
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
