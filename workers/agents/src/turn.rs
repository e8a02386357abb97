//! `agent-turn`: what an agent starts between two answers of its model, 24 programs one after the other.

use crate::clone;
use crate::execution::{Desk, NOW, no_folder};
use crate::four::Four;
use crate::project::{HEAD, Project, TABLE, TEST, module};
use crate::rows::{Row, scripted};
use crate::script::{Script, Step};
use crate::shared::Shared;
use crate::tools::{COMPILER, GIT, PYTHON, SED, Tool};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use sizeup_kit::{Setting, WorkerError};
use std::collections::BTreeMap;

/// How many turns at a time share a CPU, as sandboxes do.
pub const TURNS: usize = 4;
const TOOLS: [&Tool; 4] = [&GIT, &SED, &PYTHON, &COMPILER];
const VERIFIED: &str =
    "24 executions print and write what is known without them: lines, words, a table, a commit";

/// Words of the six searches, and where they are made.
const EVERYWHERE: &str = "";
const SEARCHES: [(&str, Option<usize>); 6] = [
    ("split_window", None),
    ("retry_limit", None),
    ("cache_", Some(3)),
    ("fetch", Some(7)),
    ("queue", Some(7)),
    ("return parse_", Some(12)),
];
/// Modules that are tested.
const TESTED: usize = 7;
/// The files that are read, by their place among all, and the lines.
const READS: [(usize, usize, usize); 6] =
    [(19, 1, 40), (171, 1, 200), (360, 20, 60), (365, 1, 200), (620, 41, 80), (907, 1, 30)];

/// The change that an agent makes: to one line of [`TABLE`].
const EDIT: &str = "s/SCALE 3/SCALE 5/";
const SCALE: u32 = 5;
const MESSAGE: &str = "scale the table by 5";

/// Hashes that git gives to that file before and after, and to the commit: of all their bytes.
const BEFORE: &str = "561ebdc5f9117d7589cc9f581c0a309df26dc906";
const AFTER: &str = "abfdd8d7b48facb78a978befdc874864c5e87be5";
const SCRATCH: &str = "60b6ea69c08d5b30359b7f7485be65b7dd07a146";

pub fn setup(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &TOOLS, 1)?;
    let desk = shared.clone_for(&setting.thread.to_string())?;
    scripted(script(&shared, &desk)?, shared, VERIFIED)
}

pub fn setup_four(setting: &Setting) -> Row {
    let shared = Shared::of(setting, &TOOLS, TURNS)?;
    let scripts = (0..TURNS).map(|turn| {
        let desk = shared.clone_for(&format!("{}-{turn}", setting.thread))?;
        script(&shared, &desk)
    });
    let scripts = scripts.collect::<Result<Vec<_>, _>>()?;
    Ok(Box::new(Four::start(scripts, shared, VERIFIED)?))
}

