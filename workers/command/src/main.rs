//! The worker whose op is one execution of a plain command: `[workload.command]` in a table.

mod ended;
mod execution;

use sizeup_kit::{Entry, Libraries, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "command",
        entries: vec![Entry {
            id: "execution/command",
            libraries: &["command"],
            verified: "the command exits with status 0 and writes what it should",
            setup: execution::setup,
        }],
        libraries: || {
            Libraries::from([("command".to_owned(), env!("CARGO_PKG_VERSION").to_owned())])
        },
        paths: Paths::new,
        self_test: || Ok(()),
    })
}
