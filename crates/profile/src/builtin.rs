//! The built-in profiler, where there is no `perf`: stops each running thread for some microseconds (`ptrace`), reads its
//! registers, and follows frame pointers up its stack.
//!
//! A stack stands for 4 ms of CPU time: one of a thread is taken when it has used so much since the last one. So threads that
//! wait for a CPU, or wake up often and do little, count for what they use.
//!
//! Between samples no thread is traced. So no signal of the process waits for us, and whoever waits for the process sees
//! it as always. The kernel lets a parent do that to its child, also where it forbids it to others.

use crate::address_space::{AddressSpace, read_memory};
use crate::registers::Registers;
use crate::stack::{StackFrame, StackSample};
use nix::errno::Errno;
use nix::sys::ptrace::{self, Options};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// The deepest stack that is followed, as `perf` does by default.
const MOST_FRAMES: usize = 127;
/// The CPU time that a stack stands for …
const STACK_NS: u64 = 4_000_000;
/// Limit for a thread's `stat` and `schedstat`: a line each.
const MOST_STAT_BYTES: u64 = 4096;
/// … and how much a thread can have in hand, which it had no stack for.
const MOST_UNUSED_NS: u64 = 2 * STACK_NS;
/// Frames of one stack lie within this.
const LARGEST_STACK_BYTES: u64 = 64 << 20;
/// How long a thread may take to stop: it may wait for a CPU first.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why a process can't be sampled.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The kernel, a container or a security module forbids it.
    #[error(
        "this system forbids to look at a child process (ptrace: {0}). In a container, allow it by \
         --cap-add=SYS_PTRACE; docs/profile.md says more"
    )]
    Forbidden(Errno),
    /// It no longer answers the kernel.
    #[error("thread {0} of the worker did not stop within 10 s")]
    Stuck(Pid),
    /// It is gone, or `/proc` is not there.
    #[error("the worker can't be looked at")]
    Gone(#[from] io::Error),
    /// Another failure of a call.
    #[error("ptrace of thread {0} of the worker failed: {1}")]
    Failed(Pid, Errno),
}

/// Samples a process.
#[derive(Debug)]
pub struct Sampler {
    pid: Pid,
    space: AddressSpace,
    samples: Vec<StackSample>,
    used: BTreeMap<Pid, UsedTime>,
}

/// A thread's CPU time.
#[derive(Debug, Clone, Copy, Default)]
struct UsedTime {
    /// So far.
    total_ns: u64,
    /// CPU time that no stack represents yet.
    unused_ns: u64,
}

impl Sampler {
    /// Attaches to a child of this process. Both `take` and the wait for the child must be done by one thread.
    ///
    /// # Errors
    /// When there is no such process.
    pub fn of(pid: u32) -> Result<Self, SampleError> {
        let pid = Pid::from_raw(pid.cast_signed());
        Ok(Self { pid, space: AddressSpace::of(pid)?, samples: Vec::new(), used: BTreeMap::new() })
    }

    /// Takes the stack of each thread that runs and has used enough CPU time for one. `now_ns` is the time on the monotonic clock.
    ///
    /// # Errors
    /// When the system forbids it, or a thread can't be stopped.
    pub fn take(&mut self, now_ns: u64) -> Result<(), SampleError> {
        for thread in running_threads(self.pid)? {
            if !self.is_due(thread) {
                continue;
            }
            let Some(stopped) = Stopped::stop(thread)? else { continue };
            // A thread that was killed meanwhile has no registers.
            if let Ok(registers) = Registers::of(thread) {
                let frames = self.frames(registers)?;
                self.samples.push(StackSample { time_ns: now_ns, frames });
            }
            stopped.let_go()?;
        }
        Ok(())
    }

    /// Whether a thread has used the CPU time of a stack; always where the kernel does not count it.
    fn is_due(&mut self, thread: Pid) -> bool {
        let Some(total_ns) = cpu_time_ns(thread) else { return true };
        let Some(used) = self.used.get_mut(&thread) else {
            self.used.insert(thread, UsedTime { total_ns, unused_ns: 0 });
            return false;
        };
        let unused_ns = used.unused_ns + total_ns.saturating_sub(used.total_ns);
        let is_due = unused_ns >= STACK_NS;
        let rest_ns = if is_due { unused_ns - STACK_NS } else { unused_ns };
        *used = UsedTime { total_ns, unused_ns: rest_ns.min(MOST_UNUSED_NS) };
        is_due
    }

    /// All that were taken.
    pub fn end(self) -> Vec<StackSample> {
        self.samples
    }

    fn frames(&mut self, registers: Registers) -> Result<Vec<StackFrame>, SampleError> {
        if !self.space.is_code(registers.instruction) {
            // A library or a trace that was made since.
            self.space = AddressSpace::of(self.pid)?;
        }
        let mut frames = vec![StackFrame::User(registers.instruction)];
        let (mut frame, mut floor) = (registers.frame, registers.stack);
        let ceiling = registers.stack.saturating_add(LARGEST_STACK_BYTES);
        while frames.len() < MOST_FRAMES && frame >= floor && frame < ceiling && frame % 8 == 0 {
            // The caller's frame pointer, and above it the return address: on both architectures.
            let mut pair = [0; 16];
            if read_memory(self.pid, frame, &mut pair) < pair.len() {
                break;
            }
            let [above, back] = [0, 8]
                .map(|at| u64::from_ne_bytes(pair[at..at + 8].try_into().expect("eight bytes")));
            if !self.space.is_code(back) {
                break;
            }
            frames.push(StackFrame::User(back));
            (floor, frame) = (frame + 16, above);
        }
        Ok(frames)
    }
}

