//! What a run and its file are called if the user does not say.

use crate::machine::Machine;
use crate::record::Header;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// What a machine is called that the user gave no name.
pub(super) fn default_label(machine: &Machine) -> String {
    machine.cpu.model.known().cloned().unwrap_or_else(|| "machine".to_owned())
}

/// File systems take names of 255 bytes; suite and time stand behind it.
const LONGEST_NAME: usize = 100;

/// A label as a part of a file's name: small letters, digits and dashes.
fn plain(label: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }
    };
    let label: String = label.chars().map(plain).collect();
    let words: Vec<&str> = label.split('-').filter(|word| !word.is_empty()).collect();
    let mut name = if words.is_empty() { "machine".to_owned() } else { words.join("-") };
    name.truncate(LONGEST_NAME);
    name
}

/// `LABEL-SUITE.run.jsonl`.
pub(super) fn file_name(label: &str, suite: &str) -> String {
    format!("{}-{suite}.run.jsonl", plain(label))
}

/// `runs/LABEL-SUITE-TIME.run.jsonl`, with a number behind it if that is taken.
pub(super) fn default_path(header: &Header) -> PathBuf {
    let started = SystemTime::UNIX_EPOCH + Duration::from_nanos(header.started_unix_ns);
    let time = humantime::format_rfc3339_seconds(started).to_string().replace([':', '-'], "");
    let suite = header.suite.replace('/', "-");
    let name = format!("{}-{suite}-{time}", plain(&header.label));
    // Two runs may be started in one second.
    let names = (2..100).map(|number| format!("{name}-{number}"));
    let mut paths = std::iter::once(name.clone())
        .chain(names)
        .map(|name| PathBuf::from(format!("runs/{name}.run.jsonl")));
    let free = paths.find(|path| !path.exists());
    free.unwrap_or_else(|| PathBuf::from(format!("runs/{name}.run.jsonl")))
}