fn script(shared: &Shared, desk: &Desk) -> Result<Script, WorkerError> {
    let [git, sed, python, compiler] = [0, 1, 2, 3].map(|tool| &shared.found.programs[tool]);
    let run = |program, arguments: &[&str]| desk.execution(program, arguments).map_err(no_folder);
    let Project { files, commits, .. } = &shared.project;
    let mut steps = Vec::new();

    let status = ["status", "--porcelain=v1", "--branch"];
    steps.push(Step::new(run(git, &status)?, "## main\n"));

    for (word, of_module) in SEARCHES {
        let folder = of_module.map_or(EVERYWHERE.to_owned(), module);
        let place = if folder.is_empty() { "." } else { &folder };
        let options = ["grep", "--no-color", "-n", "-e", word, "--", place];
        steps.push(Step::new(run(git, &options)?, shared.project.found(&folder, word)));
    }
    for (file, first, last) in READS {
        // There are more files than that.
        let Some((path, text)) = files.iter().nth(file) else { continue };
        let lines = text.split_inclusive('\n').take(last).skip(first - 1);
        let lines: String = lines.collect();
        steps.push(Step::new(run(sed, &["-n", &format!("{first},{last}p"), path])?, lines));
    }

    let (before, file) = (&files[TABLE], desk.tree().join(TABLE));
    let after = before.replace("SCALE 3", "SCALE 5");
    let edit = run(sed, &["-i", EDIT, TABLE])?;
    steps.push(Step::new(edit, "").writes(file.clone(), &after));

    let object = desk.out().join("table.o");
    let compile = run(compiler, &["-O2", "-c", "-o", "../out/table.o", TABLE])?;
    steps.push(Step::new(compile, "").compiles(object, MARK, &table()));

    let tested = module(TESTED);
    let test = run(python, &["-I", "-S", "-B", TEST, TABLE, &tested])?;
    steps.push(Step::new(test, tests_say(files, &after, &tested)));

    let diff = run(git, &["diff", "--no-color", "--no-ext-diff", "--full-index"])?;
    steps.push(Step::new(diff, difference(before)));

    let git_file = |name: &str| desk.tree().join(".git").join(name);
    steps.push(Step::new(run(git, &["checkout", "-q", "-b", "scratch"])?, ""));
    steps.push(Step::new(run(git, &["add", TABLE])?, ""));
    let commit = run(git, &["commit", "-q", "-m", MESSAGE])?;
    steps
        .push(Step::new(commit, "").writes(git_file("refs/heads/scratch"), format!("{SCRATCH}\n")));
    let log = run(git, &["log", "--no-color", "--format=tformat:%at %s", "-n", "5"])?;
    let newest = format!("{NOW} {MESSAGE}\n");
    let older = commits.iter().rev().take(4);
    let older = older.map(|commit| format!("{} {}\n", commit.time, commit.subject));
    steps.push(Step::new(log, newest + &older.collect::<String>()));
    let reset = run(git, &["reset", "-q", "--hard", "HEAD~1"])?;
    steps.push(Step::new(reset, "").writes(file, before));
    let back = run(git, &["checkout", "-q", "main"])?;
    steps.push(Step::new(back, "").writes(git_file("HEAD"), "ref: refs/heads/main\n"));
    let delete = run(git, &["branch", "-q", "-D", "scratch"])?;
    steps.push(Step::new(delete, "").writes(git_file("refs/heads/main"), format!("{HEAD}\n")));
    Ok(Script::new(steps).forgetting(clone::objects(desk)))
}

/// The first bytes of the table in `table.c`.
const MARK: &[u8] = b"sizeup agents:::";

/// The table that the changed file has, with its mark.
fn table() -> Vec<u8> {
    let value = |n: u32| (n.wrapping_mul(2_654_435_761) ^ (n >> 3)).wrapping_mul(SCALE);
    let values = (1..=64).map(value).flat_map(u32::to_le_bytes);
    MARK.iter().copied().chain(values).collect()
}

/// The line that `run.py` prints of the table's file and a module.
fn tests_say(files: &BTreeMap<String, String>, changed: &str, module: &str) -> String {
    let (mut digest, mut tests) = (Sha256::new(), 0);
    let is_tested = |path: &str| {
        path == TABLE || path.starts_with(&format!("{module}/")) && path.ends_with(".py")
    };
    for (path, text) in files.iter().filter(|(path, _)| is_tested(path)) {
        let text = if path == TABLE { changed } else { text };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let words = text.split(|letter: char| !letter.is_ascii_lowercase());
        for word in words.filter(|word| !word.is_empty()) {
            *counts.entry(word).or_default() += 1;
        }
        let counts = counts.iter().map(|(word, count)| format!("\"{word}\":{count}"));
        digest.update(format!("{{{}}}", counts.collect::<Vec<_>>().join(",")));
        tests += 1;
    }
    format!("ran {tests} tests: {}\n", HEXLOWER.encode(&digest.finalize()))
}

/// The text that `git diff` prints of the change, which is in the third line.
fn difference(before: &str) -> String {
    let lines: Vec<&str> = before.lines().take(6).collect();
    let context =
        |lines: &[&str]| lines.iter().map(|line| format!(" {line}\n")).collect::<String>();
    format!(
        "diff --git a/{TABLE} b/{TABLE}\nindex {BEFORE}..{AFTER} 100644\n--- a/{TABLE}\n+++ b/{TABLE}\n@@ -1,6 +1,6 @@\n\
         {}-#define SCALE 3\n+#define SCALE 5\n{}",
        context(&lines[..2]),
        context(&lines[3..])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_24_executions() {
        // Those beside searches and reads: status, edit, compile, test, diff, branch, add, commit, log, reset, back, delete.
        assert_eq!(SEARCHES.len() + READS.len() + 12, 24);
    }
}
