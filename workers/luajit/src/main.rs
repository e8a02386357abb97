//! The worker for LuaJIT.

mod lua;
mod lua_state;

use sizeup_kit::{Libraries, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "luajit",
        operations: lua::operations(),
        libraries: || Libraries::from([("luajit".to_owned(), lua::version())]),
        paths: || Paths::from([("luajit".to_owned(), lua::path())]),
        self_test: lua::self_test,
    })
}
