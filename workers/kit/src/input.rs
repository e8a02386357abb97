//! Input files, read only if they match the request.

use crate::error::{Kind, WorkerError};
use crate::fingerprint::sha256;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A request's description of an input file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InputFile {
    path: PathBuf,
    bytes: u64,
    sha256: String,
}

/// The inputs of a launch by name, checked.
#[derive(Debug)]
pub(crate) struct Inputs(BTreeMap<String, Vec<u8>>);

impl Inputs {
    /// Reads and checks all files.
    pub fn load(files: &BTreeMap<String, InputFile>) -> Result<Self, WorkerError> {
        files
            .iter()
            .map(|(name, file)| Ok((name.clone(), load(name, file)?)))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Inputs that are in memory.
    pub fn of(inputs: &[(&str, &[u8])]) -> Self {
        Self(inputs.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect())
    }

    /// The bytes of an input.
    pub fn get(&self, name: &str) -> Result<&[u8], WorkerError> {
        self.0.get(name).map(Vec::as_slice).ok_or_else(|| {
            WorkerError::new(Kind::Input, format!("the request has no input {name:?}"))
        })
    }
}

fn load(name: &str, file: &InputFile) -> Result<Vec<u8>, WorkerError> {
    let error = |what: String| {
        WorkerError::new(Kind::Input, format!("input {name:?}, {}: {what}", file.path.display()))
            .hint("recreate the inputs with `make inputs`")
    };
    // Checked before it is read: anything but a regular file may be endless.
    let found = std::fs::metadata(&file.path).map_err(|e| error(e.to_string()))?;
    if !found.is_file() {
        return Err(error("is not a regular file".to_owned()));
    }
    if found.len() != file.bytes {
        return Err(error(format!("has {} bytes, not {}", found.len(), file.bytes)));
    }
    let bytes = std::fs::read(&file.path).map_err(|e| error(e.to_string()))?;
    let digest = sha256(&bytes);
    if digest != file.sha256 {
        return Err(error(format!("its SHA-256 is {digest}, not {}", file.sha256)));
    }
    Ok(bytes)
}
