//! A worker's process, which leads a process group. It is not reaped before its group is killed: until then its number is
//! nobody else's, so that the signal reaches no stranger.

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

/// How long to wait for a killed process.
const PATIENCE_WITH_KILLED: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct WorkerProcess(pub Child);

impl WorkerProcess {
    /// The process ID, which is also that of its group.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }

    fn number(&self) -> Pid {
        Pid::from_raw(self.0.id().cast_signed())
    }

    /// Looks at it without reaping it.
    fn look(&self) -> nix::Result<WaitStatus> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(self.number()), flags)
    }

    /// How it ended; `None` while it runs.
    pub fn ended(&self) -> Option<ExitStatus> {
        match self.look() {
            Ok(WaitStatus::Exited(_, code)) => Some(ExitStatus::from_raw((code & 0xff) << 8)),
            Ok(WaitStatus::Signaled(_, signal, _)) => Some(ExitStatus::from_raw(signal as i32)),
            _ => None,
        }
    }
}

impl Drop for WorkerProcess {
    /// Ends the whole process group, whatever it is doing.
    fn drop(&mut self) {
        if self.look() == Err(Errno::ECHILD) {
            return;
        }
        let _ = killpg(self.number(), Signal::SIGKILL);
        // It may have left its group or belong to another user by now: then the wait is bounded.
        let _ = self.0.kill();
        let deadline = Instant::now() + PATIENCE_WITH_KILLED;
        while matches!(self.0.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::kill;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    fn shell(script: &str) -> WorkerProcess {
        let mut command = Command::new("sh");
        WorkerProcess(command.args(["-c", script]).process_group(0).spawn().unwrap())
    }

    fn ended(process: &WorkerProcess) -> ExitStatus {
        loop {
            match process.ended() {
                Some(status) => return status,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    #[test]
    fn a_process_that_has_ended_keeps_its_number_until_its_group_is_killed() {
        let process = shell("sleep 1000 & exit 7");
        assert_eq!(ended(&process).code(), Some(7));
        // However often it is looked at.
        assert_eq!(ended(&process).code(), Some(7));
        let number = process.number();
        assert_eq!(kill(number, None), Ok(()), "its number is free for strangers");
        drop(process);
        // Nobody is left in the group, but that init may still have to reap.
        let start = Instant::now();
        while killpg(number, None).is_ok() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(killpg(number, None), Err(Errno::ESRCH));
    }

    #[test]
    fn what_was_reaped_elsewhere_is_not_killed() {
        let mut process = shell("exit 0");
        process.0.wait().unwrap();
        assert_eq!(process.look(), Err(Errno::ECHILD));
        assert_eq!(process.ended(), None);
    }

    #[test]
    fn a_signal_that_ended_it_is_told() {
        assert_eq!(ended(&shell("kill -ABRT $$")).signal(), Some(Signal::SIGABRT as i32));
    }
}
