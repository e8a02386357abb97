//! Text files that people write: tables, mixes, prices.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A price for each of 100,000 machines takes less, and no table of ours a hundredth of it.
const LONGEST_BYTES: u64 = 8 << 20;

/// The text of a file.
///
/// # Errors
/// When it is not a regular file, which could block forever, has more than 8 MiB, is not UTF-8 or can't be read.
pub fn read_text(path: &Path) -> Result<String, String> {
    let unreadable = |e: std::io::Error| format!("can't be read: {e}");
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err("is not a regular file".to_owned());
    }
    let too_long = |bytes: u64| {
        format!(
            "has {bytes} bytes; at most {LONGEST_BYTES} (8 MiB) are read: split it, or check its name"
        )
    };
    if about.len() > LONGEST_BYTES {
        return Err(too_long(about.len()));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    // It may grow meanwhile.
    file.take(LONGEST_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    match text.len() as u64 {
        bytes if bytes > LONGEST_BYTES => Err(too_long(bytes)),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_of_any_size_is_refused_without_reading_it_and_with_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.toml");
        // Takes no room on the disk, and would take all of the memory.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        let refusal = read_text(&path).unwrap_err();
        assert!(
            refusal.starts_with("has 4398046511104 bytes; at most 8388608 (8 MiB)"),
            "{refusal}"
        );
        File::create(&path).unwrap().set_len(LONGEST_BYTES).unwrap();
        assert_eq!(read_text(&path).unwrap().len() as u64, LONGEST_BYTES);
    }

    #[test]
    fn what_is_no_text_file_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        assert!(read_text(&path).unwrap_err().starts_with("can't be read: "));
        assert_eq!(read_text(folder.path()).unwrap_err(), "is not a regular file");
        fs::write(&path, [0xff]).unwrap();
        assert!(read_text(&path).unwrap_err().contains("UTF-8"));
    }
}
