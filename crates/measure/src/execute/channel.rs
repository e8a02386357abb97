//! A worker process and the lines exchanged with it. Every wait is bounded.

use super::Interrupt;
use super::failure::Failure;
use super::spawn::{Pipes, spawn};
use super::worker_process::WorkerProcess;
use catalog::Program;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, ChildStdin, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

/// The longest answer that `docs/protocol.md` allows.
const LONGEST_LINE_BYTES: usize = 2 << 20;
/// How much of stderr is kept.
const STDERR_BYTES: usize = 8 << 10;
/// How often to check that the worker is still alive.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// Most pieces of stderr to read at a time.
const MOST_PIECES: usize = 64;

/// A running worker.
#[derive(Debug)]
pub(super) struct Channel {
    process: WorkerProcess,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    unread: Vec<u8>,
    stderr_tail: Vec<u8>,
    interrupt: Interrupt,
}

impl Channel {
    /// Starts a program on these CPUs, or on any if `cpus` is empty.
    pub fn start(
        program: &Program,
        arguments: &[&str],
        cpus: &[u32],
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let Pipes { process, stdin, stdout, stderr } = spawn(program, arguments, cpus)?;
        Ok(Self {
            process,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            unread: Vec::new(),
            stderr_tail: Vec::new(),
            interrupt: interrupt.clone(),
        })
    }

    /// The process ID, which is also that of its group.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Sends a line. Unrequested output before it violates the protocol.
    pub fn send(&mut self, line: &str, patience: Duration) -> Result<(), Failure> {
        self.drain();
        if !self.unread.is_empty() {
            let what = self.quote();
            return Err(self.failed(Failure::not_the_protocol(format!(
                "the worker wrote unrequested output: {what}"
            ))));
        }
        if line.len() >= LONGEST_LINE_BYTES {
            let message = format!("the request is {} bytes, too long for one line", line.len());
            return Err(Failure::new("bad-request", message, "use shorter parameters"));
        }
        self.write(format!("{line}\n").as_bytes(), patience)
    }

