//! The workloads of a library with zlib's interface, the same for each. The definitions are in `workloads/*.toml`.

use crate::{Zlib, checksum, gzip};
use sizeup_kit::{Entry, Setting, Work, WorkerError};

/// How each is verified; the page and the text are inputs.
pub const PAGE_COMPRESSED: &str = "the stream decompresses to the page and is the same every time";
/// See above.
pub const TEXT_COMPRESSED: &str = "the stream decompresses to the text and is the same every time";
/// See above.
pub const PAGE_DECOMPRESSED: &str = "the stream decompresses to the page";
/// See above.
pub const TEXT_DECOMPRESSED: &str = "the stream decompresses to the text";
/// See above.
pub const SUMMED: &str = "the checksum is the known answer";

/// All workloads of the library.
#[must_use]
pub fn entries<Z: Zlib>() -> Vec<Entry> {
    let mut entries = Vec::new();
    for level in 1..=9 {
        entries.extend([
            entry::<Z>(format!("gzip-{level}"), PAGE_COMPRESSED, |s| {
                gzip::compress::<Z>(s, "page")
            }),
            entry::<Z>(
                format!("gzip-{level}-flush"),
                PAGE_COMPRESSED,
                gzip::compress_flushing::<Z>,
            ),
            entry::<Z>(format!("gunzip-own-{level}"), PAGE_DECOMPRESSED, gzip::decompress_own::<Z>),
        ]);
    }
    // What the suite gap holds against other libraries, each of which uses its state again.
    for level in [1, 6, 9] {
        entries.extend([
            entry::<Z>(format!("gzip-reused-{level}"), PAGE_COMPRESSED, |s| {
                gzip::compress_reusing::<Z>(s, "page")
            }),
            entry::<Z>(format!("gzip-{level}-text"), TEXT_COMPRESSED, |s| {
                gzip::compress_reusing::<Z>(s, "text")
            }),
        ]);
    }
    entries.extend([
        entry::<Z>("gunzip-page-gz", PAGE_DECOMPRESSED, |s| {
            gzip::decompress_reusing::<Z>(s, "page-gz", "page")
        }),
        entry::<Z>("gunzip-text-gz", TEXT_DECOMPRESSED, |s| {
            gzip::decompress_reusing::<Z>(s, "text-gz", "text")
        }),
        entry::<Z>("crc32-64KiB", SUMMED, |s| checksum::crc32(s, Z::crc32)),
    ]);
    entries
}

fn entry<Z: Zlib>(
    operation: impl AsRef<str>,
    verified: &'static str,
    setup: fn(&Setting) -> Result<Box<dyn Work>, WorkerError>,
) -> Entry {
    // Made once, and lives as long as the worker.
    let id = format!("{}/{}", operation.as_ref(), Z::NAME).leak();
    Entry { id, libraries: Z::LIBRARIES, verified, setup }
}
