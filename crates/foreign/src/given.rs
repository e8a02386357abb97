//! A text that a user names: a regular file, or a pipe that he gives (`-`, `/dev/stdin`, `<(…)`), as it is or packed
//! by gzip; in UTF-8 or UTF-16. A named pipe in a folder is refused, for nobody may be at its other end.

use crate::{open, too_large};
use flate2::read::MultiGzDecoder;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use std::fs::File;
use std::io::{self, Cursor, ErrorKind, IsTerminal, Read, Seek, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// So much shows whether it is packed, and in which encoding.
const HEAD_BYTES: u64 = 512;
/// UTF-16 is held in memory while it is made UTF-8.
const MOST_UTF16_BYTES: u64 = 64 << 20;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const GZIP: &[u8] = b"\x1f\x8b";
/// The first bytes of other packers' files, and how these are unpacked.
const PACKED: [(&[u8], &str); 4] = [
    (b"\x28\xb5\x2f\xfd", "zstd -dc"),
    (b"\xfd7zXZ\0", "xz -dc"),
    (b"BZh", "bzip2 -dc"),
    (b"PK\x03\x04", "unzip -p"),
];

/// Whether it is standard input by one of its names.
pub fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

/// The text of a file or a given pipe: unpacked, UTF-8 without a byte-order mark, lines ended by `\n`.
///
/// # Errors
/// When it can't be read, is neither a regular file nor a given pipe, has more than `most_bytes` (unpacked), or is no text.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let file = if is_stdin(path) { None } else { Some(open_given(path)?) };
    if let Some(file) = &file {
        let about = file.metadata()?;
        if about.is_file() && about.len() > most_bytes {
            return Err(too_large(&about.len().to_string(), most_bytes));
        }
    }
    let text = decoded(limited(unpacked(source(file)?)?, most_bytes)?)?;
    Ok(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
}

/// All that is there to read, of which no more is read than is allowed: a packed file may unpack to terabytes.
fn limited(from: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    from.take(most_bytes.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > most_bytes {
        return Err(too_large("more", most_bytes));
    }
    Ok(content)
}

/// A file that can be read from its start again and again.
#[derive(Debug)]
pub struct Plain {
    /// At its start.
    pub file: File,
    /// Whether it is a copy without a name, of what came through a pipe, was packed, or was in another encoding.
    pub is_copy: bool,
}

/// The file itself if it is a regular one in UTF-8 without a byte-order mark, else a copy that is.
///
/// # Errors
/// As [`read_text`], but for what is no text.
pub fn plain(path: &Path, most_bytes: u64) -> io::Result<Plain> {
    if !is_stdin(path) {
        let mut file = open_given(path)?;
        let about = file.metadata()?;
        if about.is_file() {
            if about.len() > most_bytes {
                return Err(too_large(&about.len().to_string(), most_bytes));
            }
            let head = head_of(&mut file)?;
            file.rewind()?;
            if !head.starts_with(GZIP) && !head.starts_with(UTF8_MARK) && utf16(&head).is_none() {
                return Ok(Plain { file, is_copy: false });
            }
        }
        return copied(source(Some(file))?, most_bytes);
    }
    copied(source(None)?, most_bytes)
}

fn copied(from: Box<dyn Read>, most_bytes: u64) -> io::Result<Plain> {
    let mut from = unpacked(from)?;
    let head = head_of(&mut from)?;
    let mut file = tempfile::tempfile()?;
    if utf16(&head).is_some() {
        let content = limited(Cursor::new(head).chain(from), MOST_UTF16_BYTES.min(most_bytes))?;
        file.write_all(decoded(content)?.as_bytes())?;
    } else {
        file.write_all(head.strip_prefix(UTF8_MARK).unwrap_or(&head))?;
        let more = io::copy(&mut from.take(most_bytes.saturating_add(1)), &mut file)?;
        if more > most_bytes {
            return Err(too_large("more", most_bytes));
        }
    }
    file.rewind()?;
    Ok(Plain { file, is_copy: true })
}

/// A regular file, or a pipe that this process was given under `/dev/fd`.
fn open_given(path: &Path) -> io::Result<File> {
    let is_given = ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    if !is_given || !std::fs::metadata(path)?.file_type().is_fifo() {
        return open(path);
    }
    // It waits for who writes it, but is not opened with waiting: nobody may be there.
    #[expect(clippy::disallowed_methods, reason = "a pipe that the user gives")]
    let file = std::fs::OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
    Ok(file)
}

/// Without a file, standard input.
fn source(file: Option<File>) -> io::Result<Box<dyn Read>> {
    match file {
        Some(file) => Ok(Box::new(file)),
        None if io::stdin().is_terminal() => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "standard input is a terminal: pipe a file into it",
        )),
        None => Ok(Box::new(io::stdin())),
    }
}

