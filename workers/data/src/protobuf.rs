//! Protocol buffers: the types of the JSON rows are decoded from a message, or encoded into one.

use crate::orders::Page;
use prost::Message;
use sizeup_kit::{Kind, OpError, Operation, Setting, Work, WorkerError};
use std::hint::black_box;

pub const PROST: &str = "prost";

pub fn operations() -> Vec<Operation> {
    let operation = |name, setup| Operation::new(name, PROST, setup).reads(["document"]);
    vec![
        operation("protobuf-decode", |setting| Ok(Box::new(Decode(Orders::read(setting)?)))),
        operation("protobuf-encode", |setting| Ok(Box::new(Encode(Orders::read(setting)?)))),
    ]
}

struct Orders {
    /// JSON in canonical form.
    document: Vec<u8>,
    page: Page,
    message: Vec<u8>,
}

impl Orders {
    fn read(setting: &Setting) -> Result<Self, WorkerError> {
        let document = setting.input("document")?;
        let page: Page = serde_json::from_slice(&document)
            .map_err(|e| WorkerError::new(Kind::Input, format!("input \"document\": {e}")))?;
        let message = page.encode_to_vec();
        Ok(Self { document, page, message })
    }

    fn is_document(&self, json: &[u8]) -> Result<(), String> {
        if json == self.document {
            Ok(())
        } else {
            Err("the types, written as JSON, are not the document".to_owned())
        }
    }
}

struct Decode(Orders);

impl Work for Decode {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(Page::decode(&self.0.message[..]).map_err(OpError::new)?);
        Ok(())
    }

    /// The decoded message as JSON.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let page = Page::decode(&self.0.message[..]).map_err(OpError::new)?;
        serde_json::to_vec(&page).map_err(OpError::new)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        self.0.is_document(output)
    }

    fn verified(&self) -> &'static str {
        "the types, written as JSON, are the document"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.0.message.len() as u64)
    }
}

struct Encode(Orders);

impl Work for Encode {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(self.0.page.encode_to_vec());
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(self.0.page.encode_to_vec())
    }

    /// A message can be written in several ways, so it must be the one that its types are written as.
    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let page = Page::decode(output).map_err(|e| e.to_string())?;
        self.0.is_document(&serde_json::to_vec(&page).map_err(|e| e.to_string())?)?;
        if page.encode_to_vec() == output {
            Ok(())
        } else {
            Err("the message, decoded and encoded, is another".to_owned())
        }
    }

    fn verified(&self) -> &'static str {
        "the message decodes to the document, and encodes to itself"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.0.message.len() as u64)
    }
}
