//! Writes the models of the worker `ml` and the tokens of a seed into files, for other programs to run.

#![allow(dead_code, reason = "the worker and its tests use more of these files")]

#[path = "../../../workers/ml/src/encoder.rs"]
mod encoder;
#[path = "../../../workers/ml/src/onnx.rs"]
mod onnx;

use std::fs::write;
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).expect("usage: embed-model FOLDER").into();
    let encoder = encoder::Encoder::drawn();
    let tokens = encoder::tokens(42);
    let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    write(folder.join("embed-int8.onnx"), encoder.model(true))?;
    write(folder.join("embed-f32.onnx"), encoder.model(false))?;
    write::<_, Vec<u8>>(folder.join("tokens.f32"), bytes(&tokens))?;
    write::<_, Vec<u8>>(folder.join("expected.f32"), bytes(&encoder.encode(&tokens)))
}
