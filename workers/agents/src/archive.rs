//! Checks an archive of tar, in the format ustar (POSIX.1-1988): a block of 512 bytes for each file, then its bytes.

use crate::project::Project;
use sizeup_kit::{Kind, WorkerError};

const BLOCK: usize = 512;

/// Refuses an archive that does not have the files of `src` and `tests`, each once.
pub fn check(archive: &[u8], project: &Project) -> Result<(), WorkerError> {
    let wrong =
        |what: String| Err(WorkerError::new(Kind::WrongAnswer, format!("the archive: {what}")));
    let mut rest = archive;
    let mut files = 0;
    while let Some((header, behind)) = rest.split_at_checked(BLOCK) {
        if header.iter().all(|byte| *byte == 0) {
            break;
        }
        let (name, size) = (text(&header[..100]), text(&header[124..136]));
        let Ok(size) = usize::from_str_radix(size.trim(), 8) else {
            return wrong(format!("{name} has no size"));
        };
        let Some((content, behind)) = behind.split_at_checked(size.next_multiple_of(BLOCK)) else {
            return wrong(format!("it ends within {name}"));
        };
        rest = behind;
        // Folders end with a slash.
        if name.ends_with('/') {
            continue;
        }
        if project.files.get(&name).map(String::as_bytes) != Some(&content[..size]) {
            return wrong(format!("{name} has other bytes"));
        }
        files += 1;
    }
    let all = project.files.keys().filter(|path| path.contains('/')).count();
    if files == all { Ok(()) } else { wrong(format!("it has {files} files, not {all}")) }
}

/// A text up to its zero byte.
fn text(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}
