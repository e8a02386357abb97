//! `fork-exit`: one op forks a process that has 32 MiB in small pages; the child exits, and the parent waits for it. Each
//! thread has a helper process that forks: processes share no map of memory, and so no lock on it.

use crate::map::{Map, page_bytes};
use sizeup_kit::{ChildUsage, Kind, OpError, Setting, Work, WorkerError};
use std::io::{self, PipeReader, PipeWriter, Read, Write};

const BYTES: usize = 32 << 20;
/// So many forks in a batch that asking the helper for them, some microseconds, does not count.
const LEAST_BATCH: u64 = 16;

pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Forks { helper: Helper::start()?, children: ChildUsage::default() }))
}

/// Requests so many forks from the helper; 0 for one whose child looks at the pages.
type Order = [u8; 8];

/// The helper's answer: CPU time of its processes in ns, their minor and major faults, and how far the last child's status
/// was from what was asked of it (or the error number of a call that failed, with a bit above all of these).
type Answer = [[u8; 8]; 4];
const FAILED: u64 = 1 << 32;

struct Helper {
    pid: libc::pid_t,
    to: PipeWriter,
    from: PipeReader,
}

impl Helper {
    fn start() -> Result<Self, WorkerError> {
        let failed = |e: io::Error| {
            WorkerError::new(Kind::Resources, format!("a process can't be forked: {e}"))
        };
        let (there, to) = io::pipe().map_err(failed)?;
        let (from, back) = io::pipe().map_err(failed)?;
        // SAFETY: the child of a process with threads may only do what needs no lock that one of these may have held: it
        // makes system calls, and touches memory that it maps itself.
        match unsafe { libc::fork() } {
            -1 => Err(failed(io::Error::last_os_error())),
            0 => {
                serve(there, back);
                // SAFETY: nothing of this process is in use any more.
                unsafe { libc::_exit(0) }
            }
            pid => Ok(Self { pid, to, from }),
        }
    }

    /// Usage of its processes, and what was wrong.
    fn ask(&mut self, forks: u64) -> Result<(ChildUsage, u64), OpError> {
        let gone = |e: io::Error| OpError::new(format!("the helper process is gone: {e}"));
        let order: Order = forks.to_le_bytes();
        let mut answer: Answer = [[0; 8]; 4];
        self.to.write_all(&order).map_err(gone)?;
        self.from.read_exact(answer.as_flattened_mut()).map_err(gone)?;
        let [cpu_ns, minor_faults, major_faults, wrong] = answer.map(u64::from_le_bytes);
        if wrong & FAILED != 0 {
            let error = io::Error::from_raw_os_error(wrong as i32);
            return Err(OpError::new(format!("the helper process: {error}")));
        }
        Ok((ChildUsage { cpu_ns, minor_faults, major_faults }, wrong))
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        // SAFETY: the process is ours and has not been waited for.
        unsafe {
            libc::kill(self.pid, libc::SIGKILL);
            libc::waitpid(self.pid, std::ptr::null_mut(), 0);
        }
    }
}

/// The helper's life. It allocates nothing: see `Helper::start`.
fn serve(mut orders: PipeReader, mut answers: PipeWriter) {
    // SAFETY: numbers only. It ends with the thread that started it.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    let memory = memory();
    let mut order: Order = [0; 8];
    while orders.read_exact(&mut order).is_ok() {
        let answer = match &memory {
            Ok(memory) => carry_out(memory, u64::from_le_bytes(order)),
            Err(error) => Err(*error),
        };
        let (used, wrong) = match answer {
            Ok(done) => done,
            Err(error) => (ChildUsage::default(), FAILED | u64::from(error as u32)),
        };
        let ChildUsage { cpu_ns, minor_faults, major_faults } = used;
        let answer: Answer = [cpu_ns, minor_faults, major_faults, wrong].map(u64::to_le_bytes);
        if answers.write_all(answer.as_flattened()).is_err() {
            return;
        }
    }
}

/// The error number of the last call.
fn error() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// 32 MiB in small pages, each with a mark.
fn memory() -> Result<Map, i32> {
    let memory = Map::new(BYTES).map_err(|_| error())?;
    memory.advise(0..BYTES, libc::MADV_NOHUGEPAGE).map_err(|_| error())?;
    for (page, at) in (0..BYTES).step_by(page_bytes()).enumerate() {
        memory.mark(at, page as u64 + 1);
    }
    Ok(memory)
}

/// Usage of this many forks, and how far the last child's status was from what was asked of it.
fn carry_out(memory: &Map, forks: u64) -> Result<(ChildUsage, u64), i32> {
    let before = used();
    if forks == 0 {
        let wrong = fork(|| marks_status(memory))?;
        return Ok((used().since(before), wrong));
    }
    for number in 0..forks {
        let status = (number % 251) as u8;
        let wrong = fork(|| status)?.wrapping_sub(u64::from(status));
        if wrong != 0 {
            return Ok((used().since(before), wrong & u64::from(u32::MAX)));
        }
    }
    Ok((used().since(before), 0))
}

/// 0 if a process finds all marks in its memory.
fn marks_status(memory: &Map) -> u8 {
    let pages = (0..BYTES).step_by(page_bytes()).enumerate();
    let wrong = pages.filter(|(page, at)| memory.read(*at) != *page as u64 + 1).count();
    u8::from(wrong > 0)
}

/// Forks, has the child exit with a status, and returns that as the parent sees it.
fn fork(status: impl FnOnce() -> u8) -> Result<u64, i32> {
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        -1 => Err(error()),
        // SAFETY: nothing of this process is in use any more.
        0 => unsafe { libc::_exit(i32::from(status())) },
        pid => {
            let mut status = 0;
            // SAFETY: the pointer is valid for one number, and the child is ours.
            if unsafe { libc::waitpid(pid, &raw mut status, 0) } != pid {
                return Err(error());
            }
            // An exit by a signal is no status that is asked for.
            Ok(if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) as u64 } else { 256 })
        }
    }
}

/// Usage of this process and of those that it has waited for.
fn used() -> ChildUsage {
    let spent = |who| {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the pointer is valid for one rusage, and all zeros is one.
        unsafe {
            libc::getrusage(who, usage.as_mut_ptr());
            usage.assume_init()
        }
    };
    let mut used = ChildUsage::from(spent(libc::RUSAGE_SELF));
    used += spent(libc::RUSAGE_CHILDREN).into();
    used
}

struct Forks {
    helper: Helper,
    /// Totals of the helper's processes so far.
    children: ChildUsage,
}

impl Forks {
    fn fork(&mut self, forks: u64) -> Result<u64, OpError> {
        let (used, wrong) = self.helper.ask(forks)?;
        self.children += used;
        Ok(wrong)
    }
}

impl Work for Forks {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(1)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        match self.fork(ops)? {
            0 => Ok(()),
            _ => Err(OpError::new("a child exited with another status than was asked of it")),
        }
    }

    fn least_batch_ops(&self) -> u64 {
        LEAST_BATCH
    }

    /// Deviations of a child that exits, and of one that looks at its pages; 0 if they are right.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok([self.fork(1)?, self.fork(0)?].map(u64::to_le_bytes).concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == [0; 16] {
            Ok(())
        } else {
            Err(format!("a child's status or its pages are wrong: {output:?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "children exit with the status asked of them, and have their parent's pages"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn children(&self) -> ChildUsage {
        self.children
    }
}