/// A thread that stands still for us.
struct Stopped {
    thread: Pid,
    /// The signal that it was about to get, if that stopped it; 0 if we did.
    signal: i32,
}

impl Stopped {
    /// `None` if the thread has ended.
    fn stop(thread: Pid) -> Result<Option<Self>, SampleError> {
        match ptrace::seize(thread, Options::empty()) {
            Ok(()) => {}
            Err(Errno::ESRCH) => return Ok(None),
            // A thread that is about to end can't be traced either.
            Err(Errno::EPERM) if !is_running(thread) => return Ok(None),
            Err(error @ (Errno::EPERM | Errno::EACCES | Errno::ENOSYS)) => {
                return Err(SampleError::Forbidden(error));
            }
            Err(error) => return Err(SampleError::Failed(thread, error)),
        }
        match ptrace::interrupt(thread) {
            Ok(()) | Err(Errno::ESRCH) => wait_for_stop(thread),
            Err(error) => Err(SampleError::Failed(thread, error)),
        }
    }

    fn let_go(self) -> Result<(), SampleError> {
        let nothing = std::ptr::null_mut::<libc::c_void>();
        let signal = self.signal as usize as *mut libc::c_void;
        // SAFETY: PTRACE_DETACH takes a thread, nothing, and the number of a signal.
        let done =
            unsafe { libc::ptrace(libc::PTRACE_DETACH, self.thread.as_raw(), nothing, signal) };
        match Errno::result(done) {
            Ok(_) | Err(Errno::ESRCH) => Ok(()),
            Err(error) => Err(SampleError::Failed(self.thread, error)),
        }
    }
}

fn wait_for_stop(thread: Pid) -> Result<Option<Stopped>, SampleError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut status = 0;
        // SAFETY: waitpid writes a status. nix would reject the numbers of real-time signals.
        let done = unsafe {
            libc::waitpid(thread.as_raw(), &raw mut status, libc::__WALL | libc::WNOHANG)
        };
        match Errno::result(done) {
            Ok(0) if Instant::now() > deadline => return Err(SampleError::Stuck(thread)),
            Ok(0) => std::thread::sleep(Duration::from_micros(20)),
            Ok(_) if libc::WIFSTOPPED(status) => {
                // Ours has an event, a signal's has none.
                let is_ours = status >> 16 != 0;
                let signal = if is_ours { 0 } else { libc::WSTOPSIG(status) };
                return Ok(Some(Stopped { thread, signal }));
            }
            Ok(_) | Err(Errno::ECHILD) => return Ok(None),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(SampleError::Failed(thread, error)),
        }
    }
}

/// The threads of a process that use or want a CPU.
fn running_threads(pid: Pid) -> io::Result<Vec<Pid>> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))?.filter_map(|entry| {
        let thread: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        Some(Pid::from_raw(thread))
    });
    Ok(threads.filter(|thread| is_running(*thread)).collect())
}

/// The first number of schedstat, in kernels with `CONFIG_SCHED_INFO`.
fn cpu_time_ns(thread: Pid) -> Option<u64> {
    let stat = foreign::read_text(Path::new(&format!("/proc/{thread}/schedstat")), MOST_STAT_BYTES)
        .ok()?;
    stat.split_whitespace().next()?.parse().ok()
}

fn is_running(thread: Pid) -> bool {
    let stat = foreign::read(Path::new(&format!("/proc/{thread}/stat")), MOST_STAT_BYTES)
        .unwrap_or_default();
    // The name before the state is in brackets and can hold some itself.
    let state = stat.iter().rposition(|byte| *byte == b')').and_then(|end| stat.get(end + 2));
    state == Some(&b'R')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    /// A child that computes and does nothing else; it ends with this value.
    struct Busy(Child);

    impl Busy {
        fn start() -> Self {
            Self(Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap())
        }
    }

    impl Drop for Busy {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    #[test]
    fn a_child_is_sampled_where_it_runs_and_goes_on() {
        let mut busy = Busy::start();
        let mut sampler = Sampler::of(busy.0.id()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        for now_ns in 0.. {
            sampler.take(now_ns).unwrap();
            assert_eq!(busy.0.try_wait().unwrap(), None);
            if sampler.samples.len() >= 20 || Instant::now() > deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let space = AddressSpace::of(sampler.pid).unwrap();
        let samples = sampler.end();
        assert!(samples.len() >= 20, "{samples:?}");
        for sample in &samples {
            let StackFrame::User(address) = sample.frames[0] else { panic!("{sample:?}") };
            assert!(space.is_code(address), "{address:#x}");
        }
        assert!(is_running(sampler_pid(&busy)), "it still computes");
    }

    fn sampler_pid(busy: &Busy) -> Pid {
        Pid::from_raw(busy.0.id().cast_signed())
    }

    #[test]
    fn a_process_that_has_ended_is_an_error_and_one_that_sleeps_has_no_samples() {
        let mut ended = Command::new("true").spawn().unwrap();
        let pid = ended.id();
        ended.wait().unwrap();
        assert!(matches!(Sampler::of(pid), Err(SampleError::Gone(_))));
        let mut sleeping = Command::new("sleep").arg("60").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let mut sampler = Sampler::of(sleeping.id()).unwrap();
        sampler.take(1).unwrap();
        sleeping.kill().unwrap();
        sleeping.wait().unwrap();
        assert_eq!(sampler.end(), []);
    }
}
