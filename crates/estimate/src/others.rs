//! CPU time that other work used on a sample's CPUs.

use super::share::{cpu_share, cpus_of};
use machine::TICKS_PER_S;
use record::{Pulse, Sample};

const NS_PER_TICK: f64 = 1e9 / TICKS_PER_S;

/// CPU time on a sample's CPUs from request to answer, used by other processes, the kernel and the hypervisor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Others {
    /// CPU time that they used, in ns. Ticks are coarse: for one sample it may be off by some 10 ms, and negative; over
    /// all samples of a case it is right.
    pub had_ns: f64,
    /// CPU time available, in ns.
    pub given_ns: f64,
}

impl Others {
    /// `None` where the kernel does not report what the CPUs did.
    pub fn of(sample: &Sample) -> Option<Self> {
        let (idle, total) = sample.idle_ticks.zip(sample.total_ticks)?;
        let given_ns = total as f64 * NS_PER_TICK;
        let pulse_ns = |pulse: &Pulse| pulse.clock_ns as f64 + pulse.width_ns as f64;
        let pulses = sample.threads.iter().flat_map(|t| [&t.pulse_before, &t.pulse_after]);
        let pulses_ns: f64 = pulses.map(pulse_ns).sum();
        // The warm-up is the same work and gets the same share of its CPUs; a pulse gets all.
        let own_ns = own_share(sample) * (given_ns - pulses_ns) + pulses_ns;
        Some(Self { had_ns: given_ns - idle as f64 * NS_PER_TICK - own_ns, given_ns })
    }
}

/// Share of its CPUs that the work itself used while it was timed.
fn own_share(sample: &Sample) -> f64 {
    let cpus = cpus_of(sample).len();
    let of_parts: f64 = sample.parts.iter().map(|part| part.cpu_ns as f64).sum();
    let share = if sample.has_parts() {
        of_parts / (sample.process_elapsed_ns as f64 * cpus as f64)
    } else {
        cpu_share(sample, cpus)
    };
    share.min(1.0)
}
