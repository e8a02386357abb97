//! Starts `ansible-playbook` on a playbook of the collection and follows its events.

use super::event::{EventLines, HostEvent};
use super::utf8;
use crate::cli::going_on::quoted;
use anyhow::{Context, bail};
use catalog::Home;
use measure::execute::Interrupt;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, setsid};
use serde_json::{Map, Value};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = "ansible-playbook";
/// How often the file of events is read.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// So much of what it printed is looked at for its last lines.
const LAST_BYTES: u64 = 1 << 16;
/// For how long an interrupted playbook may end by itself. One that is not starved needs a second or two.
const ENDS_WITHIN: Duration = Duration::from_secs(10);

/// A playbook of the collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Playbook {
    Run,
    Status,
    Fetch,
    Clean,
}

impl Playbook {
    const fn name(self) -> &'static str {
        match self {
            Self::Run => "sizeup.fleet.run",
            Self::Status => "sizeup.fleet.status",
            Self::Fetch => "sizeup.fleet.fetch",
            Self::Clean => "sizeup.fleet.clean",
        }
    }

    /// Whether all hosts must be done at its end.
    pub const fn expects_all(self) -> bool {
        !matches!(self, Self::Status)
    }
}

/// A running `ansible-playbook`.
pub(super) struct Ansible {
    child: Child,
    events: File,
    /// Holds the events, what Ansible prints, and packed releases.
    folder: TempDir,
}

impl Ansible {
    /// Starts a playbook in a session of its own: without a terminal, ssh refuses an unknown host key instead of asking, and
    /// signals come from here alone.
    pub fn start(
        home: &Home,
        playbook: Playbook,
        inventory: &[String],
        forks: u16,
        mut variables: Map<String, Value>,
    ) -> anyhow::Result<Self> {
        let collections = home.collections();
        let collection = collections.join("ansible_collections/sizeup/fleet");
        if !collection.is_dir() {
            bail!(
                "{}: no such folder; `make build` puts the collection there",
                collection.display()
            );
        }
        let folder = TempDir::with_prefix("sizeup-fleet-").context("no temporary folder")?;
        variables.insert("sizeup_packing".to_owned(), utf8(folder.path())?.into());
        let events = folder.path().join("events.jsonl");
        File::create(&events)?;
        let printed = File::create(folder.path().join("printed"))?;
        let mut command = Command::new(program(&collection)?);
        command.args(["--forks", &forks.to_string()]);
        inventory.iter().for_each(|inventory| {
            command.args(["--inventory", inventory]);
        });
        command
            .args(["--extra-vars", &Value::Object(variables).to_string(), playbook.name()])
            .env("SIZEUP_FLEET_EVENTS", &events)
            .env("ANSIBLE_COLLECTIONS_PATH", joined(&collections, "ANSIBLE_COLLECTIONS_PATH"))
            .env("ANSIBLE_CALLBACKS_ENABLED", "sizeup.fleet.events")
            .env("ANSIBLE_HOST_KEY_CHECKING", "True")
            // Facts that a host reports, now or from a cache, must not override settings.
            .env("ANSIBLE_INJECT_FACT_VARS", "False")
            .env("ANSIBLE_CACHE_PLUGIN", "memory")
            // Connections then print the host's output unchanged.
            .env("ANSIBLE_VERBOSITY", "0")
            .env("ANSIBLE_DEBUG", "False")
            .env("ANSIBLE_NOCOLOR", "True")
            // The release folder may be somebody else's.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("PWD", env::current_dir()?)
            .stdin(Stdio::null())
            .stdout(printed.try_clone()?)
            .stderr(printed);
        // SAFETY: one async-signal-safe system call between fork and exec.
        unsafe {
            command.pre_exec(|| Ok(setsid().map(drop)?));
        }
        let child = command.spawn().with_context(|| format!("{PROGRAM} can't be started"))?;
        Ok(Self { child, events: foreign::open(&events)?, folder })
    }

    /// Hands each event to `see` until the playbook has ended. An interrupt ends it, and what hosts measure goes on.
    pub fn follow(
        &mut self,
        interrupt: &Interrupt,
        mut see: impl FnMut(HostEvent),
    ) -> anyhow::Result<ExitStatus> {
        let mut lines = EventLines::default();
        let mut sent = None;
        loop {
            // Asked before the last lines are read, so that none is missed.
            let ended = self.child.try_wait()?;
            let mut bytes = Vec::new();
            self.events.read_to_end(&mut bytes)?;
            let events = lines
                .push(&bytes)
                .context("the collection wrote an event that sizeup does not know")?;
            events.into_iter().for_each(&mut see);
            if let Some(status) = ended {
                return Ok(status);
            }
            let signal = match (interrupt.asked(), interrupt.insisted()) {
                (false, _) => None,
                (true, false) => Some(Signal::SIGINT),
                (true, true) => Some(Signal::SIGKILL),
            };
            if let Some(signal) = signal.filter(|signal| sent != Some(*signal)) {
                self.send(signal);
                sent = Some(signal);
            }
            sleep(LOOK_EVERY);
        }
    }

    /// Sends the playbook and all that it started a signal.
    fn send(&self, signal: Signal) {
        // One that has just ended needs none.
        let _ = killpg(Pid::from_raw(self.child.id().cast_signed()), signal);
    }

    /// The last lines that Ansible printed.
    pub fn last_words(&self) -> String {
        let mut printed = Vec::new();
        let last = foreign::open(&self.folder.path().join("printed")).and_then(|mut file| {
            let before = file.metadata()?.len().saturating_sub(LAST_BYTES);
            file.seek(SeekFrom::Start(before))?;
            file.take(LAST_BYTES).read_to_end(&mut printed)
        });
        if let Err(e) = last {
            return format!("what it printed can't be read: {e}");
        }
        let printed = String::from_utf8_lossy(&printed);
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(3)..].join(" · ")
    }
}

impl Drop for Ansible {
    /// Ends a playbook that nobody follows any more: its files go with this, and hosts would not be cleaned up.
    fn drop(&mut self) {
        let is_running = |child: &mut Child| matches!(child.try_wait(), Ok(None));
        if !is_running(&mut self.child) {
            return;
        }
        self.send(Signal::SIGINT);
        let interrupted = Instant::now();
        while interrupted.elapsed() < ENDS_WITHIN {
            if !is_running(&mut self.child) {
                return;
            }
            sleep(LOOK_EVERY);
        }
        self.send(Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

/// A folder in front of those that a variable lists already.
fn joined(folder: &Path, variable: &str) -> OsString {
    let mut list = folder.as_os_str().to_owned();
    if let Some(others) = env::var_os(variable).filter(|others| !others.is_empty()) {
        list.push(":");
        list.push(others);
    }
    list
}

/// `ansible-playbook` of PATH, or else of the venv in the data folder.
fn program(collection: &Path) -> anyhow::Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = data_folder().map(|folder| folder.join("sizeup/ansible"));
    let folders = env::split_paths(&path).chain(own.iter().map(|venv| venv.join("bin")));
    let found = folders.map(|folder| folder.join(PROGRAM)).find(|program| program.is_file());
    found.with_context(|| {
        let venv = own.unwrap_or_else(|| "ansible".into());
        let venv = quoted(&venv.display().to_string());
        let pins = quoted(&collection.join("requirements.txt").display().to_string());
        format!(
            "{PROGRAM} is not in PATH. Install Ansible, or: python3 -m venv {venv} && {venv}/bin/pip install --requirement {pins}"
        )
    })
}

fn data_folder() -> Option<PathBuf> {
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    data.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/share")))
}
