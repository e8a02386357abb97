//! The installed programs that agents start, and their versions: rows of other versions are other work.

use sizeup_kit::{Kind, Libraries, WorkerError};
use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names a folder of unpacked programs, which come before installed ones.
const APPS: &str = "SIZEUP_APPS";

/// A program, how it is asked for its version, and which package has it.
pub struct Tool {
    /// The library that run files name.
    pub name: &'static str,
    command: &'static str,
    ask: &'static [&'static str],
    version: fn(&str) -> Option<Answer>,
    packages: &'static str,
}

/// A version, and where the program itself is, if what was found only starts it.
struct Answer {
    version: String,
    program: Option<PathBuf>,
}

impl Answer {
    fn of(version: impl Into<String>) -> Self {
        Self { version: version.into(), program: None }
    }
}

pub const GIT: Tool = Tool {
    name: "git",
    command: "git",
    ask: &["--version"],
    version: |said| Some(Answer::of(said.strip_prefix("git version ")?)),
    packages: "git",
};
pub const RIPGREP: Tool = Tool {
    name: "ripgrep",
    command: "rg",
    ask: &["--version"],
    version: |said| {
        let line = said.lines().next()?.strip_prefix("ripgrep ")?;
        Some(Answer::of(line.split(' ').next()?))
    },
    packages: "ripgrep",
};
pub const TAR: Tool =
    Tool { name: "tar", command: "tar", ask: &["--version"], version: of_gnu, packages: "tar" };
pub const SED: Tool =
    Tool { name: "sed", command: "sed", ask: &["--version"], version: of_gnu, packages: "sed" };
pub const ZSTD: Tool = Tool {
    name: "zstd",
    command: "zstd",
    ask: &["--version"],
    version: |said| {
        let mut words = said.split([' ', ',']);
        let starts = |word: &&str| word.starts_with('v') && word[1..].starts_with(is_digit);
        words.find(starts).map(|word| Answer::of(&word[1..]))
    },
    packages: "zstd",
};
pub const PYTHON: Tool = Tool {
    name: "cpython",
    command: "python3",
    // Where `python3` is a script that chooses one.
    ask: &["-I", "-S", "-c", "import sys; print(sys.version.split()[0]); print(sys.executable)"],
    version: of_interpreter,
    packages: "python3",
};
pub const NODE: Tool = Tool {
    name: "node",
    command: "node",
    ask: &["-e", "console.log(process.versions.node); console.log(process.execPath)"],
    version: of_interpreter,
    packages: "nodejs",
};
pub const SQLITE: Tool = Tool {
    name: "sqlite3",
    command: "sqlite3",
    ask: &["--version"],
    version: |said| Some(Answer::of(said.split(' ').next()?)),
    packages: "sqlite3",
};
pub const COMPILER: Tool = Tool {
    name: "cc",
    command: "cc",
    ask: &["--version"],
    version: |said| {
        let line = said.lines().next()?;
        let kind = if line.contains("clang") { "clang" } else { "gcc" };
        let version =
            line.split([' ', '-']).find(|word| word.starts_with(is_digit) && word.contains('.'))?;
        Some(Answer::of(format!("{kind} {version}")))
    },
    packages: "gcc",
};

/// Contains a Clang, of which it says nothing else but its own version.
pub const ZIG: Tool = Tool {
    name: CLANG.name,
    command: "zig",
    ask: &["version"],
    version: |said| Some(Answer::of(format!("zig {said}"))),
    packages: CLANG.packages,
};
pub const CLANG: Tool = Tool {
    name: "clang",
    command: "clang",
    ask: &["--version"],
    version: |said| {
        // Distributions put their name before it, and change it.
        let (whose, version) = said.lines().next()?.split_once("clang version ")?;
        Some(Answer::of(format!("{version} {whose}").trim_end()))
    },
    packages: "clang, or name a folder in SIZEUP_APPS that `make apps` has made",
};
pub const GO: Tool = Tool {
    name: "go",
    command: "go",
    ask: &["env", "GOVERSION", "GOTOOLDIR"],
    version: |said| {
        let (version, tools) = said.split_once('\n')?;
        let compiler = Path::new(tools).join("compile");
        Some(Answer { version: version.to_owned(), program: Some(compiler) })
    },
    packages: "golang-go",
};

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// `tar (GNU tar) 1.34`: others of that name take other options.
fn of_gnu(said: &str) -> Option<Answer> {
    let line = said.lines().next().filter(|line| line.contains("GNU"))?;
    line.split(' ').next_back().map(Answer::of)
}

/// A line with the version, and one with the program.
fn of_interpreter(said: &str) -> Option<Answer> {
    let (version, program) = said.split_once('\n')?;
    let program = Path::new(program.trim_end()).canonicalize().ok()?;
    Some(Answer { version: version.to_owned(), program: Some(program) })
}

/// Programs that were found, in the order in which they were asked for.
#[derive(Clone)]
pub struct Found {
    pub programs: Vec<PathBuf>,
    pub libraries: Libraries,
}

impl Found {
    /// Finds all of them, or says which are missing and how they are installed.
    pub fn all(tools: &[&Tool]) -> Result<Self, WorkerError> {
        let mut found = Self { programs: Vec::new(), libraries: Libraries::new() };
        let (mut missing, mut packages) = (Vec::new(), Vec::new());
        for tool in tools {
            match tool.find() {
                Ok((program, version)) => {
                    found.programs.push(program);
                    found.libraries.insert(tool.name.to_owned(), version);
                }
                Err(why) => {
                    missing.push(why);
                    packages.push(tool.packages);
                }
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let hint = format!("install it, on Debian: apt install {}", packages.join(" "));
        Err(WorkerError::new(Kind::Unavailable, missing.join("; ")).hint(hint))
    }
}

impl Tool {
    pub fn is_there(&self) -> bool {
        self.place().is_some()
    }

    /// In the apps pack or else in PATH.
    fn place(&self) -> Option<PathBuf> {
        let path = env::var_os("PATH").unwrap_or_default();
        let apps = env::var_os(APPS).map(|apps| Path::new(&apps).join("usr/bin"));
        let is_there = |program: &PathBuf| {
            let is_program =
                |is: std::fs::Metadata| is.is_file() && is.permissions().mode() & 0o111 != 0;
            program.is_absolute() && program.metadata().is_ok_and(is_program)
        };
        let folders = apps.into_iter().chain(env::split_paths(&path));
        folders.map(|folder| folder.join(self.command)).find(is_there)
    }

    fn find(&self) -> Result<(PathBuf, String), String> {
        let program = self.place().ok_or_else(|| format!("{} is not installed", self.command))?;
        let shown = program.display().to_string();
        let output = Command::new(&program)
            .args(self.ask)
            // Go would fetch another one if a file of the working folder or the user asks for it.
            .env("GOTOOLCHAIN", "local")
            .env("GOENV", "off")
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("{shown} can't be started: {e}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let answer = (self.version)(said.trim_end())
            .filter(|answer| {
                output.status.success()
                    && answer.version.starts_with(|first: char| first.is_ascii_alphanumeric())
            })
            .ok_or_else(|| {
                format!("{shown} does not say a version of {} that is known", self.name)
            })?;
        Ok((answer.program.unwrap_or(program), answer.version))
    }
}
