//! Provides the versions of libraries that do not report their own.

use std::fs;
use std::process::Command;

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

fn main() {
    for name in ["serde_json", "simd-json", "prost", "regex"] {
        let variable = name.to_uppercase().replace('-', "_");
        println!("cargo:rustc-env=SIZEUP_{variable}={}", locked_version(name));
    }
    // As the kit names the compiler, for the standard library.
    let rustc = std::env::var("RUSTC").unwrap_or_default();
    let version =
        Command::new(rustc).arg("--version").output().expect("the compiler has a version");
    let version = String::from_utf8(version.stdout).expect("the compiler's version is a text");
    println!("cargo:rustc-env=SIZEUP_RUSTC={}", version.split(' ').nth(1).unwrap_or("unknown"));
    println!("cargo:rerun-if-changed=build.rs");
}
