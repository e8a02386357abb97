//! Which suite `sizeup run` measures.

use super::run_args::RunArgs;
use anyhow::{Context, bail};
use catalog::{Catalog, Category, Demand, Mix, NATIVE_WORKERS, NamedMix, Suite, Workload, near};
use measure::plan::CoRunners;

/// The mix to measure, if one was asked for. Only one with rates says how much of each workload there is at once.
pub(super) fn chosen_mix(args: &RunArgs, catalog: &Catalog) -> anyhow::Result<Option<Mix>> {
    let Some(mix) = &args.mix else {
        return Ok(None);
    };
    let NamedMix { name, mix, .. } = NamedMix::find(mix)?;
    for Demand { workload, .. } in &mix.demands {
        let about = |what: &str| format!("{name}: {workload} {what}");
        let known = known(catalog, workload).with_context(|| about("is demanded"))?;
        if mix.has_rates() && (known.takes_client() || known.is_command()) {
            bail!(about("runs in processes other than its worker, so its CPU time is unknown"));
        }
    }
    if args.rolling {
        check_rolling(&name, &mix, catalog)?;
    }
    Ok(Some(mix))
}

/// Checks that each demand of a mix can be done by a process of its own on each thread.
fn check_rolling(name: &str, mix: &Mix, catalog: &Catalog) -> anyhow::Result<()> {
    let mut before: Option<Option<&str>> = None;
    for Demand { workload, .. } in &mix.demands {
        let known = &catalog.workloads[workload];
        let program = &known.program;
        let about = |what: &str| format!("--rolling: {name}: {workload} {what}");
        if !NATIVE_WORKERS.contains(&program.name.as_str()) && !program.is_own() {
            let its = format!(
                "is of the worker {}; only rows of {} and of a worker of yours can roll",
                program.name,
                NATIVE_WORKERS.join(", ")
            );
            bail!(about(&its));
        }
        let own = program.is_own().then_some(program.name.as_str());
        if *before.get_or_insert(own) != own {
            bail!(about(
                "is of another worker than the demands before it; all must be of sizeup's workers, or of one of yours"
            ));
        }
        if known.definition.starts_threads {
            bail!(about("starts threads of its own, which would run beside the next item"));
        }
        if known.parameters["sharing"] == "shared" || known.needs.min_cpus > 1 {
            bail!(about("is about what its threads share, but here each has a process of its own"));
        }
    }
    Ok(())
}

/// The workload of an ID that the user gave.
pub(super) fn known<'a>(catalog: &'a Catalog, id: &str) -> anyhow::Result<&'a Workload> {
    catalog.workloads.get(id).with_context(|| {
        let near = near(id, catalog.workloads.keys());
        format!("no workload is named {id:?}{near}; `sizeup list workloads` shows all")
    })
}

/// Resolves `--squeeze` and `--beside-load`.
pub(super) fn chosen_co_runners(
    args: &RunArgs,
    catalog: &Catalog,
) -> anyhow::Result<Vec<CoRunners>> {
    let squeeze = args.squeeze.iter().map(|id| ("--squeeze", id, true));
    let load = args.beside_load.iter().map(|id| ("--beside-load", id, false));
    let co_runners = |(flag, id, in_steps): (&str, &String, bool)| {
        let workload = known(catalog, id).with_context(|| flag.to_owned())?;
        if workload.takes_client() || workload.is_command() {
            bail!("{flag}: {id} runs in processes other than its worker, on CPUs of its own");
        }
        Ok(CoRunners { workload: id.clone(), in_steps })
    };
    squeeze.chain(load).map(co_runners).collect()
}

/// The suite to measure. A client on another machine must be of use to it.
pub(super) fn chosen_suite(
    args: &RunArgs,
    mix: Option<&Mix>,
    catalog: &Catalog,
) -> anyhow::Result<Suite> {
    let suite = choose(args, mix, catalog)?;
    let mut workloads = suite.categories.iter().flat_map(|category| &category.workloads);
    if args.client.is_some() && !workloads.any(|id| catalog.workloads[id].takes_client()) {
        bail!("--client: no workload of this run has a client");
    }
    Ok(suite)
}

