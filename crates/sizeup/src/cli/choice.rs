//! Which suite `sizeup run` measures.

use super::run_args::RunArgs;
use crate::catalog::{Catalog, Category, Suite};
use anyhow::{Context, bail};

/// The suite to measure. A client on another machine must be of use to it.
pub(super) fn chosen_suite(args: &RunArgs, catalog: &Catalog) -> anyhow::Result<Suite> {
    let suite = choose(args, catalog)?;
    let mut workloads = suite.categories.iter().flat_map(|category| &category.workloads);
    if args.client.is_some() && !workloads.any(|id| catalog.workloads[id].takes_client()) {
        bail!("--client: no workload of this run has a client");
    }
    Ok(suite)
}

/// The suite that was asked for, or one made of single workloads.
fn choose(args: &RunArgs, catalog: &Catalog) -> anyhow::Result<Suite> {
    if args.workloads.is_empty() {
        let known = || catalog.suites.keys().cloned().collect::<Vec<_>>().join(", ");
        return catalog
            .suites
            .get(&args.suite)
            .cloned()
            .with_context(|| format!("no suite is named {:?}, only {}", args.suite, known()));
    }
    let mut workloads: Vec<String> = Vec::new();
    for id in &args.workloads {
        if !catalog.workloads.contains_key(id) {
            bail!("no workload is named {id:?}; `sizeup list workloads` shows all");
        }
        if !workloads.contains(id) {
            workloads.push(id.clone());
        }
    }
    Ok(Suite {
        name: "workloads".to_owned(),
        version: 1,
        about: "single workloads".to_owned(),
        study: String::new(),
        threads: vec!["1".to_owned(), "all".to_owned()],
        precision: "1%".to_owned(),
        budget: "1m".to_owned(),
        references: Vec::new(),
        include: Vec::new(),
        categories: vec![Category { name: "workloads".to_owned(), threads: Vec::new(), workloads }],
    })
}