fn head_of(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    from.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

fn unpacked(mut from: Box<dyn Read>) -> io::Result<Box<dyn Read>> {
    let head = head_of(&mut from)?;
    if let Some((_, by)) = PACKED.iter().find(|(mark, _)| head.starts_with(mark)) {
        let what = format!("it is packed: read it with `{by} FILE | sizeup … -`");
        return Err(io::Error::new(ErrorKind::InvalidData, what));
    }
    let is_gzip = head.starts_with(GZIP);
    let whole = Cursor::new(head).chain(from);
    Ok(if is_gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) })
}

/// Makes a number of two bytes.
type Join = fn([u8; 2]) -> u16;

/// How two bytes are a number, and how many bytes of a mark come first, if it is UTF-16.
fn utf16(head: &[u8]) -> Option<(Join, usize)> {
    let zeros = |from: usize| head.iter().skip(from).step_by(2).all(|byte| *byte == 0);
    match head {
        [0xff, 0xfe, ..] => Some((u16::from_le_bytes, 2)),
        [0xfe, 0xff, ..] => Some((u16::from_be_bytes, 2)),
        // Without a mark: of text, every other byte is zero.
        [first, 0, ..] if *first != 0 && head.len() >= 4 && zeros(1) => {
            Some((u16::from_le_bytes, 0))
        }
        [0, second, ..] if *second != 0 && head.len() >= 4 && zeros(0) => {
            Some((u16::from_be_bytes, 0))
        }
        _ => None,
    }
}

