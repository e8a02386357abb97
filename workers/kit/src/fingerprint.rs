//! Identifies libraries by the digests of known outputs.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A text for self-tests, made by arithmetic alone: 4,096 bytes that repeat and vary.
#[must_use]
pub fn sample() -> Vec<u8> {
    (0_u32..4096).map(|i| b'a' + u8::try_from((i * i / 7 + i / 64) % 26).unwrap_or(0)).collect()
}

/// Lower-case hex of the SHA-256.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Checks that `output`, which `what` produced, has the known digest.
pub fn expect(what: &str, output: &[u8], known: &str) -> Result<(), String> {
    let digest = sha256(output);
    if digest == known {
        Ok(())
    } else {
        Err(format!("the output of {what} has SHA-256 {digest}, not {known}"))
    }
}
