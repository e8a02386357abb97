//! What the workers over compression libraries share: how a stream is made and checked, zlib's interface by
//! whichever library has it, and checksums. It links no library.

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
