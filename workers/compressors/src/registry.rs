//! Every operation of this worker: one line for each library.

use crate::zlib::{Zlib, ZlibNg};
use crate::{brotli, libdeflate, lz4};
use sizeup_compression::registry::operations as gzip;
use sizeup_kit::Operation;

pub fn operations() -> Vec<Operation> {
    [
        brotli::operations(),
        gzip::<Zlib>(),
        gzip::<ZlibNg>(),
        libdeflate::operations(),
        lz4::operations(),
    ]
    .concat()
}

#[cfg(test)]
mod tests;
