//! Distinguishes work that waits by itself from work whose CPUs others used, by the idle time of its CPUs.

use super::look::{Disturbance, Look};
use super::others::Others;
use record::{Activity, Run};

/// Below this share of the CPUs' time, other work does not count.
const NEGLIGIBLE: f64 = 0.1;

/// Marks samples that were short of CPU time as waiting if most of the case's samples were short and other work is
/// known to have used next to nothing of the CPUs over all of them.
pub(super) fn mark_waiting(looks: &mut [Look]) {
    let short = |d: &Disturbance| matches!(d, Disturbance::CpuTaken | Disturbance::Waiting);
    let is_short = |look: &&Look| look.disturbances.iter().any(short);
    if looks.iter().filter(is_short).count() * 2 <= looks.len() {
        return;
    }
    let others: Option<Vec<Others>> = looks.iter().map(|look| look.others).collect();
    let Some(others) = others else { return };
    let sum = |figure: fn(&Others) -> f64| others.iter().map(figure).sum::<f64>();
    let is_own = sum(|others| others.had_ns) < NEGLIGIBLE * sum(|others| others.given_ns);
    let now = if is_own { Disturbance::Waiting } else { Disturbance::CpuTaken };
    let disturbances = looks.iter_mut().flat_map(|look| &mut look.disturbances);
    disturbances.filter(|disturbance| short(disturbance)).for_each(|short| *short = now);
}

/// Whether a CPU quota throttled the run: its CPUs are idle then although the work does not wait by itself.
pub(super) fn was_throttled(run: &Run) -> bool {
    let Some(all) = Activity::sum(&run.activity) else { return false };
    let waited_s = all.throttled.map_or(0.0, |throttled| throttled.waited_ns as f64 / 1e9);
    waited_s >= NEGLIGIBLE * all.seconds() * all.cpus.len() as f64
}

#[cfg(test)]
mod tests;
