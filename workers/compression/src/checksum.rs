//! Checksum operations: one constant message and one expected result.

use sizeup_kit::{Kind, OpError, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;
use std::slice::Chunks;

/// The parameter of every checksum operation: the message length.
pub const MESSAGE_BYTES: Parameter = Parameter::integer("message_bytes", 1..=1 << 30);

/// The message length that the known answers are for.
const KNOWN_BYTES: u64 = 65_536;
/// The CRC-32 of the message, as gzip uses it; computed by Go's hash/crc32.
const CRC32: u64 = 0x0644_d9bb;
/// Piece sizes that end inside the blocks of any library.
const PIECE_BYTES: usize = 1_000;

/// Sets up the CRC-32 of a message. `sum` continues from the CRC-32 of the preceding bytes, 0 at first.
///
/// # Errors
/// When the library's result for a message in pieces is wrong.
pub fn crc32(setting: &Setting, sum: fn(u32, &[u8]) -> u32) -> Result<Box<dyn Work>, WorkerError> {
    let in_pieces = move |pieces: Chunks<u8>| u64::from(pieces.fold(0, sum));
    work(setting, move |message| u64::from(sum(0, message)), in_pieces, CRC32)
}

/// Sets up a checksum. For a message of 65,536 bytes the result must be `known`. For other lengths it must equal the
/// library's own result for the message in pieces, a method that is first checked against `known`.
///
/// # Errors
/// When the library's result for a message in pieces is wrong.
pub fn work(
    setting: &Setting,
    sum: impl Fn(&[u8]) -> u64 + 'static,
    in_pieces: impl Fn(Chunks<u8>) -> u64,
    known: u64,
) -> Result<Box<dyn Work>, WorkerError> {
    let message_bytes = setting.integer("message_bytes");
    let message = counting(message_bytes);
    if message_bytes == KNOWN_BYTES {
        let verified = "the checksum matches the known answer";
        return Ok(Box::new(Checksum { message, sum, expected: known, verified, result: 0 }));
    }
    let first = in_pieces(counting(KNOWN_BYTES).chunks(PIECE_BYTES));
    if first != known {
        let what =
            format!("the checksum of {KNOWN_BYTES} bytes in pieces is {first:x}, not {known:x}");
        return Err(WorkerError::new(Kind::WrongAnswer, what));
    }
    let expected = in_pieces(message.chunks(PIECE_BYTES));
    let verified = "the checksum matches that of the message in pieces";
    Ok(Box::new(Checksum { message, sum, expected, verified, result: 0 }))
}

/// The message: counting bytes, with a different start in each 256.
fn counting(bytes: u64) -> Vec<u8> {
    (0..bytes).map(|i| (i + (i >> 8)) as u8).collect()
}

/// One op is the checksum of the message.
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
