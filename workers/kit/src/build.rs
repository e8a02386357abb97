//! What a worker was built from, as its manifest and `ready` report it.

use serde::Serialize;
use std::collections::BTreeMap;

/// Library name → version, as the linked library itself reports it.
pub type Libraries = BTreeMap<String, String>;

/// Name → instruction-set path that a library chose, where it reports one.
pub type Paths = BTreeMap<String, String>;

/// The `build` object of the protocol.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Build {
    pub version: &'static str,
    pub compiler: &'static str,
    pub flags: &'static str,
    pub target: &'static str,
    pub libraries: Libraries,
    pub paths: Paths,
}

impl Build {
    /// This build, with the given libraries and paths.
    pub fn new(libraries: Libraries, paths: Paths) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            compiler: env!("SIZEUP_COMPILER"),
            flags: env!("SIZEUP_FLAGS"),
            target: env!("SIZEUP_TARGET"),
            libraries,
            paths,
        }
    }
}
