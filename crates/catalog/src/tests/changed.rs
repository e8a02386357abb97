//! Fuzz targets: tables of workloads, suites and mixes, changed. Each is read or refused with its file.

use super::*;
use testkit::{Choices, changed_text};

const INPUTS: &str = include_str!("../../../../inputs/inputs.toml");
const TABLES: [&str; 5] = [
    include_str!("../../../../workloads/go-implementations.toml"),
    include_str!("../../../../workloads/control.toml"),
    include_str!("../../../../workloads/postgresql.toml"),
    include_str!("../../../../workloads/zstd.toml"),
    // With a worker of its own.
    "worker = { run = [\"./mine\", \"--fast\"], name = \"mine\" }\n\n[[workload]]\nid = \"{size}-{of.name}/mine\"\n\
     operation = \"work\"\nfamily = \"hash\"\nabout = \"works on {size.bytes} bytes\"\n\
     sweep.size = [\"1KiB\", \"16KiB\", \"1MiB\"]\nsweep.of = [{ name = \"a\", level = 1 }, { name = \"b\", level = 9 }]\n\
     parameters = { bytes = \"{size.bytes}\", level = \"{of.level}\" }\ninputs = { data = \"text\" }\n",
];
const SUITES: [&str; 3] = [
    "name = \"s\"\nversion = 1\nabout = \"a\"\nstudy = \"none\"\nthreads = [\"1\", \"all\"]\nprecision = \"1%\"\nbudget = \"1m\"\n\
     [[category]]\nname = \"c\"\nworkloads = [\"zstd-{1,3}/zstd\", \"empty/*\"]\n",
    include_str!("../../../../suites/quick.toml"),
    include_str!("../../../../suites/full.toml"),
];
const MIXES: [&str; 3] = [
    include_str!("../../../../mixes/sparecores-web-2.0.toml"),
    "utilisation = 0.6\nspares = 1\n[[demand]]\nworkload = \"brotli-5/brotli\"\nrate = \"1.2 GiB/s\"\n\
     [[demand]]\nworkload = \"lz4/lz4\"\nrate = \"20,000 ops/s\"\n",
    "[[demand]]\nworkload = \"a/b\"\nweight = 3\n[[demand]]\nworkload = \"c/d\"\nweight = 0.5\n",
];

/// More rows than all tables of the project have.
const MOST_ROWS: usize = 100_000;

#[test]
fn a_changed_table_is_read_or_refused_with_its_file() {
    testkit::check("tables", 600, |input| {
        let choices = &mut Choices::new(input);
        let folder = testkit::folder();
        let home = Home::at(&folder.path().join("home"));
        for folder in [home.workloads(), home.suites(), home.inputs()] {
            fs::create_dir_all(folder).unwrap();
        }
        let is_changed = choices.byte() % 8;
        let mut text = |samples: &[&str], is_changed: bool| match is_changed {
            true => changed_text(samples, choices),
            false => choices.of(samples).to_owned(),
        };
        fs::write(home.inputs().join("inputs.toml"), text(&[INPUTS], is_changed == 0)).unwrap();
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        fs::write(own.join("table.toml"), text(&TABLES, is_changed > 2)).unwrap();
        if is_changed < 6 {
            fs::write(own.join("suite.toml"), text(&SUITES, is_changed > 0)).unwrap();
        }
        match Catalog::load(&home, &[own]) {
            Ok(catalog) => assert!(catalog.workloads.len() < MOST_ROWS),
            Err(error) => assert!(error.to_string().contains(".toml"), "{error}"),
        }
    });
}

#[test]
fn a_changed_mix_is_read_or_refused_with_its_file() {
    let folder = testkit::folder();
    let path = folder.path().join("mix.toml");
    testkit::check("mixes", 2_000, |input| {
        fs::write(&path, changed_text(&MIXES, &mut Choices::new(input))).unwrap();
        match NamedMix::read(&path) {
            Ok(NamedMix { mix, lacks, .. }) => {
                assert!(!mix.demands.is_empty() && mix.utilisation > 0.0 && mix.utilisation <= 1.0);
                let of_demands = mix.demands.iter().filter_map(|demand| demand.weight);
                let mut weights = of_demands.chain(lacks.iter().map(|lack| lack.weight));
                assert!(weights.all(|weight| weight > 0.0 && weight.is_finite()));
            }
            Err(error) => assert!(error.to_string().contains("mix.toml"), "{error}"),
        }
    });
}
