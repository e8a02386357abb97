//! Plain commands: one op is one execution, from start to exit.

use sizeup_kit::{ChildUsage, OpError, Operation, Parameter, Setting, Work, WorkerError, ended};
use std::io::Read;
use std::process::{Command, Stdio};

/// `run` is the program and its arguments, without a shell; `bytes` the size of an execution's input, where that
/// makes sense; `stdout` the expected output. Without `stdout` only the exit status is checked.
pub fn operation() -> Operation {
    Operation::new("execution", "command", setup).takes([
        Parameter::texts("run"),
        Parameter::integer("bytes", 0..=i64::MAX as u64).optional(),
        Parameter::text("stdout").optional(),
    ])
}

/// Sets up a command for one thread; its executions inherit the thread's CPU.
fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let run = setting.texts("run");
    let mut command = Command::new(run[0]);
    command.args(&run[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(Box::new(Execution {
        program: run[0].to_owned(),
        command,
        bytes: setting.optional_integer("bytes"),
        stdout: setting.optional_text("stdout").map(str::to_owned),
        children: ChildUsage::default(),
    }))
}

/// One op is one execution.
struct Execution {
    program: String,
    command: Command,
    bytes: Option<u64>,
    stdout: Option<String>,
    /// Totals of all timed executions so far.
    children: ChildUsage,
}

impl Execution {
    fn failed(&self, what: impl ToString) -> OpError {
        OpError::new(format!("{}: {}", self.program, what.to_string()))
    }
}

impl Work for Execution {
    fn op(&mut self) -> Result<(), OpError> {
        let child = self.command.spawn().map_err(|e| self.failed(e))?;
        let (status, used) = ended(&child).map_err(|e| self.failed(e))?;
        self.children += used;
        if status.success() { Ok(()) } else { Err(self.failed(status)) }
    }

    /// The first byte is 1 for success and 0 for failure. If stdout is checked, what the command wrote follows, up to
    /// one byte more than expected, because a command may write without end.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let Some(expected) = &self.stdout else {
            let status = self.command.status().map_err(|e| self.failed(e))?;
            return Ok(vec![u8::from(status.success())]);
        };
        let at_most = expected.len() as u64 + 1;
        let child = self.command.stdout(Stdio::piped()).spawn();
        self.command.stdout(Stdio::null());
        let mut child = child.map_err(|e| self.failed(e))?;
        let mut output = vec![0];
        if let Some(stdout) = child.stdout.take() {
            stdout.take(at_most).read_to_end(&mut output).map_err(|e| self.failed(e))?;
        }
        let status = child.wait().map_err(|e| self.failed(e))?;
        output[0] = u8::from(status.success());
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let (succeeded, stdout) = output.split_at(1);
        if succeeded != [1] {
            return Err(format!("{} did not exit with status 0", self.program));
        }
        match &self.stdout {
            Some(expected) if stdout != expected.as_bytes() => Err(format!(
                "{} wrote {:?}, not {expected:?}",
                self.program,
                String::from_utf8_lossy(&stdout[..stdout.len().min(200)])
            )),
            _ => Ok(()),
        }
    }

    fn verified(&self) -> &'static str {
        match self.stdout {
            Some(_) => "the command exits with status 0 and its output is the expected one",
            None => "the command exits with status 0",
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        self.bytes
    }

    fn children(&self) -> ChildUsage {
        self.children
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::proof::set_up;

    #[test]
    fn omitted_parameters_may_be_null() {
        let mut work =
            set_up(&operation(), r#"{"run":["true"],"bytes":null,"stdout":null}"#, &[]).unwrap();
        assert_eq!(work.bytes_per_op(), None);
        let output = work.output().unwrap();
        assert_eq!(work.check(&output), Ok(()));
        assert!(!work.verified().contains("output"));
    }

    #[test]
    fn output_is_checked_if_the_table_names_it() {
        let parameters = r#"{"run":["echo","word"],"bytes":4,"stdout":"word\n"}"#;
        let mut work = set_up(&operation(), parameters, &[]).unwrap();
        assert_eq!(work.bytes_per_op(), Some(4));
        let mut output = work.output().unwrap();
        assert_eq!(work.check(&output), Ok(()));
        output[2] ^= 1;
        assert!(work.check(&output).is_err());
    }
}
