//! A worker's process and its pipes. Every wait is bounded, and nothing outlives its `PlayedWorker`.

use catalog::Program;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// The longest line that the protocol allows, its end included.
const LONGEST_LINE_BYTES: usize = 2 << 20;
/// Limit for `/proc/PID/status`, whose lists of CPUs grow with the machine.
const MOST_STATUS_BYTES: u64 = 1 << 16;

/// A running worker.
pub struct PlayedWorker {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: File,
    unread: Vec<u8>,
    patience: Duration,
}

impl PlayedWorker {
    /// Starts a worker as a run does; no wait for it will be longer than `patience`. The kernel kills it when the thread that
    /// started it ends.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(
        program: &Program,
        arguments: &[&str],
        patience: Duration,
    ) -> Result<Self, String> {
        let cannot = |e: io::Error| format!("{} can't be started: {e}", program.run[0]);
        let stderr = tempfile::tempfile().map_err(cannot)?;
        let mut command = program.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr.try_clone().map_err(cannot)?);
        // SAFETY: only an async-signal-safe system call between fork and exec.
        unsafe { command.pre_exec(|| Ok(prctl::set_pdeathsig(Signal::SIGKILL)?)) };
        let mut child = command.spawn().map_err(cannot)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let process = Self { child, stdin, stdout, stderr, unread: Vec::new(), patience };
        process.stdin.as_ref().map_or(Ok(()), nonblocking)?;
        process.stdout.as_ref().map_or(Ok(()), nonblocking)?;
        Ok(process)
    }

    /// Sends bytes. A worker that doesn't read to the end any more shows by what it answers.
    pub fn send(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        let deadline = Instant::now() + self.patience;
        while let (Some(stdin), false) = (&mut self.stdin, bytes.is_empty()) {
            match stdin.write(bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(e) if e.kind() == ErrorKind::BrokenPipe => self.stdin = None,
                Err(e) if is_temporary(&e) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(format!("it doesn't read its stdin: {}", self.waited()));
                    }
                    self.wait(left, PollFlags::POLLOUT);
                    // Who can't get rid of an answer may not read on.
                    self.drain();
                }
                Err(e) => return Err(format!("its stdin can't be written: {e}")),
            }
        }
        Ok(())
    }

    /// The next line without its end.
    pub fn receive(&mut self) -> Result<String, String> {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).take(end).collect();
                return String::from_utf8(line).map_err(|e| format!("an answer is no text: {e}"));
            }
            if self.unread.len() >= LONGEST_LINE_BYTES {
                return Err(format!("a line of more than {LONGEST_LINE_BYTES} bytes"));
            }
            if !self.drain() && !self.unread.contains(&b'\n') {
                return Err(match self.unasked() {
                    Some(text) => format!("an end of stdout in the middle of a line: {text:?}"),
                    None => "the end of stdout".to_owned(),
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("no answer: {}", self.waited()));
            }
            if !self.unread.contains(&b'\n') {
                self.wait(left, PollFlags::empty());
            }
        }
    }

    /// Output that has arrived but was not received by a step.
    pub fn unasked(&mut self) -> Option<String> {
        self.drain();
        let text = String::from_utf8_lossy(&self.unread).into_owned();
        (!text.is_empty()).then_some(text)
    }

    /// The most memory that it had at once.
    pub fn peak_bytes(&self) -> Result<u64, String> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = foreign::read_text(Path::new(&path), MOST_STATUS_BYTES)
            .map_err(|e| format!("{path}: {e}"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kib.map(|kib| kib << 10).ok_or_else(|| format!("{path} has no VmHWM"))
    }

    /// Closes its stdin.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Closes the reading end of its stdout.
    pub fn close_stdout(&mut self) {
        self.stdout = None;
    }

    /// Waits until it ends by itself, and gives its exit status.
    pub fn exit(&mut self) -> Result<i32, String> {
        let deadline = Instant::now() + self.patience;
        loop {
            // Someone who waits for the pipe to be emptied can't end.
            self.drain();
            let ended =
                self.child.try_wait().map_err(|e| format!("its end can't be waited for: {e}"))?;
            if let Some(status) = ended {
                return status.code().ok_or_else(|| match status.signal() {
                    Some(signal) => format!("an end by signal {signal}"),
                    None => format!("an end with {status}"),
                });
            }
            if Instant::now() >= deadline {
                return Err(format!("a worker that lives on: {}", self.waited()));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// All of its stderr so far.
    pub fn stderr(&mut self) -> String {
        let mut bytes = Vec::new();
        match self.stderr.rewind() {
            Ok(()) => match self.stderr.read_to_end(&mut bytes) {
                Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(e) => format!("(stderr can't be read: {e})"),
            },
            Err(e) => format!("(stderr can't be read: {e})"),
        }
    }

    /// Takes all that can be read now, up to a line too long; false when stdout has ended.
    fn drain(&mut self) -> bool {
        let mut piece = [0; 1 << 14];
        while let (Some(stdout), true) = (&mut self.stdout, self.unread.len() < LONGEST_LINE_BYTES)
        {
            match stdout.read(&mut piece) {
                Ok(0) => return false,
                Ok(bytes) => self.unread.extend_from_slice(&piece[..bytes]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return is_temporary(&e),
            }
        }
        self.stdout.is_some()
    }

    /// Sleeps until stdout can be read, or stdin be as `writable` says, or the time is over.
    fn wait(&self, at_most: Duration, writable: PollFlags) {
        let mut files = Vec::new();
        if let Some(stdout) = &self.stdout {
            files.push(PollFd::new(stdout.as_fd(), PollFlags::POLLIN));
        }
        if let (Some(stdin), false) = (&self.stdin, writable.is_empty()) {
            files.push(PollFd::new(stdin.as_fd(), writable));
        }
        let ms = u16::try_from(at_most.as_millis().saturating_add(1)).unwrap_or(u16::MAX);
        // An error will show when the pipe is used again.
        let _ = poll(&mut files, PollTimeout::from(ms));
    }

    fn waited(&self) -> String {
        format!("waited {:.1} s in vain", self.patience.as_secs_f64())
    }
}

impl Drop for PlayedWorker {
    /// Ends the whole process group, whatever it is doing.
    fn drop(&mut self) {
        if let Ok(pid) = i32::try_from(self.child.id()) {
            let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
        }
        let _ = self.child.wait();
    }
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

fn nonblocking(file: &impl AsFd) -> Result<(), String> {
    fcntl(file, FcntlArg::F_GETFL)
        .and_then(|flags| {
            let flags = OFlag::from_bits_retain(flags) | OFlag::O_NONBLOCK;
            fcntl(file, FcntlArg::F_SETFL(flags))
        })
        .map(|_| ())
        .map_err(|e: Errno| format!("a pipe can't be created nonblocking: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::wait::{WaitStatus, waitpid};

    #[test]
    fn a_worker_ends_with_the_thread_that_started_it() {
        let worker = std::thread::spawn(|| {
            let run = ["/bin/sh", "-c", "exec sleep 60"].map(str::to_owned).to_vec();
            let (name, environment) = ("fake".to_owned(), std::collections::BTreeMap::new());
            let program = Program { name, run, folder: ".".into(), environment };
            let worker = PlayedWorker::start(&program, &[], Duration::ZERO).expect("a shell");
            let number = Pid::from_raw(worker.child.id().cast_signed());
            // As if we were killed: nothing is done for its end.
            std::mem::forget(worker);
            number
        });
        let number = worker.join().expect("a worker");
        assert_eq!(waitpid(number, None), Ok(WaitStatus::Signaled(number, Signal::SIGKILL, false)));
    }
}
