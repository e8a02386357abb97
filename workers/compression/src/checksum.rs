//! Checksums as work: a message that never changes, and the one number that must come of it.

use sizeup_kit::{Kind, OpError, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;
use std::slice::Chunks;

/// The parameter of all checksums: how long the message is.
pub const MESSAGE_BYTES: Parameter = Parameter::integer("message_bytes", 1..=1 << 30);

/// The length of the message that the known answers are of.
const KNOWN_BYTES: u64 = 65_536;
/// The message's CRC-32 as gzip has it; computed by Go's hash/crc32.
const CRC32: u64 = 0x0644_d9bb;
/// Pieces that end inside of whatever blocks a library takes at once.
const PIECE_BYTES: usize = 1_000;

/// Sets up the CRC-32 of a message. `sum` goes on from the CRC-32 of what came before, 0 at first.
///
/// # Errors
/// When the library sums wrongly in pieces.
pub fn crc32(setting: &Setting, sum: fn(u32, &[u8]) -> u32) -> Result<Box<dyn Work>, WorkerError> {
    let in_pieces = move |pieces: Chunks<u8>| u64::from(pieces.fold(0, sum));
    work(setting, move |message| u64::from(sum(0, message)), in_pieces, CRC32)
}

/// Sets up a checksum, which for a message of 65,536 bytes must be `known`. For other lengths it must be the one that the
/// library comes to when it gets the message in pieces, which is itself held against `known` before.
///
/// # Errors
/// When the library sums wrongly in pieces.
pub fn work(
    setting: &Setting,
    sum: impl Fn(&[u8]) -> u64 + 'static,
    in_pieces: impl Fn(Chunks<u8>) -> u64,
    known: u64,
) -> Result<Box<dyn Work>, WorkerError> {
    let message_bytes = setting.integer("message_bytes");
    let message = counting(message_bytes);
    if message_bytes == KNOWN_BYTES {
        let verified = "the checksum is the known answer";
        return Ok(Box::new(Checksum { message, sum, expected: known, verified, result: 0 }));
    }
    let first = in_pieces(counting(KNOWN_BYTES).chunks(PIECE_BYTES));
    if first != known {
        let what =
            format!("the checksum of {KNOWN_BYTES} bytes in pieces is {first:x}, not {known:x}");
        return Err(WorkerError::new(Kind::WrongAnswer, what));
    }
    let expected = in_pieces(message.chunks(PIECE_BYTES));
    let verified = "the checksum is that of the message given in pieces";
    Ok(Box::new(Checksum { message, sum, expected, verified, result: 0 }))
}

/// The message: bytes that count, from another start in each 256.
fn counting(bytes: u64) -> Vec<u8> {
    (0..bytes).map(|i| (i + (i >> 8)) as u8).collect()
}

/// One op is the message, summed.
struct Checksum<S> {
    message: Vec<u8>,
    sum: S,
    expected: u64,
    verified: &'static str,
    result: u64,
}

impl<S: Fn(&[u8]) -> u64> Work for Checksum<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.result = black_box((self.sum)(black_box(&self.message)));
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.result.to_be_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == self.expected.to_be_bytes() {
            Ok(())
        } else {
            Err(format!("the checksum is {output:02x?}, not {:x}", self.expected))
        }
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.len() as u64)
    }
}
