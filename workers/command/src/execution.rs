//! A plain command as a workload: one op is one execution, from start to exit.

use crate::ended::ended;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::io::Read;
use std::process::{Command, Stdio};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// The program and its arguments. There is no shell.
    run: Vec<String>,
    /// What an execution works on, where bytes make sense.
    bytes: Option<u64>,
    /// What it must write to stdout; without it only the exit status is checked.
    stdout: Option<String>,
}

/// Sets a command up for one thread; its executions inherit the thread's CPU.
pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { run, bytes, stdout } = setting.parameters()?;
    let Some((program, arguments)) = run.split_first() else {
        return Err(WorkerError::bad_request("parameters: run is empty"));
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(Box::new(Execution { program: program.clone(), command, bytes, stdout, cpu_ns: 0 }))
}

/// One op is one execution.
struct Execution {
    program: String,
    command: Command,
    bytes: Option<u64>,
    stdout: Option<String>,
    /// CPU time of all executions so far that were timed.
    cpu_ns: u64,
}

impl Execution {
    fn failed(&self, what: impl ToString) -> OpError {
        OpError::new(format!("{}: {}", self.program, what.to_string()))
    }
}

impl Work for Execution {
    fn op(&mut self) -> Result<(), OpError> {
        let child = self.command.spawn().map_err(|e| self.failed(e))?;
        let (status, cpu_ns) = ended(child).map_err(|e| self.failed(e))?;
        self.cpu_ns += cpu_ns;
        if status.success() { Ok(()) } else { Err(self.failed(status)) }
    }

    /// 1 for success and 0 for failure, then what was written to stdout if that is to be checked: as much
    /// as is expected and a byte more, for a command may write without end.
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

    fn bytes_per_op(&self) -> Option<u64> {
        self.bytes
    }

    fn children_cpu_ns(&self) -> u64 {
        self.cpu_ns
    }
}
