//! Telling outputs apart by digests of known ones.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A text for self-tests, made of nothing but arithmetic: 4,096 bytes that repeat and vary.
pub fn sample() -> Vec<u8> {
    (0_u32..4096).map(|i| b'a' + u8::try_from((i * i / 7 + i / 64) % 26).unwrap_or(0)).collect()
}

/// Lower-case hex of the SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Whether `output` has the known digest, else a sentence about `what` was expected.
pub fn expect(what: &str, output: &[u8], known: &str) -> Result<(), String> {
    let digest = sha256(output);
    if digest == known {
        Ok(())
    } else {
        Err(format!("the output of {what} has SHA-256 {digest}, not {known}"))
    }
}
