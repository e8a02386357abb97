//! A file's lines with their digest, bounded in length.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, Read};

/// A sample of 2,048 threads takes some 700 KiB.
pub(super) const LONGEST_LINE_BYTES: u64 = 16 << 20;

/// A line of the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A complete line, without its line break.
    Whole(&'a [u8]),
    /// The file ends inside it.
    Torn(&'a [u8]),
    /// Longer than any record.
    TooLong,
}

/// Reads lines and keeps the SHA-256 of all bytes before the line read last.
pub(super) struct Lines<R> {
    from: R,
    before: Sha256,
    last: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub fn new(from: R) -> Self {
        Self { from, before: Sha256::new(), last: Vec::new() }
    }

    /// Reads the next line, which is then [`Lines::last`]; false behind the end of the file.
    pub fn advance(&mut self) -> io::Result<bool> {
        self.before.update(&self.last);
        self.last.clear();
        self.from.by_ref().take(LONGEST_LINE_BYTES + 1).read_until(b'\n', &mut self.last)?;
        Ok(!self.last.is_empty())
    }

    /// The line read last.
    pub fn last(&self) -> Line<'_> {
        if self.last.len() as u64 > LONGEST_LINE_BYTES {
            return Line::TooLong;
        }
        self.last.strip_suffix(b"\n").map_or(Line::Torn(&self.last), Line::Whole)
    }

    /// Digest of all bytes before the line read last, in hex.
    pub fn digest_before(&self) -> String {
        hex(&self.before)
    }
}

/// The digest so far, in hex.
pub(super) fn hex(digest: &Sha256) -> String {
    HEXLOWER.encode(&digest.clone().finalize())
}
