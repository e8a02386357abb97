//! Writes a run file: append-only, flushed every round, synced every few seconds; or, where nothing is measured, whole or not
//! at all.

use super::lines::{LONGEST_LINE_BYTES, hex};
use super::records::{Close, Ended, Header, Record, Resume};
use sha2::{Digest, Sha256};
use std::fs::{File, Permissions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::{Builder, TempPath};

/// A flush also syncs to disk if the last sync is this long ago.
const SYNC_EVERY: Duration = Duration::from_secs(3);

/// So begin the names of files that are not whole yet.
const UNFINISHED: &str = ".sizeup-";

/// A run file that can't be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the run file {}: {cause}{}", path.display(), beyond_limit(cause))]
pub struct WriteError {
    path: PathBuf,
    cause: io::Error,
}

impl WriteError {
    /// An imperative phrase for the user.
    pub fn remedy(&self) -> &'static str {
        match self.cause.kind() {
            io::ErrorKind::FileTooLarge => "Raise that limit",
            io::ErrorKind::QuotaExceeded => "Free space in your quota",
            io::ErrorKind::StorageFull => "Free space",
            _ => "Check the disk",
        }
    }
}

/// Names `ulimit -f` as the likely cause of an error of `EFBIG`; empty of other errors.
#[must_use]
pub fn beyond_limit(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::FileTooLarge => ", larger than `ulimit -f` or the file system allows",
        _ => "",
    }
}

/// Exclusive access to a run file, to read and continue it.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    file: File,
}

impl Claim {
    /// Locks a file against other writers, so that what is read afterwards is complete.
    ///
    /// # Errors
    /// When it can't be written, or another sizeup process is writing it.
    pub fn take(path: &Path) -> Result<Self, WriteError> {
        let error = |cause| WriteError { path: path.to_owned(), cause };
        let file = foreign::open_to_change(path).map_err(error)?;
        lock(&file).map_err(error)?;
        Ok(Self { path: path.to_owned(), file })
    }
}

/// An open run file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    /// Where it is until it is closed, if it is to be there whole or not at all.
    unfinished: Option<TempPath>,
    file: BufWriter<File>,
    digest: Sha256,
    synced: Instant,
}

impl Writer {
    /// Creates a file, which must not exist.
    ///
    /// # Errors
    /// When it exists or can't be created.
    pub fn create(path: &Path, header: &Header) -> Result<Self, WriteError> {
        Self::create_with(path, header, lock)
    }

