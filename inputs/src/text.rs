//! `text`: English prose, the beginning of Newton's Opticks.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// The version of `text`: raised whenever its bytes change.
pub const VERSION: u32 = 1;

/// The size of the text in bytes.
const BYTES: u64 = 387_851;

/// Where a Go distribution keeps the book, from its root.
const IN_GOROOT: &str = "src/testdata/Isaac.Newton-Opticks.txt";

/// Takes the text from `opticks`, or from the installed Go distribution.
///
/// # Errors
/// [`Error::Opticks`] if there is no such file, or it can't be read. A file that is too short is not an
/// error here: the manifest finds it.
pub fn text(opticks: Option<&Path>) -> Result<Vec<u8>, Error> {
    let path = match opticks {
        Some(path) => path.to_owned(),
        None => goroot()?.join(IN_GOROOT),
    };
    let mut content = Vec::new();
    File::open(&path)
        .and_then(|file| file.take(BYTES).read_to_end(&mut content))
        .map_err(|cause| Error::Opticks { what: format!("{}: {cause}", path.display()) })?;
    Ok(content)
}

/// The root of the Go distribution, as Go itself tells it.
pub(crate) fn goroot() -> Result<PathBuf, Error> {
    let answer = Command::new("go").args(["env", "GOROOT"]).output().map_err(|cause| {
        Error::Opticks { what: format!("`go env GOROOT` did not run: {cause}") }
    })?;
    let root = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    if answer.status.success() && !root.is_empty() {
        return Ok(PathBuf::from(root));
    }
    let complaint = String::from_utf8_lossy(&answer.stderr).trim().to_owned();
    Err(Error::Opticks { what: format!("`go env GOROOT` failed ({}): {complaint}", answer.status) })
}
