//! Identifies a machine, so that a run is not resumed on another.

use std::fmt;

use super::Machine;
use super::fact::Fact;

/// The stable properties of a machine as labelled text. Two readings of one machine give equal fingerprints; limits,
/// settings and anything that varies between readings are excluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    parts: Vec<(&'static str, String)>,
}

impl Fingerprint {
    pub(super) fn of(machine: &Machine) -> Fingerprint {
        let topology = &machine.topology;
        let cpus = topology.cpus.iter();
        let layout = cpus.map(|cpu| format!("{}:{}:{}", cpu.cpu, cpu.package, cpu.core_key()));
        Fingerprint {
            parts: vec![
                ("architecture", known(&machine.cpu.architecture)),
                ("CPU model", known(&machine.cpu.model)),
                ("CPU identity", known(&machine.cpu.identity)),
                ("features", known(&machine.cpu.features.map(|names| names.join(",")))),
                ("sockets", known(&topology.sockets)),
                ("cores", known(&topology.cores)),
                ("threads", known(&topology.threads)),
                ("CPUs (cpu:socket:core)", layout.collect::<Vec<_>>().join(" ")),
                ("memory in GiB", known(&machine.memory.total_bytes.map(|&b| rounded_gib(b)))),
                ("kernel release", known(&machine.kernel.release)),
            ],
        }
    }

    /// Differences from an earlier fingerprint, such as `kernel release was 6.1, is 6.12`. Empty
    /// where the machine is the same.
    pub fn differences(&self, earlier: &Fingerprint) -> Vec<String> {
        let pairs = earlier.parts.iter().zip(&self.parts);
        pairs
            .filter(|(then, now)| then != now)
            .map(|((label, then), (_, now))| format!("{label} was {then}, is {now}"))
            .collect()
    }
}

/// One line per property: the text to hash.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (label, value) in &self.parts {
            writeln!(f, "{label}: {value}")?;
        }
        Ok(())
    }
}

/// The value without the reason: why something is unknown may change with the user's rights.
fn known<T: fmt::Display>(fact: &Fact<T>) -> String {
    match fact {
        Fact::Known(value) => value.to_string(),
        Fact::NotAvailable(_) => "not available".into(),
    }
}

/// Kernels of the same release reserve a little more or less memory from boot to boot.
fn rounded_gib(bytes: u64) -> u64 {
    bytes.saturating_add(1 << 29) >> 30
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture, MACHINES};

    #[test]
    fn two_readings_of_a_machine_agree() {
        for (name, _) in MACHINES {
            let fixture = Fixture::named(name);
            let (first, second) = (fixture.machine(), fixture.machine());
            assert_eq!(first.fingerprint(), second.fingerprint());
            assert!(second.fingerprint().differences(&first.fingerprint()).is_empty());
        }
    }

    #[test]
    fn no_two_machines_have_the_same_fingerprint() {
        let mut all: Vec<String> = MACHINES
            .iter()
            .map(|(name, _)| fixture::machine(name).fingerprint().to_string())
            .collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), MACHINES.len());
    }

    #[test]
    fn a_difference_is_described() {
        let before = fixture::machine("xeon-2s");
        let mut after = before.clone();
        after.kernel.release = Fact::Known("6.99".into());
        after.cpu.features = Fact::not_available("gone");
        let actual = after.fingerprint().differences(&before.fingerprint());
        assert_eq!(actual.len(), 2);
        assert!(
            actual[0].starts_with("features was ssse3,")
                && actual[0].ends_with(", is not available")
        );
        assert_eq!(actual[1], "kernel release was 5.15.0-105-generic, is 6.99");
    }

    #[test]
    fn another_topology_is_another_machine() {
        let before = fixture::machine("xeon-2s");
        let mut after = before.clone();
        after.topology.cpus[0].siblings = vec![0, 1].into();
        after.topology.cpus[1].siblings = vec![0, 1].into();
        assert_ne!(after.fingerprint(), before.fingerprint());
    }

    #[test]
    fn varying_properties_are_left_out() {
        let before = fixture::machine("epyc-container");
        let mut after = before.clone();
        after.frequency.shown_khz = Fact::Known(1);
        after.limits.memory_available_bytes = Fact::Known(1);
        after.limits.cpu_quota = Fact::not_available("x");
        after.memory.total_bytes = after.memory.total_bytes.map(|bytes| bytes - (8 << 20));
        assert_eq!(after.fingerprint(), before.fingerprint());
    }
}
