//! Tests of the repository itself: ARCHITECTURE.md is up to date, and no files import from each other in a circle.

#![allow(clippy::disallowed_methods, reason = "reads files of the repository")]

#[cfg(test)]
mod bindings;
#[cfg(test)]
mod circles;
#[cfg(test)]
mod comments;
#[cfg(test)]
mod links;
#[cfg(test)]
mod lock_files;
#[cfg(test)]
mod measured;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod words;

#[cfg(test)]
mod tests {
    use super::circles::circles;
    use super::sources::{Module, sources};
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::{Path, PathBuf};

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    /// The crates by their folders' names, and what each manifest asks for.
    fn manifests() -> BTreeMap<String, toml::Table> {
        let folders = fs::read_dir(root().join("crates")).expect("crates/");
        let manifest = |folder: fs::DirEntry| {
            let text = fs::read_to_string(folder.path().join("Cargo.toml")).expect("a manifest");
            let name = folder.file_name().into_string().expect("a name");
            (name, text.parse().expect("TOML"))
        };
        let entries = folders.map(|entry| entry.expect("an entry"));
        entries.filter(|entry| entry.path().is_dir()).map(manifest).collect()
    }

    /// The crates in the order of the architecture page, in which each uses only those above it.
    fn layers() -> Vec<String> {
        let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
        let block = text.split("```layers\n").nth(1).and_then(|rest| rest.split("```").next());
        let lines = block.expect("a block of layers").lines();
        lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    }

    #[test]
    fn the_architecture_page_names_every_crate_once() {
        let mut layers = layers();
        layers.sort();
        assert_eq!(layers, manifests().into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn each_crate_uses_only_those_above_it_on_the_architecture_page() {
        let layers = layers();
        let layer = |name: &str| layers.iter().position(|layer| layer == name);
        for (name, manifest) in manifests() {
            let used = manifest.get("dependencies").and_then(toml::Value::as_table);
            for used in used.into_iter().flat_map(|table| table.keys()) {
                assert!(layer(used).is_none_or(|used| Some(used) < layer(&name)), "{name}: {used}");
            }
        }
    }

    /// Their loops are measured, or they are in no program that users run.
    const WITHOUT_OVERFLOW_CHECKS: [&str; 2] = ["latency", "testkit"];

    #[test]
    fn released_programs_check_overflows_and_what_is_measured_does_not() {
        let text = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("TOML");
        let release = &manifest["profile"]["release"];
        assert!(release.get("overflow-checks").is_none(), "workers are in this profile, too");
        let packages = release["package"].as_table().expect("a table");
        let is_checked =
            |package: &toml::Value| package.get("overflow-checks") == Some(&true.into());
        let checked = packages
            .iter()
            .filter(|(_, package)| is_checked(package))
            .map(|(name, _)| name.clone());
        let expected = manifests().into_keys();
        let expected = expected.filter(|name| !WITHOUT_OVERFLOW_CHECKS.contains(&name.as_str()));
        assert_eq!(checked.collect::<BTreeSet<_>>(), expected.collect());
    }

    fn of_crate(name: &str) -> BTreeMap<Module, syn::File> {
        sources(&root().join("crates").join(name).join("src"))
    }

    #[test]
    fn no_files_of_a_crate_import_from_each_other_in_a_circle() {
        let mut found = Vec::new();
        for name in manifests().keys() {
            let circles = circles(&of_crate(name));
            found.extend(circles.iter().map(|circle| format!("{name}: {circle}")));
        }
        assert!(found.is_empty(), "{found:#?}");
    }
}
