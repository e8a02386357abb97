//! The worker for what a first run measures of libraries, rustls over AWS-LC and zstd, and for the control work, by which sizeup
//! knows a machine.

mod control;
mod issue_width;
mod libraries;
mod registry;
mod rustls;
mod zstd;

use sizeup_kit::Worker;
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "native",
        operations: registry::operations(),
        libraries: libraries::versions,
        paths: libraries::paths,
        self_test: libraries::self_test,
    })
}
