//! Errors; each message names the problem, its place and a remedy.

use std::path::PathBuf;

/// Why an input is not there.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The manifest is not TOML of the right shape.
    #[error("inputs.toml cannot be read: {0}. Correct the file and build again")]
    Manifest(#[from] toml::de::Error),

    /// The manifest names an input that no generator makes.
    #[error(
        "{name}: inputs.toml names it, but no generator makes it. \
         Add one to src/generators.rs or take the entry out"
    )]
    NoGenerator {
        /// The input's name.
        name: String,
    },

    /// The manifest was written for another version of the generator.
    #[error(
        "{name}: the generator is version {generator}, inputs.toml describes version {manifest}. \
         Put the new version, size and digest into inputs.toml"
    )]
    Version {
        /// The input's name.
        name: String,
        /// The generator's version.
        generator: u32,
        /// The version in the manifest.
        manifest: u32,
    },

    /// The input came out otherwise than the manifest says.
    #[error(
        "{name}: made {made}, but inputs.toml asks for {asked}. \
         Nothing was written to {}. {remedy}", path.display()
    )]
    Differs {
        /// The input's name.
        name: String,
        /// The file that was not written.
        path: PathBuf,
        /// Size in bytes and SHA-256 as made.
        made: String,
        /// Size in bytes and SHA-256 as the manifest has them.
        asked: String,
        /// The remedy.
        remedy: &'static str,
    },

    /// Newton's Opticks could not be found or read.
    #[error(
        "text: Newton's Opticks is not to be had: {what}. \
         Name the file with --opticks FILE; it is src/testdata/Isaac.Newton-Opticks.txt in any Go \
         distribution (https://go.dev/dl/), or install Go so that `go env GOROOT` answers"
    )]
    Opticks {
        /// The attempts and how they failed.
        what: String,
    },

    /// A compressor reported a failure.
    #[error("{compressor} could not compress an input: {cause}. There may be too little memory")]
    Compressor {
        /// The library.
        compressor: &'static str,
        /// The compressor's error.
        cause: std::io::Error,
    },

    /// The output file or its folder could not be written.
    #[error("{}: cannot be written: {cause}. Check the folder's rights and free space", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
}
