//! Writes the language models of the worker `ml` into files, for other programs to run.

#![allow(dead_code, reason = "the worker and its tests use more of these files")]

#[path = "../../../workers/ml/src/decoder.rs"]
mod decoder;
#[path = "../../../workers/ml/src/gguf.rs"]
mod gguf;

use decoder::{Decoder, QWEN_0_5B, SMOLLM_135M};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).expect("usage: llm-model FOLDER").into();
    for (name, shape) in [("135m", SMOLLM_135M), ("0.5b", QWEN_0_5B)] {
        let mut file = BufWriter::new(File::create(folder.join(format!("{name}.gguf")))?);
        Decoder::drawn(shape).write(&mut file)?;
        file.flush()?;
    }
    Ok(())
}
