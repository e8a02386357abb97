//! `inputs.toml`: what each input must come to.

use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::Error;

/// The manifest's text, as it was when the program was built.
pub const BUILT_IN: &str = include_str!("../inputs.toml");

/// All inputs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// One entry an input.
    #[serde(rename = "input")]
    pub inputs: Vec<Entry>,
}

/// One input.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name that workloads call it by.
    pub name: String,
    /// The file's name, without a folder.
    pub file: String,
    /// The file's size in bytes.
    pub bytes: u64,
    /// The file's SHA-256 as 64 lower-case hex digits.
    pub sha256: String,
    /// The version of the generator that makes these bytes.
    pub version: u32,
    /// A description in a phrase.
    pub about: String,
    /// Where it comes from.
    pub source: String,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// [`Error::Manifest`] with the line that is wrong.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(toml::from_str(text)?)
    }

    /// The manifest that the program was built with.
    ///
    /// # Errors
    /// [`Error::Manifest`] with the line that is wrong.
    pub fn built_in() -> Result<Self, Error> {
        Self::parse(BUILT_IN)
    }
}

impl Entry {
    /// Whether `content` is this input.
    pub fn is_met_by(&self, content: &[u8]) -> bool {
        content.len() as u64 == self.bytes && sha256(content) == self.sha256
    }
}

/// The SHA-256 of `content` as 64 lower-case hex digits.
pub fn sha256(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::GENERATORS;

    #[test]
    fn the_manifest_and_the_generators_name_the_same_inputs() {
        let manifest = Manifest::built_in().unwrap();
        let listed: Vec<&str> = manifest.inputs.iter().map(|entry| entry.name.as_str()).collect();
        let made: Vec<&str> = GENERATORS.iter().map(|generator| generator.name).collect();
        assert_eq!(listed, made);
    }

    #[test]
    fn an_unknown_field_is_refused_by_name() {
        let error = Manifest::parse("[[input]]\nname = \"a\"\ncolour = 1\n").unwrap_err();
        assert!(error.to_string().contains("colour"), "{error}");
    }

    #[test]
    fn the_digest_is_the_published_one() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), abc);
    }
}
