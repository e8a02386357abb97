//! `perf record` beside a process, where it is installed and works.

use crate::address_space::AddressSpace;
use crate::perf_script::{printed_samples, stacks};
use crate::stack::StackSample;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No multiple of what timers do.
const SAMPLES_PER_SECOND: &str = "997";
/// How long `perf` may take to begin, and to end.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The first line is told.
const MOST_SAID_BYTES: u64 = 1 << 20;
/// One number.
const MOST_SETTING_BYTES: u64 = 64;
const PARANOIA: &str = "/proc/sys/kernel/perf_event_paranoid";
/// From this on, perf is forbidden to users (a patch of Debian's, Ubuntu's and Android's kernels).
const FORBIDS_USERS: i32 = 3;

/// A `perf record` that watches a process.
#[derive(Debug)]
pub struct PerfRecording {
    pid: Pid,
    perf: Child,
    folder: TempDir,
    version: String,
}

impl PerfRecording {
    /// Starts `perf` on all threads of a process, and returns once it records.
    ///
    /// # Errors
    /// Why it can't be used here, in words, with what to do.
    pub fn start(pid: u32) -> Result<Self, String> {
        let version = version()?;
        let failed = |error: io::Error| format!("perf can't be started: {error}");
        let folder = tempfile::Builder::new().prefix("sizeup-perf-").tempdir().map_err(failed)?;
        let said = File::create(folder.path().join("said")).map_err(failed)?;
        let perf = Command::new("perf")
            .args(["record", "--call-graph", "fp", "--clockid", "mono", "--freq"])
            .args([SAMPLES_PER_SECOND, "--no-buildid", "--no-buildid-cache"])
            .args(["--pid", &pid.to_string(), "--output"])
            .arg(folder.path().join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said)
            .spawn()
            .map_err(failed)?;
        let pid = Pid::from_raw(pid.cast_signed());
        let mut recording = Self { pid, perf, folder, version };
        recording.wait_until_it_records()?;
        Ok(recording)
    }

    /// Its version, as it names it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Ends the recording and reads it. The process must still be there.
    ///
    /// # Errors
    /// If perf fails, or its samples can't be read.
    pub fn end(mut self) -> Result<Vec<StackSample>, String> {
        let perf = Pid::from_raw(self.perf.id().cast_signed());
        kill(perf, Signal::SIGINT).map_err(|e| format!("perf can't be ended: {e}"))?;
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.perf.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                return Err("perf did not end within 20 s".to_owned());
            }
            std::thread::sleep(LOOK_EVERY);
        }
        let space = AddressSpace::of(self.pid)
            .map_err(|error| format!("the worker can't be looked at: {error}"))?;
        let script = self.script()?;
        let samples = stacks(&printed_samples(&script), self.pid.as_raw().cast_unsigned(), &space);
        if samples.is_empty() {
            return Err(format!("perf took no samples: {}", self.what_it_said()));
        }
        Ok(samples)
    }

    /// Its file is begun when all counters are open.
    fn wait_until_it_records(&mut self) -> Result<(), String> {
        let data = self.folder.path().join("data");
        let deadline = Instant::now() + PATIENCE;
        while !fs::metadata(&data).is_ok_and(|file| file.len() > 0) {
            match self.perf.try_wait() {
                Ok(None) if Instant::now() < deadline => std::thread::sleep(LOOK_EVERY),
                Ok(None) => return Err("perf recorded nothing within 20 s".to_owned()),
                Ok(Some(_)) => return Err(self.why_it_ended()),
                Err(error) => return Err(format!("perf can't be waited for: {error}")),
            }
        }
        Ok(())
    }

    fn why_it_ended(&self) -> String {
        match paranoia() {
            Some(level) if level >= FORBIDS_USERS && !nix::unistd::geteuid().is_root() => format!(
                "kernel.perf_event_paranoid is {level}, which forbids perf to users; `sudo sysctl \
                 kernel.perf_event_paranoid=2` allows it until the next boot"
            ),
            _ => format!("perf failed: {}", self.what_it_said()),
        }
    }

    /// The first line that says something.
    fn what_it_said(&self) -> String {
        let said =
            foreign::read(&self.folder.path().join("said"), MOST_SAID_BYTES).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).into_owned();
        let is_telling = |line: &&str| line.len() > "Error:".len() && !line.starts_with('[');
        said.lines().map(str::trim).find(is_telling).unwrap_or("it did not say why").to_owned()
    }

    fn script(&self) -> Result<String, String> {
        let done = Command::new("perf")
            .args(["script", "--ns", "--no-inline", "-F", "pid,tid,time,ip,sym,dso", "--input"])
            .arg(self.folder.path().join("data"))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("perf script can't be started: {error}"))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let first = said.lines().next().unwrap_or_default();
            return Err(format!("perf script failed ({}): {first}", done.status));
        }
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }
}

impl Drop for PerfRecording {
    fn drop(&mut self) {
        // After `end` it is gone; otherwise there was an error, which has been reported.
        if matches!(self.perf.try_wait(), Ok(None)) {
            let _ = self.perf.kill();
            let _ = self.perf.wait();
        }
    }
}

/// How far this kernel restricts `perf`; `None` where it has no performance events.
pub fn paranoia() -> Option<i32> {
    foreign::read_text(Path::new(PARANOIA), MOST_SETTING_BYTES).ok()?.trim().parse().ok()
}

/// `perf 6.1.187`
fn version() -> Result<String, String> {
    let done = Command::new("perf").arg("--version").stdin(Stdio::null()).output();
    match done {
        Ok(done) if done.status.success() => {
            let version = String::from_utf8_lossy(&done.stdout);
            Ok(version.lines().next().unwrap_or("perf").replacen("perf version", "perf", 1))
        }
        // A script of Debian's and Ubuntu's looks for the one of the running kernel.
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty());
            let said = said.unwrap_or("it did not say why").trim();
            Err(format!("perf does not work: {said}"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("perf is not installed".to_owned())
        }
        Err(error) => Err(format!("perf can't be started: {error}")),
    }
}
