//! `syscall`: one op is 256 of the cheapest system calls that libraries and vDSO neither answer nor remember.

use crate::helper::unavailable;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

const CALLS: usize = 256;

pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Calls { parent: parent().map_err(unavailable)? }))
}

/// The parent's process ID, by another way than the system call.
fn parent() -> Result<i64, String> {
    let path = "/proc/self/status";
    let status = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")?.trim().parse().ok());
    parent.ok_or_else(|| format!("{path} names no parent"))
}

struct Calls {
    parent: i64,
}

fn call() -> i64 {
    // SAFETY: the call has no arguments and no effect.
    unsafe { libc::syscall(libc::SYS_getppid) }
}

impl Work for Calls {
    fn op(&mut self) -> Result<(), OpError> {
        for _ in 0..CALLS {
            let answer = call();
            if answer != self.parent {
                return Err(OpError::new(format!("the parent is {}, not {answer}", self.parent)));
            }
        }
        Ok(())
    }

    /// Answers of all calls, less the parent's process ID, which differs from launch to launch.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok((0..CALLS).flat_map(|_| call().wrapping_sub(self.parent).to_le_bytes()).collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output.chunks(8).position(|answer| answer != [0; 8]) {
            None if output.len() == 8 * CALLS => Ok(()),
            None => Err(format!("{} calls of {CALLS} have answered", output.len() / 8)),
            Some(call) => Err(format!("call {call} does not answer the parent's process ID")),
        }
    }

    fn verified(&self) -> &'static str {
        "each of 256 calls answers the parent's process ID"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
