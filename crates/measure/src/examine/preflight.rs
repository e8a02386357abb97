//! The preflight check of a machine before a run: no pulses, less than a second.

use crate::telemetry::ActivityWatch;
use doctor::{Evidence, Finding, Moment, RuleKind, judge};
use machine::Machine;
use std::path::Path;
use std::time::{Duration, Instant};

/// Ten ticks of a busy CPU need at least this time.
const LEAST_TIME: Duration = Duration::from_millis(200);

/// A started preflight check; the caller can do other work until it ends.
#[derive(Debug)]
pub struct Preflight {
    watch: ActivityWatch,
    started: Instant,
}

impl Preflight {
    /// `cpus` are the CPUs to be measured.
    pub fn start(root: &Path, cpus: &[u32]) -> Self {
        Self { watch: ActivityWatch::start(root, cpus), started: Instant::now() }
    }

    /// The problems found. Waits if the check was too short.
    pub fn end(mut self, root: &Path, machine: &Machine) -> Vec<Finding> {
        std::thread::sleep(LEAST_TIME.saturating_sub(self.started.elapsed()));
        let evidence = Evidence {
            machine: machine.clone(),
            moment: Some(Moment::read(root, machine)),
            activity: Some(self.watch.look()),
            pulses: None,
        };
        let mut findings = judge(&evidence, &[RuleKind::State, RuleKind::Activity]);
        findings.retain(|finding| finding.severity.is_bad());
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use doctor::Severity;
    use machine::fixture::Fixture;
    use std::fs;

    #[test]
    fn a_busy_process_is_named() {
        let stat = |ticks: u64| {
            format!(
                "20 (stress \u{1b}[2J) R 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 70 1 1 1 1 1 1 1 1 0 0 \
                     0 0 0 0 0 17 1 0 0\n"
            )
        };
        let fixture = Fixture::unpack(&format!("/proc/20/stat: {}", stat(0)));
        let mut watch = ActivityWatch::start(fixture.root(), &[0, 1]);
        fs::write(fixture.locate("/proc/20/stat"), stat(500)).unwrap();
        let mut activity = watch.look();
        activity.at_ns = activity.since_ns + 10_000_000_000;
        let evidence = Evidence { activity: Some(activity), ..Evidence::default() };
        let seen = "other processes used 50 % of CPU 1 (stress \u{fffd}[2J, pid 20: 5.0 s)";
        let findings = judge(&evidence, &[RuleKind::Activity]);
        let others = findings.iter().find(|finding| finding.id == "others").unwrap();
        assert_eq!((others.severity, &others.seen[..]), (Severity::Unfit, seen));
    }
}
