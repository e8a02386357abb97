//! Whether work that is short of CPU time waits by its nature, or others had its CPUs: what these did while it was
//! measured tells. Time in which they stood idle nobody took.

use super::look::{Disturbance, Look, cpu_share, cpus_of};
use crate::machine::TICKS_PER_S;
use crate::record::{Activity, Pulse, Run, Window};

/// Others had less than this share of the CPUs' time.
const NOBODY: f64 = 0.1;
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

/// Takes the samples of a case that were short of CPU time for samples in which the work waited, if most were, and if it
/// is known that others had next to nothing of the CPUs in all of the case's samples together.
pub(super) fn mark_waiting(looks: &mut [Look]) {
    let short = |d: &Disturbance| matches!(d, Disturbance::CpuTaken | Disturbance::Waiting);
    let is_short = |look: &&Look| look.disturbances.iter().any(short);
    if looks.iter().filter(is_short).count() * 2 <= looks.len() {
        return;
    }
    let others: Option<Vec<Others>> = looks.iter().map(|look| look.others).collect();
    let Some(others) = others else { return };
    let sum = |of: fn(&Others) -> f64| others.iter().map(of).sum::<f64>();
    let is_own = sum(|others| others.had_ns) < NOBODY * sum(|others| others.given_ns);
    let now = if is_own { Disturbance::Waiting } else { Disturbance::CpuTaken };
    let disturbances = looks.iter_mut().flat_map(|look| &mut look.disturbances);
    disturbances.filter(|disturbance| short(disturbance)).for_each(|short| *short = now);
}

/// Whether a CPU quota held the run back: its CPUs then stand idle, and the work does not wait by its nature.
pub(super) fn was_throttled(run: &Run) -> bool {
    let Some(all) = Activity::sum(&run.activity) else { return false };
    let waited_s = all.throttled.map_or(0.0, |throttled| throttled.waited_ns as f64 / 1e9);
    waited_s >= NOBODY * all.seconds() * all.cpus.len() as f64
}

#[cfg(test)]
mod tests;
