//! Every operation of this worker: one line for each library's version of a shared operation, and one for each
//! library with a file of its own.

use crate::crypto::{agreement, aws_lc, blake3, digest, kem, openssl, record, ring, signature};
use crate::zlib::{Zlib, ZlibNg};
use crate::{aead, brotli, control, libdeflate, lua, lz4, tls, zstd};
use sizeup_compression::registry::operations as gzip;
use sizeup_kit::Operation;

pub fn operations() -> Vec<Operation> {
    [
        signature::operations::<openssl::Signer>("openssl"),
        agreement::operations::<openssl::Agreement>("openssl"),
        kem::operations::<openssl::Kem>("openssl"),
        record::operations::<openssl::Sealer>("openssl"),
        digest::operations::<openssl::Digester>("openssl"),
        aead::operations(),
        signature::operations::<aws_lc::Signer>("aws-lc"),
        agreement::operations::<aws_lc::Agreement>("aws-lc"),
        kem::operations::<aws_lc::Kem>("aws-lc"),
        record::operations::<aws_lc::Sealer>("aws-lc"),
        digest::operations::<aws_lc::Digester>("aws-lc"),
        signature::operations::<ring::Signer>("ring"),
        record::operations::<ring::Sealer>("ring"),
        digest::operations::<ring::Digester>("ring"),
        digest::operations::<blake3::Digester>("blake3"),
        tls::operations(),
        brotli::operations(),
        gzip::<Zlib>(),
        gzip::<ZlibNg>(),
        libdeflate::operations(),
        zstd::operations(),
        lz4::operations(),
        lua::operations(),
        control::operations(),
    ]
    .concat()
}

#[cfg(test)]
mod tests;
