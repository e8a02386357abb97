//! What others had of a sample's CPUs.

use super::share::{cpu_share, cpus_of};
use machine::TICKS_PER_S;
use record::{Pulse, Window};

const NS_PER_TICK: f64 = 1e9 / TICKS_PER_S;

/// What others had of a sample's CPUs, from request to answer: processes, the kernel, the hypervisor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Others {
    /// CPU time that they had, in ns. Ticks are coarse: of one sample it may be off by some 10 ms, and below 0; of a
    /// case's samples together it is right.
    pub had_ns: f64,
    /// CPU time that there was, in ns.
    pub given_ns: f64,
}

impl Others {
    /// `None` where the kernel does not say what the CPUs did.
    pub fn of(window: &Window) -> Option<Self> {
        let (idle, total) = window.idle_ticks.zip(window.total_ticks)?;
        let given_ns = total as f64 * NS_PER_TICK;
        let pulse_ns = |pulse: &Pulse| pulse.clock_ns as f64 + pulse.width_ns as f64;
        let pulses = window.threads.iter().flat_map(|t| [&t.pulse_before, &t.pulse_after]);
        let pulses_ns: f64 = pulses.map(pulse_ns).sum();
        // The warm-up is the same work, so it has the same share of its CPUs; a pulse has all.
        let own_ns = own_share(window) * (given_ns - pulses_ns) + pulses_ns;
        Some(Self { had_ns: given_ns - idle as f64 * NS_PER_TICK - own_ns, given_ns })
    }
}

/// What the work itself had of its CPUs while it was timed.
fn own_share(window: &Window) -> f64 {
    let cpus = cpus_of(window).len();
    let of_parts: f64 = window.parts.iter().map(|part| part.cpu_ns as f64).sum();
    let share = if window.has_parts() {
        of_parts / (window.process_elapsed_ns as f64 * cpus as f64)
    } else {
        cpu_share(window, cpus)
    };
    share.min(1.0)
}