    pub(super) fn create_with(
        path: &Path,
        header: &Header,
        lock: fn(&File) -> io::Result<()>,
    ) -> Result<Self, WriteError> {
        let error = |cause| WriteError { path: path.to_owned(), cause };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(error)?;
        }
        let file = File::create_new(path).map_err(error)?;
        let start = || -> Result<Self, WriteError> {
            lock(&file).map_err(error)?;
            let mut writer = Self::over(path, file, Sha256::new());
            writer.begin(header)?;
            Ok(writer)
        };
        // A file without a header is useless and would block the next attempt.
        start().inspect_err(|_| drop(std::fs::remove_file(path)))
    }

    /// Creates a file that is not at its path before it is closed. Whatever happens meanwhile, nothing is there.
    ///
    /// # Errors
    /// When it exists or can't be created.
    pub fn create_whole(path: &Path, header: &Header) -> Result<Self, WriteError> {
        let mut writer = Self::beside(path)?;
        writer.begin(header)?;
        Ok(writer)
    }

    fn begin(&mut self, header: &Header) -> Result<(), WriteError> {
        self.write(&Record::Header(Box::new(header.clone())))?;
        self.flush()?;
        let bytes = self.file.get_ref().metadata().map_err(|e| self.error(e))?.len();
        if bytes > LONGEST_LINE_BYTES {
            return Err(self.error(io::Error::other(
                "its header is too long: use fewer rows or thread counts",
            )));
        }
        Ok(())
    }

    /// A file in the same folder that goes away with the writer, unless this is closed.
    fn beside(path: &Path) -> Result<Self, WriteError> {
        let error = |cause| WriteError { path: path.to_owned(), cause };
        let folder = path.parent().unwrap_or(Path::new(""));
        if path.symlink_metadata().is_ok() {
            return Err(error(io::ErrorKind::AlreadyExists.into()));
        }
        std::fs::create_dir_all(folder).map_err(error)?;
        let mut builder = Builder::new();
        builder.prefix(UNFINISHED).permissions(Permissions::from_mode(0o666));
        let (file, unfinished) = builder.tempfile_in(folder).map_err(error)?.into_parts();
        let writer = Self::over(path, file, Sha256::new());
        Ok(Self { unfinished: Some(unfinished), ..writer })
    }

    /// Continues a file after its last complete line, which ends at `whole_bytes`. A truncated line after it is removed.
    ///
    /// # Errors
    /// When the file can't be read or written.
    pub fn resume(claim: Claim, whole_bytes: u64, mut resume: Resume) -> Result<Self, WriteError> {
        let Claim { path, mut file } = claim;
        let error = |cause| WriteError { path: path.clone(), cause };
        resume.torn_bytes = file.metadata().map_err(error)?.len().saturating_sub(whole_bytes);
        file.set_len(whole_bytes).map_err(error)?;
        let digest = digest_of(&file).map_err(error)?;
        file.seek(SeekFrom::End(0)).map_err(error)?;
        let mut writer = Self::over(&path, file, digest);
        writer.write(&Record::Resume(resume))?;
        writer.flush()?;
        Ok(writer)
    }

    /// As [`Self::create_whole`], with all lines of a closed run except the last.
    ///
    /// # Errors
    /// When it exists or can't be created, or the run's digest does not match its bytes.
    pub fn create_after(path: &Path, run: &Path, close: &Close) -> Result<Self, WriteError> {
        let error = |cause| WriteError { path: path.to_owned(), cause };
        let of_run =
            |e: io::Error| error(io::Error::new(e.kind(), format!("{}: {e}", run.display())));
        let from = foreign::open(run).map_err(of_run)?;
        let mut writer = Self::beside(path)?;
        writer.copy_but_last_line(BufReader::new(from)).map_err(error)?;
        if hex(&writer.digest) != close.sha256 {
            let what = format!("{} changed while being read", run.display());
            return Err(error(io::Error::other(what)));
        }
        Ok(writer)
    }

    fn copy_but_last_line(&mut self, mut from: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        from.read_until(b'\n', &mut line)?;
        loop {
            let mut next = Vec::new();
            if from.read_until(b'\n', &mut next)? == 0 {
                return Ok(());
            }
            self.file.write_all(&line)?;
            self.digest.update(&line);
            line = next;
        }
    }

    fn over(path: &Path, file: File, digest: Sha256) -> Self {
        let (path, file) = (path.to_owned(), BufWriter::new(file));
        Self { path, unfinished: None, file, digest, synced: Instant::now() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record; it may stay in memory until [`Self::flush`].
    ///
    /// # Errors
    /// When the disk refuses it.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        let mut line = serde_json::to_vec(record).map_err(|e| self.error(e.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(|e| self.error(e))?;
        self.digest.update(&line);
        Ok(())
    }

    /// Hands everything to the operating system, and syncs to disk if the last sync is some seconds ago.
    ///
    /// # Errors
    /// When the disk refuses it.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file.flush().map_err(|e| self.error(e))?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Flushes if the last sync is some seconds ago, because a round can be long.
    ///
    /// # Errors
    /// When the disk refuses it.
    pub fn flush_if_due(&mut self) -> Result<(), WriteError> {
        if self.synced.elapsed() >= SYNC_EVERY { self.flush() } else { Ok(()) }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When the disk refuses it.
    pub fn close(mut self, ended: Ended, at_ns: u64) -> Result<(), WriteError> {
        let sha256 = hex(&self.digest);
        self.write(&Record::Close(Close { at_ns, ended, sha256 }))?;
        self.file.flush().map_err(|e| self.error(e))?;
        self.sync()?;
        match self.unfinished.take() {
            Some(file) => file.persist_noclobber(&self.path).map_err(|e| self.error(e.error)),
            None => Ok(()),
        }
    }

    fn sync(&mut self) -> Result<(), WriteError> {
        self.synced = Instant::now();
        self.file.get_ref().sync_data().map_err(|e| self.error(e))
    }

    fn error(&self, cause: io::Error) -> WriteError {
        WriteError { path: self.path.clone(), cause }
    }
}

/// If sizeup is killed while it starts a worker, the forked child keeps the file open until it is killed or executes the
/// worker. That takes less than this.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// Keeps a second sizeup from writing the same file.
fn lock(file: &File) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < LOCK_PATIENCE => {
                sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another sizeup process is writing it"));
            }
            Err(TryLockError::Error(e)) => return Err(e),
            Ok(()) => return Ok(()),
        }
    }
}

fn digest_of(file: &File) -> io::Result<Sha256> {
    let mut digest = Sha256::new();
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(0))?;
    let mut piece = [0; 1 << 16];
    loop {
        match reader.read(&mut piece)? {
            0 => return Ok(digest),
            n => digest.update(&piece[..n]),
        }
    }
}
