//! `sizeup list`.

use super::exit::Exit;
use super::json;
use catalog::{Catalog, Category, Definition, Home, Suite};
use clap::{Args, ValueEnum};
use measure::execute::Interrupt;
use measure::session::{PATIENCE, manifests, why_not};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use table::Table;

#[derive(Args)]
#[command(after_help = "Example: sizeup list workloads --json | jq '.data[] | select(.why_not)'")]
pub(super) struct ListArgs {
    /// What to list
    #[arg(default_value = "suites")]
    what: Listing,
    /// A folder with tables of your own
    #[arg(long = "with", value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Listing {
    Suites,
    Workloads,
}

/// A workload as `--json` prints it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ListedWorkload<'a> {
    id: &'a str,
    /// What one op is.
    about: &'a str,
    definition: &'a Definition,
    /// SHA-256 over the ID and the definition, in hex.
    digest: String,
    /// Why it can't run here.
    why_not: Option<String>,
}

pub(super) fn list(args: &ListArgs) -> anyhow::Result<Exit> {
    let catalog = Catalog::load(&Home::find()?, &args.folders)?;
    match args.what {
        Listing::Suites => suites(&catalog, args.json)?,
        Listing::Workloads => workloads(&catalog, args.json)?,
    }
    Ok(Exit::Fine)
}

fn suites(catalog: &Catalog, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        return json::print("list", None, &catalog.suites.values().collect::<Vec<_>>(), &[]);
    }
    let mut table = Table::new(&["suite", ">workloads", "threads", ">budget", "about"]);
    for suite in catalog.suites.values() {
        let workloads: BTreeSet<&String> =
            suite.categories.iter().flat_map(|category| &category.workloads).collect();
        table.row([
            suite.name.clone(),
            workloads.len().to_string(),
            threads_of(suite).join(","),
            suite.budget.clone(),
            suite.about.clone(),
        ]);
    }
    super::print(&table.to_string())
}

/// On which numbers of threads anything of a suite is measured, as its table says them.
fn threads_of<'a>(suite: &'a Suite) -> Vec<&'a str> {
    let mut threads: Vec<&'a str> = Vec::new();
    let of_category = |category: &'a Category| match category.threads.is_empty() {
        true => &suite.threads,
        false => &category.threads,
    };
    for text in suite.categories.iter().flat_map(of_category) {
        if !threads.contains(&text.as_str()) {
            threads.push(text);
        }
    }
    threads
}

fn workloads(catalog: &Catalog, as_json: bool) -> anyhow::Result<()> {
    let manifests = manifests(
        catalog.workloads.values().map(|workload| &workload.program),
        PATIENCE,
        &Interrupt::default(),
    );
    let listed = catalog.workloads.values().map(|workload| {
        let why_not = why_not(&workload.program, workload, &manifests);
        (workload, why_not.or_else(|| workload.missing_command()))
    });
    if as_json {
        let all: Vec<ListedWorkload> = listed
            .map(|(workload, why_not)| ListedWorkload {
                id: &workload.id,
                about: &workload.about,
                definition: &workload.definition,
                digest: workload.definition.digest(&workload.id),
                why_not,
            })
            .collect();
        return json::print("list", None, &all, &[]);
    }
    let mut table = Table::new(&["workload", "family", "about", "can't run here because"]);
    for (workload, why_not) in listed {
        table.row([
            workload.id.clone(),
            workload.definition.family.to_string(),
            workload.about.clone(),
            why_not.unwrap_or_default(),
        ]);
    }
    super::print(&table.to_string())
}
