//! Records what built the workers: a difference in compiler or flags between two machines must show.

use std::{env, process::Command};

/// The first line of `program --version`, or an empty text if it can't be run.
fn version_line(program: &str) -> String {
    Command::new(program)
        .arg("--version")
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

fn main() {
    let var = |name: &str| env::var(name).unwrap_or_default();
    let target = var("TARGET");
    let cc = env::var(format!("CC_{}", target.replace('-', "_")))
        .or_else(|_| env::var("CC"))
        .unwrap_or_else(|_| "cc".to_owned());
    let compiler = format!("{}; {}", version_line(&var("RUSTC")), version_line(&cc));
    let flags = format!(
        "opt-level={} rustflags={} cflags={}",
        var("OPT_LEVEL"),
        var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
        var("CFLAGS"),
    );
    println!("cargo:rustc-env=SIZEUP_COMPILER={compiler}");
    println!("cargo:rustc-env=SIZEUP_FLAGS={}", flags.trim());
    println!("cargo:rustc-env=SIZEUP_TARGET={target}");
    println!("cargo:rerun-if-env-changed=CC");
    println!("cargo:rerun-if-env-changed=CFLAGS");
    println!("cargo:rerun-if-changed=build.rs");
}
