//! Messages for the user before and during a run.

use doctor::Finding;
use record::Note;
use std::path::Path;

/// A message for the user.
pub enum Notice<'a> {
    /// A case's worker can't run it.
    CantRun { case: &'a str, why: &'a str },
    /// A worker wrote this line to stderr while reporting its manifest.
    Stderr {
        worker: &'a str,
        /// The raw line.
        line: &'a str,
    },
    /// Problems found by the preflight check.
    Findings(&'a [Finding]),
    /// More threads than CPUs, which will take turns.
    TakeTurns { threads: usize, cpus: usize },
    /// A property of the machine itself is measured next.
    MeasuresMachine(&'a str),
    /// The budget is too short for all rows: what is skipped, and what to do.
    LeftOut(&'a str),
    /// A note about the file of a resumed run.
    OfFile { file: &'a Path, note: &'a Note },
    /// A pilot's file could not be removed.
    NotRemoved { file: &'a Path, error: &'a std::io::Error },
}

/// Shows a message to the user.
pub type Notify<'a> = dyn FnMut(&Notice) + 'a;
