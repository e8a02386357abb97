//! The worker over Cloudflare's fork of zlib. It lives in a binary of its own: its symbols are
//! zlib's, and a linker that is given both lets one answer for the other without a word.

mod deflate;
mod gzip;

use sizeup_kit::{Entry, Libraries, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "cloudflare-zlib",
        entries: entries(),
        libraries: || Libraries::from([("cloudflare-zlib".to_owned(), deflate::version())]),
        paths: Paths::new,
        self_test: deflate::self_test,
    })
}

/// Every workload of this worker, a line each. The definitions are in `workloads/cloudflare-zlib.toml`.
fn entries() -> Vec<Entry> {
    let entry = |id| Entry {
        id,
        libraries: &["cloudflare-zlib"],
        verified: "the stream decompresses to the page and is the same every time",
        setup: gzip::compress,
    };
    [
        "gzip-4/cloudflare-zlib",
        "gzip-5/cloudflare-zlib",
        "gzip-6/cloudflare-zlib",
        "gzip-7/cloudflare-zlib",
        "gzip-8/cloudflare-zlib",
        "gzip-9/cloudflare-zlib",
    ]
    .map(entry)
    .to_vec()
}
