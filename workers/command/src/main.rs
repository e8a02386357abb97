//! The worker for plain commands, one execution an op: `[workload.command]` in a table.

mod execution;

use sizeup_kit::{Libraries, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "command",
        operations: vec![execution::operation()],
        libraries: || {
            Libraries::from([("command".to_owned(), env!("CARGO_PKG_VERSION").to_owned())])
        },
        paths: Paths::new,
        self_test: || Ok(()),
    })
}
