//! What is said of a run's machine: what it reports of itself, what its work was built with, and what its user says.

use machine::SpecRow;
use record::Header;

/// The group of what users say.
pub const SAID: &str = "Said by the user";

/// What a run's header says of its machine.
pub(super) fn described(header: &Header) -> Vec<SpecRow> {
    let mut rows = header.machine.summary();
    for (worker, manifest) in &header.workers {
        let build = &manifest.build;
        let libraries = build.libraries.iter().map(|(name, version)| format!("{name} {version}"));
        let parts: Vec<String> = [build.compiler.clone()].into_iter().chain(libraries).collect();
        let (label, value) = (format!("worker {worker}"), parts.join(", "));
        rows.push(SpecRow { group: "Built with", label, value });
    }
    let said = header.facts.iter().map(|(key, value)| SpecRow {
        group: SAID,
        label: key.clone(),
        value: value.clone(),
    });
    rows.extend(said);
    rows
}
