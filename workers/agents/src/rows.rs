//! Rows of one tool each: an op is one execution, from start to exit.

use crate::archive;
use crate::execution::{Desk, Execution, MOST_BYTES, no_folder};
use crate::project::{self, Project};
use crate::script::{Expected, Script, Step};
use crate::shared::Shared;
use crate::tools::{GIT, NODE, PYTHON, RIPGREP, SQLITE, TAR, Tool, ZSTD};
use sizeup_kit::{ChildUsage, Draws, Libraries, OpError, Setting, Work, WorkerError};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::sync::Arc;

/// A word on a few dozen lines.
const WORD: &str = "merge_window";
const LOGGED: usize = 30;

pub type Row = Result<Box<dyn Work>, WorkerError>;

/// One script over and over.
struct Scripted {
    script: Script,
    expected: Expected,
    verified: &'static str,
    shared: Arc<Shared>,
}

/// A row whose op is one script.
pub fn scripted(script: Script, shared: Arc<Shared>, verified: &'static str) -> Row {
    let expected = script.expected();
    Ok(Box::new(Scripted { script, expected, verified, shared }))
}

/// A row whose op is one step.
pub fn single(step: Step, shared: Arc<Shared>, verified: &'static str) -> Row {
    scripted(Script::new(vec![step]), shared, verified)
}

impl Work for Scripted {
    fn op(&mut self) -> Result<(), OpError> {
        self.script.once()
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.script.output()
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        self.expected.check(output)
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn children(&self) -> ChildUsage {
        self.script.children
    }

    fn libraries(&self) -> Libraries {
        self.shared.found.libraries.clone()
    }
}

/// The folder of the calling thread, by its number.
pub fn desk_name(setting: &Setting) -> String {
    setting.thread.to_string()
}

/// An execution of the first of a row's tools.
pub fn execution(
    shared: &Shared,
    desk: &Desk,
    arguments: &[&str],
) -> Result<Execution, WorkerError> {
    desk.execution(&shared.found.programs[0], arguments).map_err(no_folder)
}

/// Sets up for a row of one tool: common state, and a folder with the project's files.
fn with_files(setting: &Setting, tools: &[&Tool]) -> Result<(Arc<Shared>, Desk), WorkerError> {
    let shared = Shared::of(setting, tools, 1)?;
    let desk = shared.clone_for(&desk_name(setting))?;
    Ok((shared, desk))
}

pub fn git_status(setting: &Setting) -> Row {
    let (shared, desk) = with_files(setting, &[&GIT])?;
    let prints = change_files(&desk, &shared.project).map_err(no_folder)?;
    let run = execution(&shared, &desk, &["status", "--porcelain=v1", "--branch"])?;
    single(
        Step::new(run, prints),
        shared,
        "the changed, deleted and new files are those that were changed",
    )
}

/// Changes some files, and says what `git status` prints then.
fn change_files(desk: &Desk, project: &Project) -> std::io::Result<String> {
    let drawn = project.files.iter().filter(|(path, _)| path.starts_with("src/"));
    let mut said = "## main\n".to_owned();
    for (number, (path, text)) in drawn.enumerate().filter(|(number, _)| number % 90 == 45) {
        let file = desk.tree().join(path);
        if number % 4 == 1 {
            fs::remove_file(file)?;
            said += &format!(" D {path}\n");
        } else {
            // Its length stays, so that git has to look into it.
            let changed = format!("{}#\n", &text[..text.len() - 2]);
            fs::write(file, changed)?;
            said += &format!(" M {path}\n");
        }
    }
    for name in ["notes.txt", "plan.txt"] {
        fs::write(desk.tree().join(name), name)?;
        said += &format!("?? {name}\n");
    }
    Ok(said)
}

pub fn git_log(setting: &Setting) -> Row {
    let (shared, desk) = with_files(setting, &[&GIT])?;
    let most = LOGGED.to_string();
    let run =
        ["log", "--no-color", "--no-renames", "--numstat", "--format=tformat:%at %s", "-n", &most];
    let run = execution(&shared, &desk, &run)?;
    let of_commit = |commit: &project::Commit| {
        let files: String = commit.paths.iter().map(|path| format!("3\t3\t{path}\n")).collect();
        format!("{} {}\n\n{files}", commit.time, commit.subject)
    };
    let prints: String = shared.project.commits.iter().rev().take(LOGGED).map(of_commit).collect();
    single(
        Step::new(run, prints),
        shared,
        "the last 30 commits are those that were made, with their files and lines",
    )
}

pub fn git_grep(setting: &Setting) -> Row {
    let (shared, desk) = with_files(setting, &[&GIT])?;
    let run = execution(&shared, &desk, &["grep", "--no-color", "-n", "-e", WORD])?;
    let prints = shared.project.found("", WORD);
    single(Step::new(run, prints), shared, "all lines with the word are found, and no others")
}

pub fn rg_search(setting: &Setting) -> Row {
    let (shared, desk) = with_files(setting, &[&RIPGREP])?;
    let options =
        ["--no-config", "--color=never", "--no-heading", "--sort=path", "-n", "-e", WORD, "src"];
    let run = execution(&shared, &desk, &options)?;
    let prints = shared.project.found("src/", WORD);
    single(Step::new(run, prints), shared, "all lines with the word are found, and no others")
}

pub fn tar_zstd(setting: &Setting) -> Row {
    let (shared, desk) = with_files(setting, &[&TAR, &ZSTD])?;
    let options = [
        "-c",
        "--format=ustar",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
        "--mtime=@0",
        "src",
        "tests",
    ];
    let zstd = &shared.found.programs[1];
    let mut run = execution(&shared, &desk, &options)?
        .piped_into(&desk, zstd, &["-q", "-c", "-3", "-T1", "--check"])
        .map_err(no_folder)?;
    let (stream, _) = run.run(MOST_BYTES)?;
    let unpacked = desk.prepare_with(zstd, &["-q", "-d", "-c"], stream.clone())?;
    archive::check(&unpacked, &shared.project)?;
    single(
        Step::new(run, stream),
        shared,
        "the archive unpacks to the files, and is the same each time",
    )
}

/// An argument, which both interpreters print.
const STARTED: &str = "started";

pub fn python_start(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &[&PYTHON], 0)?;
    let desk = shared.desk(&desk_name(setting))?;
    let code = "import sys; sys.stdout.write(sys.argv[1])";
    let run = execution(&shared, &desk, &["-I", "-S", "-B", "-c", code, STARTED])?;
    single(Step::new(run, STARTED), shared, "the interpreter prints its argument")
}

