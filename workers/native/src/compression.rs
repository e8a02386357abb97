//! Versions that the compression libraries report, and the proof that they are the linked ones.

use crate::zlib::{self, Zlib, ZlibNg};
use crate::{brotli, libdeflate, lz4, zstd};
use sizeup_compression::Zlib as _;

/// Library → version.
pub fn versions() -> [(String, String); 6] {
    [
        ("brotli", brotli::version()),
        (Zlib::NAME, Zlib::version()),
        (ZlibNg::NAME, ZlibNg::version()),
        ("libdeflate", libdeflate::version()),
        ("zstd", zstd::version()),
        ("lz4", lz4::version()),
    ]
    .map(|(name, version)| (name.to_owned(), version))
}

/// Proves that each linked library is the expected one.
pub fn self_test() -> Result<(), String> {
    brotli::self_test()?;
    zlib::self_test()?;
    libdeflate::self_test()?;
    zstd::self_test()?;
    lz4::self_test()
}
