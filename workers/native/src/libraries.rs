//! Versions that the linked libraries report, and the proof that they are the expected ones.

use crate::{rustls, zstd};
use sizeup_cryptography::{aws_lc, ring};
use sizeup_kit::{Libraries, Paths};

/// Versions as the libraries report them.
pub fn versions() -> Libraries {
    [
        ("aws-lc", aws_lc::version()),
        ("rustls", rustls::version()),
        ("zstd", zstd::version()),
        // No library: the worker's own code.
        ("control", env!("CARGO_PKG_VERSION").to_owned()),
    ]
    .map(|(name, version)| (name.to_owned(), version))
    .into()
}

/// Instruction-set paths; rustls' is that of what does its arithmetic.
pub fn paths() -> Paths {
    let mut paths = Paths::from(["aws-lc", "rustls"].map(|name| (name.to_owned(), aws_lc::path())));
    paths.extend(zstd::path().map(|path| ("zstd".to_owned(), path)));
    paths
}

/// Proves that each linked library is the expected one.
pub fn self_test() -> Result<(), String> {
    aws_lc::self_test()?;
    ring::self_test()?;
    zstd::self_test()
}
