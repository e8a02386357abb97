//! `sizeup machine`.

use super::exit::Exit;
use crate::tables::machine_table;
use catalog::{Catalog, Home};
use clap::Args;
use machine::Machine;
use measure::execute::{Interrupt, Receipts};
use measure::session::{PATIENCE, receipts};
use serde_json::{Map, Value, json};
use std::path::Path;

#[derive(Args)]
#[command(after_help = "Example: sizeup machine --json | jq .data.cpu")]
pub(super) struct MachineArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn machine(args: &MachineArgs) -> anyhow::Result<Exit> {
    let machine = Machine::read(Path::new("/"));
    let catalog = Catalog::load(&Home::find()?, &[])?;
    let receipts = receipts(
        catalog.workloads.values().map(|workload| &workload.program),
        PATIENCE,
        &Interrupt::default(),
    );
    if args.json {
        let mut value = serde_json::to_value(&machine)?;
        value["workers"] = Value::Object(workers(&receipts));
        super::json::print("machine", None, &value, &[])?;
    } else {
        super::print(&machine_table(&machine, &built_with(&receipts)))?;
    }
    Ok(Exit::Fine)
}

fn workers(receipts: &Receipts) -> Map<String, Value> {
    let told = receipts.iter().map(|(name, receipt)| {
        let value = match receipt {
            Ok(listed) => json!(listed.receipt),
            Err(failure) => json!({ "not_available": failure.message }),
        };
        (name.clone(), value)
    });
    told.collect()
}

/// Compilers and library versions, a row each.
fn built_with(receipts: &Receipts) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (worker, receipt) in receipts {
        match receipt {
            Ok(listed) => {
                let build = &listed.receipt.build;
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
