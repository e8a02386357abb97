//! A profile as it is kept and read again.

use crate::hot::{HotFunction, MOST_FUNCTIONS};
use record::WorkerBuild;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Real ones have some ten thousand bytes.
const LARGEST_FILE_BYTES: u64 = 4 << 20;
/// No real label, name or version is longer.
const LONGEST_TEXT_BYTES: usize = 4096;

/// Where a workload's worker spends its time on one machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The machine's label.
    pub label: String,
    /// When it was taken, in UTC.
    pub taken: String,
    /// The CPU's model; `null` where the machine does not report it.
    pub cpu_model: Option<String>,
    /// As `uname -m` names it.
    pub architecture: String,
    /// The workload's ID.
    pub workload: String,
    /// The part of the ID behind the slash.
    pub implementation: String,
    /// How many threads did the work.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub threads: usize,
    /// The CPUs that they ran on.
    pub cpus: Vec<u32>,
    /// The worker's name.
    pub worker: String,
    /// How it was built, and the versions of its libraries.
    pub build: WorkerBuild,
    /// How stacks were taken.
    pub method: Method,
    /// The time that was sampled: that of the worker's samples.
    pub sampled_ns: u64,
    /// How many stacks were taken in that time.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub samples: u64,
    /// The hottest first, at most 200.
    pub functions: Vec<HotFunction>,
}

