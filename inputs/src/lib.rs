//! Makes the input files that workloads work on: the same bytes on every machine.
//!
//! Each input has a generator in a file of its own; [`generators::GENERATORS`] lists them, and
//! `inputs.toml` says what each must come to (bytes and SHA-256). [`write_all`] makes what is missing in
//! a folder and refuses whatever differs.

mod access_log;
pub mod cli;
mod compressed;
mod digits;
mod error;
mod escape;
pub mod generators;
pub mod manifest;
mod orders;
mod output;
mod page;
mod photo;
mod regex_text;
mod rng;
mod text;

pub use error::Error;
pub use output::{Outcome, write_all};
