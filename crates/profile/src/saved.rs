//! A profile as it is kept and read again.

use crate::hot::{HotFunction, KERNEL, MOST_FUNCTIONS};
use record::{Measured, ThreadSample, WorkerBuild};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Real ones have some ten thousand bytes.
const LARGEST_FILE_BYTES: u64 = 4 << 20;
/// No real label, name or version is longer.
const LONGEST_TEXT_BYTES: usize = 4096;

/// Where a workload's worker spends its time on one machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
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
    #[schemars(range(min = 1))]
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
    #[schemars(range(min = 1))]
    pub samples: u64,
    /// The hottest first, at most 200.
    pub functions: Vec<HotFunction>,
    /// CPU time and page faults by the kernel's accounts; absent where the worker does not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounts: Option<Accounts>,
}

/// The kernel's accounts of the threads that did the work, over the sampled time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// CPU time.
    pub cpu_ns: u64,
    /// CPU time in the kernel, which many kernels count by their timer's ticks.
    pub system_ns: u64,
    /// Page faults.
    pub page_faults: u64,
    /// Ops that were done meanwhile.
    pub ops: u64,
}

impl Accounts {
    /// Sums over the worker's samples. `None` without samples, and where a thread lacks one of the counters.
    pub fn of(samples: &[Measured]) -> Option<Self> {
        let threads = || samples.iter().flat_map(|sample| &sample.threads);
        let sum =
            |counter: fn(&ThreadSample) -> Option<u64>| threads().map(counter).sum::<Option<u64>>();
        let cpu_ns = sum(|thread| thread.cpu_ns).filter(|cpu_ns| *cpu_ns > 0)?;
        Some(Self {
            cpu_ns,
            system_ns: sum(|thread| thread.system_ns)?,
            page_faults: sum(|thread| thread.minor_faults?.checked_add(thread.major_faults?))?,
            ops: threads().map(|thread| thread.ops).sum(),
        })
    }

    /// The kernel's part of the CPU time.
    fn kernel_share(self) -> f64 {
        (self.system_ns as f64 / self.cpu_ns as f64).min(1.0)
    }
}

/// How stacks were taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
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

/// The fields of `sizeup profile --json` that are read back.
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

    /// A function's part of the time. Where stacks show no kernel, they show who called it instead: then the kernel's part by the
    /// accounts is taken off, from all functions alike.
    pub fn share(&self, function: &HotFunction) -> f64 {
        let unseen = self.unseen_kernel().unwrap_or_default();
        function.samples as f64 / self.samples as f64 * (1.0 - unseen)
    }

    /// The kernel's part of the time by the accounts, where no stack shows it.
    pub fn unseen_kernel(&self) -> Option<f64> {
        let is_seen = self.functions.iter().any(|function| function.module == KERNEL);
        self.accounts.filter(|_| !is_seen).map(Accounts::kernel_share)
    }

    /// Parts of the time by module, the kernel first, then the largest.
    pub fn modules(&self) -> Vec<(&str, f64)> {
        let mut all: BTreeMap<&str, f64> = BTreeMap::new();
        for function in &self.functions {
            *all.entry(&function.module).or_default() += self.share(function);
        }
        if let Some(unseen) = self.unseen_kernel() {
            all.insert(KERNEL, unseen);
        }
        let mut all: Vec<(&str, f64)> = all.into_iter().collect();
        all.sort_by(|(a, share), (b, other)| {
            (*b == KERNEL).cmp(&(*a == KERNEL)).then(other.total_cmp(share))
        });
        all
    }

    fn check(&self) -> Result<(), String> {
        let counts = self.functions.iter().map(|function| u128::from(function.samples));
        if self.accounts.is_some_and(|accounts| accounts.cpu_ns == 0) {
            return Err("its accounts hold no CPU time".to_owned());
        }
        if self.samples == 0 || self.threads == 0 || self.functions.is_empty() {
            return Err("it holds no samples".to_owned());
        }
        if counts.sum::<u128>() > u128::from(self.samples) {
            return Err(format!("its functions have more than its {} samples", self.samples));
        }
        if self.functions.len() > MOST_FUNCTIONS {
            return Err(format!("it has more than {MOST_FUNCTIONS} functions"));
        }
        let names: BTreeSet<_> =
            self.functions.iter().map(|function| (&function.name, &function.module)).collect();
        if names.len() < self.functions.len() {
            return Err("it has a function twice".to_owned());
        }
        if !self.functions.is_sorted_by(|one, next| one.samples >= next.samples) {
            return Err("its functions are not in order of their samples".to_owned());
        }
        let texts = [&self.label, &self.taken, &self.architecture, &self.workload, &self.worker];
        let texts = texts.into_iter().chain(self.cpu_model.iter().chain([&self.implementation]));
        let of_functions =
            self.functions.iter().flat_map(|function| [&function.name, &function.module]);
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
            accounts: None,
        }
    }

    #[test]
    fn what_stacks_do_not_show_of_the_kernel_is_taken_off_the_functions() {
        let mut profile = profile("a", &[("match", 87, None), ("other", 13, None)]);
        assert_eq!((profile.share(&profile.functions[0]), profile.unseen_kernel()), (0.87, None));
        let accounts = Accounts { cpu_ns: 1_000, system_ns: 790, page_faults: 5, ops: 1 };
        profile.accounts = Some(accounts);
        assert!((profile.share(&profile.functions[0]) - 0.87 * 0.21).abs() < 1e-9);
        let modules = profile.modules();
        assert_eq!(modules[0], (KERNEL, 0.79));
        assert!(modules[1].0 == "go" && (modules[1].1 - 0.21).abs() < 1e-9, "{modules:?}");
        // perf sees the kernel itself.
        profile.functions[1].module = KERNEL.to_owned();
        assert_eq!((profile.share(&profile.functions[0]), profile.unseen_kernel()), (0.87, None));
        assert_eq!(profile.modules()[0], (KERNEL, 0.13));
        // Ticks may count more in the kernel than there was time.
        profile.functions.truncate(1);
        profile.accounts = Some(Accounts { system_ns: 1_001, ..accounts });
        assert_eq!(
            (profile.unseen_kernel(), profile.share(&profile.functions[0])),
            (Some(1.0), 0.0)
        );
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
        let mut data = json!(profile("a", &[("f", 60, None), ("g", 40, Some(&[CodeKind::Aes]))]));
        data["accounts"] = Value::Null;
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
        let accounts = json!({ "cpu_ns": 0, "system_ns": 0, "page_faults": 0, "ops": 0 });
        let cases: [(&str, Value, &str); 11] = [
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
            ("/data/accounts", accounts, "no CPU time"),
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
