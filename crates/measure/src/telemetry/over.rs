//! The end of a run, for which threads wait while they have nothing to do, and the commands that they run meanwhile.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether it is over.
#[derive(Debug, Default)]
pub(super) struct Over {
    is_over: Mutex<bool>,
    pids: Mutex<BTreeSet<u32>>,
    changed: Condvar,
}

impl Over {
    pub fn finish(&self) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// A command runs: it is no orphan.
    pub fn started(&self, pid: u32) {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner).insert(pid);
    }

    pub fn ended(&self, pid: u32) {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner).remove(&pid);
    }

    /// The commands that run.
    pub fn pids(&self) -> BTreeSet<u32> {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn is_over(&self) -> bool {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps for this long, or until it is over.
    pub fn sleep(&self, time: Duration) {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.changed.wait_timeout_while(is_over, time, |is_over| !*is_over);
    }
}
