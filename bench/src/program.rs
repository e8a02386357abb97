//! sizeup as its users run it: the program itself.

use anyhow::{Context, bail};
use record::{Run, read};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Exit statuses that still come with data: a row without a figure, a check that failed.
const WITH_DATA: [Option<i32>; 3] = [Some(0), Some(1), Some(3)];

/// The program of an installation, and a folder for what it writes.
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
}

impl Program {
    /// The program in the installation that `SIZEUP_HOME` names; run files go into `folder`.
    ///
    /// # Errors
    /// When `SIZEUP_HOME` is not set or the folder can't be made.
    pub fn find(folder: &Path) -> anyhow::Result<Self> {
        let home = std::env::var_os("SIZEUP_HOME").context("SIZEUP_HOME names no installation")?;
        std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
        Ok(Self { path: Path::new(&home).join("bin/sizeup"), folder: folder.to_owned() })
    }

    /// `sizeup run` with these arguments; the run file is kept under this name.
    ///
    /// # Errors
    /// When the program fails or its run file can't be read.
    pub fn run(&self, name: &str, arguments: &[&str]) -> anyhow::Result<Run> {
        let file = self.folder.join(format!("{name}.run.jsonl"));
        if file.exists() {
            bail!("{} is there already: give a folder of its own", file.display());
        }
        let text = file.to_string_lossy().into_owned();
        let arguments = [&["run", "--output", &text], arguments].concat();
        self.output(&arguments)?;
        Ok(read(&file)?)
    }

    /// `sizeup bench` with these arguments; the run file is kept under this name.
    ///
    /// # Errors
    /// When the program fails.
    pub fn bench(&self, name: &str, arguments: &[&str]) -> anyhow::Result<()> {
        let file = self.file(name);
        self.output(&[&["bench", "--output", &file], arguments].concat())?;
        Ok(())
    }

    /// How a command ends.
    ///
    /// # Errors
    /// When the program can't be started or is killed.
    pub fn status(&self, arguments: &[&str]) -> anyhow::Result<i32> {
        let output = Command::new(&self.path).args(arguments).output();
        let output = output.with_context(|| format!("{} can't be started", self.path.display()))?;
        output.status.code().with_context(|| format!("sizeup {arguments:?} was killed"))
    }

    /// Where a run of that name was kept.
    pub fn file(&self, name: &str) -> String {
        self.folder.join(format!("{name}.run.jsonl")).to_string_lossy().into_owned()
    }

    /// The data of a judging command's answer.
    ///
    /// # Errors
    /// When the program fails or prints something else.
    pub fn json(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let mut answer = self.answer(arguments)?;
        let data = answer.get_mut("data").map(Value::take);
        data.with_context(|| format!("sizeup {arguments:?} --json has no data"))
    }

    /// All that a judging command prints with `--json`.
    ///
    /// # Errors
    /// When the program fails or prints something else.
    pub fn answer(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let text = self.output(&[arguments, &["--json"]].concat())?;
        serde_json::from_slice(&text).with_context(|| format!("sizeup {arguments:?} --json"))
    }

    /// The Markdown of a report of these files.
    ///
    /// # Errors
    /// When the program fails.
    pub fn markdown(&self, files: &[&str]) -> anyhow::Result<String> {
        let text = self.output(&[&["report", "--format", "md", "-o", "-"], files].concat())?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn output(&self, arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
        let mut command = Command::new(&self.path);
        let output = command.args(arguments).stderr(Stdio::piped()).output();
        let output = output.with_context(|| format!("{} can't be started", self.path.display()))?;
        if !WITH_DATA.contains(&output.status.code()) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!("sizeup {arguments:?}: {}: {stderr}", output.status);
        }
        Ok(output.stdout)
    }
}

/// A dozen cases of all workers and kinds.
pub const DOZEN: [&str; 12] = [
    "rsa2048-sign/openssl",
    "ecdsa-p256-verify/openssl",
    "aes-128-gcm-seal-16KiB/openssl",
    "chacha20-poly1305-seal-16KiB/openssl",
    "binary-trees-6/luajit",
    "n-body-2000/luajit",
    "brotli-5/brotli",
    "brotli-9/brotli",
    "gzip-6/cloudflare-zlib",
    "regexp-medium-256KiB/go",
    "aes-128-gcm-seal-8KiB/go",
    "gzip-8-text/go",
];

/// The arguments that ask for the dozen on a number of threads.
pub fn dozen(threads: &str) -> Vec<&str> {
    let workloads = DOZEN.iter().flat_map(|workload| ["--workload", workload]);
    workloads.chain(["--threads", threads]).collect()
}
