//! Whether work that is short of CPU time waits by its nature, or others had its CPUs: what these did while it was
//! measured tells. Time in which they stood idle nobody took.

use super::look::{Disturbance, Look};
use super::others::Others;
use record::{Activity, Run};

/// Others had less than this share of the CPUs' time.
const NOBODY: f64 = 0.1;

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
