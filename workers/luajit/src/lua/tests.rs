//! Every operation works over its whole range, beyond what tables currently use, and its checks detect mistakes
//! there.

use super::operations;
use sizeup_kit::proof::{assert_notices_mistakes, named, set_up};

/// Parameters for the operations of that name, where the implementation supports them, including some that no table
/// has.
const CASES: &[(&str, &[&str])] = &[
    ("binary-trees", &[r#"{"size":6}"#, r#"{"size":7}"#]),
    ("fasta", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":1000}"#]),
    ("fibonacci", &[r#"{"size":0}"#, r#"{"size":20}"#]),
    ("mandelbrot", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":100}"#]),
    ("n-body", &[r#"{"size":0}"#, r#"{"size":20}"#, r#"{"size":2000}"#]),
    ("spectral-norm", &[r#"{"size":1}"#, r#"{"size":20}"#, r#"{"size":100}"#]),
];

#[test]
fn an_injected_mistake_is_found_with_and_without_a_known_answer() {
    assert_notices_mistakes(&operations(), CASES, &[]);
}

#[test]
fn without_a_known_answer_the_phrase_for_what_is_verified_differs() {
    let operation = named(operations(), "n-body/luajit");
    let verified = |size: u32| {
        let case = format!(r#"{{"size":{size}}}"#);
        set_up(&operation, &case, &[]).expect("the setup succeeds").verified()
    };
    assert_ne!(verified(2000), verified(1999));
}
