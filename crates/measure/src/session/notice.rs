//! What the user must know of a run before it measures.

use doctor::Finding;
use record::Note;
use std::path::Path;

/// Something that the user must know.
pub enum Notice<'a> {
    /// A case's worker can't do it.
    CantRun {
        /// Which case.
        case: &'a str,
        /// Why.
        why: &'a str,
    },
    /// A worker wrote this line to stderr when it was asked for its manifest.
    Stderr {
        /// Which worker.
        worker: &'a str,
        /// The line, as it came.
        line: &'a str,
    },
    /// What stands against measuring.
    Findings(&'a [Finding]),
    /// The budget is too short for all rows: what is left out, and what to do.
    LeftOut(&'a str),
    /// What must be known of the file of the run that goes on.
    OfFile {
        /// The run file.
        file: &'a Path,
        /// What is noted of it.
        note: &'a Note,
    },
    /// A pilot's file stays.
    NotRemoved {
        /// Which file.
        file: &'a Path,
        /// Why.
        error: &'a std::io::Error,
    },
}

/// Who tells the user.
pub type Tell<'a> = dyn FnMut(&Notice) + 'a;
