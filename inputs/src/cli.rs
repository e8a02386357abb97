//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

/// How the program is called.
pub const USAGE: &str = "\
Usage: sizeup-inputs OUT_DIR [--opticks FILE]

Writes the input files of all workloads into OUT_DIR and verifies each by its SHA-256. A file that is
already right is left alone.

  --opticks FILE   Newton's Opticks, as the Go distribution has it in
                   src/testdata/Isaac.Newton-Opticks.txt; without it, `go env GOROOT` is asked
  -h, --help       this text
  -V, --version    the version

Exit codes: 0 all files are right, 1 a file could not be made or differs, 2 wrong arguments.";

/// The command line's request.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Write the inputs.
    Write {
        /// The folder they go to.
        folder: PathBuf,
        /// The file with Newton's Opticks, if it was named.
        opticks: Option<PathBuf>,
    },
    /// Print a text and do nothing else.
    Say(String),
}

/// Reads the arguments that follow the program's name.
///
/// # Errors
/// A sentence that says which argument is wrong.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, String> {
    let mut arguments = arguments.into_iter();
    let (mut folder, mut opticks) = (None, None);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok(Request::Say(USAGE.to_owned())),
            Some("-V" | "--version") => {
                let version = env!("CARGO_PKG_VERSION");
                return Ok(Request::Say(format!("sizeup-inputs {version}")));
            }
            Some("--opticks") => {
                let file = arguments.next().ok_or("--opticks needs a file")?;
                opticks = Some(PathBuf::from(file));
            }
            Some(option) if option.starts_with('-') => {
                return Err(format!("there is no option {option}"));
            }
            _ if folder.is_some() => {
                return Err(format!("one folder is enough, what is {}?", argument.display()));
            }
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.ok_or("the folder to write to is missing")?;
    Ok(Request::Write { folder, opticks })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn a_folder_is_all_it_needs() {
        let request = Request::Write { folder: "out".into(), opticks: None };
        assert_eq!(parsed("out"), Ok(request));
        let request = Request::Write { folder: "out".into(), opticks: Some("o.txt".into()) };
        assert_eq!(parsed("--opticks o.txt out"), Ok(request));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        assert!(parsed("").is_err_and(|complaint| complaint.contains("missing")));
        assert!(parsed("a b").is_err_and(|complaint| complaint.contains('b')));
        assert!(parsed("a --opticks").is_err_and(|complaint| complaint.contains("needs a file")));
        assert!(parsed("a --fast").is_err_and(|complaint| complaint.contains("--fast")));
    }
}
