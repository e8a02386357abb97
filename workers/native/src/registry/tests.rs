//! Every operation works over its whole range, beyond what tables currently use, and its checks detect mistakes
//! there.

use super::operations;
use sizeup_kit::proof::set_up;
use sizeup_kit::{Kind, Operation, Work};

/// Parameters for the operations of that name, where the implementation supports them, including some that no table
/// has.
const CASES: &[(&str, &[&str])] = &[
    ("ecdsa-p256-sign", &["{}"]),
    ("ecdsa-p256-verify", &["{}"]),
    ("rsa-sign", BITS),
    ("rsa-verify", BITS),
    ("sign", ALGORITHMS),
    ("verify", ALGORITHMS),
    ("mlkem768-keygen", &["{}"]),
    ("mlkem768-encaps", &["{}"]),
    ("mlkem768-decaps", &["{}"]),
    ("tls13-handshake", HANDSHAKES),
    ("ecdh-p256-derive", &["{}"]),
    ("ecdh-p384-derive", &["{}"]),
    ("x25519-derive", &["{}"]),
    ("aead-seal", SEALED),
    ("aead-record", SEALED),
    (
        "hash",
        &[
            r#"{"algorithm":"sha-1","message_bytes":5000}"#,
            r#"{"algorithm":"sha-1","message_bytes":16384}"#,
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
    ("memory-fill", &[r#"{"bytes":1048576}"#, r#"{"bytes":3145728}"#]),
    ("branches", BYTES),
    ("vectors", BYTES),
    ("issue-width", &[r#"{"additions":32}"#, r#"{"additions":96}"#]),
];
const BITS: &[&str] = &[r#"{"bits":2048}"#, r#"{"bits":3072}"#, r#"{"bits":4096}"#];
const ALGORITHMS: &[&str] = &[
    r#"{"algorithm":"ecdsa-p384"}"#,
    r#"{"algorithm":"ed25519"}"#,
    r#"{"algorithm":"ml-dsa-65"}"#,
    r#"{"algorithm":"slh-dsa-sha2-128f"}"#,
];
const HANDSHAKES: &[&str] = &[
    r#"{"group":"x25519","handshake":"full","counted":"both","sharing":"own"}"#,
    r#"{"group":"x25519mlkem768","handshake":"resumed","counted":"server","sharing":"shared"}"#,
];
const IDENTITY: &[u8] = include_bytes!("../../../../inputs/tls/p256.pem");
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
    operations()
        .into_iter()
        .find(|operation| operation.name() == name)
        .expect("the operation exists")
}

fn data() -> Vec<u8> {
    b"What is said three times is true. ".repeat(300)
}

/// The output of a compressing operation for the data.
fn stream(name: &str) -> Vec<u8> {
    let work = set_up(&named(name), r#"{"level":3}"#, &[("data", &data())]);
    work.expect("the setup succeeds").output().expect("the library does not fail")
}

/// The operation, set up with each case that it accepts.
fn works(operation: &Operation) -> Vec<(&'static str, Box<dyn Work>)> {
    let name = operation.name().split('/').next().expect("a first part");
    let stream = stream(if name == "unzstd" { "zstd/zstd" } else { "gzip/zlib" });
    let mut works = Vec::new();
    for case in CASES.iter().filter(|(named, _)| *named == name).flat_map(|(_, cases)| *cases) {
        let inputs = [("data", &data()[..]), ("stream", &stream), ("identity", IDENTITY)];
        match set_up(operation, case, &inputs) {
            Ok(work) => works.push((*case, work)),
            Err(error) => assert_eq!(error.kind, Kind::BadRequest, "{name} {case}: {error}"),
        }
    }
    works
}

#[test]
fn an_injected_mistake_is_found_with_and_without_a_known_answer() {
    for operation in operations() {
        let name = operation.name();
        let works = works(&operation);
        assert!(!works.is_empty(), "{name} accepts none of the cases");
        for (case, mut work) in works {
            for _ in 0..2 {
                let mut output = work.output().expect("the library does not fail");
                assert_eq!(work.check(&output), Ok(()), "{name} {case}");
                let middle = output.len() / 2;
                output[middle] ^= 1;
                assert!(work.check(&output).is_err(), "{name} {case}");
                work.batch(2).expect("the library does not fail");
            }
        }
    }
}

#[test]
fn without_a_known_answer_the_phrase_for_what_is_verified_differs() {
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
        let verified =
            |case| set_up(&named(name), case, &[]).expect("the setup succeeds").verified();
        assert_ne!(verified(known), verified(other), "{name}");
    }
}

#[test]
fn the_operation_refuses_what_its_range_cannot_express() {
    for (name, case) in [
        ("memory-bandwidth/control", r#"{"bytes":5000}"#),
        ("memory-fill/control", r#"{"bytes":65600}"#),
        ("issue-width/control", r#"{"additions":33}"#),
    ] {
        let error = set_up(&named(name), case, &[]).err().expect("it is refused");
        assert_eq!(error.kind, Kind::BadRequest);
        assert!(error.message.contains("not a multiple of"), "{error}");
    }
}
