//! Brings the input files into a folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::manifest::{Entry, Manifest, sha256};
use crate::{Error, generators};

/// The outcome for one input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The file was there, with the right bytes.
    AlreadyRight,
    /// The file was made, verified and written.
    Written,
}

/// Brings every input of `manifest` into `folder`, one after the other as the iterator is driven.
/// `opticks` is the file with Newton's Opticks; without it, Go is asked for its own.
///
/// A file appears under its name only when it is complete and right.
pub fn write_all<'a>(
    manifest: &'a Manifest,
    folder: &'a Path,
    opticks: Option<&'a Path>,
) -> impl Iterator<Item = (&'a Entry, Result<Outcome, Error>)> {
    manifest.inputs.iter().map(move |entry| (entry, bring(entry, folder, opticks)))
}

fn bring(entry: &Entry, folder: &Path, opticks: Option<&Path>) -> Result<Outcome, Error> {
    let path = folder.join(&entry.file);
    let name = || entry.name.clone();
    let generator =
        generators::find(&entry.name).ok_or_else(|| Error::NoGenerator { name: name() })?;
    if generator.version != entry.version {
        let (generator, manifest) = (generator.version, entry.version);
        return Err(Error::Version { name: name(), generator, manifest });
    }
    if fs::read(&path).is_ok_and(|content| entry.is_met_by(&content)) {
        return Ok(Outcome::AlreadyRight);
    }
    let content = (generator.make)(opticks)?;
    if !entry.is_met_by(&content) {
        return Err(Error::Differs {
            name: name(),
            path,
            made: describe(content.len() as u64, &sha256(&content)),
            asked: describe(entry.bytes, &entry.sha256),
            remedy: generator.remedy,
        });
    }
    fs::create_dir_all(folder).map_err(|cause| Error::Write { path: folder.into(), cause })?;
    write_atomically(&path, &content).map_err(|cause| Error::Write { path, cause })?;
    Ok(Outcome::Written)
}

fn describe(bytes: u64, sha256: &str) -> String {
    format!("{bytes} bytes with SHA-256 {sha256}")
}

/// Writes a file beside its place and moves it there once it is complete.
fn write_atomically(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to report; a leftover may not even exist.
        let _ = fs::remove_file(&beside);
    }
    written
}