/// A hint for a suite or workload that was named without its option.
pub(super) fn how_to_ask_for(name: &str, catalog: &Catalog) -> String {
    let near = near(name, catalog.suites.keys().chain(catalog.workloads.keys()));
    match (catalog.suites.contains_key(name), catalog.workloads.contains_key(name)) {
        (true, _) => format!("a suite is named by --suite: `sizeup run --suite {name}`"),
        (false, true) => {
            format!("a workload is named by --workload: `sizeup run --workload {name}`")
        }
        (false, false) => {
            format!(
                "suites are named by --suite and workloads by --workload; none is named {name:?}{near}"
            )
        }
    }
}

/// The IDs that a name stands for: one workload, or an operation by all its implementations.
fn named(catalog: &Catalog, name: &str) -> anyhow::Result<Vec<String>> {
    let begin = format!("{name}/");
    let ids = catalog.workloads.keys();
    let ids: Vec<_> = ids.filter(|id| id.starts_with(&begin)).cloned().collect();
    if ids.is_empty() { Ok(vec![known(catalog, name)?.id.clone()]) } else { Ok(ids) }
}

/// The suite that was asked for, or one made of single workloads.
fn choose(args: &RunArgs, mix: Option<&Mix>, catalog: &Catalog) -> anyhow::Result<Suite> {
    if let Some(mix) = mix {
        let workloads = mix.demands.iter().map(|demand| demand.workload.clone()).collect();
        let budget = if mix.has_rates() { "2m" } else { "5m" };
        return Ok(made_up(("mix", "demands"), "a mix of work", &["all"], budget, workloads));
    }
    if args.workloads.is_empty() {
        let known = || catalog.suites.keys().cloned().collect::<Vec<_>>().join(", ");
        return catalog.suites.get(&args.suite).cloned().with_context(|| {
            let near = near(&args.suite, catalog.suites.keys());
            format!("no suite is named {:?}{near}; suites: {}", args.suite, known())
        });
    }
    let mut workloads: Vec<String> = Vec::new();
    for name in &args.workloads {
        for id in named(catalog, name)? {
            if !workloads.contains(&id) {
                workloads.push(id);
            }
        }
    }
    Ok(made_up(("workloads", "workloads"), "single workloads", &["1", "all"], "1m", workloads))
}

/// A suite of one category.
pub(super) fn made_up(
    (name, category): (&str, &str),
    about: &str,
    threads: &[&str],
    budget: &str,
    workloads: Vec<String>,
) -> Suite {
    Suite {
        name: name.to_owned(),
        version: 1,
        about: about.to_owned(),
        study: String::new(),
        threads: threads.iter().map(ToString::to_string).collect(),
        precision: "1%".to_owned(),
        budget: budget.to_owned(),
        controls: Vec::new(),
        include: Vec::new(),
        categories: vec![Category {
            name: category.to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads,
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Home;
    use std::path::Path;

    #[test]
    fn rows_of_all_native_workers_may_roll_together_and_those_of_others_not() {
        let folder = tempfile::tempdir().unwrap();
        let (share, root) = (folder.path().join("share"), env!("CARGO_MANIFEST_DIR"));
        std::fs::create_dir(&share).unwrap();
        std::os::unix::fs::symlink(Path::new(root).join("../.."), share.join("sizeup")).unwrap();
        let catalog = Catalog::load(&Home::at(folder.path()), &[]).unwrap();
        let mut workloads = vec![
            "zstd-3/zstd",
            "sha-256-16KiB/openssl",
            "gzip-6/zlib-ng",
            "fibonacci-30/luajit",
            "gzip-6/cloudflare-zlib",
            "xxh3-64KiB/xxhash",
        ];
        let checked = |workloads: &[&str]| {
            let demand = |workload: &&str| Demand {
                workload: (*workload).to_owned(),
                rate: None,
                weight: Some(1.0),
            };
            let demands = workloads.iter().map(demand).collect();
            check_rolling("mix", &Mix { utilisation: 1.0, spares: 0, demands }, &catalog)
        };
        checked(&workloads).unwrap();
        workloads.push("json-encode-api/go");
        let refused = checked(&workloads).unwrap_err().to_string();
        assert!(refused.contains("json-encode-api/go is of the worker go"), "{refused}");
    }
}
