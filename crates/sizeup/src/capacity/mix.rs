//! A mix of work, as its user describes it.

use super::rate::Rate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What must be carried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Share of a machine's time that may be used, 0 … 1; the rest is for peaks.
    #[serde(default = "default_utilisation")]
    pub utilisation: f64,
    /// Machines beyond those that are needed, for when some fail.
    #[serde(default)]
    pub spares: u32,
    /// At least one.
    #[serde(rename = "demand")]
    pub demands: Vec<Demand>,
}

/// One kind of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// `OPERATION/IMPLEMENTATION`.
    pub workload: String,
    /// How much of it.
    pub rate: Rate,
}

/// A mix that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct MixError {
    path: PathBuf,
    what: String,
}

fn default_utilisation() -> f64 {
    1.0
}

impl Mix {
    /// Reads a mix in TOML.
    ///
    /// # Errors
    /// When it can't be read or holds what can't be, with the line.
    pub fn read(path: &Path) -> Result<Self, MixError> {
        let wrong = |what: String| MixError { path: path.to_owned(), what };
        if path.exists() && !path.is_file() {
            return Err(wrong("is not a regular file".to_owned()));
        }
        let text =
            std::fs::read_to_string(path).map_err(|e| wrong(format!("can't be read: {e}")))?;
        let mix: Self = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        mix.check().map_err(wrong)?;
        Ok(mix)
    }

    fn check(&self) -> Result<(), String> {
        if !(self.utilisation > 0.0 && self.utilisation <= 1.0) {
            return Err(format!("a utilisation of {}: it lies between 0 and 1", self.utilisation));
        }
        if self.demands.is_empty() {
            return Err("it has no [[demand]]".to_owned());
        }
        let mut seen = BTreeSet::new();
        match self.demands.iter().find(|demand| !seen.insert(&demand.workload)) {
            Some(twice) => Err(format!("{} is demanded twice", twice.workload)),
            None => Ok(()),
        }
    }
}
