//! Records what built the workers, so that a difference in compiler or flags between two machines is visible.

use std::{env, process::Command};

/// The first line that `program argument` prints, or an empty text if it cannot run.
fn first_line(program: &str, argument: &str) -> String {
    Command::new(program)
        .arg(argument)
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

/// The C compiler's family, version and distributor, whose gcc has defaults of its own: `gcc 12.2.0 (Debian)`. The
/// name it was called by and the distributor's revision are left out, because cross compilers differ in them
/// (docs/decisions/0011).
fn c_compiler(cc: &str) -> String {
    let line = first_line(cc, "--version");
    let version = first_line(cc, "-dumpfullversion");
    if line.contains("clang") || version.is_empty() {
        return line;
    }
    let bracket = line.split_once('(').and_then(|(_, rest)| rest.split([' ', ')']).next());
    format!("gcc {version} ({})", bracket.unwrap_or("unknown"))
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
