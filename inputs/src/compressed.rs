//! `page-gz`, `text-gz` and `text-zst`: other inputs as compressed streams, so that every decompressor
//! works on the same one.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use crate::Error;

/// The version of all gzip streams: raised whenever their bytes change, but for those of the content.
pub const GZIP_VERSION: u32 = 1;

/// The version of all zstd streams: raised whenever their bytes change, but for those of the content.
pub const ZSTD_VERSION: u32 = 1;

/// The default of gzip programs and web servers.
const GZIP_LEVEL: u32 = 6;

/// zstd's default.
const ZSTD_LEVEL: i32 = 3;

/// Makes one gzip member at level 6 by miniz_oxide: a header without name and time, one deflate stream,
/// checksum and length.
///
/// Not zlib's own stream: the one zlib that could be linked beside Cloudflare's would silently answer for
/// it. miniz_oxide has neither code for certain CPUs nor threads, so its stream is the same everywhere.
///
/// # Errors
/// [`Error::Compressor`] if the compressor fails.
pub fn gzip(content: &[u8]) -> Result<Vec<u8>, Error> {
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::new(GZIP_LEVEL));
    encoder
        .write_all(content)
        .and_then(|()| encoder.finish())
        .map_err(|cause| Error::Compressor { compressor: "miniz_oxide", cause })
}

/// Makes one zstd frame at level 3, in one piece: with the content's length, without a checksum.
///
/// # Errors
/// [`Error::Compressor`] if the compressor fails.
pub fn zstd(content: &[u8]) -> Result<Vec<u8>, Error> {
    zstd::bulk::compress(content, ZSTD_LEVEL)
        .map_err(|cause| Error::Compressor { compressor: "zstd", cause })
}
