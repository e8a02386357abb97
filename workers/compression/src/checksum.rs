//! Checksums as work: a message that never changes, and the one number that must come of it.

use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::hint::black_box;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    message_bytes: u64,
}

/// The length of the message that the known answers are of.
const MESSAGE_BYTES: u64 = 65_536;
/// The message's CRC-32 as gzip has it; computed by Go's hash/crc32.
const CRC32: u64 = 0x0644_d9bb;

/// Sets up the CRC-32 of 65,536 bytes.
///
/// # Errors
/// When other parameters are asked for.
pub fn crc32(setting: &Setting, sum: fn(&[u8]) -> u32) -> Result<Box<dyn Work>, WorkerError> {
    known(setting, move |message| u64::from(sum(message)), CRC32)
}

/// Sets up a checksum of 65,536 bytes that must be `known`.
///
/// # Errors
/// When other parameters are asked for.
pub fn known(
    setting: &Setting,
    sum: impl Fn(&[u8]) -> u64 + 'static,
    known: u64,
) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { message_bytes } = setting.parameters()?;
    if message_bytes != MESSAGE_BYTES {
        let message = format!("there is no known answer for message_bytes {message_bytes}");
        return Err(WorkerError::bad_request(message));
    }
    let message = (0..message_bytes).map(counting).collect();
    Ok(Box::new(Checksum { message, sum, known, result: 0 }))
}

/// Byte `i` of the message: it counts, from another start in each 256 bytes.
fn counting(i: u64) -> u8 {
    (i + (i >> 8)) as u8
}

/// One op is the message, summed.
struct Checksum<S> {
    message: Vec<u8>,
    sum: S,
    known: u64,
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
        if output == self.known.to_be_bytes() {
            Ok(())
        } else {
            Err(format!("the checksum is {output:02x?}, not {:x}", self.known))
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.message.len() as u64)
    }
}
