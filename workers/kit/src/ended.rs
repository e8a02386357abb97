//! Waits for a process and reads what it used.

use crate::usage::ChildUsage;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

/// Waits until a child has ended. Returns its status, and the totals of the child and of those descendants that were
/// waited for.
///
/// # Errors
/// When the kernel refuses, e.g. for somebody has waited for it.
pub fn ended(child: &Child) -> io::Result<(ExitStatus, ChildUsage)> {
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let mut status = 0;
    // SAFETY: both pointers are valid for one value each; the child is ours and nobody else waits for it.
    while unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) } < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: all zeros is a valid value, and wait4 has filled it in.
    let usage = unsafe { usage.assume_init() };
    Ok((ExitStatus::from_raw(status), usage.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Takes some 100 ms of CPU time on any machine.
    const LOOP: &str = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    const MS: u64 = 1_000_000;

    fn run(script: &str) -> (ExitStatus, ChildUsage) {
        ended(&Command::new("sh").args(["-c", script]).spawn().unwrap()).unwrap()
    }

    #[test]
    fn work_of_a_command_and_of_its_descendants_counts_and_sleep_does_not() {
        let (status, alone) = run(LOOP);
        assert!(status.success() && alone.cpu_ns > 5 * MS, "{status} {alone:?}");
        let (_, descendants) = run(&format!("sh -c '{LOOP}'; true"));
        assert!(descendants.cpu_ns > 5 * MS, "{descendants:?}");
        let start = std::time::Instant::now();
        let (_, asleep) = run("sleep 2");
        assert!(u128::from(asleep.cpu_ns) < start.elapsed().as_nanos() / 4, "{asleep:?}");
    }

    #[test]
    fn page_faults_of_a_command_and_of_its_descendants_count() {
        // No process starts without some.
        let (_, one) = run(":");
        assert!(one.minor_faults > 10, "{one:?}");
        // The shell itself takes no more of them; under an emulator of programs both have some hundred of the emulator's.
        let (_, many) = run("i=0; while [ $i -lt 40 ]; do sh -c :; i=$((i+1)); done");
        assert!(many.minor_faults > one.minor_faults + 40 * 20, "{many:?} {one:?}");
    }

    #[test]
    fn the_status_is_the_commands_own() {
        assert_eq!(run("exit 7").0.code(), Some(7));
        assert_eq!(run("kill -TERM $$").0.signal(), Some(libc::SIGTERM));
    }
}
