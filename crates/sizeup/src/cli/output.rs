//! Files that a command makes: whole or not at all, and never in the place of one that it read. What is not whole yet is
//! beside it under a name that begins with `.sizeup-`.

use anyhow::bail;
use record::beyond_limit;
use std::fs::{self, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file to write.
pub(super) struct Piece {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// Writes all, or nothing where one of them would take the place of an input or, unless `over`, of any file.
pub(super) fn write_all(pieces: &[Piece], inputs: &[PathBuf], over: bool) -> anyhow::Result<()> {
    pieces.iter().try_for_each(|piece| check(&piece.path, inputs, over))?;
    // All are written before the first one gets its name: where there is no room, nothing has changed.
    let written: Vec<Written> = pieces.iter().map(Written::of).collect::<Result<_, _>>()?;
    written.into_iter().try_for_each(|file| file.put(over))
}

/// Whether a file may be written, as far as that can be known before it is made.
pub(super) fn check(path: &Path, inputs: &[PathBuf], over: bool) -> anyhow::Result<()> {
    if let Some(input) = inputs.iter().find(|input| is_same(input, path)) {
        let (path, input) = (path.display(), input.display());
        bail!("{path} is {input}, an input. Choose another path");
    }
    if !over && path.symlink_metadata().is_ok() {
        return Err(is_there(path));
    }
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        bail!("{} is not a regular file. Choose another path", path.display());
    }
    Ok(())
}

/// Whether both lead to one file, by links of any kind.
fn is_same(one: &Path, other: &Path) -> bool {
    let inode = |path| fs::metadata(path).map(|there| (there.dev(), there.ino())).ok();
    inode(one).is_some_and(|one| inode(other) == Some(one))
}

fn is_there(path: &Path) -> anyhow::Error {
    anyhow::anyhow!("{} already exists. Choose another path or use --force", path.display())
}

/// Writes one file, which must not be there yet, as `content` goes on.
pub(super) fn write_one(
    path: &Path,
    content: impl FnOnce(Box<dyn Write + Send>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let there = || anyhow::anyhow!("{} already exists. Choose another path", path.display());
    if path.symlink_metadata().is_ok() {
        return Err(there());
    }
    let file = beside(path).map_err(|e| not_written(path, e))?;
    content(Box::new(BufWriter::new(file.reopen()?)))?;
    match file.persist_noclobber(path).map_err(|e| e.error) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(there()),
        put => put.map(drop).map_err(|e| not_written(path, e)),
    }
}

/// Names the file, and the limit if that is the reason.
pub(super) fn not_written(path: &Path, cause: io::Error) -> anyhow::Error {
    let limit = beyond_limit(&cause);
    anyhow::anyhow!("{} can't be written: {cause}{limit}", path.display())
}

/// A piece under a name that goes away with this value.
struct Written<'a> {
    path: &'a Path,
    /// Where it is to be: a link stays, as with `>` and `cp`, and what it leads to is replaced.
    to: PathBuf,
    file: TempPath,
}

impl<'a> Written<'a> {
    fn of(Piece { path, bytes }: &'a Piece) -> anyhow::Result<Self> {
        let to = path.canonicalize().unwrap_or_else(|_| path.clone());
        let file = write_beside(&to, bytes).map_err(|e| not_written(path, e))?;
        Ok(Self { path, to, file })
    }

    fn put(self, over: bool) -> anyhow::Result<()> {
        let put =
            if over { self.file.persist(&self.to) } else { self.file.persist_noclobber(&self.to) };
        match put.map_err(|e| e.error) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(is_there(self.path)),
            put => put.map_err(|e| not_written(self.path, e)),
        }
    }
}

fn write_beside(to: &Path, bytes: &[u8]) -> io::Result<TempPath> {
    let mut file = beside(to)?;
    file.as_file_mut().write_all(bytes)?;
    Ok(file.into_temp_path())
}

/// Who may read a file that is replaced may read the new one, and nobody else.
fn beside(to: &Path) -> io::Result<NamedTempFile> {
    let mode = fs::metadata(to).map_or(0o666, |there| there.mode());
    let mut builder = Builder::new();
    builder.prefix(".sizeup-").permissions(Permissions::from_mode(mode));
    builder.tempfile_in(to.parent().unwrap_or(Path::new("")))
}
