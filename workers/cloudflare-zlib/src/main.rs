//! The worker over Cloudflare's fork of zlib. It lives in a binary of its own: its symbols are
//! zlib's, and a linker that is given both lets one answer for the other without a word.

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
