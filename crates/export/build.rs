//! Says what to do when the report's page, which the program holds, was not built.

#![expect(clippy::disallowed_macros, reason = "cargo reads what a build script prints")]

use std::path::Path;

/// Cargo runs this in the folder of the crate.
const PAGE: &str = "../../report/dist/page.html";

fn main() {
    println!("cargo::rerun-if-changed={PAGE}");
    assert!(
        Path::new(PAGE).exists(),
        "report/dist/page.html is not there: run `make build`, it makes the report's page first"
    );
}
