//! Reading the small text files in which Linux describes the machine, under any root folder.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::cpu_list::{CpuList, parse_cpu_list};
use super::fact::Read;

/// The largest file that is read. `/proc/cpuinfo` of a machine with 1,024 CPUs has about 2 MiB.
const LARGEST_BYTES: u64 = 16 << 20;

/// The longest single value that is accepted, in characters.
const LONGEST_VALUE: usize = 1_000;

/// The longest directory listing that is taken.
const MOST_NAMES: usize = 100_000;

/// The files of one machine: the live one (root `/`) or a recorded tree.
///
/// Reasons name the path as it is on the machine, without the root, for where a tree was unpacked
/// may hold a user's name. They never quote what a file holds.
#[derive(Debug, Clone)]
pub(super) struct Files {
    root: PathBuf,
}

impl Files {
    pub(super) fn new(root: &Path) -> Self {
        Files { root: root.into() }
    }

    /// Whether this is the running machine, whose kernel can be queried directly, too.
    pub(super) fn are_live(&self) -> bool {
        self.root == Path::new("/")
    }

    fn locate(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.locate(path).exists()
    }

    /// The whole file as bytes.
    pub(super) fn bytes(&self, path: &str) -> Read<Vec<u8>> {
        foreign::read(&self.locate(path), LARGEST_BYTES).map_err(|error| explain(path, &error))
    }

    /// The whole file as text.
    pub(super) fn text(&self, path: &str) -> Read<String> {
        String::from_utf8(self.bytes(path)?).map_err(|_| format!("{path} is not text"))
    }

    /// The single value that the file holds, tidied by [`clean`].
    pub(super) fn value(&self, path: &str) -> Read<String> {
        clean(&self.text(path)?).map_err(|fault| format!("{path} {fault}"))
    }

    /// The single number that the file holds.
    pub(super) fn number<T: FromStr>(&self, path: &str) -> Read<T> {
        let value = self.value(path)?;
        value.parse().map_err(|_| format!("{path} does not hold a number"))
    }

    /// The list of CPUs that the file holds, which may be empty (a memory-only NUMA node has none).
    pub(super) fn cpu_list(&self, path: &str) -> Read<CpuList> {
        let text = self.text(path)?;
        if text.trim().is_empty() {
            return Ok(CpuList::default());
        }
        parse_cpu_list(text.trim())
            .map(CpuList::from)
            .map_err(|_| format!("{path} does not hold a list of CPUs"))
    }

    /// The names in a folder, sorted; names that are not text are left out.
    pub(super) fn names(&self, folder: &str) -> Read<Vec<String>> {
        let entries = fs::read_dir(self.locate(folder)).map_err(|error| explain(folder, &error))?;
        let mut names: Vec<String> = entries
            .take(MOST_NAMES)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        Ok(names)
    }

    /// The reason for a missing value in /sys: the given one, or that /sys does not describe CPUs at all.
    pub(super) fn or_no_sys(&self, reason: &str) -> String {
        const CPUS: &str = "/sys/devices/system/cpu";
        if self.exists(CPUS) { reason.to_owned() } else { format!("{CPUS} does not exist") }
    }

    /// The numbers N of the entries `prefixN` in a folder, in order.
    pub(super) fn numbered(&self, folder: &str, prefix: &str) -> Read<Vec<u32>> {
        let mut numbers: Vec<u32> = self
            .names(folder)?
            .iter()
            .filter_map(|name| name.strip_prefix(prefix)?.parse().ok())
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}

/// A value on one line, with runs of blanks made one, ready for a table on a terminal.
pub(super) fn clean(text: &str) -> Result<String, &'static str> {
    // Device-tree files end in a NUL.
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    if text.is_empty() {
        return Err("is empty");
    }
    if text.chars().count() > LONGEST_VALUE {
        return Err("holds more than one value");
    }
    // A control character could rewrite the terminal; a line feed means that this is no single
    // value.
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return Err("holds more than one line of plain text");
    }
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn explain(path: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("{path} does not exist"),
        ErrorKind::FileTooLarge => format!("{path} is larger than 16 MiB"),
        ErrorKind::PermissionDenied => format!("{path} is not readable by this user"),
        _ => format!("{path} could not be read: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;
    use std::fs::File;
    use std::os::unix::fs::symlink;

    fn tree(path: &str, content: &[u8]) -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
        let files = Files::new(folder.path());
        (folder, files)
    }

    #[test]
    fn a_missing_file_is_named_without_the_root() {
        let (_folder, files) = tree("sys/a", b"1\n");
        let reason = files.value("/sys/b").unwrap_err();
        assert_eq!(reason, "/sys/b does not exist");
    }

    #[test]
    fn a_value_loses_its_line_feed_and_doubled_blanks() {
        let (_folder, files) = tree("sys/a", b" Intel  Xeon\t x\n");
        assert_eq!(files.value("/sys/a").unwrap(), "Intel Xeon x");
    }

    #[test]
    fn a_device_tree_value_loses_its_nul() {
        let (_folder, files) = tree("sys/a", b"linux,kvm\0");
        assert_eq!(files.value("/sys/a").unwrap(), "linux,kvm");
    }

    #[test]
    fn escape_codes_several_lines_and_emptiness_are_no_value() {
        for content in [&b"\x1b[2J"[..], b"a\nb", b"\n", b""] {
            let (_folder, files) = tree("sys/a", content);
            assert!(files.value("/sys/a").unwrap_err().starts_with("/sys/a "));
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_refused_by_name() {
        let (_folder, files) = tree("sys/a", &[0xff, 0xfe]);
        assert_eq!(files.text("/sys/a").unwrap_err(), "/sys/a is not text");
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused() {
        let (folder, files) = tree("sys/a", b"");
        let file = File::create(folder.path().join("sys/a")).unwrap();
        file.set_len(LARGEST_BYTES).unwrap();
        assert!(files.bytes("/sys/a").is_ok());
        file.set_len(LARGEST_BYTES + 1).unwrap();
        let reason = files.bytes("/sys/a").unwrap_err();
        assert_eq!(reason, "/sys/a is larger than 16 MiB");
    }

    #[test]
    fn a_folder_in_place_of_a_file_is_a_reason() {
        let (_folder, files) = tree("sys/a/b", b"1");
        let reason = files.value("/sys/a").unwrap_err();
        assert!(reason.starts_with("/sys/a could not be read"), "{reason}");
    }

    #[test]
    fn a_fifo_and_a_device_in_place_of_a_file_are_a_reason_at_once() {
        let (folder, files) = tree("sys/a", b"1");
        mkfifo(&folder.path().join("sys/fifo"), Mode::S_IRWXU).unwrap();
        symlink("/dev/zero", folder.path().join("sys/device")).unwrap();
        for path in ["/sys/fifo", "/sys/device"] {
            let reason = files.value(path).unwrap_err();
            assert_eq!(reason, format!("{path} could not be read: it is not a regular file"));
        }
    }

    #[test]
    fn a_number_that_is_none_is_not_quoted() {
        let (_folder, files) = tree("sys/a", b"alice");
        let reason = files.number::<u64>("/sys/a").unwrap_err();
        assert_eq!(reason, "/sys/a does not hold a number");
    }

    #[test]
    fn numbered_entries_come_in_numerical_order() {
        let (folder, files) = tree("sys/cpu10", b"");
        for name in ["cpu9", "cpu", "cpufreq", "cpu-1"] {
            fs::write(folder.path().join("sys").join(name), "").unwrap();
        }
        assert_eq!(files.numbered("/sys", "cpu").unwrap(), [9, 10]);
    }
}
