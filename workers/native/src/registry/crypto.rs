//! The workloads that several cryptographic libraries do.

use crate::crypto::{aws_lc, blake3, digest, openssl, record, ring, signature};
use sizeup_kit::Entry;

const SEALED: &str = "the record is the one that another implementation makes";
const HASHED: &str = "the digest is the one that another implementation makes";
const SIGNED: &str = "OpenSSL accepts the signature";
const VERIFIED: &str = "OpenSSL's signature is accepted, a bad one refused";
const AGREED: &str = "both sides have the secret that the RFC prints";

/// All of them, library by library.
pub fn entries() -> Vec<Entry> {
    [openssl(), aws_lc(), ring(), blake3()].concat()
}

fn openssl() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["openssl"], verified, setup };
    let sealed = |id, setup| entry(id, SEALED, setup);
    let hashed = |id, setup| entry(id, HASHED, setup);
    type S = openssl::Sealer;
    type D = openssl::Digester;
    type K = openssl::Signer;
    vec![
        entry("ecdsa-p256-sign/openssl", SIGNED, signature::ecdsa_p256_sign::<K>),
        entry("ecdsa-p256-verify/openssl", VERIFIED, signature::ecdsa_p256_verify::<K>),
        entry("rsa2048-sign/openssl", SIGNED, signature::rsa_sign::<K>),
        entry("rsa2048-verify/openssl", VERIFIED, signature::rsa_verify::<K>),
        entry("rsa3072-sign/openssl", SIGNED, signature::rsa_sign::<K>),
        entry("rsa3072-verify/openssl", VERIFIED, signature::rsa_verify::<K>),
        sealed("aes-128-gcm-record-1KiB/openssl", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-8KiB/openssl", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-16KiB/openssl", record::aes_128_gcm::<S>),
        sealed("aes-256-gcm-record-1KiB/openssl", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-8KiB/openssl", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-16KiB/openssl", record::aes_256_gcm::<S>),
        sealed("chacha20-poly1305-record-1KiB/openssl", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-8KiB/openssl", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-16KiB/openssl", record::chacha20_poly1305::<S>),
        hashed("sha-256-16KiB/openssl", digest::sha_256::<D>),
        hashed("sha-256-1MiB/openssl", digest::sha_256::<D>),
        hashed("sha-512-16KiB/openssl", digest::sha_512::<D>),
        hashed("sha-512-1MiB/openssl", digest::sha_512::<D>),
        hashed("sha3-256-16KiB/openssl", digest::sha3_256::<D>),
        hashed("sha3-256-1MiB/openssl", digest::sha3_256::<D>),
        hashed("blake2b-256-16KiB/openssl", digest::blake2b_256::<D>),
        hashed("blake2b-256-1MiB/openssl", digest::blake2b_256::<D>),
    ]
}

fn aws_lc() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["aws-lc"], verified, setup };
    let sealed = |id, setup| entry(id, SEALED, setup);
    let hashed = |id, setup| entry(id, HASHED, setup);
    type S = aws_lc::Sealer;
    type D = aws_lc::Digester;
    type K = aws_lc::Signer;
    vec![
        sealed("aes-128-gcm-record-1KiB/aws-lc", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-8KiB/aws-lc", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-16KiB/aws-lc", record::aes_128_gcm::<S>),
        sealed("aes-256-gcm-record-1KiB/aws-lc", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-8KiB/aws-lc", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-16KiB/aws-lc", record::aes_256_gcm::<S>),
        sealed("chacha20-poly1305-record-1KiB/aws-lc", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-8KiB/aws-lc", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-16KiB/aws-lc", record::chacha20_poly1305::<S>),
        entry("rsa2048-sign/aws-lc", SIGNED, signature::rsa_sign::<K>),
        entry("rsa2048-verify/aws-lc", VERIFIED, signature::rsa_verify::<K>),
        entry("rsa3072-sign/aws-lc", SIGNED, signature::rsa_sign::<K>),
        entry("rsa3072-verify/aws-lc", VERIFIED, signature::rsa_verify::<K>),
        entry("ecdsa-p256-sign/aws-lc", SIGNED, signature::ecdsa_p256_sign::<K>),
        entry("ecdsa-p256-verify/aws-lc", VERIFIED, signature::ecdsa_p256_verify::<K>),
        entry("x25519-derive/aws-lc", AGREED, aws_lc::x25519),
        entry("ecdh-p256-derive/aws-lc", AGREED, aws_lc::p256),
        hashed("sha-256-16KiB/aws-lc", digest::sha_256::<D>),
        hashed("sha-256-1MiB/aws-lc", digest::sha_256::<D>),
        hashed("sha-512-16KiB/aws-lc", digest::sha_512::<D>),
        hashed("sha-512-1MiB/aws-lc", digest::sha_512::<D>),
        hashed("sha3-256-16KiB/aws-lc", digest::sha3_256::<D>),
        hashed("sha3-256-1MiB/aws-lc", digest::sha3_256::<D>),
        hashed("blake2b-256-16KiB/aws-lc", digest::blake2b_256::<D>),
        hashed("blake2b-256-1MiB/aws-lc", digest::blake2b_256::<D>),
    ]
}

fn ring() -> Vec<Entry> {
    let entry = |id, verified, setup| Entry { id, libraries: &["ring"], verified, setup };
    let sealed = |id, setup| entry(id, SEALED, setup);
    let hashed = |id, setup| entry(id, HASHED, setup);
    type S = ring::Sealer;
    type D = ring::Digester;
    type K = ring::Signer;
    vec![
        sealed("aes-128-gcm-record-1KiB/ring", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-8KiB/ring", record::aes_128_gcm::<S>),
        sealed("aes-128-gcm-record-16KiB/ring", record::aes_128_gcm::<S>),
        sealed("aes-256-gcm-record-1KiB/ring", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-8KiB/ring", record::aes_256_gcm::<S>),
        sealed("aes-256-gcm-record-16KiB/ring", record::aes_256_gcm::<S>),
        sealed("chacha20-poly1305-record-1KiB/ring", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-8KiB/ring", record::chacha20_poly1305::<S>),
        sealed("chacha20-poly1305-record-16KiB/ring", record::chacha20_poly1305::<S>),
        entry("rsa2048-sign/ring", SIGNED, signature::rsa_sign::<K>),
        entry("rsa2048-verify/ring", VERIFIED, signature::rsa_verify::<K>),
        entry("rsa3072-sign/ring", SIGNED, signature::rsa_sign::<K>),
        entry("rsa3072-verify/ring", VERIFIED, signature::rsa_verify::<K>),
        entry("ecdsa-p256-sign/ring", SIGNED, signature::ecdsa_p256_sign::<K>),
        entry("ecdsa-p256-verify/ring", VERIFIED, signature::ecdsa_p256_verify::<K>),
        hashed("sha-256-16KiB/ring", digest::sha_256::<D>),
        hashed("sha-256-1MiB/ring", digest::sha_256::<D>),
        hashed("sha-512-16KiB/ring", digest::sha_512::<D>),
        hashed("sha-512-1MiB/ring", digest::sha_512::<D>),
    ]
}

fn blake3() -> Vec<Entry> {
    let entry = |id| Entry {
        id,
        libraries: &["blake3"],
        verified: HASHED,
        setup: digest::blake3::<blake3::Digester>,
    };
    vec![entry("blake3-16KiB/blake3"), entry("blake3-1MiB/blake3")]
}
