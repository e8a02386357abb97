//! Starts a worker's process with its environment, CPUs and pipes.

use super::failure::Failure;
use super::worker_process::WorkerProcess;
use catalog::Program;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl, open};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, write};
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Stdio};

/// How readily the kernel kills a process when memory is short: nothing comes before a worker, so that the run goes on.
const OOM_SCORE_ADJ: &str = "1000";

/// A process and our ends of its pipes, which never block.
pub(super) struct Pipes {
    pub process: WorkerProcess,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

/// Starts a program in its own process group, pinned to these CPUs unless `cpus` is empty. The kernel kills it when the
/// harness ends for whatever reason.
pub(super) fn spawn(program: &Program, arguments: &[&str], cpus: &[u32]) -> Result<Pipes, Failure> {
    let mut command = program.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let affinity = affinity(cpus)?;
    // SAFETY: no handler is involved. Who starts us may have had children's ends ignored, and then none would be told.
    let _ = unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) };
    // SAFETY: only async-signal-safe system calls between fork and exec.
    unsafe {
        command.pre_exec(move || {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            go_first_when_memory_is_short();
            if let Some(cpus) = &affinity {
                sched_setaffinity(Pid::from_raw(0), cpus)?;
            }
            Ok(())
        });
    }
    let cannot = |e: io::Error| {
        // The folder it is run in may be what is not found.
        if !program.is_own() && !Path::new(&program.run[0]).exists() {
            let what = format!("the worker {} is not built; `make build` builds all", program.name);
            return Failure::new("start", what, "");
        }
        let message = format!("{} can't be started: {e}", program.run[0]);
        let hint = match e.kind() {
            ErrorKind::WouldBlock => {
                "raise the limit of processes: `ulimit -u` or a cgroup's pids.max"
            }
            _ if e.raw_os_error() == Some(Errno::EMFILE as i32) => "raise `ulimit -n`",
            _ if program.is_own() => "check the table that defines it",
            _ => "run `make build`",
        };
        Failure::new("start", message, hint)
    };
    let mut child = command.spawn().map_err(cannot)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let process = WorkerProcess(child);
    let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(cannot(ErrorKind::BrokenPipe.into()));
    };
    nonblocking(&stdin).map_err(cannot)?;
    nonblocking(&stdout).map_err(cannot)?;
    nonblocking(&stderr).map_err(cannot)?;
    Ok(Pipes { process, stdin, stdout, stderr })
}

/// Also the processes that this one starts. Raising the value needs no privilege; where there is no `/proc`, the kernel
/// chooses by size.
fn go_first_when_memory_is_short() {
    if let Ok(file) = open("/proc/self/oom_score_adj", OFlag::O_WRONLY, Mode::empty()) {
        let _ = write(&file, OOM_SCORE_ADJ.as_bytes());
    }
}

fn affinity(cpus: &[u32]) -> Result<Option<CpuSet>, Failure> {
    if cpus.is_empty() {
        return Ok(None);
    }
    let mut set = CpuSet::new();
    for &cpu in cpus {
        set.set(cpu as usize).map_err(|e| {
            Failure::new(
                "resources",
                format!("CPU {cpu} is unavailable: {e}"),
                "exclude it: --cpus",
            )
        })?;
    }
    Ok(Some(set))
}

fn nonblocking(file: &impl AsFd) -> io::Result<()> {
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL)?);
    fcntl(file, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK)).map(|_: i32| ()).map_err(Errno::into)
}
