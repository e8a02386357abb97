//! What is said of a run's machine: what it reports of itself, what its work was built with, and what its user says.

use machine::SpecRow;
use record::Header;

/// The group of what users say.
pub const SAID: &str = "Said by the user";

/// What a run's header says of its machine.
pub(super) fn described(header: &Header) -> Vec<SpecRow> {
    let mut rows = header.machine.summary();
    let built = |label: String, value: &str| SpecRow {
        group: "Built with",
        label,
        value: value.to_owned(),
    };
    for (worker, manifest) in &header.workers {
        rows.push(built(format!("compiler of {worker}"), &manifest.build.compiler));
    }
    let libraries = header.workers.values().flat_map(|manifest| &manifest.build.libraries);
    rows.extend(libraries.map(|(name, version)| built(name.clone(), version)));
    let said = header.facts.iter().map(|(key, value)| SpecRow {
        group: SAID,
        label: key.clone(),
        value: value.clone(),
    });
    rows.extend(said);
    rows
}
