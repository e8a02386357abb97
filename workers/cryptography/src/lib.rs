//! Shared code of the workers for cryptography: TLS handshakes and records, each defined once for all libraries, the
//! part of AWS-LC that more than one worker measures, and ring's records, which AWS-LC's are compared with.

#![allow(missing_docs)]

pub mod aws_lc;
pub mod record;
pub mod ring;
pub mod tls;

use sizeup_kit::Parameter;

/// The length of the message that is hashed or sealed.
pub const MESSAGE_BYTES: Parameter = Parameter::integer("message_bytes", 1..=1 << 30);

/// Bytes that are easy to reproduce: byte i is i + i/256, mod 256.
#[must_use]
pub fn counting(bytes: usize) -> Vec<u8> {
    // The remainder fits a byte.
    (0..bytes).map(|i| ((i + (i >> 8)) % 256) as u8).collect()
}
