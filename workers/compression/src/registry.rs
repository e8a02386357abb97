//! The operations of any library with zlib's interface.

use crate::{Zlib, checksum, gzip};
use sizeup_kit::{Operation, Parameter};

/// How many bytes of text are compressed between two flushes.
pub const FLUSH_BYTES: Parameter = Parameter::integer("flush_bytes", 1..=1 << 30);

#[must_use]
pub fn operations<Z: Zlib>() -> Vec<Operation> {
    const LEVEL: Parameter = Parameter::integer("level", 1..=9);
    let operation = |name, setup| Operation::new(name, Z::NAME, setup);
    vec![
        operation("gzip", gzip::compress::<Z>).takes([LEVEL]).reads(["data"]),
        operation("gzip-flush", gzip::compress_flushing::<Z>)
            .takes([LEVEL, FLUSH_BYTES])
            .reads(["data"]),
        operation("gunzip-own", gzip::decompress_own::<Z>).takes([LEVEL]).reads(["data"]),
        operation("gzip-reused", gzip::compress_reusing::<Z>).takes([LEVEL]).reads(["data"]),
        operation("gunzip-reused", gzip::decompress_reusing::<Z>).reads(["stream", "data"]),
        operation("crc32", |setting| checksum::crc32(setting, Z::crc32))
            .takes([checksum::MESSAGE_BYTES]),
    ]
}
