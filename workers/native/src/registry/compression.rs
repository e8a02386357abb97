//! Every workload of a compression library. The definitions are in `workloads/*.toml`.

use crate::zlib::{Zlib, ZlibNg};
use crate::{brotli, libdeflate, lz4, zstd};
use sizeup_compression::checksum;
use sizeup_compression::registry::{
    PAGE_COMPRESSED, PAGE_DECOMPRESSED, SUMMED, TEXT_COMPRESSED, TEXT_DECOMPRESSED, entries as gzip,
};
use sizeup_kit::Entry;

pub fn entries() -> Vec<Entry> {
    [brotli(), gzip::<Zlib>(), gzip::<ZlibNg>(), libdeflate(), zstd(), lz4()].concat()
}

fn brotli() -> Vec<Entry> {
    let libraries = &["brotli"];
    let qualities = 0..=11;
    qualities
        .flat_map(|q| {
            // Made once, and lives as long as the worker.
            let id = |operation: String| &*format!("{operation}/brotli").leak();
            [
                (id(format!("brotli-{q}")), PAGE_COMPRESSED, brotli::compress as _),
                (id(format!("brotli-{q}-flush")), PAGE_COMPRESSED, brotli::compress_flushing as _),
                (id(format!("unbrotli-{q}")), PAGE_DECOMPRESSED, brotli::decompress_own as _),
            ]
        })
        .map(|(id, verified, setup)| Entry { id, libraries, verified, setup })
        .collect()
}

fn libdeflate() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["libdeflate"], verified, setup };
    vec![
        entry("gzip-reused-1/libdeflate", PAGE_COMPRESSED, |s| libdeflate::compress(s, "page")),
        entry("gzip-reused-6/libdeflate", PAGE_COMPRESSED, |s| libdeflate::compress(s, "page")),
        entry("gzip-reused-9/libdeflate", PAGE_COMPRESSED, |s| libdeflate::compress(s, "page")),
        entry("gzip-1-text/libdeflate", TEXT_COMPRESSED, |s| libdeflate::compress(s, "text")),
        entry("gzip-6-text/libdeflate", TEXT_COMPRESSED, |s| libdeflate::compress(s, "text")),
        entry("gzip-9-text/libdeflate", TEXT_COMPRESSED, |s| libdeflate::compress(s, "text")),
        entry("gunzip-page-gz/libdeflate", PAGE_DECOMPRESSED, |s| {
            libdeflate::decompress(s, "page-gz", "page")
        }),
        entry("gunzip-text-gz/libdeflate", TEXT_DECOMPRESSED, |s| {
            libdeflate::decompress(s, "text-gz", "text")
        }),
        entry("crc32-64KiB/libdeflate", SUMMED, |s| checksum::crc32(s, libdeflate::crc32)),
    ]
}

fn zstd() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["zstd"], verified, setup };
    vec![
        entry("zstd-1/zstd", PAGE_COMPRESSED, |s| zstd::compress(s, "page")),
        entry("zstd-3/zstd", PAGE_COMPRESSED, |s| zstd::compress(s, "page")),
        entry("zstd-7/zstd", PAGE_COMPRESSED, |s| zstd::compress(s, "page")),
        entry("zstd-12/zstd", PAGE_COMPRESSED, |s| zstd::compress(s, "page")),
        entry("zstd-19/zstd", PAGE_COMPRESSED, |s| zstd::compress(s, "page")),
        entry("zstd-3-text/zstd", TEXT_COMPRESSED, |s| zstd::compress(s, "text")),
        entry("unzstd-3/zstd", PAGE_DECOMPRESSED, zstd::decompress_own),
        entry("unzstd-text-zst/zstd", TEXT_DECOMPRESSED, |s| {
            zstd::decompress(s, "text-zst", "text")
        }),
    ]
}

fn lz4() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["lz4"], verified, setup };
    vec![
        entry("lz4/lz4", PAGE_COMPRESSED, lz4::compress),
        entry("unlz4/lz4", PAGE_DECOMPRESSED, lz4::decompress),
    ]
}
