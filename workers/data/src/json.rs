//! JSON: a document is parsed into a tree, decoded into types, or encoded. All that an op makes it frees again, by the
//! allocator of the C library.

use crate::orders::Page;
use serde::Serialize;
use serde_json::Value;
use sizeup_kit::{Kind, OpError, Operation, Setting, Work, WorkerError};
use std::fmt::Write;
use std::hint::black_box;
use std::marker::PhantomData;

pub const SERDE_JSON: &str = "serde_json";
pub const SIMD_JSON: &str = "simd-json";

pub fn operations() -> Vec<Operation> {
    let operations = vec![
        Operation::new("json-parse", SERDE_JSON, setup_read::<Tree<SerdeJson>>),
        Operation::new("json-parse", SIMD_JSON, setup_read::<Tree<SimdJson>>),
        Operation::new("json-decode", SERDE_JSON, setup_read::<Types<SerdeJson>>),
        Operation::new("json-decode", SIMD_JSON, setup_read::<Types<SimdJson>>),
        Operation::new("json-encode", SERDE_JSON, |setting| {
            setup_encode(setting, |page| serde_json::to_vec(page).map_err(OpError::new))
        }),
    ];
    operations.into_iter().map(|operation| operation.reads(["data"])).collect()
}

/// A library that reads JSON, by the calls that its documentation names first. `copy` is memory for those that write into the
/// document that they read.
trait Library: 'static {
    /// A document of any shape.
    type Tree: Serialize;

    fn parse(text: &[u8], copy: &mut Vec<u8>) -> Result<Self::Tree, OpError>;
    fn decode(text: &[u8], copy: &mut Vec<u8>) -> Result<Page, OpError>;
}

struct SerdeJson;

impl Library for SerdeJson {
    type Tree = Value;

    fn parse(text: &[u8], _: &mut Vec<u8>) -> Result<Value, OpError> {
        serde_json::from_slice(text).map_err(OpError::new)
    }

    fn decode(text: &[u8], _: &mut Vec<u8>) -> Result<Page, OpError> {
        serde_json::from_slice(text).map_err(OpError::new)
    }
}

struct SimdJson;

impl Library for SimdJson {
    type Tree = simd_json::OwnedValue;

    fn parse(text: &[u8], copy: &mut Vec<u8>) -> Result<Self::Tree, OpError> {
        copy.clear();
        copy.extend_from_slice(text);
        simd_json::to_owned_value(copy).map_err(OpError::new)
    }

    fn decode(text: &[u8], copy: &mut Vec<u8>) -> Result<Page, OpError> {
        copy.clear();
        copy.extend_from_slice(text);
        simd_json::from_slice(copy).map_err(OpError::new)
    }
}

/// The type that a document is read into.
trait Shape: 'static {
    type Made;
    const VERIFIED: &str;

    fn read(text: &[u8], copy: &mut Vec<u8>) -> Result<Self::Made, OpError>;
    /// The document again.
    fn text(made: &Self::Made) -> Result<Vec<u8>, OpError>;
}

struct Tree<L>(PhantomData<L>);

impl<L: Library> Shape for Tree<L> {
    type Made = L::Tree;
    const VERIFIED: &str = "the tree, written in canonical form, is the document";

    fn read(text: &[u8], copy: &mut Vec<u8>) -> Result<L::Tree, OpError> {
        L::parse(text, copy)
    }

    fn text(tree: &L::Tree) -> Result<Vec<u8>, OpError> {
        let mut text = String::new();
        write_canonical(&serde_json::to_value(tree).map_err(OpError::new)?, &mut text);
        Ok(text.into_bytes())
    }
}

struct Types<L>(PhantomData<L>);

impl<L: Library> Shape for Types<L> {
    type Made = Page;
    const VERIFIED: &str = "the types, encoded, are the document";

    fn read(text: &[u8], copy: &mut Vec<u8>) -> Result<Page, OpError> {
        L::decode(text, copy)
    }

    fn text(page: &Page) -> Result<Vec<u8>, OpError> {
        serde_json::to_vec(page).map_err(OpError::new)
    }
}

/// Writes a tree without spaces, names in their order, numbers as short as they can be. No library has a part in it.
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(is) => text.push_str(if *is { "true" } else { "false" }),
        Value::Number(number) => {
            // Writing to a text can't fail.
            let _ = match (number.as_u64(), number.as_f64()) {
                (Some(whole), _) => write!(text, "{whole}"),
                (None, number) => write!(text, "{}", number.unwrap_or(f64::NAN)),
            };
        }
        Value::String(value) => write_text(value, text),
        Value::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_canonical(value, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write_text(name, text);
                text.push(':');
                write_canonical(value, text);
            }
            text.push('}');
        }
    }
}

fn write_text(value: &str, text: &mut String) {
    text.push('"');
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            _ => text.push(letter),
        }
    }
    text.push('"');
}

fn setup_read<S: Shape>(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    let copy = Vec::with_capacity(text.len());
    Ok(Box::new(Reading::<S> { text, copy, shape: PhantomData }))
}

struct Reading<S> {
    text: Vec<u8>,
    copy: Vec<u8>,
    shape: PhantomData<S>,
}

impl<S: Shape> Work for Reading<S> {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(S::read(&self.text, &mut self.copy)?);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        S::text(&S::read(&self.text, &mut self.copy)?)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        is_document(output, &self.text)
    }

    fn verified(&self) -> &'static str {
        S::VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.text.len() as u64)
    }
}

type Encode = fn(&Page) -> Result<Vec<u8>, OpError>;

fn setup_encode(setting: &Setting, encode: Encode) -> Result<Box<dyn Work>, WorkerError> {
    let text = setting.input("data")?;
    let page = serde_json::from_slice(&text)
        .map_err(|e| WorkerError::new(Kind::Input, format!("input \"data\": {e}")))?;
    Ok(Box::new(Encoding { text, page, encode }))
}

struct Encoding {
    text: Vec<u8>,
    page: Page,
    encode: Encode,
}

impl Work for Encoding {
    fn op(&mut self) -> Result<(), OpError> {
        black_box((self.encode)(&self.page)?);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        (self.encode)(&self.page)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        is_document(output, &self.text)
    }

    fn verified(&self) -> &'static str {
        "what was encoded is the document"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.text.len() as u64)
    }
}

fn is_document(output: &[u8], text: &[u8]) -> Result<(), String> {
    if output == text {
        return Ok(());
    }
    let same = output.iter().zip(text).take_while(|(made, expected)| made == expected).count();
    Err(format!("{} bytes, not the document's {}: byte {same} differs", output.len(), text.len()))
}
