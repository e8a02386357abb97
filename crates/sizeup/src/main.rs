//! The `sizeup` program.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod briefing;
mod cli;
mod tables;

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A run file is millions of small things: reading folders of them takes a fifth less time than with the C library's
/// allocator (`bench/many`).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
