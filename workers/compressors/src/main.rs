//! The worker for brotli, zlib, zlib-ng, libdeflate and lz4.

mod brotli;
mod instruction_sets;
mod libdeflate;
mod libraries;
mod lz4;
mod registry;
mod zlib;

use sizeup_kit::Worker;
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "compressors",
        operations: registry::operations(),
        libraries: libraries::versions,
        paths: libraries::paths,
        self_test: libraries::self_test,
    })
}
