//! Every workload of this worker, a line each. The definitions are in `workloads/*.toml`.

mod compression;
mod crypto;

use crate::{aead, ecdh, issue_width, lua, reference};
use sizeup_kit::Entry;

/// All workloads, in the order of the suites.
pub fn entries() -> Vec<Entry> {
    [openssl(), luajit(), compression::entries(), crypto::entries(), reference()].concat()
}

fn openssl() -> Vec<Entry> {
    const AGREED: &str = "both sides have the secret that the RFC prints";
    const SEALED: &str = "the tag is the known answer and the message opens again";
    let entry = |id, verified, setup| Entry { id, libraries: &["openssl"], verified, setup };
    vec![
        entry("ecdh-p256-derive/openssl", AGREED, ecdh::p256),
        entry("x25519-derive/openssl", AGREED, ecdh::x25519),
        entry("aes-128-gcm-seal-16KiB/openssl", SEALED, aead::aes_128_gcm),
        entry("aes-256-gcm-seal-16KiB/openssl", SEALED, aead::aes_256_gcm),
        entry("chacha20-poly1305-seal-16KiB/openssl", SEALED, aead::chacha20_poly1305),
    ]
}

fn luajit() -> Vec<Entry> {
    let entry = |id, setup| Entry {
        id,
        libraries: &["luajit"],
        verified: "the program's output is the known one",
        setup,
    };
    vec![
        entry("binary-trees-6/luajit", lua::binary_trees),
        entry("fasta-1000/luajit", lua::fasta),
        entry("fibonacci-30/luajit", lua::fibonacci),
        entry("mandelbrot-100/luajit", lua::mandelbrot),
        entry("n-body-2000/luajit", lua::n_body),
        entry("spectral-norm-100/luajit", lua::spectral_norm),
    ]
}

fn reference() -> Vec<Entry> {
    let entry = |id, setup| Entry {
        id,
        libraries: &["reference"],
        verified: "the result is the one that arithmetic tells",
        setup,
    };
    vec![
        entry("empty/reference", reference::empty),
        entry("memory-latency/reference", reference::memory_latency),
        entry("memory-bandwidth/reference", reference::memory_bandwidth),
        entry("branches/reference", reference::branches),
        entry("vectors/reference", reference::vectors),
        entry("issue-width/reference", issue_width::issue_width),
    ]
}
