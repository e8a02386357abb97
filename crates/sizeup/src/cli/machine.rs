//! `sizeup machine`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::notes::Caveats;
use crate::briefing::Screen;
use crate::tables::{machine_briefing, measured_briefing};
use catalog::{Catalog, Home};
use clap::Args;
use machine::Machine;
use measure::examine::measure_machine;
use measure::execute::{Failure, Interrupt, Listed, Manifests};
use measure::session::{PATIENCE, manifests};
use record::{Manifest, MeasuredMachine};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Args)]
#[command(after_help = "Examples: sizeup machine\n          \
                        sizeup machine --measure\n          \
                        sizeup machine --json | jq .data.cpu\n\
                        Exit status 3 if a part of --measure has no figures.")]
pub(super) struct MachineArgs {
    /// Also measure latencies, and the clock under load
    ///
    /// Takes seconds on an idle machine: a cache line from core to core, loads from each cache and from memory, and the clock by
    /// the number of cores at work.
    #[arg(long)]
    measure: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn machine(args: &MachineArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let machine = Machine::read(Path::new("/"));
    let catalog = Catalog::load(&Home::find()?, &[])?;
    let manifests = manifests(
        catalog.workloads.values().map(|workload| &workload.program),
        PATIENCE,
        &Interrupt::default(),
    );
    let mut report = |what: &str| super::diagnostic(what);
    let measured = args.measure.then(|| {
        measure_machine(Path::new("/"), &machine, &catalog, &mut report, &Interrupt::default())
    });
    let answer = match &measured {
        Some(measured) => measured_briefing(&machine, measured, args.output.extent),
        None => machine_briefing(&machine, &built_with(&manifests), args.output.extent),
    };
    let workers = manifests.iter().map(|(name, answer)| (name.as_str(), answer.into())).collect();
    let data = MachineView { machine: &machine, workers, measured: measured.as_ref() };
    let is_whole = measured.as_ref().is_none_or(|measured| measured.is_whole());
    let exit = if is_whole { Exit::Fine } else { Exit::Incomplete };
    Document { command: "machine", answer, data, caveats: Caveats::default(), exit }
        .print(&args.output, screen)
}

/// The machine and its workers as `--json` prints them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MachineView<'a> {
    #[serde(flatten)]
    machine: &'a Machine,
    /// By name.
    workers: BTreeMap<&'a str, WorkerView<'a>>,
    /// By `--measure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<&'a MeasuredMachine>,
}

/// The worker's manifest, or why it could not be read.
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