/// How stacks were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Method {
    /// `perf` and its version, or `built-in`.
    pub profiler: String,
    /// Why not the other one; empty where `perf` was used.
    pub why: String,
}

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileReadError {
    /// It can't be read.
    #[error("it can't be read")]
    File(#[from] io::Error),
    /// More than any profile has.
    #[error("it has more than 4 MiB, so it is no profile")]
    Large,
    /// Not what `sizeup profile` writes.
    #[error("it is no profile of `sizeup profile`")]
    Form(#[from] serde_json::Error),
    /// JSON of another command.
    #[error("it is what `sizeup {0} --json` prints, and no profile of one machine")]
    OtherCommand(String),
    /// Values that no profile can have.
    #[error("{0}")]
    Value(String),
}

/// What `sizeup profile --json` prints, as far as it is read.
#[derive(Deserialize)]
struct SavedFile {
    command: String,
    data: serde_json::Value,
}

impl Profile {
    /// Reads what `sizeup profile` has written, and checks it.
    ///
    /// # Errors
    /// When the file can't be read, or is not what `sizeup profile` could have written.
    pub fn read(path: &Path) -> Result<Self, ProfileReadError> {
        let bytes = foreign::read(path, LARGEST_FILE_BYTES).map_err(|e| match e.kind() {
            ErrorKind::FileTooLarge => ProfileReadError::Large,
            _ => ProfileReadError::File(e),
        })?;
        let file: SavedFile = serde_json::from_slice(&bytes)?;
        if file.command != "profile" {
            return Err(ProfileReadError::OtherCommand(file.command));
        }
        let profile: Self = serde_json::from_value(file.data)?;
        profile.check().map_err(ProfileReadError::Value)?;
        Ok(profile)
    }

    /// A function's part of all samples.
    pub fn share(&self, function: &HotFunction) -> f64 {
        function.samples as f64 / self.samples as f64
    }

    fn check(&self) -> Result<(), String> {
        let counts = self.functions.iter().map(|function| u128::from(function.samples));
        if self.samples == 0 || self.threads == 0 || self.functions.is_empty() {
            return Err("it holds no samples".to_owned());
        }
        if counts.sum::<u128>() > u128::from(self.samples) {
            return Err(format!("its functions have more than its {} samples", self.samples));
        }
        if self.functions.len() > MOST_FUNCTIONS {
            return Err(format!("it has more than {MOST_FUNCTIONS} functions"));
        }
        let names: BTreeSet<_> = self.functions.iter().map(|of| (&of.name, &of.module)).collect();
        if names.len() < self.functions.len() {
            return Err("it has a function twice".to_owned());
        }
        if !self.functions.is_sorted_by(|one, next| one.samples >= next.samples) {
            return Err("its functions are not in order of their samples".to_owned());
        }
        let texts = [&self.label, &self.taken, &self.architecture, &self.workload, &self.worker];
        let texts = texts.into_iter().chain(self.cpu_model.iter().chain([&self.implementation]));
        let of_functions = self.functions.iter().flat_map(|of| [&of.name, &of.module]);
        match texts.chain(of_functions).any(|text| text.len() > LONGEST_TEXT_BYTES) {
            true => Err(format!("a text in it has more than {LONGEST_TEXT_BYTES} bytes")),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::code::{CodeKind, HotCode};
    use serde_json::{Value, json};
    use std::error::Error;

    pub(crate) fn profile(label: &str, functions: &[(&str, u64, Option<&[CodeKind]>)]) -> Profile {
        let functions = functions.iter().map(|(name, samples, kinds)| HotFunction {
            name: (*name).to_owned(),
            module: "go".to_owned(),
            samples: *samples,
            code: kinds.map(|kinds| HotCode { kinds: kinds.to_vec(), in_loop: true }),
        });
        let build =
            json!({ "version": "1", "compiler": "", "flags": "", "libraries": { "go": "1.25" } });
        Profile {
            label: label.to_owned(),
            taken: "2026-01-01T00:00:00Z".to_owned(),
            cpu_model: None,
            architecture: "x86_64".to_owned(),
            workload: "sum/go".to_owned(),
            implementation: "go".to_owned(),
            threads: 1,
            cpus: vec![0],
            worker: "go".to_owned(),
            build: serde_json::from_value(build).unwrap(),
            method: Method { profiler: "built-in".to_owned(), why: String::new() },
            sampled_ns: 1,
            samples: 100,
            functions: functions.collect(),
        }
    }

    fn read(text: &str) -> Result<Profile, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Profile::read(file.path()).map_err(|error| {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("{error}: {why}")
        })
    }

    fn saved(change: impl Fn(&mut Value)) -> Result<Profile, String> {
        let data = profile("a", &[("f", 60, None), ("g", 40, Some(&[CodeKind::Aes]))]);
        let mut file = json!({ "program": "sizeup", "command": "profile", "data": data });
        change(&mut file);
        read(&file.to_string())
    }

    #[test]
    fn neither_a_profile_nor_a_runtimes_map_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(matches!(Profile::read(&fifo), Err(ProfileReadError::File(_))));
        assert!(crate::jit_map::JitMap::read(&fifo).is_err());
    }

    #[test]
    fn what_was_written_is_read() {
        let profile = saved(|_| {}).unwrap();
        assert_eq!(profile.functions[1].code.as_ref().unwrap().words(), "AES");
        assert_eq!(profile.share(&profile.functions[0]), 0.6);
    }

    #[test]
    fn what_no_profile_can_hold_is_refused_with_its_fault() {
        let cases: [(&str, Value, &str); 10] = [
            ("/command", json!("compare"), "`sizeup compare --json`"),
            ("/data/samples", json!(99), "more than its 99 samples"),
            ("/data/samples", json!(0), "no samples"),
            ("/data/functions/0/samples", json!(u64::MAX), "more than its 100 samples"),
            ("/data/functions/0/samples", json!(-1), "no profile"),
            ("/data/functions/0/samples", json!(3), "not in order"),
            ("/data/functions/1/name", json!("f"), "a function twice"),
            ("/data/functions/0/name", json!("f".repeat(5000)), "more than 4096 bytes"),
            ("/data/functions/1/code/kinds/0", json!("magic"), "unknown variant"),
            ("/data/functions", json!([]), "no samples"),
        ];
        for (place, value, fault) in cases {
            let error =
                saved(|file| *file.pointer_mut(place).unwrap() = value.clone()).unwrap_err();
            assert!(error.contains(fault), "{place} {value}: {error}");
        }
        let nested = "[".repeat(100_000);
        for text in ["", "{", "[]", "{\"command\":\"profile\",\"data\":{\"samples\":NaN}}", &nested]
        {
            assert!(read(text).unwrap_err().contains("no profile"), "{text:.50}");
        }
        assert!(read(&" ".repeat(5 << 20)).unwrap_err().contains("4 MiB"));
    }
}
