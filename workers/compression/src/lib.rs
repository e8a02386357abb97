//! Code that the workers for compression libraries share: compressing and checking, zlib's interface for any library
//! that has it, and checksums. This crate links no library.

#![allow(missing_docs)]

pub mod checksum;
mod codec;
pub mod gzip;
pub mod registry;
mod zlib;
mod zstream;

#[cfg(test)]
mod tests;

pub use codec::{Compress, Decode, Decompress, Encode, there_and_back};
pub use zlib::Zlib;
