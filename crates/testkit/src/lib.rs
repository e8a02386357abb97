//! Shared by the fuzz targets of all crates. A target is a test that hands its name and a function of bytes to [`check`]; the
//! bytes are [`Choices`] of how a sample is changed. `cargo test` runs a target's corpus and a fixed number of seeded inputs,
//! `make fuzz` the same function for as long as one likes, guided by coverage.

#![allow(clippy::disallowed_methods, reason = "reads the corpus")]
#![allow(clippy::disallowed_macros, reason = "tests say on stderr which input failed")]

mod choices;
mod folder;
mod harmless;
mod hostile;
mod json;
mod run_file;
pub mod shapes;
mod target;
mod text;
#[cfg(test)]
mod tidy;

pub use choices::Choices;
pub use folder::folder;
pub use harmless::{MOST_OUTPUT_BYTES, assert_figures, assert_harmless};
pub use hostile::{NUMBERS, TEXTS};
pub use json::edit;
pub use run_file::{RUNS, changed_run};
pub use target::check;
pub use text::changed_text;
