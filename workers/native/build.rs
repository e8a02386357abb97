//! Tells the worker what it can't ask at run time: which OpenSSL's headers it was built with, to hold against the one
//! that answers, and the versions of libraries that don't say theirs.

use std::{env, fs};

/// The version of a crate in the workspace's lock file, of which this build has what Cargo took.
fn locked_version(name: &str) -> String {
    let path = "../../Cargo.lock";
    println!("cargo:rerun-if-changed={path}");
    let lock = fs::read_to_string(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let marker = format!("[[package]]\nname = \"{name}\"\nversion = \"");
    let versions: Vec<&str> =
        lock.split(&marker).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    match versions[..] {
        [version] => version.to_owned(),
        _ => panic!("{path} has not one version of {name} but {versions:?}"),
    }
}

fn main() {
    // Set by openssl-sys for those that depend on it directly.
    let version = env::var("DEP_OPENSSL_VERSION_NUMBER").unwrap_or_default();
    println!("cargo:rustc-env=SIZEUP_OPENSSL_HEADERS={version}");
    println!("cargo:rustc-env=SIZEUP_RING={}", locked_version("ring"));
    println!("cargo:rustc-env=SIZEUP_BLAKE3={}", locked_version("blake3"));
    println!("cargo:rerun-if-changed=build.rs");
}
