//! A thread that answers a thread of the launch, and what several operations share.

use sizeup_kit::{Kind, OpError, WorkerError};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread::{Builder, JoinHandle};

/// The operation can't run on this machine.
pub fn unavailable(what: impl ToString) -> WorkerError {
    WorkerError::new(Kind::Unavailable, what.to_string())
}

/// Turns the answer of a system call that returns -1 for failure into a result.
pub fn checked(what: &str, answer: impl Into<i64>) -> Result<i64, OpError> {
    match answer.into() {
        -1 => Err(OpError::new(format!("{what}: {}", io::Error::last_os_error()))),
        answer => Ok(answer),
    }
}

/// The CPU on which the calling thread runs.
pub fn current_cpu() -> i32 {
    // SAFETY: the call has no arguments and no effect.
    unsafe { libc::sched_getcpu() }
}

/// A thread that answers messages until its other side closes.
pub struct Helper {
    thread: Option<JoinHandle<()>>,
    place: Arc<Place>,
}

/// On which CPU the helper is, for whoever asks it.
#[derive(Default)]
struct Place {
    is_asked: AtomicBool,
    cpu: AtomicI32,
}

impl Helper {
    /// Starts a thread on a CPU that hands each message of `from` to `answer`, until there is none or one can't be answered.
    pub fn start<const N: usize>(
        cpu: u32,
        mut from: impl Read + Send + 'static,
        mut answer: impl FnMut([u8; N]) -> io::Result<()> + Send + 'static,
    ) -> Result<Self, WorkerError> {
        let place = Arc::new(Place::default());
        let noted = Arc::clone(&place);
        let (pinned, is_pinned) = std::sync::mpsc::channel();
        let serve = move || {
            let result = sizeup_kit::pin(cpu);
            let is_ready = result.is_ok();
            // Whoever started it waits.
            let _ = pinned.send(result);
            let mut message = [0; N];
            while is_ready && from.read_exact(&mut message).is_ok() {
                if noted.is_asked.load(Ordering::Relaxed) {
                    noted.cpu.store(current_cpu(), Ordering::Relaxed);
                }
                if answer(message).is_err() {
                    return;
                }
            }
        };
        let thread = Builder::new().name("helper".to_owned()).spawn(serve).map_err(|e| {
            WorkerError::new(Kind::Resources, format!("a helper can't be started: {e}"))
        })?;
        let helper = Self { thread: Some(thread), place };
        match is_pinned.recv() {
            Ok(result) => result.map(|()| helper),
            Err(_) => Err(WorkerError::new(Kind::Internal, "a helper ended at its start")),
        }
    }

    /// Has it note its CPU with each answer, until [`Self::last_cpu`].
    pub fn ask(&self) {
        self.place.cpu.store(-1, Ordering::Relaxed);
        self.place.is_asked.store(true, Ordering::Relaxed);
    }

    /// The CPU of its last answer; -1 if it has not answered since it was asked.
    pub fn last_cpu(&self) -> i32 {
        self.place.is_asked.store(false, Ordering::Relaxed);
        self.place.cpu.load(Ordering::Relaxed)
    }

    /// Waits for its end, after its other side was closed.
    pub fn end(&mut self) {
        if let Some(thread) = self.thread.take() {
            // It has nothing to say of a panic that the other side did not notice.
            let _ = thread.join();
        }
    }
}

/// Both ends of a new pipe.
pub fn pipe() -> Result<(OwnedFd, OwnedFd), WorkerError> {
    io::pipe()
        .map(|(reader, writer)| (reader.into(), writer.into()))
        .map_err(|e| WorkerError::new(Kind::Resources, format!("there is no pipe: {e}")))
}
