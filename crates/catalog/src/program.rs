//! The program that performs workloads: its name, location and identity.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The worker that executes plain commands.
pub(super) const COMMAND_WORKER: &str = "command";

/// The name of a user's own worker begins so.
pub const OWN_WORKER: &str = "own: ";

/// Workers of the release that are native code without a runtime, and without processes or threads of their own: their memory is
/// the C library's, and their work ends with its op.
pub const NATIVE_WORKERS: [&str; 6] =
    ["native", "openssl", "compressors", "luajit", "cloudflare-zlib", "xxhash"];

/// The program that performs a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The worker's name, or one made of its files' for a user's own. Different workers have different names.
    pub name: String,
    /// Program and arguments.
    pub run: Vec<String>,
    /// Where it is run.
    pub folder: PathBuf,
    /// Variables that are set for it, in addition to the few that every worker gets.
    pub environment: BTreeMap<String, String>,
}

/// The environment variables that workers inherit; others could change results unnoticed. The last three are for server
/// workloads: which servers to measure, and how to reach a client on another machine.
const ENVIRONMENT: [&str; 8] = [
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "SIZEUP_NGINX",
    "SIZEUP_APPS",
    "SSH_AUTH_SOCK",
];

impl Program {
    /// How it is started, by whoever starts it: in its folder, in a process group of its own, with no other environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.run[0]);
        command
            .args(&self.run[1..])
            .args(arguments)
            .current_dir(&self.folder)
            .env_clear()
            .envs(ENVIRONMENT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .envs(&self.environment)
            .process_group(0);
        command
    }

    /// Whether it is a user's own, named by a table and not of the release.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.name.starts_with(OWN_WORKER)
    }
}

/// `own: python3 worker.py`: the names of the program and of the files that it is given. Not their
/// paths: the name goes into run files, and a path can reveal the user.
pub(super) fn own_name(run: &[String], folder: &Path) -> String {
    let files = run[1..].iter().filter(|argument| folder.join(argument).is_file());
    let names = run[..1].iter().chain(files).filter_map(|path| Path::new(path).file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    format!("{OWN_WORKER}{}", names.join(" "))
}

/// A program given with a path starts from the table's folder; one without is looked for in PATH.
pub(super) fn resolve(folder: &Path, run: &[String]) -> Option<Vec<String>> {
    let (program, arguments) = run.split_first()?;
    let program = if program.contains('/') {
        let path = folder.join(program);
        path.canonicalize().unwrap_or(path).to_string_lossy().into_owned()
    } else {
        program.clone()
    };
    Some(std::iter::once(program).chain(arguments.iter().cloned()).collect())
}

/// SHA-256, in hex, over the files that a command line names: the program, looked for in PATH if it is
/// given without a folder, and whatever script it is to run. `None` if there is none of them.
pub fn program_digest(run: &[String], folder: &Path) -> Option<String> {
    let program = run.first()?;
    let program = if program.contains('/') { folder.join(program) } else { in_path(program)? };
    let arguments = run[1..].iter().map(|argument| folder.join(argument));
    let mut digest = Sha256::new();
    for file in std::iter::once(program).chain(arguments).filter(|path| path.is_file()) {
        add(&mut digest, &file).ok()?;
    }
    Some(HEXLOWER.encode(&digest.finalize()))
}

/// Piece by piece: a worker may be larger than the memory to spare.
fn add(digest: &mut Sha256, file: &Path) -> io::Result<()> {
    let file = foreign::open(file)?;
    // A log that grows has no end.
    let mut file = file.metadata().map(|about| file.take(about.len()))?;
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(n) => digest.update(&piece[..n]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// The file that a name without a folder stands for.
pub fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
