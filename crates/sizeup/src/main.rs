//! The `sizeup` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup::cli::main()
}
