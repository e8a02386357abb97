//! Text files that people write: tables, mixes, prices.

use std::io::ErrorKind;
use std::path::Path;

/// A price for each of 100,000 machines takes less, and no table of ours a hundredth of it.
const LONGEST_BYTES: u64 = 8 << 20;

/// The text of a file, or of a pipe that is given.
///
/// # Errors
/// When it is not a regular file, which could block forever, has more than 8 MiB, is not UTF-8 or can't be read.
pub fn read_text(path: &Path) -> Result<String, String> {
    foreign::given::read_text(path, LONGEST_BYTES).map_err(|e| match e.kind() {
        ErrorKind::FileTooLarge => format!("can't be read: {e}. Split it, or check its name"),
        _ => format!("can't be read: {e}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn a_file_of_any_size_is_refused_without_reading_it_and_with_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.toml");
        // Takes no room on the disk, and would take all of the memory.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        let refusal = read_text(&path).unwrap_err();
        assert!(
            refusal.contains("it has 4398046511104 bytes; at most 8388608 are read. Split it"),
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
        assert_eq!(
            read_text(folder.path()).unwrap_err(),
            "can't be read: it is not a regular file"
        );
        fs::write(&path, [0xff]).unwrap();
        assert!(read_text(&path).unwrap_err().contains("UTF-8"));
    }
}
