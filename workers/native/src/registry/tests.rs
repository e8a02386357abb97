//! That every operation works in all of its range, not only with what tables ask of it today, and that its checks are
//! alive there.

use super::operations;
use sizeup_kit::proof::set_up;
use sizeup_kit::{Kind, Operation, Work};

/// Parameters for the operations of that name, as far as an implementation has them, and those that no table has.
const CASES: &[(&str, &[&str])] = &[
    ("ecdsa-p256-sign", &["{}"]),
    ("ecdsa-p256-verify", &["{}"]),
    ("rsa-sign", &[r#"{"bits":2048}"#, r#"{"bits":3072}"#]),
    ("rsa-verify", &[r#"{"bits":2048}"#, r#"{"bits":3072}"#]),
    ("ecdh-p256-derive", &["{}"]),
    ("x25519-derive", &["{}"]),
    ("aead-seal", SEALED),
    ("aead-record", SEALED),
    (
        "hash",
        &[
            r#"{"algorithm":"sha-256","message_bytes":1}"#,
            r#"{"algorithm":"sha-256","message_bytes":5000}"#,
            r#"{"algorithm":"sha-256","message_bytes":16384}"#,
            r#"{"algorithm":"sha-512","message_bytes":5000}"#,
            r#"{"algorithm":"sha-512","message_bytes":1048576}"#,
            r#"{"algorithm":"sha3-256","message_bytes":5000}"#,
            r#"{"algorithm":"sha3-256","message_bytes":16384}"#,
            r#"{"algorithm":"blake2b-256","message_bytes":5000}"#,
            r#"{"algorithm":"blake2b-256","message_bytes":16384}"#,
            r#"{"algorithm":"blake3","message_bytes":1}"#,
            r#"{"algorithm":"blake3","message_bytes":5000}"#,
            r#"{"algorithm":"blake3","message_bytes":16384}"#,
        ],
    ),
    ("gzip", LEVELS),
    ("gzip-flush", &[r#"{"level":2,"flush_bytes":100}"#, r#"{"level":9,"flush_bytes":1000000}"#]),
    ("gzip-reused", LEVELS),
    ("gunzip-own", LEVELS),
    ("gunzip-reused", &["{}"]),
    ("crc32", &[r#"{"message_bytes":5000}"#, r#"{"message_bytes":65536}"#]),
    ("brotli", QUALITIES),
    ("brotli-flush", &[r#"{"quality":4,"window_bits":16,"flush_bytes":100}"#]),
    ("unbrotli-own", QUALITIES),
    ("zstd", LEVELS),
    ("unzstd-own", LEVELS),
    ("unzstd", &["{}"]),
    ("lz4", &["{}"]),
    ("unlz4-own", &["{}"]),
    ("binary-trees", &[r#"{"size":6}"#, r#"{"size":7}"#]),
    ("fasta", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":1000}"#]),
    ("fibonacci", &[r#"{"size":0}"#, r#"{"size":20}"#]),
    ("mandelbrot", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":100}"#]),
    ("n-body", &[r#"{"size":0}"#, r#"{"size":20}"#, r#"{"size":2000}"#]),
    ("spectral-norm", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":100}"#]),
    ("empty", &["{}"]),
    ("memory-latency", BYTES),
    ("memory-bandwidth", BYTES),
    ("branches", BYTES),
    ("vectors", BYTES),
    ("issue-width", &[r#"{"additions":32}"#, r#"{"additions":96}"#]),
];
const SEALED: &[&str] = &[
    r#"{"cipher":"aes-128-gcm","message_bytes":1}"#,
    r#"{"cipher":"aes-128-gcm","message_bytes":3000}"#,
    r#"{"cipher":"aes-128-gcm","message_bytes":16384}"#,
    r#"{"cipher":"aes-256-gcm","message_bytes":3000}"#,
    r#"{"cipher":"aes-256-gcm","message_bytes":16384}"#,
    r#"{"cipher":"chacha20-poly1305","message_bytes":3000}"#,
    r#"{"cipher":"chacha20-poly1305","message_bytes":16384}"#,
];
const LEVELS: &[&str] = &[r#"{"level":1}"#, r#"{"level":5}"#, r#"{"level":12}"#, r#"{"level":22}"#];
const QUALITIES: &[&str] = &[
    r#"{"quality":0,"window_bits":10}"#,
    r#"{"quality":7,"window_bits":17}"#,
    r#"{"quality":11,"window_bits":24}"#,
];
const BYTES: &[&str] = &[r#"{"bytes":4096}"#, r#"{"bytes":12352}"#];

fn named(name: &str) -> Operation {
    operations().into_iter().find(|operation| operation.name() == name).expect("it is there")
}

fn data() -> Vec<u8> {
    b"What is said three times is true. ".repeat(300)
}

/// What an operation that compresses makes of the data.
fn stream(name: &str) -> Vec<u8> {
    let work = set_up(&named(name), r#"{"level":3}"#, &[("data", &data())]);
    work.expect("it can be set up").output().expect("the library fails in nothing")
}

/// An operation in those of the cases that it takes.
fn works(operation: &Operation) -> Vec<(&'static str, Box<dyn Work>)> {
    let name = operation.name().split('/').next().expect("a first part");
    let stream = stream(if name == "unzstd" { "zstd/zstd" } else { "gzip/zlib" });
    let mut works = Vec::new();
    for case in CASES.iter().filter(|(of, _)| *of == name).flat_map(|(_, cases)| *cases) {
        match set_up(operation, case, &[("data", &data()), ("stream", &stream)]) {
            Ok(work) => works.push((*case, work)),
            Err(error) => assert_eq!(error.kind, Kind::BadRequest, "{name} {case}: {error}"),
        }
    }
    works
}

#[test]
fn a_planted_mistake_is_found_with_and_without_a_known_answer() {
    for operation in operations() {
        let name = operation.name();
        let works = works(&operation);
        assert!(!works.is_empty(), "{name} takes none of the cases");
        for (case, mut work) in works {
            for _ in 0..2 {
                let mut output = work.output().expect("the library fails in nothing");
                assert_eq!(work.check(&output), Ok(()), "{name} {case}");
                let middle = output.len() / 2;
                output[middle] ^= 1;
                assert!(work.check(&output).is_err(), "{name} {case}");
                work.batch(2).expect("the library fails in nothing");
            }
        }
    }
}

#[test]
fn what_is_said_to_be_verified_is_another_thing_without_a_known_answer() {
    for (name, known, other) in [
        (
            "hash/ring",
            r#"{"algorithm":"sha-256","message_bytes":16384}"#,
            r#"{"algorithm":"sha-256","message_bytes":16383}"#,
        ),
        (
            "aead-seal/openssl",
            r#"{"cipher":"aes-128-gcm","message_bytes":16384}"#,
            r#"{"cipher":"aes-128-gcm","message_bytes":16383}"#,
        ),
        ("crc32/libdeflate", r#"{"message_bytes":65536}"#, r#"{"message_bytes":65535}"#),
        ("n-body/luajit", r#"{"size":2000}"#, r#"{"size":1999}"#),
    ] {
        let verified = |case| set_up(&named(name), case, &[]).expect("it can be set up").verified();
        assert_ne!(verified(known), verified(other), "{name}");
    }
}

#[test]
fn what_no_range_says_is_refused_by_the_operation() {
    for (name, case) in [
        ("memory-bandwidth/reference", r#"{"bytes":5000}"#),
        ("issue-width/reference", r#"{"additions":33}"#),
    ] {
        let error = set_up(&named(name), case, &[]).err().expect("it is refused");
        assert_eq!(error.kind, Kind::BadRequest);
        assert!(error.message.contains("not a multiple of"), "{error}");
    }
}
