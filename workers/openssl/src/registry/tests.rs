//! Every operation works over its whole range, beyond what tables currently use, and its checks detect mistakes
//! there.

use super::operations;
use sizeup_kit::proof::{assert_notices_mistakes, named, set_up};

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

#[test]
fn an_injected_mistake_is_found_with_and_without_a_known_answer() {
    assert_notices_mistakes(&operations(), CASES, &[("identity", IDENTITY)]);
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
    ] {
        let operation = named(operations(), name);
        let verified = |case| set_up(&operation, case, &[]).expect("the setup succeeds").verified();
        assert_ne!(verified(known), verified(other), "{name}");
    }
}
