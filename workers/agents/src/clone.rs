//! A clone of the project for each thread, made without git where that is known without it.

use crate::execution::{Desk, NOW, no_folder};
use crate::project::{HEAD, Project};
use sizeup_kit::{Kind, WorkerError};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// Neither logs of references nor anything in the background.
const CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = false\n\
    [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";

/// Where git keeps its own.
fn git_folder(desk: &Desk) -> PathBuf {
    desk.tree().join(".git")
}

/// Where it keeps objects.
pub fn objects(desk: &Desk) -> PathBuf {
    git_folder(desk).join("objects")
}

fn make_git_folder(desk: &Desk) -> io::Result<()> {
    let git = git_folder(desk);
    for folder in ["objects/info", "objects/pack", "refs/heads", "refs/tags", "info"] {
        fs::create_dir_all(git.join(folder))?;
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(git.join("config"), CONFIG)
}

/// The repository that all are cloned from: without files beside it.
pub fn make_origin(desk: &Desk, git: &Path, project: &mut Project) -> Result<(), WorkerError> {
    make_git_folder(desk).map_err(no_folder)?;
    let stream = std::mem::take(&mut project.stream);
    // Looking for differences between objects takes longer than all else.
    let options = ["-c", "pack.compression=1", "fast-import", "--quiet", "--depth=0"];
    desk.prepare_with(git, &options, stream)?;
    let made = fs::read_to_string(git_folder(desk).join("refs/heads/main")).unwrap_or_default();
    if made.trim_end() != HEAD {
        let message =
            format!("git fast-import: the last commit is {}, not {HEAD}", made.trim_end());
        return Err(WorkerError::new(Kind::WrongAnswer, message));
    }
    Ok(())
}

/// The project's files, as old as its last commit: git need not look into files that are older than what it noted of them.
pub fn write_files(desk: &Desk, project: &Project) -> io::Result<()> {
    let mut last = PathBuf::new();
    for (path, text) in &project.files {
        let path = desk.tree().join(path);
        let folder = path.parent().unwrap_or(&path);
        if folder != last {
            fs::create_dir_all(folder)?;
            last = folder.to_owned();
        }
        write_old(&path, text)?;
    }
    Ok(())
}

fn write_old(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.set_modified(UNIX_EPOCH + Duration::from_secs(NOW))
}

/// A clone with all files, of which git knows that they are those of the last commit.
pub fn make(desk: &Desk, origin: &Desk, git: &Path, project: &Project) -> Result<(), WorkerError> {
    let copy = || {
        make_git_folder(desk)?;
        let (from, to) = (objects(origin).join("pack"), objects(desk).join("pack"));
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
        fs::write(git_folder(desk).join("refs/heads/main"), format!("{HEAD}\n"))?;
        write_files(desk, project)
    };
    copy().map_err(no_folder)?;
    desk.prepare(git, &["read-tree", "HEAD"])?;
    desk.prepare(git, &["update-index", "--refresh"])
}
