//! Imports figures of other tools as run files, one module per source. Such a run has figures and no samples, and states
//! their origin and what they are missing. Also joins the log of a power meter to a run.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod go;
mod kopia;
mod meter;
mod openssl;
mod run;
mod sparecores;
mod table;

pub use meter::{Columns, MeterLog};
pub use run::{ImportedRow, ImportedRun};

use serde::Serialize;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A supported source of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A server's folder as written by the Spare Cores inspector.
    #[serde(rename = "sparecores")]
    SpareCores,
    /// Output of `openssl speed`, with or without `-mr`.
    OpensslSpeed,
    /// Output of `go test -bench`.
    GoBench,
    /// Output of `kopia benchmark`.
    Kopia,
    /// A plain table: machine, workload, threads, value, unit.
    Csv,
}

impl Source {
    pub const ALL: [Self; 5] =
        [Self::SpareCores, Self::OpensslSpeed, Self::GoBench, Self::Kopia, Self::Csv];

    /// The files or folders to read at a path: for Spare Cores every server in it, else the path itself.
    ///
    /// # Errors
    /// When a folder can't be read.
    pub fn places(self, path: &Path) -> Result<Vec<PathBuf>, ImportError> {
        match self {
            Self::SpareCores => sparecores::servers(path)
                .map_err(|what| ImportError { path: path.to_owned(), what }),
            _ => Ok(vec![path.to_owned()]),
        }
    }

    /// The runs in a file or folder: one, or one per machine for a table. `label` names the machine and `threads` gives the
    /// thread count where the source does not.
    ///
    /// # Errors
    /// When it can't be read or has no figures, with the line.
    pub fn read(
        self,
        path: &Path,
        label: Option<&str>,
        threads: usize,
    ) -> Result<Vec<ImportedRun>, ImportError> {
        let wrong = |what: String| ImportError { path: path.to_owned(), what };
        // A folder's name may have a dot that begins no extension.
        let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
        let name = name.unwrap_or_default().to_string_lossy();
        let label = label.unwrap_or(&name);
        let runs = match self {
            Self::SpareCores => sparecores::read(path, label).map(|run| vec![run]),
            Self::OpensslSpeed => text(path)
                .and_then(|text| openssl::read(&text, label, threads))
                .map(|run| vec![run]),
            Self::GoBench => {
                text(path).and_then(|text| go::read(&text, label)).map(|run| vec![run])
            }
            Self::Kopia => {
                text(path).and_then(|text| kopia::read(&text, label, threads)).map(|run| vec![run])
            }
            Self::Csv => text(path).and_then(|text| table::read(&text)),
        };
        let mut runs = runs.map_err(wrong)?;
        for run in &mut runs {
            run.sources.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            run.check().map_err(wrong)?;
        }
        Ok(runs)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

/// A file that can't be imported, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct ImportError {
    path: PathBuf,
    what: String,
}

/// No benchmark output is longer than this.
const LONGEST_BYTES: u64 = 64 << 20;

/// The text of a regular file.
fn text(path: &Path) -> Result<String, String> {
    foreign::read_text(path, LONGEST_BYTES).map_err(|e| match e.kind() {
        ErrorKind::FileTooLarge => {
            format!("can't be read: {e}, and no benchmark's output has more")
        }
        _ => format!("can't be read: {e}"),
    })
}

#[cfg(test)]
mod tests;
