//! Imports figures of other tools as run files, one module per source. Such a run has figures and no samples, and states
//! their origin and what they are missing. Price lists become [`prices`]. Also joins the log of a power meter to a run.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod criterion;
mod faults;
mod go;
mod google_benchmark;
mod hyperfine;
mod kopia;
mod lines;
mod meter;
mod openssl;
pub mod prices;
mod run;
mod sparecores;
mod table;

pub use faults::Version;
pub use meter::{Columns, MeterLog};
pub use run::{Figures, ImportedRow, ImportedRun, LeftOut};

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
    /// Output of `go test -bench`, also with `-json`.
    GoBench,
    /// Output of `kopia benchmark`.
    Kopia,
    /// Exports of hyperfine, as JSON or CSV.
    Hyperfine,
    /// JSON of Google Benchmark.
    GoogleBenchmark,
    /// Output of Criterion and libtest.
    Criterion,
    /// A plain table: machine, workload, threads, value, unit.
    Csv,
}

impl Source {
    pub const ALL: [Self; 8] = [
        Self::SpareCores,
        Self::OpensslSpeed,
        Self::GoBench,
        Self::Kopia,
        Self::Hyperfine,
        Self::GoogleBenchmark,
        Self::Criterion,
        Self::Csv,
    ];

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

    /// The runs in a file or folder: one, or one per machine for a table.
    ///
    /// # Errors
    /// When it can't be read or has no figures, with the line.
    pub fn read(self, path: &Path, facts: &UserFacts) -> Result<Vec<ImportedRun>, ImportError> {
        let wrong = |what: String| ImportError { path: path.to_owned(), what };
        if facts.version.is_some() && self != Self::Kopia {
            return Err(wrong(format!("--tool-version is known for kopia only, not for {self}")));
        }
        let name = name_of(path);
        let label = facts.label.unwrap_or(&name);
        let runs = match self {
            Self::SpareCores => sparecores::read(path, label).map(|run| vec![run]),
            _ => text(path).and_then(|text| {
                self.parse(&text, label, facts).map_err(|what| match self.other(&text) {
                    Some(other) => format!("{what}. `sizeup import {other}` can read it"),
                    None => what,
                })
            }),
        };
        let mut runs = runs.map_err(wrong)?;
        for run in &mut runs {
            let is_stdin = foreign::given::is_stdin(path);
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            run.sources.push(if is_stdin { name.clone() } else { file });
            run.check().map_err(wrong)?;
        }
        Ok(runs)
    }

    /// The runs in a text, of which the first has figures or says what was left out.
    fn parse(self, text: &str, label: &str, facts: &UserFacts) -> Result<Vec<ImportedRun>, String> {
        let threads = facts.threads;
        let run = match self {
            Self::Csv | Self::SpareCores => return table::read(text),
            Self::OpensslSpeed => openssl::read(text, label, threads),
            Self::GoBench => go::read(text, label),
            Self::Kopia => kopia::read(text, label, threads, facts.version),
            Self::Hyperfine => hyperfine::read(text, label, threads),
            Self::GoogleBenchmark => google_benchmark::read(text, label),
            Self::Criterion => criterion::read(text, label, threads),
        }?;
        match run.rows.is_empty() && run.left_out.is_empty() {
            true => Err(format!("no figures found: expected {}", self.figures())),
            false => Ok(vec![run]),
        }
    }

    /// Its figures as a message describes them.
    fn figures(self) -> &'static str {
        match self {
            Self::SpareCores => "a folder of the inspector",
            Self::OpensslSpeed => "the tables of `openssl speed`, or the lines +F of its -mr",
            Self::GoBench => {
                "lines like \"BenchmarkName-8  100  500 ns/op\", which `go test` prints with -bench"
            }
            Self::Kopia => "the tables of `kopia benchmark`",
            Self::Hyperfine => "results with times or a mean",
            Self::GoogleBenchmark => "benchmarks with a real_time",
            Self::Criterion => "lines like \"name  time: [1.9 ms 2.0 ms 2.1 ms]\"",
            Self::Csv => "lines of a table",
        }
    }

    /// Another source whose figures a text has.
    fn other(self, text: &str) -> Option<Self> {
        let facts = UserFacts { threads: 1, ..UserFacts::default() };
        let others =
            Self::ALL.into_iter().filter(|source| *source != self && *source != Self::SpareCores);
        let has_rows = |runs: Vec<ImportedRun>| runs.iter().any(|run| !run.rows.is_empty());
        others.into_iter().find(|source| source.parse(text, "", &facts).is_ok_and(has_rows))
    }
}

/// Facts that a user gives because the source does not.
#[derive(Debug, Clone, Copy, Default)]
pub struct UserFacts<'a> {
    /// The machine's name; else the file's.
    pub label: Option<&'a str>,
    /// The thread count where the source has none.
    pub threads: usize,
    /// The tool's version, if its versions print different figures of the same.
    pub version: Option<Version>,
}

/// A file's name without its extension, and without that of a packer.
fn name_of(path: &Path) -> String {
    if foreign::given::is_stdin(path) {
        return "stdin".to_owned();
    }
    // A folder's name may have a dot that begins no extension.
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let name = name.unwrap_or_default().to_string_lossy();
    let is_packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    match name.rsplit_once('.') {
        Some((stem, _)) if is_packed && !stem.is_empty() => stem.to_owned(),
        _ => name.into_owned(),
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

/// The text of a file or a given pipe.
fn text(path: &Path) -> Result<String, String> {
    foreign::given::read_text(path, LONGEST_BYTES).map_err(|e| match e.kind() {
        ErrorKind::FileTooLarge => {
            format!("can't be read: {e}, and no benchmark's output has more")
        }
        _ => format!("can't be read: {e}"),
    })
}

#[cfg(test)]
mod tests;
