//! Versions that the linked libraries report, and the proof that they are the expected ones.

use crate::zlib::{self, Zlib, ZlibNg};
use crate::{brotli, instruction_sets, libdeflate, lz4};
use sizeup_compression::Zlib as _;
use sizeup_kit::{Libraries, Paths};

/// Versions as the libraries report them.
pub fn versions() -> Libraries {
    Libraries::from(
        [
            ("brotli", brotli::version()),
            (Zlib::NAME, Zlib::version()),
            (ZlibNg::NAME, ZlibNg::version()),
            ("libdeflate", libdeflate::version()),
            ("lz4", lz4::version()),
        ]
        .map(|(name, version)| (name.to_owned(), version)),
    )
}

/// Instruction-set paths.
pub fn paths() -> Paths {
    instruction_sets::chosen().collect()
}

/// Proves that each linked library is the expected one.
pub fn self_test() -> Result<(), String> {
    brotli::self_test()?;
    zlib::self_test()?;
    libdeflate::self_test()?;
    lz4::self_test()
}
