//! Provides the versions of libraries that do not report their own.

#[path = "../locked_version.rs"]
mod locked_version;

use std::process::Command;

fn main() {
    locked_version::export(&["serde_json", "simd-json", "prost", "regex"]);
    locked_version::export(&["zune-jpeg", "fast_image_resize", "jpeg-encoder"]);
    // As the kit names the compiler, for the standard library.
    let rustc = std::env::var("RUSTC").unwrap_or_default();
    let version =
        Command::new(rustc).arg("--version").output().expect("the compiler has a version");
    let version = String::from_utf8(version.stdout).expect("the compiler's version is a text");
    println!("cargo:rustc-env=SIZEUP_RUSTC={}", version.split(' ').nth(1).unwrap_or("unknown"));
    println!("cargo:rerun-if-changed=build.rs");
}
