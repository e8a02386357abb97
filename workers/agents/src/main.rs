//! The worker for what agents do: tools started one by one on a repository in memory, and compilers.

mod archive;
mod clone;
mod compile;
mod execution;
mod folder;
mod four;
mod project;
mod rows;
mod script;
mod shared;
mod tools;
mod turn;

use sizeup_kit::{Libraries, Operation, Paths, Worker};
use std::path::Path;
use std::process::ExitCode;
use tools::{CLANG, COMPILER, GIT, GO, NODE, PYTHON, RIPGREP, SED, SQLITE, TAR, ZSTD};

/// The implementation of rows of several tools.
const TOOLS: &str = "tools";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    if let [_, keep, path] = &arguments[..]
        && keep == folder::KEEP
    {
        return folder::keep(Path::new(path));
    }
    let status = sizeup_kit::run(&Worker {
        name: "agents",
        operations: operations(),
        libraries: || {
            // Until a row is set up nothing is started.
            Libraries::from([(TOOLS.to_owned(), env!("CARGO_PKG_VERSION").to_owned())])
        },
        paths: Paths::new,
        self_test: || Ok(()),
    });
    folder::close();
    status
}

fn operations() -> Vec<Operation> {
    let turn = [GIT.name, SED.name, PYTHON.name, COMPILER.name];
    vec![
        Operation::new("git-status", GIT.name, rows::git_status).starts([GIT.name]),
        Operation::new("git-log", GIT.name, rows::git_log).starts([GIT.name]),
        Operation::new("git-grep", GIT.name, rows::git_grep).starts([GIT.name]),
        Operation::new("rg-search", RIPGREP.name, rows::rg_search).starts([RIPGREP.name]),
        Operation::new("tar-zstd", TAR.name, rows::tar_zstd).starts([TAR.name, ZSTD.name]),
        Operation::new("python-start", PYTHON.name, rows::python_start).starts([PYTHON.name]),
        Operation::new("sqlite-query", SQLITE.name, rows::sqlite_query).starts([SQLITE.name]),
        Operation::new("node-start", NODE.name, rows::node_start).starts([NODE.name]),
        Operation::new("compile-c", CLANG.name, compile::c)
            .reads([compile::SOURCE])
            .starts([CLANG.name]),
        Operation::new("compile-go", GO.name, compile::go)
            .reads([compile::SOURCE])
            .starts([GO.name]),
        Operation::new("agent-turn", TOOLS, turn::setup).starts(turn),
        Operation::new("agent-turn-x4", TOOLS, turn::setup_four).starts(turn),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::Kind;
    use sizeup_kit::proof::{assert_refuses_changes, set_up};

    #[test]
    fn every_check_takes_what_an_op_makes_and_refuses_any_flipped_bit() {
        for operation in operations() {
            let name = operation.name().to_owned();
            let (c, go) = (
                include_bytes!("../../../inputs/compile/entropy_common.i"),
                include_bytes!("../../../inputs/compile/syntax.go"),
            );
            let inputs: &[(&str, &[u8])] = match name.split('/').next() {
                Some("compile-c") => &[(compile::SOURCE, c)],
                Some("compile-go") => &[(compile::SOURCE, go)],
                _ => &[],
            };
            let mut work = match set_up(&operation, "{}", inputs) {
                Ok(work) => work,
                Err(e) if e.kind == Kind::Unavailable => {
                    println!("not tested: {name}: {e}");
                    continue;
                }
                Err(e) => panic!("{name}: {e}"),
            };
            assert_refuses_changes(&mut *work, &name);
        }
    }
}
