//! The end of a run, for which threads wait while they have nothing to do.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether it is over.
#[derive(Debug, Default)]
pub(super) struct Over {
    is_over: Mutex<bool>,
    told: Condvar,
}

impl Over {
    pub fn tell(&self) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.told.notify_all();
    }

    pub fn is_over(&self) -> bool {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps for this long, or until it is over.
    pub fn sleep(&self, time: Duration) {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.told.wait_timeout_while(is_over, time, |is_over| !*is_over);
    }
}
