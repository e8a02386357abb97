//! A run as it was read, and what must be said about it.

use super::records::{Close, Ended, Header, Imported, Launch, Outcome, Reading, Resume};
use super::window::Window;
use super::{Activity, Case, Meter, Mixed};
use catalog::Unit;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

/// What a run file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Where it was read from.
    pub path: PathBuf,
    /// What was measured.
    pub header: Header,
    /// In order.
    pub launches: Vec<Launch>,
    /// In order.
    pub windows: Vec<Window>,
    /// Windows whose CPU times can't be, in order: no figure is made of them.
    pub left_out: Vec<LeftOut>,
    /// Windows of a whole mix, in order.
    pub mixed: Vec<Mixed>,
    /// Launches that passed their final verification.
    pub verified: BTreeSet<u64>,
    /// Cases that came to another end than being measured.
    pub outcomes: Vec<Outcome>,
    /// Telemetry, in order.
    pub readings: Vec<Reading>,
    /// Meters that were joined to the run after its end, in order.
    pub meters: Vec<Meter>,
    /// Figures that something else measured, in order.
    pub imported: Vec<Imported>,
    /// Who used the machine meanwhile, in order.
    pub activity: Vec<Activity>,
    /// Each time that the run was gone on with, in order.
    pub resumes: Vec<Resume>,
    /// The end, if the file has one.
    pub close: Option<Close>,
    /// Where the last whole line ends.
    pub whole_bytes: u64,
    /// The time of the last thing that was recorded, on the clock of the last start or resume.
    pub last_ns: u64,
    /// Where the records of that clock start: of a run that was resumed on another boot, not all are of one clock.
    pub last_clock: ClockStart,
    /// Time that was spent measuring, over all starts.
    pub spent_ns: u64,
    /// What a reader must be told.
    pub notes: Vec<Note>,
}

/// A window that no figure is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its case.
    pub case: usize,
    /// What is wrong with it.
    pub what: String,
}

/// How many records of each kind there were when the clock started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClockStart {
    /// Launches.
    pub launches: usize,
    /// Windows.
    pub windows: usize,
    /// Readings.
    pub readings: usize,
    /// Activities.
    pub activity: usize,
    /// Resumes; that which started the clock follows.
    pub resumes: usize,
}

/// Something that whoever reads a run's figures must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The last line is cut off: the run was killed, or the file is still being written.
    Torn {
        /// How much of it there is.
        bytes: u64,
    },
    /// There is no end: the run was killed, or is still going on.
    Open,
    /// There is no end, and nothing was measured that could be gone on with: the file was imported.
    OpenImport,
    /// Someone stopped the run.
    Interrupted,
    /// The file was changed after it was closed.
    Changed,
    /// Records of kinds that this version doesn't know, left out.
    Unknown {
        /// How many.
        records: u64,
    },
    /// sizeup did not measure it.
    Imported {
        /// What did.
        tool: String,
        /// What its figures lack.
        lacks: String,
    },
    /// Windows are shorter than the method asks for.
    ShortWindows,
    /// The worker of this workload was told to give a wrong answer.
    Planted {
        /// Which.
        workload: String,
    },
    /// Instructions were translated by software.
    Emulated {
        /// What shows it.
        seen: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Torn { bytes } => write!(
                f,
                "the last line is torn ({bytes} bytes are left out); everything before it is whole"
            ),
            Self::Open => write!(
                f,
                "the run is incomplete: it was killed or is still going on; \
                 `sizeup run --resume FILE` finishes it"
            ),
            Self::OpenImport => {
                write!(f, "the run is incomplete: its import was cut off; import it again")
            }
            Self::Interrupted => write!(
                f,
                "the run was stopped before its end; `sizeup run --resume FILE` finishes it"
            ),
            Self::Changed => write!(
                f,
                "the file was changed after it was closed (its digest differs): don't trust it"
            ),
            Self::Unknown { records } => write!(
                f,
                "{records} records are of kinds that this version doesn't know and are left out"
            ),
            Self::Imported { tool, lacks } => {
                write!(f, "measured by {tool}, not by sizeup; it lacks {lacks}")
            }
            Self::ShortWindows => {
                write!(f, "the windows are shorter than the 50 ms that the method asks for")
            }
            Self::Planted { workload } => write!(
                f,
                "a wrong answer was planted into {workload}: this run proves checks, not speed"
            ),
            Self::Emulated { seen } => write!(
                f,
                "emulated: {seen}; this run proves that things work, not how fast any CPU is"
            ),
        }
    }
}

