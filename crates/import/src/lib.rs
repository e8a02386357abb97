//! What other tools measured, as run files: a file a source. Such a run has figures and no windows, says where they
//! come from and what they lack. The log of a power meter is joined to a run that sizeup measured.

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
use std::path::{Path, PathBuf};

/// Where figures are imported from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A server's folder as the inspector of Spare Cores leaves it.
    #[serde(rename = "sparecores")]
    SpareCores,
    /// What `openssl speed` prints, for people or with `-mr`.
    OpensslSpeed,
    /// What `go test -bench` prints.
    GoBench,
    /// What `kopia benchmark` prints.
    Kopia,
    /// A plain table: machine, workload, threads, value, unit.
    Csv,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::SpareCores, Self::OpensslSpeed, Self::GoBench, Self::Kopia, Self::Csv];

    /// What there is to read in a file or folder: of Spare Cores every server in it, else itself.
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

    /// The runs that a file or folder holds: one, but of a table one for each machine. `label` names the machine where
    /// the source does not; `threads` are what the tool was told where it does not tell.
    ///
    /// # Errors
    /// When it can't be read or holds nothing that can be used, with the line.
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

/// What can't be imported.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct ImportError {
    path: PathBuf,
    what: String,
}

/// Longer outputs than this are something else.
const LONGEST_BYTES: u64 = 64 << 20;

/// The text of a regular file.
fn text(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|e| format!("can't be read: {e}"))?;
    if !about.is_file() {
        return Err("is not a regular file".to_owned());
    }
    if about.len() > LONGEST_BYTES {
        return Err(format!("has {} bytes, more than any benchmark prints", about.len()));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("can't be read: {e}"))?;
    String::from_utf8(bytes).map_err(|_| "is not text".to_owned())
}

#[cfg(test)]
mod tests;
