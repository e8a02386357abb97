//! Ctrl-C: the first time the run ends its file cleanly, the second time it doesn't wait for workers.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Printed on the first interrupt.
const STOPPING: &[u8] = "\nsizeup: stopping… press Ctrl-C again to quit now\n".as_bytes();

/// How often the user has interrupted the run.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP. The third signal has its default effect.
    ///
    /// # Errors
    /// When the system refuses it.
    #[expect(clippy::disallowed_methods, reason = "a text of ours, in a signal handler")]
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            let count = Arc::clone(&interrupt.0);
            // SAFETY: an atomic addition, write(2) and the signal's default action are allowed in a signal handler.
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

    #[cfg(test)]
    pub(super) fn with_count(times: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(times)))
    }

    /// Whether the run is to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Whether it is to stop without waiting for workers.
    pub fn insisted(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 1
    }
}
