//! The cryptographic operations that several libraries have: each is defined once, in `digest`, `signature`, `agreement` and
//! `kem` (records in sizeup-cryptography), and implemented for each library in a file of its own. ring has no key agreement
//! here: it draws its own keys and discards them after one agreement, so it can't use the fixed key of the others.

pub mod agreement;
pub mod aws_lc;
pub mod blake3;
pub mod digest;
pub mod kem;
pub mod openssl;
mod pkcs8;
pub mod ring;
pub mod signature;

use sizeup_kit::{Libraries, Paths};

/// Versions as AWS-LC reports its own, and as the lock file pins them for the two crates that do not report theirs.
pub fn versions() -> Libraries {
    Libraries::from([
        ("aws-lc".to_owned(), sizeup_cryptography::aws_lc::version()),
        ("ring".to_owned(), env!("SIZEUP_RING").to_owned()),
        ("blake3".to_owned(), env!("SIZEUP_BLAKE3").to_owned()),
    ])
}

/// Instruction-set paths; ring does not report its own.
pub fn paths() -> Paths {
    Paths::from([
        ("aws-lc".to_owned(), sizeup_cryptography::aws_lc::path()),
        ("blake3".to_owned(), blake3::path()),
    ])
}

/// Proves that each linked library is the expected one.
pub fn self_test() -> Result<(), String> {
    sizeup_cryptography::aws_lc::self_test()?;
    sizeup_cryptography::ring::self_test()?;
    blake3::self_test()
}
