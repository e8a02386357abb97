//! Reading a run file. Nothing in it is trusted before it is checked.

use super::FORMAT;
use super::builder::Builder;
use super::cases::check_cases;
use super::course::check_time;
use super::facts::check_facts;
use super::lines::{Line, Lines};
use super::records::Header;
use super::run::{Note, Run};
use super::variant::Variant;
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A file that can't be read as a run.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct ReadError {
    path: PathBuf,
    what: Unreadable,
}

impl ReadError {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("can't be read: {0}")]
    Io(#[from] io::Error),
    #[error("is not a run file: {0}")]
    NotARun(String),
    #[error("has run file format {0}; this sizeup reads {major}.x. Use a newer sizeup", major = FORMAT.0)]
    TooNew(String),
    #[error("has run file format {0}; this sizeup reads {major}.x: measure again", major = FORMAT.0)]
    TooOld(String),
    #[error("line {line}: {what}")]
    Line { line: u64, what: String },
}

/// Reads a run file.
///
/// # Errors
/// When it can't be read, is not a run file, has another major format or holds impossible values. A truncated last
/// line is a [`Note`], not an error.
pub fn read(path: &Path) -> Result<Run, ReadError> {
    foreign::open(path)
        .map_err(Unreadable::Io)
        .and_then(|file| {
            // As much as is there now: it may be written meanwhile, and faster than it is read.
            let bytes = file.metadata()?.len();
            read_from(BufReader::with_capacity(BUFFER_BYTES, file.take(bytes)), path, bytes)
        })
        .map_err(|what| ReadError { path: path.to_owned(), what })
}

/// Whole folders of files are read at once, so a large buffer pays off.
const BUFFER_BYTES: usize = 1 << 18;
/// Approximate length of a sample line with one thread …
const SAMPLE_BYTES: u64 = 500;
/// … and the most samples to reserve memory for up front, since a file can claim any size.
const MOST_EXPECTED_SAMPLES: u64 = 1 << 16;

fn read_from(from: impl BufRead, path: &Path, bytes: u64) -> Result<Run, Unreadable> {
    let mut lines = Lines::new(from);
    if !lines.advance()? {
        return Err(Unreadable::NotARun("it is empty".to_owned()));
    }
    let first = match lines.last() {
        Line::Whole(line) => line,
        Line::TooLong => return Err(Unreadable::NotARun("its first line is too long".to_owned())),
        Line::Torn(_) => {
            return Err(Unreadable::NotARun(
                "its first line is truncated; nothing was measured".to_owned(),
            ));
        }
    };
    let mut builder = Builder::new(path, header(first)?, first.len() as u64 + 1);
    let expected = (bytes / SAMPLE_BYTES).min(MOST_EXPECTED_SAMPLES);
    builder.run.samples.reserve(expected as usize);
    let mut number = 1;
    while lines.advance()? {
        number += 1;
        let wrong = |what: String| Unreadable::Line { line: number, what };
        match lines.last() {
            Line::Whole(bytes) => {
                builder.add_line(bytes, || lines.digest_before()).map_err(wrong)?;
                builder.run.whole_bytes += bytes.len() as u64 + 1;
            }
            // A partial line after the close record was not left by an interrupted run.
            Line::Torn(_) if builder.run.close.is_some() => builder.note_changed(),
            Line::Torn(bytes) => builder.note(Note::Torn { bytes: bytes.len() as u64 }),
            Line::TooLong => return Err(wrong("is too long for a record".to_owned())),
        }
    }
    Ok(builder.finish())
}

/// The fields that identify a header.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    record: Value,
    #[serde(default)]
    format: Value,
}

/// Parses the header. The format is checked first because another major format may have other fields.
fn header(line: &[u8]) -> Result<Header, Unreadable> {
    let head: Head = serde_json::from_slice(line).map_err(|e| {
        let is = if e.is_data() { "a header" } else { "JSON" };
        Unreadable::NotARun(format!("its first line is not {is}"))
    })?;
    let format = match (&head.record, &head.format) {
        (Value::String(record), Value::String(format)) if record == "header" => format,
        _ => return Err(Unreadable::NotARun("its first line is not a header".to_owned())),
    };
    let major = format.split('.').next().and_then(|major| major.parse::<u32>().ok());
    match major {
        Some(major) if major > FORMAT.0 => return Err(Unreadable::TooNew(format.to_owned())),
        Some(major) if major < FORMAT.0 => return Err(Unreadable::TooOld(format.to_owned())),
        Some(_) => {}
        None => return Err(Unreadable::NotARun(format!("its format is {format:?}"))),
    }
    let wrong = |what: String| Unreadable::Line { line: 1, what };
    let header: Header =
        serde_json::from_slice(line).map_err(|e| wrong(format!("the header: {e}")))?;
    check_header(&header).map_err(wrong)?;
    Ok(header)
}

fn check_header(header: &Header) -> Result<(), String> {
    let counts_other = header.workloads.iter().find(|(_, definition)| !definition.unit.is_ops());
    if let Some((workload, definition)) = counts_other.filter(|_| header.origin.is_none()) {
        return Err(format!(
            "{workload} is in {}, but only imports use units other than ops/s",
            definition.unit
        ));
    }
    if header.origin.is_none() {
        header.plan.check()?;
    }
    check_time("the run started", header.started_ns)?;
    if let Some(mix) = &header.plan.mix {
        mix.check().map_err(|what| format!("the mix of the plan: {what}"))?;
        if !mix.has_rates() {
            return Err("the mix of the plan: a demand has no rate".to_owned());
        }
    }
    if let Some(mix) = &header.plan.rolling {
        mix.check().map_err(|what| format!("the rolling mix of the plan: {what}"))?;
    }
    if header.variants.len() > Variant::MOST {
        let (found, most) = (header.variants.len(), Variant::MOST);
        return Err(format!("{found} variants, but a run has at most {most}"));
    }
    check_facts(&header.facts)?;
    check_cases(header)
}
