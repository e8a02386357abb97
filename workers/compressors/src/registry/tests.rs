//! Every operation works over its whole range, beyond what tables currently use, and its checks detect mistakes
//! there.

use super::operations;
use sizeup_kit::proof::{assert_notices_mistakes, named, set_up};

/// Parameters for the operations of that name, where the implementation supports them, including some that no table
/// has.
const CASES: &[(&str, &[&str])] = &[
    ("gzip", LEVELS),
    ("gzip-flush", &[r#"{"level":2,"flush_bytes":100}"#, r#"{"level":9,"flush_bytes":1000000}"#]),
    ("gzip-reused", LEVELS),
    ("gunzip-own", LEVELS),
    ("gunzip-reused", &["{}"]),
    ("crc32", &[r#"{"message_bytes":5000}"#, r#"{"message_bytes":65536}"#]),
    ("brotli", QUALITIES),
    ("brotli-flush", &[r#"{"quality":4,"window_bits":16,"flush_bytes":100}"#]),
    ("unbrotli-own", QUALITIES),
    ("lz4", &["{}"]),
    ("unlz4-own", &["{}"]),
];
const LEVELS: &[&str] = &[r#"{"level":1}"#, r#"{"level":5}"#, r#"{"level":12}"#, r#"{"level":22}"#];
const QUALITIES: &[&str] = &[
    r#"{"quality":0,"window_bits":10}"#,
    r#"{"quality":7,"window_bits":17}"#,
    r#"{"quality":11,"window_bits":24}"#,
];

#[test]
fn an_injected_mistake_is_found_with_and_without_a_known_answer() {
    let data = b"What is said three times is true. ".repeat(300);
    let gzip = named(operations(), "gzip/zlib");
    let gzip = set_up(&gzip, r#"{"level":3}"#, &[("data", &data)]).expect("the setup succeeds");
    let stream = { gzip }.output().expect("the library does not fail");
    assert_notices_mistakes(&operations(), CASES, &[("data", &data), ("stream", &stream)]);
}

#[test]
fn without_a_known_answer_the_phrase_for_what_is_verified_differs() {
    let operation = named(operations(), "crc32/libdeflate");
    let verified = |size: u32| {
        let case = format!(r#"{{"message_bytes":{size}}}"#);
        set_up(&operation, &case, &[]).expect("the setup succeeds").verified()
    };
    assert_ne!(verified(65_536), verified(65_535));
}
