//! How a test brings a fault about, as far as this machine lets it.

use crate::support::{Answer, Place, pids_in, send, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::geteuid;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The samples of two rounds of the four rows, by which one that has lost its worker has its outcome.
const TWO_ROUNDS: usize = 8;

/// How a fault comes about.
pub enum Way {
    /// By a shell that starts sizeup, which is `"$@"`.
    Shell(&'static str),
    /// A shell as root, in a mount namespace of its own.
    Mounted(&'static str),
    /// As another user than root, who may still read all files: no limit of processes binds root.
    Ordinary(&'static str),
    /// By what `shim.c` makes of these variables and the run file.
    Shim(Vec<(&'static str, i64)>),
    /// A worker that is measured gets a signal. The run goes on until its row has ended.
    Worker(Signal),
    /// In a control group: its controller, file and value.
    Cgroup(&'static str, &'static str, &'static str),
}

impl Way {
    /// Runs sizeup under the fault.
    pub fn run(&self, place: &Place, arguments: &[&str]) -> Result<Answer, String> {
        let shell = |script: &str| in_shell(place, script, arguments);
        match self {
            Self::Shell(script) => answer(&mut shell(script)),
            Self::Mounted(script) => {
                needs_root()?;
                let mut probe = Command::new("unshare");
                probe.args(["-m", "true"]).stderr(Stdio::null());
                if !probe.status().is_ok_and(|status| status.success()) {
                    return Err("no mount namespace can be made".to_owned());
                }
                let mut command = shell(script);
                let mut unshared = Command::new("unshare");
                unshared.arg("-m").arg(command.get_program()).args(command.get_args());
                answer(like(&mut unshared, &mut command))
            }
            Self::Ordinary(script) if geteuid().is_root() => {
                let user = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
                let reads = ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"];
                let mut probe = Command::new("setpriv");
                probe.args(user).args(reads).arg("true").stderr(Stdio::null());
                if !probe.status().is_ok_and(|status| status.success()) {
                    return Err("setpriv can't become another user".to_owned());
                }
                let mut command = shell(script);
                let mut other = Command::new("setpriv");
                other.args(user).args(reads).arg(command.get_program()).args(command.get_args());
                answer(like(&mut other, &mut command))
            }
            Self::Ordinary(script) => answer(&mut shell(script)),
            Self::Shim(variables) => {
                let mut command = place.command(arguments);
                command.env("LD_PRELOAD", shim(place)?).env("FAULT_FILE", "/out.jsonl");
                command.envs(variables.iter().map(|(name, number)| (name, number.to_string())));
                answer(&mut command)
            }
            Self::Worker(signal) => {
                let child = start(&mut place.command(arguments));
                wait_for_sample(place);
                end_a_row(place, *signal);
                send(Signal::SIGINT, &child);
                Ok(Answer::of(child.wait_with_output().expect("it ends")))
            }
            Self::Cgroup(controller, file, value) => {
                let cgroup = Cgroup::create(controller, file, value)?;
                let procs = cgroup.folder.join("cgroup.procs");
                let script = format!("echo $$ > {} && exec \"$@\"", procs.display());
                answer(&mut shell(&script))
            }
        }
    }
}

fn answer(command: &mut Command) -> Result<Answer, String> {
    let output = start(command).wait_with_output();
    Ok(Answer::of(output.expect("it ends")))
}

pub fn start(command: &mut Command) -> Child {
    command.spawn().expect("it can be started")
}

pub fn wait_for_sample(place: &Place) {
    wait_until("a sample", || count(place, "sample") > 0);
}

/// The records of a kind that a run has flushed.
fn count(place: &Place, kind: &str) -> usize {
    let text = fs::read_to_string(place.path("out.jsonl")).unwrap_or_default();
    text.matches(&format!("\"record\":\"{kind}\"")).count()
}

/// Sends a worker a signal. Workers are replaced all the time, and nobody misses one that is about to end: if its row is
/// sampled on, another gets the signal.
fn end_a_row(place: &Place, signal: Signal) {
    let own = place.path("own");
    let mut samples = 0;
    wait_until("a row that the signal ends", || {
        if count(place, "outcome") > 0 {
            return true;
        }
        if count(place, "sample") >= samples
            && pids_in(&own).into_iter().any(|pid| kill(pid, signal).is_ok())
        {
            samples = count(place, "sample") + TWO_ROUNDS;
        }
        false
    });
}

fn needs_root() -> Result<(), String> {
    if geteuid().is_root() { Ok(()) } else { Err("it needs root".to_owned()) }
}

/// A shell that ends as sizeup, in the place and with the variables of sizeup.
fn in_shell(place: &Place, script: &str, arguments: &[&str]) -> Command {
    let mut sizeup = place.command(arguments);
    let mut shell = Command::new("bash");
    shell.args(["-c", script, "bash"]).arg(sizeup.get_program()).args(sizeup.get_args());
    like(&mut shell, &mut sizeup);
    shell
}

/// A command with the place, variables and pipes of another.
fn like<'a>(command: &'a mut Command, other: &mut Command) -> &'a mut Command {
    let variables = other.get_envs().filter_map(|(name, value)| Some((name, value?)));
    command
        .envs(variables)
        .current_dir(other.get_current_dir().expect("a place"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
}

/// The library of `shim.c`.
fn shim(place: &Place) -> Result<PathBuf, String> {
    let library = place.path("shim.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/outside/machine_faults/shim.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", source, "-ldl", "-o"]);
    let made = compiler.arg(&library).status().map_err(|e| format!("no C compiler: {e}"))?;
    assert!(made.success(), "shim.c can't be compiled");
    Ok(library)
}

/// A control group of version 1 for one test.
struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    fn create(controller: &str, file: &str, value: &str) -> Result<Self, String> {
        needs_root()?;
        let above = PathBuf::from("/sys/fs/cgroup").join(controller);
        if !above.join("cgroup.procs").exists() || !above.join("tasks").exists() {
            return Err(format!("there is no controller {controller} of cgroups of version 1"));
        }
        let folder = above.join(format!("sizeup-test-{}-{value}", std::process::id()));
        fs::create_dir(&folder).map_err(|e| format!("no cgroup can be made: {e}"))?;
        let cgroup = Self { folder };
        fs::write(cgroup.folder.join(file), value).expect("its limit can be set");
        Ok(cgroup)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Killed processes may take a moment to leave the cgroup.
        wait_until("the cgroup is empty", || fs::remove_dir(&self.folder).is_ok());
    }
}
