//! The project that agents work on: files made from a seed, and the commits by which they became what they are. Both are the same on
//! every machine, and known here without git.

use crate::execution::NOW;
use sizeup_kit::Draws;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const SEED: u64 = 0x6167_656e_7473;
const MODULES: usize = 20;
const FILES_OF_MODULE: usize = 50;
/// The commits behind the first one.
pub const COMMITS: usize = 40;
const FILES_OF_COMMIT: usize = 6;
const LINES_OF_FILE: usize = 3;
const SECONDS_BETWEEN_COMMITS: u64 = 3600;

/// The last commit, as git names it: by all files and commits before it.
pub const HEAD: &str = "dc921bb99aec639b2c7d2ac32cfb8955177e7ad6";

/// The script that an agent runs as a test.
pub const TEST: &str = "tests/run.py";
/// The file that an agent changes and compiles.
pub const TABLE: &str = "src/table/table.c";

const WORDS: [&str; 64] = [
    "accept", "append", "balance", "bind", "block", "branch", "buffer", "cache", "cell", "change",
    "check", "child", "clock", "close", "column", "commit", "count", "cursor", "decode", "delta",
    "encode", "entry", "error", "event", "field", "fetch", "filter", "flush", "frame", "group",
    "handle", "header", "index", "input", "insert", "key", "label", "limit", "lock", "merge",
    "message", "node", "offset", "open", "order", "page", "parse", "path", "queue", "range",
    "record", "render", "retry", "route", "scan", "score", "seek", "shard", "split", "state",
    "table", "token", "value", "window",
];

#[derive(Default)]
pub struct Project {
    /// Path → text.
    pub files: BTreeMap<String, String>,
    pub commits: Vec<Commit>,
    /// All of it, for `git fast-import`.
    pub stream: Vec<u8>,
}

/// A commit behind the first one.
pub struct Commit {
    pub time: u64,
    pub subject: String,
    /// Files of which three lines were replaced.
    pub paths: BTreeSet<String>,
}

impl Project {
    pub fn make() -> Self {
        let mut draws = Draws::new(SEED);
        let mut files = first_files(&mut draws);
        let mut stream = Vec::new();
        add_commit(
            &mut stream,
            NOW - SECONDS_BETWEEN_COMMITS * (COMMITS as u64 + 1),
            "begin",
            files.iter(),
        );
        let paths: Vec<String> = files.keys().filter(|path| is_drawn(path)).cloned().collect();
        let mut commits = Vec::new();
        for number in 0..COMMITS {
            let mut changed = BTreeSet::new();
            while changed.len() < FILES_OF_COMMIT {
                changed.insert(paths[draws.below(paths.len())].clone());
            }
            for path in &changed {
                if let Some(text) = files.get_mut(path) {
                    *text = changed_text(text, number, &mut draws);
                }
            }
            let before = (COMMITS - number) as u64;
            let commit = Commit {
                time: NOW - SECONDS_BETWEEN_COMMITS * before,
                subject: format!("{} the {}, {number}", draws.one_of(&WORDS), draws.one_of(&WORDS)),
                paths: changed,
            };
            let of_commit = files.iter().filter(|(path, _)| commit.paths.contains(*path));
            add_commit(&mut stream, commit.time, &commit.subject, of_commit);
            commits.push(commit);
        }
        Self { files, commits, stream }
    }

    /// All lines of files below a folder that have a word: path, number from 1, text.
    pub fn lines_with<'a>(
        &'a self,
        folder: &'a str,
        word: &'a str,
    ) -> impl Iterator<Item = (&'a str, usize, &'a str)> {
        let files = self.files.iter().filter(move |(path, _)| path.starts_with(folder));
        files.flat_map(move |(path, text)| {
            let lines = text.lines().enumerate().filter(move |(_, line)| line.contains(word));
            lines.map(move |(number, line)| (path.as_str(), number + 1, line))
        })
    }

    /// The lines that `git grep -n` and `rg -n` print.
    pub fn found(&self, folder: &str, word: &str) -> String {
        let lines = self.lines_with(folder, word);
        lines.map(|(path, number, line)| format!("{path}:{number}:{line}\n")).collect()
    }
}

/// Whether a file is one of the many that are drawn.
fn is_drawn(path: &str) -> bool {
    ![TEST, TABLE, ".gitignore"].contains(&path)
}

/// The name of a module, by its number.
pub fn module(number: usize) -> String {
    format!("src/{}_{number:02}", WORDS[number * 3])
}

fn first_files(draws: &mut Draws) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([
        (".gitignore".to_owned(), "*.o\n".to_owned()),
        (TEST.to_owned(), include_str!("run.py").to_owned()),
        (TABLE.to_owned(), include_str!("table.c").to_owned()),
    ]);
    for number in 0..MODULES {
        let folder = module(number);
        for file in 0..FILES_OF_MODULE {
            let ending = draws.one_of(&["c", "c", "c", "h", "py"]);
            let path = format!("{folder}/{}_{file:02}.{ending}", draws.one_of(&WORDS));
            let lines = 60 + draws.below(80);
            files.insert(path, (0..lines).map(|_| line(draws)).collect());
        }
    }
    files
}

/// A line as of a program, with its end.
fn line(draws: &mut Draws) -> String {
    let number = draws.below(1000);
    let [a, b, c, d] = [(); 4].map(|()| draws.one_of(&WORDS));
    match draws.below(7) {
        0 => format!("    {a}_{b} = {c}_{d}({a}, {number});\n"),
        1 => format!("    if ({a}_{b} > {number}) return {c}_{d};\n"),
        2 => format!("/* {a} the {b} before the {c}: {d} */\n"),
        3 => format!("static int {a}_{b}_{number}(int {c}, int {d})\n"),
        4 => format!("    {a}.{b} += {c}[{number}] ^ {d};\n"),
        5 => format!("    for ({a} = 0; {a} < {b}->{c}; {a}++) {d}({a});\n"),
        _ => "\n".to_owned(),
    }
}

/// The text with some of its lines replaced by others that are nowhere else.
fn changed_text(text: &str, commit: usize, draws: &mut Draws) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut places = BTreeSet::new();
    while places.len() < LINES_OF_FILE {
        places.insert(draws.below(lines.len()));
    }
    for place in places {
        let [a, b] = [(); 2].map(|()| draws.one_of(&WORDS));
        lines[place] = format!("    {a}_{b} = changed_{commit}_{place}({a});\n");
    }
    lines.concat()
}

fn add_commit<'a>(
    stream: &mut Vec<u8>,
    time: u64,
    subject: &str,
    files: impl Iterator<Item = (&'a String, &'a String)>,
) {
    let mut text = String::new();
    let who = "committer Agent <agent@example.org>";
    // Writing to a text does not fail.
    let _ = write!(
        text,
        "commit refs/heads/main\n{who} {time} +0000\ndata {}\n{subject}\n",
        subject.len()
    );
    for (path, content) in files {
        let _ = write!(text, "M 100644 inline {path}\ndata {}\n{content}\n", content.len());
    }
    stream.extend(text.into_bytes());
}
