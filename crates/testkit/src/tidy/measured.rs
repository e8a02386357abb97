//! Measured code is built by the release profile as it is: no package that workers and kits are made of has a profile of its
//! own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Procedural macros run in the compiler and are not measured.
const MACROS: [&str; 4] = ["proc-macro2", "quote", "syn", "unicode-ident"];
/// Packages of which one setting may differ; Cargo.toml says why.
const SETTINGS: [(&str, &str); 2] =
    [("libsqlite3-sys", "opt-level"), ("sizeup-worker-data", "codegen-units")];

fn table(file: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    text.parse().unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// Package → those it depends on, whichever their versions. Those of ours also have what only their tests need.
fn locked() -> BTreeMap<String, Vec<String>> {
    let lock = table("Cargo.lock");
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock["package"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name").to_owned();
        let needs = package.get("dependencies").and_then(toml::Value::as_array);
        let names = needs.into_iter().flatten().filter_map(toml::Value::as_str);
        let names = names.filter_map(|name| name.split(' ').next()).map(str::to_owned);
        all.entry(name).or_default().extend(names);
    }
    all
}

#[test]
fn what_is_measured_keeps_the_release_profile() {
    let workspace = table("Cargo.toml");
    let members = workspace["workspace"]["members"].as_array().expect("members");
    let workers = members.iter().filter_map(|member| member.as_str()?.strip_prefix("workers/"));
    let (mut waiting, mut measured) = (Vec::new(), BTreeSet::new());
    for worker in workers {
        let manifest = table(&format!("workers/{worker}/Cargo.toml"));
        let needs = manifest["dependencies"].as_table().expect("dependencies");
        measured.insert(manifest["package"]["name"].as_str().expect("a name").to_owned());
        waiting.extend(needs.keys().cloned());
    }
    let locked = locked();
    while let Some(name) = waiting.pop() {
        // Our own packages list their dependencies in their manifests.
        if measured.insert(name.clone()) && !name.starts_with("sizeup-") {
            waiting.extend(locked[&name].iter().cloned());
        }
    }
    assert!(measured.contains("openssl-sys") && measured.contains("serde_json"), "{measured:?}");
    let own = workspace["profile"]["release"]["package"].as_table().expect("profiles");
    let is_allowed = |name: &str, profile: &toml::Value| {
        let mut settings = profile.as_table().into_iter().flat_map(toml::Table::keys);
        MACROS.contains(&name) || settings.all(|key| SETTINGS.contains(&(name, key)))
    };
    let changed: Vec<_> = own
        .iter()
        .filter(|(name, profile)| measured.contains(*name) && !is_allowed(name, profile))
        .map(|(name, _)| name)
        .collect();
    assert!(changed.is_empty(), "Cargo.toml changes how measured code is built: {changed:?}");
}
