//! `sizeup new`.

use super::exit::Exit;
use super::going_on::quoted;
use super::say;
use crate::briefing::{Briefing, Extent, Screen};
use anyhow::{Context, bail};
use catalog::Home;
use clap::{ArgGroup, Args, Subcommand};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: sizeup new worker sorter --go && sorter/test")]
pub(super) struct NewArgs {
    #[command(subcommand)]
    what: NewCommand,
}

#[derive(Subcommand)]
enum NewCommand {
    /// Write a worker that works, with its table and its test, into a folder of its name
    Worker(WorkerArgs),
}

#[derive(Args)]
#[command(
    group = ArgGroup::new("language").required(true),
    after_help = "Example: sizeup new worker sorter --go && sorter/test\n\
                  docs/write-a-worker.md says what to change in it."
)]
struct WorkerArgs {
    /// Its folder; the last part of the path is the worker's name
    folder: PathBuf,
    /// In Rust; needs cargo, and the network or vendored crates
    #[arg(long, group = "language")]
    rust: bool,
    /// In Go; needs Go 1.26 or newer
    #[arg(long, group = "language")]
    go: bool,
    /// In Python; needs Python 3.9 or newer
    #[arg(long, group = "language")]
    python: bool,
    /// In C; needs a C compiler
    #[arg(long, group = "language")]
    c: bool,
    /// In Java; needs a JDK, 17 or newer
    #[arg(long, group = "language")]
    java: bool,
}

/// A file of a worker: its path, in which `@NAME@` is the worker's name, and its text, in which `@HOME@` is the release
/// folder as well. Scripts are executable.
struct Template {
    path: &'static str,
    text: &'static str,
}

macro_rules! template {
    ($path:literal, $from:literal) => {
        Template {
            path: $path,
            text: include_str!(concat!("../../templates/", $from, ".template")),
        }
    };
}

const RUST: &[Template] = &[
    template!("build", "rust/build"),
    template!("worker/Cargo.toml", "rust/Cargo.toml"),
    template!("worker/src/main.rs", "rust/main.rs"),
];
const GO: &[Template] = &[
    template!("build", "go/build"),
    template!("worker/go.mod", "go/go.mod"),
    template!("worker/main.go", "go/main.go"),
];
/// No module's name has a `-`, so that the file is none that it imports, as `heapq.py` would be.
const PYTHON: &[Template] =
    &[template!("build", "python/build"), template!("worker/@NAME@-worker.py", "python/worker.py")];
const C: &[Template] = &[template!("build", "c/build"), template!("worker/@NAME@.c", "c/worker.c")];
const JAVA: &[Template] =
    &[template!("build", "java/build"), template!("worker/Main.java", "java/Main.java")];
/// Folders beside the program that is built, and what Cargo builds no program under.
const RUST_FOLDERS: [&str; 6] = ["build", "deps", "examples", "incremental", "src", "target"];
const EVERY: &[Template] = &[template!("@NAME@.toml", "table.toml"), template!("test", "test")];

impl WorkerArgs {
    /// The files, and what the table runs.
    fn language(&self) -> (&'static [Template], &'static str) {
        match () {
            () if self.rust => (RUST, r#""worker/@NAME@""#),
            () if self.go => (GO, r#""worker/@NAME@""#),
            () if self.c => (C, r#""worker/@NAME@""#),
            () if self.java => {
                (JAVA, r#""java", "-XX:+DisplayVMOutputToStderr", "-jar", "worker/@NAME@.jar""#)
            }
            () => (PYTHON, r#""python3", "worker/@NAME@-worker.py""#),
        }
    }
}

pub(super) fn new(args: &NewArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let NewCommand::Worker(args) = &args.what;
    let home = Home::find()?;
    if !home.kits().is_dir() {
        bail!("the kits for workers are not built; `make build` builds all");
    }
    let name = args.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !is_name(&name) {
        bail!(
            "{name:?} is no name for a worker: a lower-case letter, then such letters, digits and -, at most 40 in all"
        );
    }
    if args.rust && RUST_FOLDERS.contains(&name.as_str()) {
        bail!(
            "{name:?} is no name for a worker in Rust: Cargo has a folder of that name. Choose another"
        );
    }
    let release = writable(home.folder())?;
    let folder = &args.folder;
    fs::create_dir(folder).with_context(|| format!("{} can't be made", folder.display()))?;
    let (templates, command) = args.language();
    for Template { path, text } in templates.iter().chain(EVERY) {
        let fill = |text: &str| {
            let text = text.replace("@COMMAND@", command).replace("@NAME@", &name);
            text.replace("@HOME@", release)
        };
        write(&folder.join(fill(path)), &fill(text))?;
    }
    let shown = quoted(&folder.to_string_lossy());
    let path = if folder.is_absolute() { shown.clone() } else { format!("./{shown}") };
    let mut answer = Briefing::default();
    answer.say(format!("{shown} is a worker that sorts numbers. Change worker/ and {name}.toml"));
    answer.next(format!("{path}/test"));
    answer.next(format!("sizeup run --with {shown} --workload sort-1k/{name} --budget 20s"));
    say(&answer, screen, Extent::default())?;
    Ok(Exit::Fine)
}

/// Whether it can stand in a table, a file name, a module's name and a worker's manifest.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let starts = name.starts_with(|c: char| c.is_ascii_lowercase());
    starts && name.len() <= 40 && name.chars().all(is_plain)
}

/// The release folder as a text that can stand between quotes in every file of a worker: of a shell, TOML, go.mod, Python.
fn writable(release: &Path) -> anyhow::Result<&str> {
    let Some(text) = release.to_str() else {
        bail!(
            "{}: the path is not UTF-8, and a worker's files can't name it. Move the release folder",
            release.display()
        );
    };
    let ends_quotes = |c: char| c.is_control() || matches!(c, '"' | '\\' | '$' | '}' | '`');
    if let Some(character) = text.chars().find(|c| ends_quotes(*c)) {
        bail!(
            "{text:?}: the path has a {character:?}, and a worker's files can't name it. Move the release folder"
        );
    }
    Ok(text)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let can_not = || format!("{} can't be written", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(can_not)?;
    }
    fs::write(path, text).with_context(can_not)?;
    if text.starts_with("#!") {
        fs::set_permissions(path, Permissions::from_mode(0o755)).with_context(can_not)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_name_is_safe_in_every_file_that_it_is_written_into() {
        for name in ["sorter", "a", "my-worker-2"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "2nd", "-x", "Sorter", "a b", "a/b", "..", "a\"", "é", &"a".repeat(41)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_release_folder_that_ends_the_quotes_around_it_is_refused() {
        for path in ["/opt/sizeup", "/it's a (release), #1", "/größe"] {
            assert_eq!(writable(Path::new(path)).unwrap(), path);
        }
        for end in ["\"", "\\", "$", "}", "`", "\n", "\r", "\u{7f}"] {
            let path = format!("/a{end}b");
            let refusal = writable(Path::new(&path)).unwrap_err().to_string();
            let character = end.chars().next().unwrap();
            assert!(refusal.contains(&format!("has a {character:?}")), "{refusal}");
        }
        let refusal = writable(Path::new(OsStr::from_bytes(b"/a\xff"))).unwrap_err().to_string();
        assert!(refusal.contains("not UTF-8"), "{refusal}");
    }
}