impl Note {
    /// Whether it forbids to use the run's figures.
    pub fn is_unfit(&self) -> bool {
        matches!(self, Self::Changed | Self::Planted { .. } | Self::Emulated { .. })
    }
}

impl Run {
    /// A run of which nothing is recorded yet.
    pub fn empty(path: PathBuf, header: Header) -> Self {
        Self {
            path,
            header,
            launches: Vec::new(),
            windows: Vec::new(),
            left_out: Vec::new(),
            mixed: Vec::new(),
            verified: BTreeSet::new(),
            outcomes: Vec::new(),
            readings: Vec::new(),
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
        }
    }

    /// What became of a case if it was not measured.
    pub fn outcome(&self, case: usize) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| outcome.case == case)
    }

    /// Whether its figures must not be used: it was changed or emulated, or a wrong answer was planted.
    pub fn is_unfit(&self) -> bool {
        self.notes.iter().any(Note::is_unfit)
    }

    /// The cases whose throughput is judged: no references, and none whose rate is fixed.
    pub fn judged_cases(&self) -> impl Iterator<Item = (usize, &Case)> {
        let cases = self.header.plan.cases.iter().enumerate();
        cases.filter(|(number, case)| !case.reference && !self.has_fixed_rate(*number))
    }

    /// Whether ops become due at a rate that is part of a case's definition.
    pub fn has_fixed_rate(&self, case: usize) -> bool {
        self.ready_of(case).is_some_and(|ready| ready.fixed_rate_per_s.is_some())
    }

    /// The figures of a case that something else measured, in order.
    pub fn imported_of(&self, case: usize) -> impl Iterator<Item = &Imported> {
        self.imported.iter().filter(move |imported| imported.case == case)
    }

    /// The windows of a case, in order.
    pub fn windows_of(&self, case: usize) -> impl Iterator<Item = &Window> {
        self.windows.iter().filter(move |window| window.case == case)
    }

    /// What tells it from other runs, however often meters were joined to it: the closing digest of the file as it was measured.
    pub fn digest(&self) -> Option<&str> {
        let measured = self.meters.first().map(|meter| meter.run_sha256.as_str());
        measured.or_else(|| Some(self.close.as_ref()?.sha256.as_str()))
    }

    /// Whether it went on to an end of its own.
    pub fn is_complete(&self) -> bool {
        self.close.as_ref().is_some_and(|close| close.ended != Ended::Interrupted)
    }

    pub(super) fn first_launch_of(&self, case: usize) -> Option<&Launch> {
        self.launches.iter().find(|launch| launch.case == case)
    }

    /// The SHA-256 of what an op of a case makes, if all its launches told the same.
    pub fn output_of(&self, case: usize) -> Option<&str> {
        let launches = self.launches.iter().filter(|launch| launch.case == case);
        let mut outputs = launches.map(|launch| launch.ready.output_sha256.as_deref());
        let first = outputs.next()??;
        outputs.all(|output| output == Some(first)).then_some(first)
    }

    /// What the figures of a case count.
    pub fn unit_of(&self, case: usize) -> &Unit {
        &self.header.workloads[&self.header.plan.cases[case].workload].unit
    }

    /// Input bytes of one op of a case, where bytes make sense.
    pub fn bytes_per_op(&self, case: usize) -> Option<u64> {
        match self.ready_of(case) {
            Some(ready) => ready.bytes_per_op,
            None => self.imported_of(case).next()?.bytes_per_op,
        }
    }

    /// What the worker of a case said when it was ready for the first time.
    pub fn ready_of(&self, case: usize) -> Option<&super::Ready> {
        self.first_launch_of(case).map(|launch| &launch.ready)
    }
}
