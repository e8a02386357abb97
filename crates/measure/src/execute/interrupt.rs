//! Ctrl-C: the run ends its file cleanly; the second time it doesn't wait for the workers.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the first one answers.
const STOPPING: &[u8] =
    b"\nsizeup: stopping when the workers have ended; once more, and they are not waited for\n";

/// How often the user asked the run to stop.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on. The third one does what it would have done.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let count = Arc::clone(&interrupt.0);
            // SAFETY: adding to an atomic is allowed in a signal handler, and so are write(2) and what the
            // signal would have done without us.
            unsafe {
                signal_hook::low_level::register(signal, move || {
                    match count.fetch_add(1, Ordering::Relaxed) {
                        0 => {
                            let _ = nix::unistd::write(io::stderr(), STOPPING);
                        }
                        1 => {}
                        _ => {
                            let _ = signal_hook::low_level::emulate_default_handler(signal);
                        }
                    }
                })?;
            }
        }
        Ok(interrupt)
    }

    /// One who was asked so often.
    #[cfg(test)]
    pub(super) fn asked_times(times: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(times)))
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
