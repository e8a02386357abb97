//! `sizeup machine`.

use super::exit::Exit;
use crate::briefing::{Extent, Screen};
use crate::tables::machine_briefing;
use catalog::{Catalog, Home};
use clap::Args;
use machine::Machine;
use measure::execute::{Failure, Interrupt, Listed, Manifests};
use measure::session::{PATIENCE, manifests};
use record::Manifest;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Args)]
#[command(after_help = "Example: sizeup machine --json | jq .data.cpu")]
pub(super) struct MachineArgs {
    #[command(flatten)]
    extent: Extent,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn machine(args: &MachineArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let machine = Machine::read(Path::new("/"));
    let catalog = Catalog::load(&Home::find()?, &[])?;
    let manifests = manifests(
        catalog.workloads.values().map(|workload| &workload.program),
        PATIENCE,
        &Interrupt::default(),
    );
    let answer = machine_briefing(&machine, &built_with(&manifests), args.extent);
    if args.json {
        let workers = manifests.iter().map(|(name, answer)| (name.as_str(), answer.into()));
        let view = MachineView { machine: &machine, workers: workers.collect() };
        super::json::print("machine", None, &answer, &view, &[])?;
    } else {
        super::say(&answer, screen, args.extent)?;
    }
    Ok(Exit::Fine)
}

/// The machine and its workers as `--json` prints them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MachineView<'a> {
    #[serde(flatten)]
    machine: &'a Machine,
    /// By name.
    workers: BTreeMap<&'a str, WorkerView<'a>>,
}

/// What a worker is made of, or why that is not known.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum WorkerView<'a> {
    Manifest(&'a Manifest),
    NotAvailable { not_available: &'a str },
}

impl<'a> From<&'a Result<Listed, Failure>> for WorkerView<'a> {
    fn from(answer: &'a Result<Listed, Failure>) -> Self {
        match answer {
            Ok(listed) => Self::Manifest(&listed.manifest),
            Err(failure) => Self::NotAvailable { not_available: &failure.message },
        }
    }
}

/// Compilers and library versions, a row each.
fn built_with(manifests: &Manifests) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (worker, manifest) in manifests {
        match manifest {
            Ok(listed) => {
                let build = &listed.manifest.build;
                rows.push((
                    format!("worker {worker}"),
                    format!("{} ({})", build.compiler, build.flags),
                ));
                rows.extend(
                    build.libraries.iter().map(|(l, version)| (l.clone(), version.clone())),
                );
                let late = "not available: only a measurement starts it".to_owned();
                rows.extend(build.late_libraries.iter().map(|l| (l.clone(), late.clone())));
            }
            Err(failure) => {
                rows.push((
                    format!("worker {worker}"),
                    format!("not available: {}", failure.message),
                ));
            }
        }
    }
    rows
}
