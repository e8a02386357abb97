//! The worker for Cloudflare's fork of zlib. It is a separate binary because its symbols are zlib's: a linker given
//! both silently resolves one library's symbols to the other.

mod self_test;

use sizeup_compression::{Zlib, registry, zlib_interface};
use sizeup_kit::{Libraries, Paths, Worker};
use std::process::ExitCode;

zlib_interface!(CloudflareZlib, "cloudflare-zlib", cloudflare_zlib_sys);

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "cloudflare-zlib",
        operations: registry::operations::<CloudflareZlib>(),
        libraries: || {
            Libraries::from([(CloudflareZlib::NAME.to_owned(), CloudflareZlib::version())])
        },
        paths: Paths::new,
        self_test: self_test::self_test,
    })
}