    /// Writes to a worker that may not be reading. [`Self::receive`] reports a worker that is gone.
    fn write(&mut self, mut bytes: &[u8], patience: Duration) -> Result<(), Failure> {
        let deadline = Instant::now() + patience;
        while let (Some(stdin), false) = (&mut self.stdin, bytes.is_empty()) {
            match stdin.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if self.interrupt.insisted() {
                        return Err(interrupted("its request was read"));
                    }
                    if Instant::now() >= deadline {
                        let message = "the worker stopped reading requests";
                        let hint = "the worker hangs";
                        return Err(self.failed(Failure::new("timeout", message, hint)));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// The next line, if it comes before the deadline.
    pub fn receive(&mut self, what: &str, patience: Duration) -> Result<String, Failure> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).take(end).collect();
                return String::from_utf8(line).map_err(|_| {
                    self.failed(Failure::not_the_protocol(format!("{what} is not UTF-8")))
                });
            }
            if self.unread.len() >= LONGEST_LINE_BYTES {
                return Err(self.failed(Failure::new(
                    "flood",
                    format!("{what} is longer than {LONGEST_LINE_BYTES} bytes: {}", self.quote()),
                    "the worker violates docs/protocol.md",
                )));
            }
            if self.interrupt.insisted() {
                return Err(interrupted(what));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.failed(Failure::new(
                    "timeout",
                    format!("{what} did not arrive within {:.1} s", patience.as_secs_f64()),
                    "the worker hangs or the machine is slow: raise --answer-timeout",
                )));
            }
            // In steps: a worker that has ended may have left its stdout open in a child.
            self.wait(left.min(LONGEST_WAIT));
            let has_ended = self.process.ended().is_some();
            if (!self.drain() || has_ended) && !self.unread.contains(&b'\n') {
                return Err(self.died(what));
            }
        }
    }

    /// Waits until there is something to read, a signal comes or the time is over.
    fn wait(&self, at_most: Duration) {
        let mut files = vec![PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
        if let Some(stderr) = &self.stderr {
            files.push(PollFd::new(stderr.as_fd(), PollFlags::POLLIN));
        }
        // Rounded up: a wait that is too short would spin.
        let ms = at_most.as_millis().saturating_add(1).min(60_000) as u16;
        // Errors show on read; the caller checks for signals.
        let _ = poll(&mut files, PollTimeout::from(ms));
    }

    /// Reads what is available, up to an overlong line. Returns false when stdout has ended.
    fn drain(&mut self) -> bool {
        let mut piece = [0; 1 << 14];
        if let Some(stderr) = &mut self.stderr {
            // Bounded, so that a worker that writes faster than we read can't keep us here.
            for _ in 0..MOST_PIECES {
                match stderr.read(&mut piece) {
                    Ok(0) => {
                        self.stderr = None;
                        break;
                    }
                    Ok(n) => self.stderr_tail.extend_from_slice(&piece[..n]),
                    Err(_) => break,
                }
                let spare = self.stderr_tail.len().saturating_sub(STDERR_BYTES);
                self.stderr_tail.drain(..spare);
            }
        }
        while self.unread.len() < LONGEST_LINE_BYTES {
            match self.stdout.read(&mut piece) {
                Ok(0) => return false,
                Ok(n) => self.unread.extend_from_slice(&piece[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return true,
            }
        }
        true
    }

    /// Closes stdin and waits for the process to end by itself.
    pub fn end(mut self, patience: Duration) -> Result<(), Failure> {
        self.stdin = None;
        match self.exit_within(patience) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(self.failed(Failure::new(
                "died",
                format!("the worker reported success but ended with {status}"),
                "",
            ))),
            None if self.interrupt.insisted() => Err(interrupted("the worker's end")),
            None => Err(self.failed(Failure::new(
                "timeout",
                format!(
                    "the worker did not exit within {:.1} s of finishing",
                    patience.as_secs_f64()
                ),
                "",
            ))),
        }
    }

    /// `None` if the process runs longer, or the user does not want to wait.
    fn exit_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            // A worker blocked on a full pipe can't exit.
            self.drain();
            self.unread.clear();
            if let Some(status) = self.process.ended() {
                return Some(status);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.interrupt.insisted() {
                return None;
            }
            std::thread::sleep(left.min(Duration::from_millis(1)));
        }
    }

    /// The failure of a worker whose stdout has ended.
    fn died(&mut self, what: &str) -> Failure {
        let status = self.exit_within(Duration::from_secs(1));
        let signal = status.and_then(|s| s.signal()).and_then(|n| Signal::try_from(n).ok());
        let how = match (status, signal) {
            (_, Some(signal)) => format!("was killed by {signal}"),
            (Some(status), None) => format!("ended with {status}"),
            (None, None) => "closed its stdout".to_owned(),
        };
        let message = format!("the worker {how} before {what}");
        let hint = match signal {
            Some(Signal::SIGKILL) => "if memory was short (dmesg says so), use fewer threads",
            _ => "see its stderr",
        };
        self.failed(Failure::new("died", message, hint))
    }

    /// Adds what the worker wrote to stderr.
    pub fn failed(&self, mut failure: Failure) -> Failure {
        failure.stderr = self.stderr();
        failure
    }

    /// The tail of the worker's stderr so far.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr_tail).into_owned()
    }

    /// The beginning of the unread output.
    fn quote(&self) -> String {
        format!("{:?}", String::from_utf8_lossy(&self.unread[..self.unread.len().min(80)]))
    }
}

/// Which of these workers have answered, or closed their stdout; waits for the first of them, and no longer than this.
pub(super) fn have_output(workers: &[&Channel], at_most: Duration) -> Vec<bool> {
    let files = workers.iter().map(|worker| PollFd::new(worker.stdout.as_fd(), PollFlags::POLLIN));
    let mut files: Vec<PollFd> = files.collect();
    let ms = at_most.as_millis().saturating_add(1).min(60_000) as u16;
    let is_any = poll(&mut files, PollTimeout::from(ms)).is_ok_and(|ready| ready > 0);
    files.iter().map(|file| is_any && file.any().unwrap_or(false)).collect()
}

/// The user stopped the run a second time. The worker is not at fault, so its case gets no outcome.
fn interrupted(before: &str) -> Failure {
    Failure::new("interrupted", format!("interrupted before {before}"), "")
}

#[cfg(test)]
mod tests;
