//! One execution: a program, or two with a pipe between them, from start to exit. No shell is between, and no configuration of the
//! user is read.

use sizeup_kit::{ChildUsage, Kind, OpError, WorkerError, ended};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The moment of all commits that are made here, and of the files' last change.
pub const NOW: u64 = 1_767_225_600;
const DATE: &str = "1767225600 +0000";

/// Variables of every program. The dates are those of all commits that git makes.
const ENVIRONMENT: [(&str, &str); 14] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("LC_ALL", "C"),
    ("TZ", "UTC"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_DEFAULT_HASH", "sha1"),
    ("GIT_DEFAULT_REF_FORMAT", "files"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_AUTHOR_NAME", "Agent"),
    ("GIT_AUTHOR_EMAIL", "agent@example.org"),
    ("GIT_AUTHOR_DATE", DATE),
    ("GIT_COMMITTER_DATE", DATE),
];

/// A thread's own folder, in which its programs work.
pub struct Desk {
    folder: PathBuf,
    errors: File,
}

impl Desk {
    pub fn new(folder: PathBuf) -> io::Result<Self> {
        for name in ["", "home", "tmp", "out", "tree"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let errors = folder.join("errors");
        let errors = OpenOptions::new().append(true).create(true).open(errors)?;
        Ok(Self { folder, errors })
    }

    /// The files of the project, where programs are started.
    pub fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// For what is no part of the project.
    pub fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    pub fn execution(&self, program: &Path, arguments: &[&str]) -> io::Result<Execution> {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let shown: Vec<&str> = arguments.iter().copied().take(SHOWN_ARGUMENTS).collect();
        let command = self.command(program, arguments)?;
        let errors = self.folder.join("errors");
        Ok(Execution {
            name: format!("{name} {}", shown.join(" ")).trim_end().to_owned(),
            first: command,
            second: None,
            errors,
            is_silent: false,
        })
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> io::Result<Command> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(ENVIRONMENT)
            .env("GIT_COMMITTER_NAME", "Agent")
            .env("GIT_COMMITTER_EMAIL", "agent@example.org")
            .env("GIT_CEILING_DIRECTORIES", &self.folder)
            .env("HOME", self.folder.join("home"))
            .env("XDG_CONFIG_HOME", self.folder.join("home"))
            .env("TMPDIR", self.folder.join("tmp"))
            .current_dir(self.tree())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(self.errors.try_clone()?);
        Ok(command)
    }

    /// Performs one execution of setting up, which prints nothing.
    pub fn prepare(&self, program: &Path, arguments: &[&str]) -> Result<(), WorkerError> {
        self.prepare_with(program, arguments, Vec::new()).map(drop)
    }

    /// Performs one execution of setting up with an input, and returns what it prints.
    pub fn prepare_with(
        &self,
        program: &Path,
        arguments: &[&str],
        input: Vec<u8>,
    ) -> Result<Vec<u8>, WorkerError> {
        let mut execution = self.execution(program, arguments).map_err(no_folder)?;
        let file = self.folder.join("input");
        fs::write(&file, input).map_err(no_folder)?;
        execution.first.stdin(File::open(&file).map_err(no_folder)?);
        let (printed, _) = execution.run(MOST_BYTES)?;
        fs::remove_file(file).map_err(no_folder)?;
        Ok(printed)
    }
}

/// How many words name an execution in a message.
const SHOWN_ARGUMENTS: usize = 3;
/// More than any program here prints.
pub const MOST_BYTES: usize = 64 << 20;

/// The folder can't be written.
pub fn no_folder(e: io::Error) -> WorkerError {
    WorkerError::new(Kind::Resources, format!("the folder for files can't be filled: {e}"))
}

/// A program with its arguments, to be started any number of times.
pub struct Execution {
    name: String,
    first: Command,
    second: Option<Command>,
    /// A file with what programs say of errors.
    errors: PathBuf,
    is_silent: bool,
}

impl Execution {
    /// Puts another program behind it, which reads what the first one prints.
    pub fn piped_into(
        mut self,
        desk: &Desk,
        program: &Path,
        arguments: &[&str],
    ) -> io::Result<Self> {
        self.second = Some(desk.command(program, arguments)?);
        Ok(self)
    }

    /// Gives it a variable.
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.first.env(variable, value);
        self
    }

    /// Has it fail if a program says anything on its stderr.
    pub fn silent(self) -> Self {
        Self { is_silent: true, ..self }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it prints, up to a limit, and what it used. All programs must exit with status 0.
    pub fn run(&mut self, most_bytes: usize) -> Result<(Vec<u8>, ChildUsage), OpError> {
        let most_bytes = most_bytes as u64 + 1;
        let said = || fs::metadata(&self.errors).map_or(0, |file| file.len());
        let said_before = said();
        let mut first = self.first.spawn().map_err(|e| self.failed(e))?;
        let mut second = None;
        let mut output = first.stdout.take();
        if let Some(command) = &mut self.second {
            let stdin = output.take().map_or_else(Stdio::null, Stdio::from);
            let child = command.stdin(stdin).spawn();
            // Our end of the pipe is closed.
            command.stdin(Stdio::null());
            match child {
                Ok(mut child) => {
                    output = child.stdout.take();
                    second = Some(child);
                }
                Err(e) => {
                    let _ = (first.kill(), first.wait());
                    return Err(self.failed(e));
                }
            }
        }
        let mut printed = Vec::new();
        let read = output.map(|output| output.take(most_bytes).read_to_end(&mut printed));
        let mut used = ChildUsage::default();
        for child in [Some(first), second].into_iter().flatten() {
            let (status, by_child) = ended(&child).map_err(|e| self.failed(e))?;
            used += by_child;
            if !status.success() {
                return Err(self.failed(status));
            }
        }
        match read {
            Some(Err(e)) => Err(self.failed(e)),
            _ if self.is_silent && said() != said_before => {
                Err(self.failed("it has something to say on its stderr"))
            }
            _ => Ok((printed, used)),
        }
    }

    /// An error that ends with the last line on the programs' stderr.
    fn failed(&self, what: impl ToString) -> OpError {
        let said = fs::read(&self.errors).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let said = said.lines().last().map_or_else(String::new, |line| format!(" ({line})"));
        OpError::new(format!("{}: {}{said}", self.name, what.to_string()))
    }
}
