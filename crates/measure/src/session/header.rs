//! The first line of a run file.

use super::ROOT;
use crate::execute::{Manifests, monotonic_ns};
use crate::plan::{Ask, Planned};
use anyhow::ensure;
use catalog::Catalog;
use doctor::Finding;
use machine::Machine;
use record::{FORMAT, Header, UserFacts, wall_clock_ns};
use std::collections::BTreeMap;
use std::path::Path;

/// Header fields that are neither requested nor read from the machine.
pub(super) struct Made {
    pub label: String,
    pub host: Option<String>,
    pub injected: Option<String>,
    pub findings: Vec<Finding>,
    pub facts: UserFacts,
}

/// Workers' times would lie before those of the run.
fn checked_monotonic_ns() -> anyhow::Result<u64> {
    let now_ns = monotonic_ns();
    ensure!(
        now_ns > 0,
        "this machine's monotonic clock (CLOCK_MONOTONIC) shows a time before its start: nothing can be measured by it. \
         Restart the machine, or the container whose time namespace says so"
    );
    Ok(now_ns)
}

pub(super) fn header(
    ask: &Ask,
    Planned { plan, categories }: &Planned,
    catalog: &Catalog,
    manifests: &Manifests,
    machine: &Machine,
    Made { label, host, injected, findings, facts }: Made,
) -> anyhow::Result<Header> {
    let definitions: BTreeMap<_, _> = plan
        .cases
        .iter()
        .map(|case| (case.workload.clone(), catalog.workloads[&case.workload].definition.clone()))
        .collect();
    Ok(Header {
        format: format!("{}.{}", FORMAT.0, FORMAT.1),
        sizeup: env!("CARGO_PKG_VERSION").to_owned(),
        label,
        started_unix_ns: wall_clock_ns()?,
        started_ns: checked_monotonic_ns()?,
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
