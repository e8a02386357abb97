//! Every operation works over its whole range, beyond what tables currently use, and its checks detect mistakes
//! there.

use super::operations;
use sizeup_kit::Kind;
use sizeup_kit::proof::{assert_notices_mistakes, named, set_up};

/// Parameters for the operations of that name, where the implementation supports them, including some that no table
/// has.
const CASES: &[(&str, &[&str])] = &[
    ("aead-record", SEALED),
    ("tls13-handshake", HANDSHAKES),
    ("zstd", LEVELS),
    ("unzstd-own", LEVELS),
    ("unzstd", &["{}"]),
    ("empty", &["{}"]),
    ("memory-latency", BYTES),
    ("memory-bandwidth", BYTES),
    ("memory-fill", &[r#"{"bytes":1048576}"#, r#"{"bytes":3145728}"#]),
    ("branches", BYTES),
    ("vectors", BYTES),
    ("issue-width", &[r#"{"additions":32}"#, r#"{"additions":96}"#]),
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
const BYTES: &[&str] = &[r#"{"bytes":4096}"#, r#"{"bytes":12352}"#];

#[test]
fn an_injected_mistake_is_found_with_and_without_a_known_answer() {
    let data = b"What is said three times is true. ".repeat(300);
    let zstd = named(operations(), "zstd/zstd");
    let zstd = set_up(&zstd, r#"{"level":3}"#, &[("data", &data)]).expect("the setup succeeds");
    let stream = { zstd }.output().expect("the library does not fail");
    let inputs = [("data", &data[..]), ("stream", &stream), ("identity", IDENTITY)];
    assert_notices_mistakes(&operations(), CASES, &inputs);
}

#[test]
fn the_operation_refuses_what_its_range_cannot_express() {
    for (name, case) in [
        ("memory-bandwidth/control", r#"{"bytes":5000}"#),
        ("memory-fill/control", r#"{"bytes":65600}"#),
        ("issue-width/control", r#"{"additions":33}"#),
    ] {
        let error = set_up(&named(operations(), name), case, &[]).err().expect("it is refused");
        assert_eq!(error.kind, Kind::BadRequest);
        assert!(error.message.contains("not a multiple of"), "{error}");
    }
}
