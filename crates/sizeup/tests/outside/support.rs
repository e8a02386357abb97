//! Helpers of the outside tests: a release folder without workers, a folder with the fake worker, and running sizeup in it.

use data_encoding::HEXLOWER;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write as _};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A budget that no run of a test uses up.
pub const LONG: &str = "5m";
/// Precision that the fake worker reaches within the minimum of samples, and one that takes some hundred.
const ROUGH: &str = "30%";
pub const FINE: &str = "2%";
/// A precision that no row reaches: the run lasts until it is ended.
pub const NEVER: &str = "0.01%";

/// Sends a process that still runs a signal.
pub fn send(signal: Signal, child: &Child) {
    let pid = i32::try_from(child.id()).expect("a PID");
    kill(Pid::from_raw(pid), signal).expect("it still runs");
}

/// Says what is not tested on this machine, and why. Past the harness of tests, which shows nothing of a test that passes.
pub fn not_tested(what: impl Display) {
    let told = format!("NOT AVAILABLE, not tested: {what}\n");
    std::io::stderr().write_all(told.as_bytes()).expect("stderr can be written");
}

/// Waits for something that comes, on a busy machine after a while.
#[track_caller]
pub fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < Duration::from_secs(120), "in vain: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Runs sizeup with the real workers in a folder.
pub fn installed(folder: &TempDir, arguments: &[&str]) -> Answer {
    Answer::of(installed_command(folder, arguments).output().expect("sizeup can be started"))
}

/// Like [`installed`], but not started yet.
pub fn installed_command(folder: &TempDir, arguments: &[&str]) -> Command {
    let home = std::env::var_os("SIZEUP_HOME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist"), PathBuf::from);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sizeup"));
    command.args(arguments).env("SIZEUP_HOME", home).current_dir(folder.path());
    command
}

/// A place for a test.
pub struct Place {
    folder: TempDir,
}

impl Place {
    /// A release folder without anything in it.
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for part in ["workloads", "suites", "mixes", "inputs"] {
            fs::create_dir_all(folder.path().join("home/share/sizeup").join(part))
                .expect("a folder");
        }
        let place = Self { folder };
        place.write("home/share/sizeup/inputs/inputs.toml", "");
        for folder in ["own", "tmp"] {
            fs::create_dir(place.path(folder)).expect("a folder");
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file can be written");
        path
    }

    /// A table with a workload for each fault, performed by the fake worker with these arguments.
    pub fn with_faults(self, faults: &[&str], arguments: &[&str]) -> Self {
        let mut run = vec![fake_worker().to_string_lossy().into_owned()];
        run.extend(arguments.iter().map(ToString::to_string));
        let mut table = format!("worker = {{ run = {run:?} }}\n");
        for fault in faults {
            let log = self.path(&format!("{fault}.log"));
            let _ = write!(
                table,
                "[[workload]]\nid = \"{fault}/fake\"\noperation = \"misbehave\"\nfamily = \"text\"\nabout = \"nothing\"\n\
                 parameters = {{ fault = \"{fault}\", log = {log:?} }}\n"
            );
        }
        self.write("own/fake.toml", table);
        self
    }

    /// With the worker of plain commands.
    pub fn with_command_worker(self) -> Self {
        let worker =
            Path::new(env!("CARGO_BIN_EXE_sizeup")).with_file_name("sizeup-worker-command");
        assert!(worker.exists(), "{} is not built: `make build`", worker.display());
        fs::create_dir_all(self.path("home/libexec/sizeup")).expect("a folder");
        symlink(worker, self.path("home/libexec/sizeup/command")).expect("a link");
        self
    }

    /// sizeup with these arguments, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sizeup"));
        command
            .args(arguments)
            .env("SIZEUP_HOME", self.path("home"))
            .env("TMPDIR", self.path("tmp"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn sizeup(&self, arguments: &[&str]) -> Answer {
        Answer::of(self.command(arguments).output().expect("sizeup can be started"))
    }

    /// The arguments of a quick run of fake workloads into `out.jsonl`. If `more` says nothing else, it ends when all rows are
    /// measured, which takes a second or so, however long that is on a busy machine.
    pub fn run_arguments<'a>(ids: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
        let mut arguments = vec![
            "run",
            "--with",
            "own",
            "--output",
            "out.jsonl",
            "--sample-time",
            "2ms",
            "--warmup",
            "0s",
        ];
        for id in ids {
            arguments.extend(["--workload", id]);
        }
        arguments.extend(more);
        for (flag, value) in [("--budget", LONG), ("--precision", ROUGH)] {
            if !more.contains(&flag) {
                arguments.extend([flag, value]);
            }
        }
        arguments
    }
}

/// Writes records as a run file with the digest that they have.
pub fn seal(place: &Place, file: &str, records: &[Value]) {
    let mut text = String::new();
    for record in records {
        let mut record = record.clone();
        if record["record"] == "close" {
            let digest = Sha256::digest(text.as_bytes());
            record["sha256"] = json!(HEXLOWER.encode(&digest));
        }
        let _ = writeln!(text, "{record}");
    }
    place.write(file, text);
}

/// Exit status and both streams of sizeup.
pub struct Answer {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Answer {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }

    /// Stdout with line breaks as spaces.
    pub fn prose(&self) -> String {
        self.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}\n{}", self.stdout, self.stderr))
    }

    /// The `data` of `--json` output.
    pub fn data(&self) -> Value {
        self.json()["data"].take()
    }

    /// One clear message, nothing on stdout, no panic.
    #[track_caller]
    pub fn refuses(&self, status: i32, message: &str) {
        assert_eq!(self.status, status, "{}{}", self.stdout, self.stderr);
        assert!(self.stderr.contains(message), "{:?} is not in: {}", message, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// Where cargo puts the fake worker when it builds the tests.
pub fn fake_worker() -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_sizeup")).with_file_name("examples/fake-worker");
    assert!(path.exists(), "{} is not built: `cargo build --release --examples`", path.display());
    path
}

/// All processes whose current folder is this one, as that of a worker and of its children is the worker's.
pub fn pids_in(folder: &Path) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    processes
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder))
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .map(Pid::from_raw)
        .collect()
}

/// Their command lines.
pub fn processes_in(folder: &Path) -> Vec<String> {
    let lines = pids_in(folder).into_iter().map(|pid| fs::read(format!("/proc/{pid}/cmdline")));
    lines.flatten().map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect()
}
