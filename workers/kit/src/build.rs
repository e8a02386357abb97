//! The worker's build, as its manifest and `ready` report it.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Library name → version, as the linked library itself reports it.
pub type Libraries = BTreeMap<String, String>;

/// Name → instruction-set path that a library chose, where it reports one.
pub type Paths = BTreeMap<String, String>;

/// The language that a worker's operations are written in, where it is not Rust: [`run_in`](crate::run_in).
#[derive(Debug, Clone)]
pub struct Language {
    /// Name and version of the compiler or interpreter of the operations.
    pub compiler: String,
    /// With which flags; may be empty.
    pub flags: String,
    /// Does as much as a call from the kit before its first op, and nothing else, to show its cost. A batch is so long that
    /// this and a reading of the clock are a small share of it. `None` where a call costs nothing beside an op.
    pub crossing: Option<fn()>,
    /// Starts threads of the language's own, which are to do what they are given, where not every thread can run its code.
    pub start_thread: Option<StartThread>,
}

/// Starts a thread that does this.
pub type StartThread = fn(Box<dyn FnOnce() + Send>) -> Result<(), String>;

impl Language {
    /// That of the kit itself.
    #[must_use]
    pub fn rust() -> Self {
        Self {
            compiler: env!("SIZEUP_COMPILER").to_owned(),
            flags: env!("SIZEUP_FLAGS").to_owned(),
            crossing: None,
            start_thread: None,
        }
    }
}

/// The `build` object of the protocol.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Build<'a> {
    pub version: &'static str,
    pub compiler: &'a str,
    pub flags: &'a str,
    pub target: &'static str,
    pub libraries: Libraries,
    /// Libraries whose versions only a `ready` has, in a manifest.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub late_libraries: BTreeSet<&'a str>,
    pub paths: Paths,
}

impl<'a> Build<'a> {
    /// This build, with the given libraries and paths.
    pub fn new(language: &'a Language, libraries: Libraries, paths: Paths) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            compiler: &language.compiler,
            flags: &language.flags,
            target: env!("SIZEUP_TARGET"),
            libraries,
            late_libraries: BTreeSet::new(),
            paths,
        }
    }
}
