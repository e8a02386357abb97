//! The cryptographic operations that several libraries do: each is defined once, in `record`, `digest`, `signature` and
//! `agreement`, and each library does it in a file of its own. ring agrees with keys that it draws itself and that are
//! gone after one agreement, so it can't be given the one fixed key that the others use.

pub mod agreement;
pub mod aws_lc;
pub mod blake3;
pub mod digest;
pub mod openssl;
pub mod record;
pub mod ring;
pub mod signature;

use sizeup_kit::{Libraries, Parameter, Paths};

/// How long what is hashed or sealed is.
pub const MESSAGE_BYTES: Parameter = Parameter::integer("message_bytes", 1..=1 << 30);

/// Versions as AWS-LC reports it, and as the lock file pins it for the two crates that can't be asked.
pub fn versions() -> Libraries {
    Libraries::from([
        ("aws-lc".to_owned(), aws_lc::version()),
        ("ring".to_owned(), env!("SIZEUP_RING").to_owned()),
        ("blake3".to_owned(), env!("SIZEUP_BLAKE3").to_owned()),
    ])
}

/// Instruction-set paths; ring doesn't tell.
pub fn paths() -> Paths {
    Paths::from([("aws-lc".to_owned(), aws_lc::path()), ("blake3".to_owned(), blake3::path())])
}

/// Proves that each library is the one that it claims to be.
pub fn self_test() -> Result<(), String> {
    aws_lc::self_test()?;
    ring::self_test()?;
    blake3::self_test()
}

/// Bytes that anyone can make again: byte i is i + i/256, mod 256.
fn counting(bytes: usize) -> Vec<u8> {
    // The remainder fits a byte.
    (0..bytes).map(|i| ((i + (i >> 8)) % 256) as u8).collect()
}