pub fn node_start(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &[&NODE], 0)?;
    let desk = shared.desk(&desk_name(setting))?;
    let code = "process.stdout.write(process.argv[1])";
    let run = execution(&shared, &desk, &["-e", code, STARTED])?;
    single(Step::new(run, STARTED), shared, "the interpreter prints its argument")
}

const CALLS: usize = 20_000;
const QUERY: &str = "SELECT t.name, count(*), sum(c.ms), max(c.bytes) FROM calls c JOIN tools t ON t.id = c.tool \
    WHERE c.ms >= 500 GROUP BY t.name ORDER BY 3 DESC, 1;";

pub fn sqlite_query(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &[&SQLITE], 0)?;
    let desk = shared.desk(&desk_name(setting))?;
    let (statements, prints) = calls();
    let sqlite = &shared.found.programs[0];
    desk.prepare_with(sqlite, &["-batch", "calls.db"], statements.into_bytes())?;
    let run = execution(&shared, &desk, &["-batch", "-readonly", "calls.db", QUERY])?;
    single(Step::new(run, prints), shared, "counts, sums and largest values are those of the rows")
}

/// Statements that make a table of tools' calls, and what the query prints.
fn calls() -> (String, String) {
    let mut draws = Draws::new(CALLS as u64);
    let names: Vec<String> = (0..40).map(|tool| format!("tool-{tool:02}")).collect();
    let mut statements = "PRAGMA journal_mode = OFF; BEGIN;\nCREATE TABLE tools(id INTEGER PRIMARY KEY, name TEXT);\n\
        CREATE TABLE calls(id INTEGER PRIMARY KEY, tool INTEGER, ms INTEGER, bytes INTEGER);\n"
        .to_owned();
    for (tool, name) in names.iter().enumerate() {
        let _ = writeln!(statements, "INSERT INTO tools VALUES({tool}, '{name}');");
    }
    // Count, sum and maximum by tool.
    let mut found: BTreeMap<usize, (u64, usize, usize)> = BTreeMap::new();
    for id in 0..CALLS {
        let (tool, ms, bytes) = (draws.below(names.len()), draws.below(1000), draws.below(1 << 20));
        let verb = if id % 500 == 0 { "INSERT INTO calls VALUES" } else { "," };
        let end = if id % 500 == 499 { ";\n" } else { "" };
        let _ = write!(statements, "{verb}({id},{tool},{ms},{bytes}){end}");
        if ms >= 500 {
            let (count, sum, most) = found.entry(tool).or_default();
            (*count, *sum, *most) = (*count + 1, *sum + ms, (*most).max(bytes));
        }
    }
    statements += "COMMIT;\n";
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(tool, (_, sum, _))| (usize::MAX - sum, *tool));
    let line = |(tool, (count, sum, most)): (usize, (u64, usize, usize))| {
        format!("{}|{count}|{sum}|{most}\n", names[tool])
    };
    (statements, found.into_iter().map(line).collect())
}
