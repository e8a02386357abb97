//! Ctrl-C: the run ends its file cleanly; the second time it doesn't wait for the workers.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often the user asked the run to stop.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Catches SIGINT and SIGTERM from now on.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let count = Arc::clone(&interrupt.0);
            // SAFETY: adding to an atomic is allowed in a signal handler.
            unsafe {
                signal_hook::low_level::register(signal, move || {
                    count.fetch_add(1, Ordering::Relaxed);
                })?;
            }
        }
        Ok(interrupt)
    }

    /// Whether the run is to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether it is to stop without waiting for anyone.
    pub fn insisted(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }
}
