//! A run as read from its file, with notes for its reader.

use super::case_index::CaseIndex;
use super::records::{Close, Ended, Header, Imported, Launch, Outcome, Reading, Resume};
use super::sample::Sample;
use super::{
    Activity, Beside, Case, Idle, MeasuredMachine, Meter, Mixed, RollingLaunch, RollingList,
    RollingPass, Telemetry,
};
use catalog::Unit;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

/// The content of a run file.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub path: PathBuf,
    pub header: Header,
    /// Latencies and clocks, if they were measured.
    pub measured_machine: Option<Box<MeasuredMachine>>,
    pub launches: Vec<Launch>,
    pub samples: Vec<Sample>,
    /// Samples with impossible times, in order; no figure uses them.
    pub left_out: Vec<LeftOut>,
    /// Cases with series of samples that repeat each other to the bit, as no measured ones do: their error is unknown.
    pub repeated: BTreeSet<usize>,
    /// Samples of rows under sustained load, in order.
    pub sustained: Vec<Sample>,
    /// Samples of rows beside co-runners, in order.
    pub beside: Vec<Beside>,
    /// Samples of a whole mix, in order.
    pub mixed: Vec<Mixed>,
    /// The list of a rolling mix, once it was made.
    pub rolling_list: Option<RollingList>,
    /// The processes of a rolling mix, in order.
    pub rolling_launches: Vec<RollingLaunch>,
    /// How often all threads went through that list, in order.
    pub rolling_passes: Vec<RollingPass>,
    /// Launches that passed their final verification.
    pub verified: BTreeSet<u64>,
    /// Cases that ended without being measured.
    pub outcomes: Vec<Outcome>,
    /// Available readings of each telemetry source and their changes, in order.
    pub telemetry: Vec<Telemetry>,
    /// Values read from these sources, in order.
    pub readings: Vec<Reading>,
    /// Times in which the machine was left idle, in order.
    pub idles: Vec<Idle>,
    /// Meters joined to the run after it ended, in order.
    pub meters: Vec<Meter>,
    /// Figures that another tool measured, in order.
    pub imported: Vec<Imported>,
    /// Machine activity during the run, in order.
    pub activity: Vec<Activity>,
    pub resumes: Vec<Resume>,
    /// The end, if the file has one.
    pub close: Option<Close>,
    /// Where the last whole line ends.
    pub whole_bytes: u64,
    /// The time of the last record, on the clock of the last start or resume.
    pub last_ns: u64,
    /// Where the records of that clock start; a run resumed after a reboot has several clocks.
    pub last_clock: ClockStart,
    /// Time spent measuring, over all starts.
    pub spent_ns: u64,
    /// Caveats for users of the figures.
    pub notes: Vec<Note>,
    pub(super) index: RunIndex,
}

/// Finds its records by their case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RunIndex {
    launches: CaseIndex,
    samples: CaseIndex,
    outcomes: CaseIndex,
    imported: CaseIndex,
}

/// A discarded sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub case: usize,
    pub what: String,
}

/// How many records of each kind there were when the clock started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClockStart {
    pub launches: usize,
    pub samples: usize,
    pub readings: usize,
    pub idles: usize,
    pub mixed: usize,
    pub rolling_passes: usize,
    pub sustained: usize,
    pub activity: usize,
    /// Not counting the resume that started the clock.
    pub resumes: usize,
}

/// So many workloads stand in a note by name.
const MOST_NAMED: usize = 2;

/// Something that users of a run's figures must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The last line is truncated: the run was killed, or the file is still being written.
    Torn { bytes: u64 },
    /// There is no close record: the run was killed, or is still running.
    Open,
    /// An import without a close record; it can't be resumed.
    OpenImport,
    /// The user stopped the run.
    Interrupted,
    /// The file was modified after it was closed.
    Changed,
    /// Ignored records of unknown kinds.
    Unknown { records: u64 },
    /// sizeup did not measure it.
    Imported {
        tool: String,
        /// Properties that its figures lack.
        lacks: String,
    },
    /// The tool that measured it has no valid result for these workloads.
    Failed { workloads: Vec<String> },
    /// Samples are shorter than the method requires.
    ShortSamples,
    /// The worker of this workload was made to give a wrong answer.
    Injected { workload: String },
    Emulated {
        /// The evidence.
        seen: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Torn { bytes } => write!(
                f,
                "the last line is truncated ({bytes} bytes ignored); everything before it is intact"
            ),
            Self::Open => write!(
                f,
                "the run is incomplete: it was killed or is still running; \
                 finish it with `sizeup run --resume FILE`"
            ),
            Self::OpenImport => {
                write!(f, "the import is incomplete: import it again")
            }
            Self::Interrupted => {
                write!(f, "the run was stopped early; finish it with `sizeup run --resume FILE`")
            }
            Self::Changed => write!(
                f,
                "the file was modified after it was closed (digest mismatch): do not trust it"
            ),
            Self::Unknown { records } => {
                write!(f, "ignored {records} records of unknown kinds: a newer sizeup wrote them")
            }
            Self::Imported { tool, lacks } => {
                write!(f, "imported from {tool}, not measured by sizeup; it lacks: {lacks}")
            }
            Self::Failed { workloads } => {
                let named = workloads.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>();
                write!(f, "no valid result for {}", named.join(", "))?;
                match workloads.len() - named.len() {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::ShortSamples => {
                write!(f, "samples are shorter than the recommended 50 ms")
            }
            Self::Injected { workload } => {
                write!(f, "a wrong answer was injected into {workload}: its figures are invalid")
            }
            Self::Emulated { seen } => {
                write!(f, "emulated: {seen}; performance figures are meaningless")
            }
        }
    }
}

