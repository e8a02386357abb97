//! Starts a worker's process with its environment, CPUs and pipes.

use super::failure::Failure;
use catalog::{OWN_WORKER, Program};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use std::io::{self, ErrorKind};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

/// The environment variables that workers inherit; others could change results unnoticed. The last two are for server
/// workloads: which server to measure, and how to reach a client on another machine.
const ENVIRONMENT: [&str; 7] =
    ["PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "SIZEUP_NGINX", "SSH_AUTH_SOCK"];

/// A process and our ends of its pipes, which never block.
pub(super) struct Pipes {
    pub child: Child,
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    pub stderr: ChildStderr,
}

/// Starts a program in its own process group, pinned to these CPUs unless `cpus` is empty. The kernel kills it when the
/// harness ends for whatever reason.
pub(super) fn spawn(program: &Program, arguments: &[&str], cpus: &[u32]) -> Result<Pipes, Failure> {
    let mut command = Command::new(&program.run[0]);
    command
        .args(&program.run[1..])
        .args(arguments)
        .current_dir(&program.folder)
        .env_clear()
        .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
        .envs(&program.environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let affinity = affinity(cpus)?;
    // SAFETY: only async-signal-safe system calls between fork and exec.
    unsafe {
        command.pre_exec(move || {
            prctl::set_pdeathsig(Signal::SIGKILL)?;
            if let Some(cpus) = &affinity {
                sched_setaffinity(Pid::from_raw(0), cpus)?;
            }
            Ok(())
        });
    }
    let cannot = |e: io::Error| {
        let message = format!("{} can't be started: {e}", program.run[0]);
        let is_own = program.name.starts_with(OWN_WORKER);
        let hint = if is_own { "check the table that defines it" } else { "run `make build`" };
        Failure::new("start", message, hint)
    };
    let mut child = command.spawn().map_err(cannot)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
        return Err(cannot(ErrorKind::BrokenPipe.into()));
    };
    nonblocking(&stdin).map_err(cannot)?;
    nonblocking(&stdout).map_err(cannot)?;
    nonblocking(&stderr).map_err(cannot)?;
    Ok(Pipes { child, stdin, stdout, stderr })
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
