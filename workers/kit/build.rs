//! Records what built the workers: a difference in compiler or flags between two machines must show.

use std::{env, process::Command};

/// The first line of what `program argument` prints, or an empty text if it can't be run.
fn first_line(program: &str, argument: &str) -> String {
    Command::new(program)
        .arg(argument)
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

/// The C compiler's family and version. Not the name that it was called by: a cross compiler of the same version is
/// no other compiler.
fn c_compiler(cc: &str) -> String {
    let line = first_line(cc, "--version");
    if line.contains("clang") {
        return line;
    }
    let version = first_line(cc, "-dumpfullversion");
    if version.is_empty() { line } else { format!("gcc {version}") }
}

fn main() {
    let var = |name: &str| env::var(name).unwrap_or_default();
    let target = var("TARGET");
    let cc_of_target = format!("CC_{}", target.replace('-', "_"));
    let cc =
        env::var(&cc_of_target).or_else(|_| env::var("CC")).unwrap_or_else(|_| "cc".to_owned());
    let compiler = format!("{}; {}", first_line(&var("RUSTC"), "--version"), c_compiler(&cc));
    let flags = format!(
        "opt-level={} rustflags={} cflags={}",
        var("OPT_LEVEL"),
        var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
        var("CFLAGS"),
    );
    println!("cargo:rustc-env=SIZEUP_COMPILER={compiler}");
    println!("cargo:rustc-env=SIZEUP_FLAGS={}", flags.trim());
    println!("cargo:rustc-env=SIZEUP_TARGET={target}");
    println!("cargo:rerun-if-env-changed={cc_of_target}");
    println!("cargo:rerun-if-env-changed=CC");
    println!("cargo:rerun-if-env-changed=CFLAGS");
    println!("cargo:rerun-if-changed=build.rs");
}
