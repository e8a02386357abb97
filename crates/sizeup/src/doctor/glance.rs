//! A glance at the machine before a run: no pulses, and not a second long.

use super::{Evidence, Finding, Kind, Moment, judge};
use crate::machine::Machine;
use crate::telemetry::ActivityWatch;
use std::path::Path;
use std::time::{Duration, Instant};

/// In less time than this, ten ticks of a busy CPU are not seen.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// A glance that has begun; something useful may be done meanwhile.
#[derive(Debug)]
pub struct Glance {
    watch: ActivityWatch,
    started: Instant,
}

impl Glance {
    /// Begins; `cpus` are those that are to be measured on.
    pub fn start(root: &Path, cpus: &[u32]) -> Self {
        Self { watch: ActivityWatch::start(root, cpus), started: Instant::now() }
    }

    /// What stands against measuring. Waits if the glance was too short.
    pub fn end(mut self, root: &Path, machine: &Machine) -> Vec<Finding> {
        std::thread::sleep(LEAST_TIME.saturating_sub(self.started.elapsed()));
        let evidence = Evidence {
            machine: machine.clone(),
            moment: Some(Moment::read(root, machine)),
            activity: Some(self.watch.look()),
            pulses: None,
        };
        let mut findings = judge(&evidence, &[Kind::State, Kind::Activity]);
        findings.retain(|finding| finding.severity.is_bad());
        findings
    }
}
