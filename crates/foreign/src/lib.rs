//! Files of others: opened without waiting, read up to a limit.
//!
//! Opening a FIFO waits for its other end, reading a device may never end, and opening one can do something (a watchdog
//! starts). So only regular files are opened, those of `/proc` and `/sys` among them, and with `O_NONBLOCK`: some of these wait
//! for the kernel (`/proc/kmsg`). `crates/clippy.toml` refuses other ways to open files.
//!
//! Tables and outputs that a user names may also come from a pipe that he gives, packed, and in another encoding: [`given`].

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

pub mod given;

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a regular file to read it. Whoever reads it to its end limits how much that is.
///
/// # Errors
/// When it can't be opened without waiting, or is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file that is there, to read and change it.
///
/// # Errors
/// As [`open`].
pub fn open_to_change(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true).write(true), path)
}

/// The whole of a regular file.
///
/// # Errors
/// As [`open`], and when it can't be read without waiting or has more than `most_bytes`.
pub fn read(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let known_bytes = file.metadata()?.len();
    if known_bytes > most_bytes {
        return Err(too_large(&known_bytes.to_string(), most_bytes));
    }
    let mut content = Vec::new();
    // It may grow meanwhile, and those of /proc are said to be empty.
    file.take(most_bytes.saturating_add(1)).read_to_end(&mut content)?;
    match content.len() as u64 > most_bytes {
        true => Err(too_large("more", most_bytes)),
        false => Ok(content),
    }
}

/// As [`read`], of a text.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let content = read(path, most_bytes)?;
    String::from_utf8(content)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

#[expect(clippy::disallowed_methods, reason = "the one place that may")]
fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    check(&std::fs::metadata(path)?)?;
    // Rust adds O_CLOEXEC.
    let file = options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    // The path may lead elsewhere by now.
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(about: &Metadata) -> io::Result<()> {
    match about.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

fn too_large(bytes: &str, most_bytes: u64) -> io::Error {
    let what = format!("it has {bytes} bytes; at most {most_bytes} are read");
    io::Error::new(ErrorKind::FileTooLarge, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn place(name: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        (folder, path)
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let (folder, fifo) = place("fifo");
        mkfifo(&fifo, Mode::S_IRWXU).unwrap();
        let (link, socket) = (folder.path().join("link"), folder.path().join("socket"));
        symlink(&fifo, &link).unwrap();
        let _listener = UnixListener::bind(&socket).unwrap();
        for path in [&fifo, &link, &socket, folder.path(), Path::new("/dev/zero")] {
            for result in
                [open(path).map(drop), open_to_change(path).map(drop), read(path, 9).map(drop)]
            {
                assert_eq!(result.unwrap_err().to_string(), "it is not a regular file", "{path:?}");
            }
        }
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_files_of_the_kernel_are_read() {
        let (_folder, path) = place("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err();
        assert_eq!(error.to_string(), "it has 5 bytes; at most 4 are read");
        // Takes no room on the disk, and would take all of the memory.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        assert_eq!(read(&path, 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(read_text(Path::new("/proc/self/stat"), 1 << 16).unwrap().contains('('));
        // It is said to have no bytes.
        let error = read(Path::new("/proc/self/stat"), 4).unwrap_err();
        assert_eq!(error.to_string(), "it has more bytes; at most 4 are read");
    }

    #[test]
    fn a_text_is_utf_8() {
        let (_folder, path) = place("file");
        fs::write(&path, [0xff]).unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().to_string(), "it is not UTF-8");
    }
}
