//! Waits for a process and measures the CPU time it used.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

/// Waits until a child has ended. Returns its status and the CPU time in ns of the child and of those descendants
/// that were waited for.
///
/// # Errors
/// When the kernel refuses, e.g. for somebody has waited for it.
pub fn ended(child: &Child) -> io::Result<(ExitStatus, u64)> {
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
    let cpu_ns = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
    Ok((ExitStatus::from_raw(status), cpu_ns))
}

/// A kernel time, which is never negative.
fn nanoseconds(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_usec as u64 * 1_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Takes some 100 ms of CPU time on any machine.
    const LOOP: &str = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    const MS: u64 = 1_000_000;

    fn run(script: &str) -> (ExitStatus, u64) {
        ended(&Command::new("sh").args(["-c", script]).spawn().unwrap()).unwrap()
    }

    #[test]
    fn work_of_a_command_and_of_its_descendants_counts_and_sleep_does_not() {
        let (status, alone_ns) = run(LOOP);
        assert!(status.success() && alone_ns > 5 * MS, "{status} {alone_ns}");
        let (_, descendants_ns) = run(&format!("sh -c '{LOOP}'; true"));
        assert!(descendants_ns > 5 * MS, "{descendants_ns}");
        let start = std::time::Instant::now();
        let (_, asleep_ns) = run("sleep 2");
        assert!(u128::from(asleep_ns) < start.elapsed().as_nanos() / 4, "{asleep_ns}");
    }

    #[test]
    fn the_status_is_the_commands_own() {
        assert_eq!(run("exit 7").0.code(), Some(7));
        assert_eq!(run("kill -TERM $$").0.signal(), Some(libc::SIGTERM));
    }
}
