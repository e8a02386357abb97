//! Executions in a fixed order, of each of which is known what it makes.

use crate::execution::Execution;
use sizeup_kit::{ChildUsage, OpError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An execution, and where its result is, beside what it prints.
pub struct Step {
    execution: Execution,
    look: Look,
    expected: Vec<u8>,
}

/// A result that is not printed.
pub enum Look {
    Nothing,
    File(PathBuf),
    /// One that it makes, and that is removed afterwards.
    Made(PathBuf),
    /// An object with a mark and so many bytes from it on.
    Object(PathBuf, &'static [u8], usize),
}

impl Step {
    pub fn new(execution: Execution, prints: impl Into<Vec<u8>>) -> Self {
        Self { execution, look: Look::Nothing, expected: prints.into() }
    }

    /// Adds a file that it writes.
    pub fn writes(mut self, path: PathBuf, content: impl AsRef<[u8]>) -> Self {
        self.expected.extend(content.as_ref());
        self.look = Look::File(path);
        self
    }

    /// Adds a file that it makes anew each time.
    pub fn makes(mut self, path: PathBuf, content: &[u8]) -> Self {
        self.expected.extend(content);
        self.look = Look::Made(path);
        self
    }

    /// Adds an object that it compiles, which has these bytes; they begin with a mark.
    pub fn compiles(mut self, path: PathBuf, mark: &'static [u8], content: &[u8]) -> Self {
        self.expected.extend(content);
        self.look = Look::Object(path, mark, content.len());
        self
    }

    /// Performs it and returns what it made and what it used.
    fn perform(&mut self, object: &mut Vec<u8>) -> Result<(Vec<u8>, ChildUsage), OpError> {
        let (mut made, used) = self.execution.run(self.expected.len())?;
        let name = self.execution.name();
        let failed = |e: io::Error| OpError::new(format!("{name}: what it wrote: {e}"));
        match &self.look {
            Look::Nothing => {}
            Look::File(path) => made.extend(fs::read(path).map_err(failed)?),
            Look::Made(path) => {
                made.extend(take_file(path, self.expected.len()).map_err(failed)?);
            }
            Look::Object(path, mark, bytes) => {
                let found = fs::read(path).map_err(failed)?;
                if object.is_empty() {
                    object.clone_from(&found);
                } else if *object != found {
                    return Err(OpError::new(format!(
                        "{name}: it made another object than before"
                    )));
                }
                fs::remove_file(path).map_err(failed)?;
                let at = found.windows(mark.len()).position(|part| part == *mark);
                let part = at.map_or(&[][..], |at| &found[at..]);
                made.extend(&part[..part.len().min(*bytes)]);
            }
        }
        Ok((made, used))
    }
}

/// Reads a file that was made, up to a limit and a byte more, and removes it.
pub fn take_file(path: &Path, most_bytes: usize) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(most_bytes as u64 + 1).read_to_end(&mut content)?;
    fs::remove_file(path)?;
    Ok(content)
}

/// All steps of an op.
pub struct Script {
    steps: Vec<Step>,
    /// A folder with objects that git wrote, which it is to write again.
    objects: Option<PathBuf>,
    /// The first object that was compiled: later ones are the same.
    object: Vec<u8>,
    /// Totals of all executions so far.
    pub children: ChildUsage,
}

impl Script {
    pub fn new(steps: Vec<Step>) -> Self {
        Self { steps, objects: None, object: Vec::new(), children: ChildUsage::default() }
    }

    /// Has it remove after each time what git wrote into this folder of objects.
    pub fn forgetting(self, objects: PathBuf) -> Self {
        Self { objects: Some(objects), ..self }
    }

    pub fn expected(&self) -> Expected {
        let expectation = |step: &Step| (step.execution.name().to_owned(), step.expected.clone());
        Expected(self.steps.iter().map(expectation).collect())
    }

    /// Performs all steps; each must make what it is known to make.
    pub fn once(&mut self) -> Result<(), OpError> {
        for step in &mut self.steps {
            let (made, used) = step.perform(&mut self.object)?;
            self.children += used;
            if made != step.expected {
                let name = step.execution.name();
                return Err(OpError::new(differs(name, &made, &step.expected)));
            }
        }
        self.forget()
    }

    /// Performs all steps and returns what they made, one behind the other.
    pub fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut output = Vec::new();
        for step in &mut self.steps {
            let (made, used) = step.perform(&mut self.object)?;
            self.children += used;
            let is_it = made == step.expected;
            output.extend(made);
            // Later steps build on this one, and would fail in ways that say less.
            if !is_it {
                return Ok(output);
            }
        }
        self.forget()?;
        Ok(output)
    }

    /// Removes what git wrote since it was packed: folders of two hex digits.
    fn forget(&self) -> Result<(), OpError> {
        let Some(objects) = &self.objects else { return Ok(()) };
        let forget = || {
            for entry in fs::read_dir(objects)? {
                let path = entry?.path();
                if path.file_name().is_some_and(|name| name.len() == 2) {
                    fs::remove_dir_all(path)?;
                }
            }
            Ok(())
        };
        forget().map_err(|e: io::Error| OpError::new(format!("{}: {e}", objects.display())))
    }
}

/// Names of steps, and their output.
#[derive(Clone)]
pub struct Expected(Arc<[(String, Vec<u8>)]>);

impl Expected {
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(_, expected)| expected.len()).sum()
    }

    /// Says at which step an output differs.
    pub fn check(&self, output: &[u8]) -> Result<(), String> {
        let mut rest = output;
        for (name, expected) in &*self.0 {
            let made;
            (made, rest) = rest.split_at(rest.len().min(expected.len()));
            if made != expected {
                return Err(differs(name, made, expected));
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(format!("{} bytes too many", rest.len())) }
    }
}

/// The first line that differs, in a message.
fn differs(name: &str, made: &[u8], expected: &[u8]) -> String {
    let [made, expected] = [made, expected].map(String::from_utf8_lossy);
    let same = made.lines().zip(expected.lines()).take_while(|(made, expected)| made == expected);
    let number = same.count();
    let line = |text: &str| {
        text.lines().nth(number).map_or_else(
            || "the end".to_owned(),
            |line| format!("{:?}", line.chars().take(80).collect::<String>()),
        )
    };
    format!("{name}: line {} is {}, not {}", number + 1, line(&made), line(&expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named_by_step_and_line() {
        let expected = Expected(
            [("one".to_owned(), b"a\nb\n".to_vec()), ("two".to_owned(), b"c\n".to_vec())].into(),
        );
        assert_eq!(expected.bytes(), 6);
        assert_eq!(expected.check(b"a\nb\nc\n"), Ok(()));
        for (made, what) in [
            ("a\nx\nc\n", r#"one: line 2 is "x", not "b""#),
            ("a\nb\nd\n", r#"two: line 1 is "d", not "c""#),
            ("a\nb\n", r#"two: line 1 is the end, not "c""#),
            ("a\nb\nc\nd\n", "2 bytes too many"),
        ] {
            assert_eq!(expected.check(made.as_bytes()), Err(what.to_owned()));
        }
    }
}
