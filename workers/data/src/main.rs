//! The worker for data as services hold and pass it on: JSON, regular expressions, sorting, hash tables, SQL, pictures.

mod draw;
mod duckdb;
mod images;
mod join;
mod json;
mod orders;
mod protobuf;
mod queries;
mod regexes;
mod sort;
mod sqlite;
mod table;
mod transactions;

use sizeup_kit::{Libraries, Operation, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "data",
        operations: operations(),
        libraries,
        paths: images::paths,
        self_test: || Ok(()),
    })
}

fn operations() -> Vec<Operation> {
    [
        json::operations(),
        protobuf::operations(),
        regexes::operations(),
        sort::operations(),
        table::operations(),
        transactions::operations(),
        join::operations(),
        queries::operations(),
        images::operations(),
    ]
    .concat()
}

const ZUNE_JPEG: &str = env!("SIZEUP_ZUNE_JPEG");
const FAST_IMAGE_RESIZE: &str = env!("SIZEUP_FAST_IMAGE_RESIZE");
const JPEG_ENCODER: &str = env!("SIZEUP_JPEG_ENCODER");

fn libraries() -> Libraries {
    Libraries::from([
        (json::SERDE_JSON.to_owned(), env!("SIZEUP_SERDE_JSON").to_owned()),
        (json::SIMD_JSON.to_owned(), env!("SIZEUP_SIMD_JSON").to_owned()),
        (protobuf::PROST.to_owned(), env!("SIZEUP_PROST").to_owned()),
        (regexes::RUST_REGEX.to_owned(), env!("SIZEUP_REGEX").to_owned()),
        (sqlite::SQLITE.to_owned(), sqlite::version()),
        (images::ZUNE_JPEG.to_owned(), ZUNE_JPEG.to_owned()),
        (images::FAST_IMAGE_RESIZE.to_owned(), FAST_IMAGE_RESIZE.to_owned()),
        (images::JPEG_ENCODER.to_owned(), JPEG_ENCODER.to_owned()),
        (
            images::RUST_LIBS.to_owned(),
            format!(
                "zune-jpeg {ZUNE_JPEG}, fast_image_resize {FAST_IMAGE_RESIZE}, jpeg-encoder {JPEG_ENCODER}"
            ),
        ),
        ("std".to_owned(), env!("SIZEUP_RUSTC").to_owned()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::Kind;
    use sizeup_kit::proof::{assert_refuses_changes, set_up};

    /// Parameters by which an operation is set up in no time.
    fn parameters(operation: &str) -> &'static str {
        match operation.split('/').next() {
            Some("regex-find") => regexes::tests::PARAMETERS,
            Some("query") => queries::tests::PARAMETERS,
            Some("sqlite-oltp") => r#"{"accounts":1234}"#,
            Some("sqlite-join") => r#"{"orders":1234}"#,
            Some("image-scale") => images::tests::SIZE,
            Some("jpeg-encode") => images::tests::QUALITY,
            Some("thumbnail-jpeg") => images::tests::ALL,
            Some("sort-u64" | "sort-strings" | "hash-insert") => r#"{"items":1234}"#,
            _ => "{}",
        }
    }

    fn inputs(operation: &str) -> Vec<(&'static str, &'static [u8])> {
        match operation.split('/').next() {
            Some("regex-find") => regexes::tests::INPUTS.to_vec(),
            Some("json-parse" | "json-decode" | "json-encode") => vec![("data", orders::TEST_TEXT)],
            Some("protobuf-decode" | "protobuf-encode") => vec![("document", orders::TEST_TEXT)],
            Some("jpeg-decode" | "image-scale" | "jpeg-encode" | "thumbnail-jpeg") => {
                images::tests::inputs()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn every_check_takes_what_an_op_makes_and_refuses_any_flipped_bit() {
        for operation in operations() {
            let name = operation.name().to_owned();
            let mut work = match set_up(&operation, parameters(&name), &inputs(&name)) {
                Ok(work) => work,
                Err(e) if e.kind == Kind::Unavailable => {
                    println!("not tested: {name}: {e}");
                    continue;
                }
                Err(e) => panic!("{name}: {e}"),
            };
            assert_refuses_changes(&mut *work, &name);
        }
    }
}
