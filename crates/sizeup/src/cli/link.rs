//! Links from one file to another.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// The relative prefix of links from files in one folder to files in another. Both folders must exist.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<String> {
    let (from, to) = (there(from)?, there(to)?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(escaped);
    Ok(up.chain(down).map(|part| part + "/").collect())
}

/// The folder itself, whatever leads to it.
fn there(folder: &Path) -> io::Result<PathBuf> {
    if folder.as_os_str().is_empty() {
        Path::new(".").canonicalize()
    } else {
        folder.canonicalize()
    }
}

/// As URLs have it: nothing in it means anything to Markdown, either.
fn escaped(part: Component) -> String {
    let bytes = part.as_os_str().as_bytes().iter();
    bytes
        .map(|&c| match c {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(c).to_string(),
            _ => format!("%{c:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_from_a_folder_to_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(place("a/b")).expect("a folder");
        std::fs::create_dir_all(place("a) <c>_ü")).expect("a folder");
        let from = |from: &str, to: &str| link(&place(from), &place(to)).expect("a link");
        assert_eq!(from("a", "a/b"), "b/");
        assert_eq!(from("a", "a"), "");
        assert_eq!(from("a/b", "a"), "../");
        assert_eq!(from("a/b/../b", "a) <c>_ü"), "../../a%29%20%3Cc%3E%5F%C3%BC/");
    }
}
