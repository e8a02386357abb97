//! The worker for OpenSSL, LuaJIT and the compression libraries: a list of operations and a self-test for the kit.

mod aead;
mod brotli;
mod compression;
mod control;
mod crypto;
mod fingerprint;
mod instruction_sets;
mod issue_width;
mod libdeflate;
mod libraries;
mod lua;
mod lua_state;
mod lz4;
mod registry;
mod tls;
mod zlib;
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
