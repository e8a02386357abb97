//! The bill of materials of a release: everything that others wrote of it, once, and the same each time.

use crate::support::{Answer, not_tested};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn top() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The script's output; `None` where this machine lacks a tool that it needs.
fn printed(architecture: &str) -> Option<String> {
    for tool in ["jq", "go"] {
        if Command::new(tool).arg("version").output().is_err() {
            not_tested(format_args!("the bill of materials: {tool} is not installed"));
            return None;
        }
    }
    let packages = top().join("report/dist/packages");
    assert!(packages.exists(), "{} is missing: run `make page`", packages.display());
    let output = Command::new(top().join("release/bom")).arg(architecture).output();
    let answer = Answer::of(output.expect("release/bom can be started"));
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    Some(answer.stdout)
}

fn strings<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|entry| entry[name].as_str().unwrap_or_else(|| panic!("{entry} has no {name}")))
        .collect()
}

#[test]
fn the_bill_of_materials_names_everything_of_others_once() {
    for architecture in ["x86_64", "aarch64"] {
        let Some(text) = printed(architecture) else { return };
        // It takes seconds, and the other architecture's is printed by the same script.
        if architecture == "x86_64" {
            assert_eq!(printed(architecture).as_ref(), Some(&text), "not the same again");
        }
        assert!(!text.contains(&top().display().to_string()) && !text.contains("timestamp"));
        let bom: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&bom["bomFormat"], &bom["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
        let known = strings(&bom["components"], "bom-ref");
        let once: BTreeSet<&str> = known.iter().copied().collect();
        assert_eq!(once.len(), known.len());
        for (start, least) in
            [("pkg:cargo/", 100), ("pkg:generic/", 10), ("pkg:golang/", 10), ("pkg:npm/", 10)]
        {
            let count = known.iter().filter(|purl| purl.starts_with(start)).count();
            assert!(count >= least, "{architecture}: {count} of {start}");
        }
        for dependency in bom["dependencies"].as_array().expect("dependencies") {
            let parts = dependency["dependsOn"].as_array().expect("a list").iter();
            let missing: Vec<&Value> =
                parts.filter(|part| !once.contains(part.as_str().unwrap_or_default())).collect();
            assert!(missing.is_empty(), "{missing:?}");
            let from = dependency["ref"].as_str().unwrap_or_default();
            assert!(from == "sizeup" || once.contains(from), "{from}");
        }
    }
}
