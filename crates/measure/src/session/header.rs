//! The first line of a run file.

use super::ROOT;
use crate::execute::{Manifests, monotonic_ns};
use crate::plan::{Ask, Planned};
use catalog::Catalog;
use doctor::Finding;
use machine::Machine;
use record::{FORMAT, Header, UserFacts};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

/// Header fields that are neither requested nor read from the machine.
pub(super) struct Made {
    pub label: String,
    pub host: Option<String>,
    pub injected: Option<String>,
    pub findings: Vec<Finding>,
    pub facts: UserFacts,
}

pub(super) fn header(
    ask: &Ask,
    Planned { plan, categories }: &Planned,
    catalog: &Catalog,
    manifests: &Manifests,
    machine: &Machine,
    Made { label, host, injected, findings, facts }: Made,
) -> anyhow::Result<Header> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let definitions: BTreeMap<_, _> = plan
        .cases
        .iter()
        .map(|case| (case.workload.clone(), catalog.workloads[&case.workload].definition.clone()))
        .collect();
    Ok(Header {
        format: format!("{}.{}", FORMAT.0, FORMAT.1),
        sizeup: env!("CARGO_PKG_VERSION").to_owned(),
        label,
        started_unix_ns: u64::try_from(now.as_nanos())?,
        started_ns: monotonic_ns(),
        suite: ask.suite.name.clone(),
        suite_version: ask.suite.version,
        categories: categories.clone(),
        workloads: definitions,
        workers: manifests
            .iter()
            .filter_map(|(name, listed)| {
                Some((name.clone(), listed.as_ref().ok()?.manifest.clone()))
            })
            .collect(),
        plan: plan.clone(),
        machine: machine.clone(),
        variants: ask.variants.clone(),
        injected,
        host,
        boot: machine::boot(Path::new(ROOT)),
        origin: None,
        findings,
        facts,
    })
}
