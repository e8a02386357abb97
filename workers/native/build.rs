//! Provides the versions of libraries that do not report their own.

#[path = "../locked_version.rs"]
mod locked_version;

fn main() {
    locked_version::export(&["rustls", "aws-lc-rs"]);
    println!("cargo:rerun-if-changed=build.rs");
}
