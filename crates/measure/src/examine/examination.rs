//! The full examination of a machine: files, counters, pulses.

use super::WORKLOAD;
use super::probe::{Probe, pulses};
use crate::telemetry::ActivityWatch;
use catalog::Catalog;
use doctor::{Evidence, Moment};
use machine::Machine;
use record::Activity;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often processes are listed: often, to see on which CPUs they run.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Examines a machine for `time`. A part that fails does not prevent the others.
pub fn examine(root: &Path, catalog: &Catalog, time: Duration) -> Evidence {
    let start = Instant::now();
    let machine = Machine::read(root);
    // Before our own work adds to the load.
    let moment = Moment::read(root, &machine);
    let mut watch = ActivityWatch::start(root, &machine.limits.allowed_cpus);
    let mut looks = Vec::new();
    let pulses = match catalog.workloads.get(WORKLOAD) {
        Some(workload) => {
            let probe = Probe { workload, catalog, machine: &machine, root, time };
            pulses(&probe, &mut || looks.extend(watch.look_if_due(LOOK_EVERY)))
        }
        None => Err(format!("no table defines the workload {WORKLOAD}")),
    };
    if pulses.is_err() {
        std::thread::sleep(time.saturating_sub(start.elapsed()));
    }
    looks.push(watch.look());
    Evidence {
        machine,
        moment: Some(moment),
        activity: Activity::sum(&looks),
        pulses: Some(pulses),
    }
}
