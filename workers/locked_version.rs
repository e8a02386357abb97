//! The version of a library that does not report its own: a module of the build scripts of workers.

use std::fs;

/// The version of a crate in the workspace's lock file, which is the one that Cargo built.
fn locked_version(name: &str) -> String {
    let path = "../../Cargo.lock";
    println!("cargo:rerun-if-changed={path}");
    let lock = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let marker = format!("[[package]]\nname = \"{name}\"\nversion = \"");
    let versions: Vec<&str> =
        lock.split(&marker).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    match versions[..] {
        [version] => version.to_owned(),
        _ => panic!("{path} must have exactly one version of {name}, not {versions:?}"),
    }
}

/// Hands each of these versions to the worker as `SIZEUP_NAME`.
pub fn export(names: &[&str]) {
    println!("cargo:rerun-if-changed=../locked_version.rs");
    for name in names {
        let variable = name.to_uppercase().replace('-', "_");
        println!("cargo:rustc-env=SIZEUP_{variable}={}", locked_version(name));
    }
}
