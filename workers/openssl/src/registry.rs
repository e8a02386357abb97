//! Every operation of this worker: one line for each library's version of a shared operation, and OpenSSL's own. AWS-LC's
//! records are the worker native's.

use crate::crypto::{agreement, aws_lc, blake3, digest, kem, openssl, ring, signature};
use crate::{aead, tls};
use sizeup_cryptography::record;
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
        digest::operations::<aws_lc::Digester>("aws-lc"),
        signature::operations::<ring::Signer>("ring"),
        record::operations::<sizeup_cryptography::ring::Sealer>("ring"),
        digest::operations::<ring::Digester>("ring"),
        digest::operations::<blake3::Digester>("blake3"),
        tls::operations(),
    ]
    .concat()
}

#[cfg(test)]
mod tests;