/// UTF-8 without a byte-order mark.
fn decoded(content: Vec<u8>) -> io::Result<String> {
    let wrong = |what: String| io::Error::new(ErrorKind::InvalidData, what);
    let head = &content[..content.len().min(HEAD_BYTES as usize)];
    if let Some((join, mark)) = utf16(head) {
        let (pairs, rest) = content[mark..].as_chunks::<2>();
        let numbers = pairs.iter().map(|pair| join(*pair));
        let text: Result<String, _> = char::decode_utf16(numbers).collect();
        return match text {
            Ok(text) if rest.is_empty() => Ok(text),
            _ => Err(wrong("it is not whole UTF-16".to_owned())),
        };
    }
    let text = String::from_utf8(content).map_err(|error| {
        let (valid, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        wrong(format!(
            "it is not UTF-8: line {line} has the byte {:#04x}. If it is Latin-1, convert it: iconv -f latin1 -t utf-8 FILE",
            bytes[valid]
        ))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The character between the columns of a table, by its first line: a comma, unless there is a semicolon or a tab.
pub fn delimiter(head: &str) -> char {
    [';', '\t'].into_iter().find(|separator| head.contains(*separator)).unwrap_or(',')
}

/// A number in a table, with a comma for its point where commas part no columns.
pub fn decimal(text: &str, delimiter: char) -> Option<f64> {
    let number: f64 = match delimiter {
        ',' => text.parse().ok()?,
        _ => text.replacen(',', ".", 1).parse().ok()?,
    };
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use nix::sys::stat::Mode;
    use nix::unistd::{mkfifo, pipe};
    use std::fs;
    use std::os::fd::AsRawFd;
    use std::path::PathBuf;
    use tempfile::TempDir;

    const TEXT: &str = "name;µ\n1;2\n";

    fn file(content: &[u8]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::fast());
        to.write_all(content).unwrap();
        to.finish().unwrap()
    }

    fn utf16_of(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// The text that [`plain`] gives, and whether it is a copy.
    fn plainly(path: &Path) -> (String, bool) {
        let mut found = plain(path, 1 << 20).unwrap();
        let mut text = String::new();
        found.file.read_to_string(&mut text).unwrap();
        (text, found.is_copy)
    }

    #[test]
    fn a_text_is_read_in_the_forms_that_tools_write() {
        let marked = format!("\u{feff}{TEXT}");
        for (form, is_copy) in [
            (TEXT.as_bytes().to_vec(), false),
            (marked.as_bytes().to_vec(), true),
            (utf16_of(&marked, u16::to_le_bytes), true),
            (utf16_of(&marked, u16::to_be_bytes), true),
            (packed(TEXT.as_bytes()), true),
            (packed(&utf16_of(&marked, u16::to_le_bytes)), true),
            ([packed(&TEXT.as_bytes()[..5]), packed(&TEXT.as_bytes()[5..])].concat(), true),
        ] {
            let (_folder, path) = file(&form);
            assert_eq!(read_text(&path, 1 << 20).unwrap(), TEXT);
            assert_eq!(plainly(&path), (TEXT.to_owned(), is_copy));
        }
        let (_folder, path) = file(&utf16_of("only ASCII", u16::to_le_bytes));
        assert_eq!(read_text(&path, 99).unwrap(), "only ASCII");
        let (_folder, path) = file(b"a\r\nb\rc\n");
        assert_eq!(read_text(&path, 99).unwrap(), "a\nb\nc\n");
    }

    #[test]
    fn a_pipe_that_is_given_is_read_to_its_end() {
        let (read, write) = pipe().unwrap();
        let path = PathBuf::from(format!("/dev/fd/{}", read.as_raw_fd()));
        let writer = std::thread::spawn(move || {
            let mut to = File::from(write);
            to.write_all(&TEXT.as_bytes()[..4]).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(30));
            to.write_all(&TEXT.as_bytes()[4..]).unwrap();
        });
        assert_eq!(read_text(&path, 99).unwrap(), TEXT);
        writer.join().unwrap();
        // Who wrote it has gone.
        assert_eq!(read_text(&path, 99).unwrap(), "");
    }

    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        mkfifo(&fifo, Mode::S_IRWXU).unwrap();
        for path in [&fifo, folder.path(), Path::new("/dev/zero")] {
            let said = read_text(path, 99).unwrap_err().to_string();
            assert_eq!(said, "it is not a regular file");
            assert!(plain(path, 99).is_err());
        }
    }

    #[test]
    fn limits_hold_for_what_is_unpacked() {
        let (_folder, path) = file(&packed(&vec![b'x'; 5_000_000]));
        assert!(fs::metadata(&path).unwrap().len() < 100_000);
        for error in [read_text(&path, 1 << 20).unwrap_err(), plain(&path, 1 << 20).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::FileTooLarge, "{error}");
        }
        let (_folder, path) = file(b"12345");
        let said = read_text(&path, 4).unwrap_err().to_string();
        assert_eq!(said, "it has 5 bytes; at most 4 are read");
    }

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let mut from = io::repeat(b'x').take(1 << 20);
        let said = limited(&mut from, 10).unwrap_err().to_string();
        assert!(said.contains("more"), "{said}");
        assert_eq!((1 << 20) - from.limit(), 11, "bytes were read");
        assert_eq!(limited(&b"0123456789"[..], 10).unwrap().len(), 10);
    }

    #[test]
    fn what_is_no_text_is_refused_with_the_way_to_make_it_one() {
        for (content, says) in [
            (&b"a\nb\xb5\n"[..], "it is not UTF-8: line 2 has the byte 0xb5. If it is Latin-1"),
            (b"\xff\xfea\0b", "it is not whole UTF-16"),
            (b"\xff\xfe\x00\xd8", "it is not whole UTF-16"),
            (b"\x28\xb5\x2f\xfdxxxx", "it is packed: read it with `zstd -dc FILE | sizeup"),
            (b"\x1f\x8b\x08\0garbage", ""),
        ] {
            let (_folder, path) = file(content);
            let said = read_text(&path, 99).unwrap_err().to_string();
            assert!(said.starts_with(says), "{said}");
        }
    }
}
