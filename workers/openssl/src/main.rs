//! The worker for OpenSSL, and for the libraries that check it and that it checks: AWS-LC, ring, BLAKE3. It is a program of its
//! own because OpenSSL takes a fifth of a whole build, and a first run needs none of it.

mod aead;
mod crypto;
mod libraries;
mod registry;
mod tls;

use sizeup_kit::Worker;
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "openssl",
        operations: registry::operations(),
        libraries: libraries::versions,
        paths: libraries::paths,
        self_test: libraries::self_test,
    })
}