impl Note {
    /// Whether the run's figures must not be used.
    pub fn is_unfit(&self) -> bool {
        matches!(self, Self::Changed | Self::Injected { .. } | Self::Emulated { .. })
    }
}

impl Run {
    /// A run without records.
    pub fn empty(path: PathBuf, header: Header) -> Self {
        Self {
            path,
            header,
            measured_machine: None,
            launches: Vec::new(),
            samples: Vec::new(),
            left_out: Vec::new(),
            repeated: BTreeSet::new(),
            beside: Vec::new(),
            mixed: Vec::new(),
            rolling_list: None,
            rolling_launches: Vec::new(),
            rolling_passes: Vec::new(),
            verified: BTreeSet::new(),
            outcomes: Vec::new(),
            sustained: Vec::new(),
            telemetry: Vec::new(),
            readings: Vec::new(),
            idles: Vec::new(),
            meters: Vec::new(),
            imported: Vec::new(),
            activity: Vec::new(),
            resumes: Vec::new(),
            close: None,
            whole_bytes: 0,
            last_ns: 0,
            last_clock: ClockStart::default(),
            spent_ns: 0,
            notes: Vec::new(),
            index: RunIndex::default(),
        }
    }

    pub fn outcome(&self, case: usize) -> Option<&Outcome> {
        self.index.outcomes.find(&self.outcomes, case).next()
    }

    /// Whether its figures must not be used: it was modified or emulated, or a wrong answer was injected.
    pub fn is_unfit(&self) -> bool {
        self.notes.iter().any(Note::is_unfit)
    }

    /// The cases whose throughput is judged: rows without a fixed rate.
    pub fn judged_cases(&self) -> impl Iterator<Item = (usize, &Case)> {
        let cases = self.header.plan.cases.iter().enumerate();
        cases.filter(|(number, case)| case.is_row() && !self.has_fixed_rate(*number))
    }

    /// Whether a case's definition fixes its request rate.
    pub fn has_fixed_rate(&self, case: usize) -> bool {
        self.ready_of(case).is_some_and(|ready| ready.fixed_rate_per_s.is_some())
    }

    /// The imported figures of a case, in order.
    pub fn imported_of(&self, case: usize) -> impl Iterator<Item = &Imported> {
        self.index.imported.find(&self.imported, case)
    }

    /// The samples of a case, in order.
    pub fn samples_of(&self, case: usize) -> impl Iterator<Item = &Sample> {
        self.index.samples.find(&self.samples, case)
    }

    /// Identifies the run, however often meters were joined to it: the closing digest of the original file.
    pub fn digest(&self) -> Option<&str> {
        let measured = self.meters.first().map(|meter| meter.run_sha256.as_str());
        measured.or_else(|| Some(self.close.as_ref()?.sha256.as_str()))
    }

    /// Whether it ended by itself.
    pub fn is_complete(&self) -> bool {
        self.close.as_ref().is_some_and(|close| close.ended != Ended::Interrupted)
    }

    /// The launches of a case, in order.
    pub fn launches_of(&self, case: usize) -> impl Iterator<Item = &Launch> {
        self.index.launches.find(&self.launches, case)
    }

    /// The SHA-256 of a case's output, if all its launches report the same.
    pub fn output_of(&self, case: usize) -> Option<&str> {
        let mut outputs =
            self.launches_of(case).map(|launch| launch.ready.output_sha256.as_deref());
        let first = outputs.next()??;
        outputs.all(|output| output == Some(first)).then_some(first)
    }

    pub fn unit_of(&self, case: usize) -> &Unit {
        &self.header.workloads[&self.header.plan.cases[case].workload].unit
    }

    /// Input bytes per op of a case, where bytes make sense.
    pub fn bytes_per_op(&self, case: usize) -> Option<u64> {
        match self.ready_of(case) {
            Some(ready) => ready.bytes_per_op,
            None => self.imported_of(case).next()?.bytes_per_op,
        }
    }

    /// The first `ready` answer of a case's worker.
    pub fn ready_of(&self, case: usize) -> Option<&super::Ready> {
        self.launches_of(case).next().map(|launch| &launch.ready)
    }
}
