//! `sizeup-inputs OUT_DIR`: writes and verifies the input files of all workloads.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use sizeup_inputs::cli::{self, Request};
use sizeup_inputs::manifest::Manifest;
use sizeup_inputs::{Error, Outcome, write_all};

/// The exit code for arguments that make no sense.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    match cli::parse(std::env::args_os().skip(1)) {
        Ok(Request::Write { folder, opticks }) => write(&folder, opticks.as_deref()),
        Ok(Request::Say(text)) => {
            say(&text);
            ExitCode::SUCCESS
        }
        Err(complaint) => {
            eprintln!("sizeup-inputs: {complaint}\n{}", cli::USAGE);
            ExitCode::from(USAGE_ERROR)
        }
    }
}

/// Brings all inputs into `folder` and reports on each; the ones that fail don't keep others back.
fn write(folder: &Path, opticks: Option<&Path>) -> ExitCode {
    let manifest = match Manifest::built_in() {
        Ok(manifest) => manifest,
        Err(error) => return fail(&error),
    };
    let mut end = ExitCode::SUCCESS;
    for (entry, outcome) in write_all(&manifest, folder, opticks) {
        let done = match outcome {
            Ok(Outcome::Written) => "written",
            Ok(Outcome::AlreadyRight) => "already right",
            Err(error) => {
                end = fail(&error);
                continue;
            }
        };
        let (name, bytes, path) = (&entry.name, entry.bytes, folder.join(&entry.file));
        say(&format!("{name:<18} {bytes:>7} bytes  {done:<13}  {}", path.display()));
    }
    end
}

/// Prints a line. Nobody listening any more is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn fail(error: &Error) -> ExitCode {
    eprintln!("sizeup-inputs: {error}");
    ExitCode::FAILURE
}
