//! Promises of the tables: names (`docs/decisions/0013-one-name-one-operation.md`), number and length.

use crate::contract::installation::Installation;
use catalog::{Family, Workload};
use std::collections::{BTreeMap, BTreeSet};

/// Operation → all definitions of it, of which there may be one only.
fn operations(installation: &Installation) -> BTreeMap<&str, Vec<&Workload>> {
    let mut operations = BTreeMap::<&str, Vec<&Workload>>::new();
    for workload in installation.catalog.workloads.values() {
        let operation = workload.id.split_once('/').map_or(&*workload.id, |(name, _)| name);
        operations.entry(operation).or_default().push(workload);
    }
    operations
}

fn installation() -> Installation {
    Installation::find().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_implementations_of_an_operation_take_the_same_inputs() {
    let installation = installation();
    for (operation, rows) in operations(&installation) {
        let taken: BTreeSet<_> = rows.iter().map(|row| &row.inputs).collect();
        assert_eq!(taken.len(), 1, "{operation} takes {taken:?}");
    }
}

/// A stream that comes from no input was made by the implementation itself, so that each has another to read.
#[test]
fn implementations_decompress_the_same_stream_or_the_operation_says_that_it_is_their_own() {
    let installation = installation();
    for (operation, rows) in operations(&installation) {
        let is_shared = rows.len() > 1 && rows[0].definition.family == Family::Decompress;
        if is_shared && !operation.contains("-own-") {
            let taken = &rows[0].inputs;
            assert!(taken.contains_key("stream"), "{operation}: no stream among {taken:?}");
        }
    }
}

#[test]
fn the_inputs_are_as_long_as_the_definitions_say() {
    let inputs = installation().catalog.inputs;
    for (name, bytes) in [
        ("page", 29_329),
        ("text", 387_851),
        ("digits", 100_003),
        ("regex-text-256KiB", 262_144),
        ("escape", 400_000),
    ] {
        assert_eq!(inputs[name].bytes, bytes, "{name}");
    }
}

#[test]
fn the_suite_edge_has_its_49_workloads() {
    let catalog = installation().catalog;
    let suite = &catalog.suites["edge"];
    let sizes: Vec<(&str, usize)> = suite
        .categories
        .iter()
        .map(|category| (category.name.as_str(), category.workloads.len()))
        .collect();
    let expected = [("openssl", 11), ("luajit", 6), ("brotli", 8), ("gzip", 6), ("go", 18)];
    assert_eq!(sizes, expected);
    assert_eq!(sizes.iter().map(|(_, size)| size).sum::<usize>(), 49);
}

/// `make run` builds no more, so that it answers soon.
#[test]
fn make_first_builds_the_workers_of_the_default_suite_and_no_others() {
    let catalog = installation().catalog;
    let suite = &catalog.suites["server2026-quick"];
    let rows = suite.categories.iter().flat_map(|category| &category.workloads);
    let needed: BTreeSet<_> = rows
        .chain(&suite.controls)
        .map(|id| catalog.workloads[id].definition.worker.as_str())
        .filter(|worker| *worker != "go")
        .collect();
    let makefile = include_str!("../../../../Makefile");
    let named = makefile.lines().find_map(|line| line.strip_prefix("FIRST_WORKERS := "));
    let built: BTreeSet<_> = named.expect("a list").split(' ').collect();
    assert_eq!(built, needed);
}
