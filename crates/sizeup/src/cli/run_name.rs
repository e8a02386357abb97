//! What a run and its file are called if the user does not say.

use crate::machine::Machine;
use crate::record::Header;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// What a machine is called that the user gave no name.
pub(super) fn default_label(machine: &Machine) -> String {
    machine.cpu.model.known().cloned().unwrap_or_else(|| "machine".to_owned())
}

/// `runs/LABEL-SUITE-TIME.run.jsonl`, with a number behind it if that is taken.
pub(super) fn default_path(header: &Header) -> PathBuf {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }
    };
    let label: String = header.label.chars().map(plain).collect();
    let mut words: Vec<&str> = label.split('-').filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        words.push("machine");
    }
    let started = SystemTime::UNIX_EPOCH + Duration::from_nanos(header.started_unix_ns);
    let time = humantime::format_rfc3339_seconds(started).to_string().replace([':', '-'], "");
    let suite = header.suite.replace('/', "-");
    let name = format!("{}-{suite}-{time}", words.join("-"));
    // Two runs may be started in one second.
    let names = (2..100).map(|number| format!("{name}-{number}"));
    let mut paths = std::iter::once(name.clone())
        .chain(names)
        .map(|name| PathBuf::from(format!("runs/{name}.run.jsonl")));
    let free = paths.find(|path| !path.exists());
    free.unwrap_or_else(|| PathBuf::from(format!("runs/{name}.run.jsonl")))
}
