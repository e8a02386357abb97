//! `exec`: one op starts a program of one page without a library (`posix_spawn`) and waits for its end.

use crate::helper::{checked, unavailable};
use crate::program;
use sizeup_kit::{ChildUsage, Kind, OpError, Setting, Work, WorkerError};
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::{null, null_mut};

/// The status of a child that could not start its program, where `posix_spawn` itself can't say so: the first one is asked for 1.
const NOT_STARTED: u8 = 127;

pub fn setup(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let program = program_file().map_err(|e| unavailable(format!("there is no program: {e}")))?;
    let path = CString::new(format!("/proc/self/fd/{}", program.as_raw_fd()));
    let path = path.map_err(|e| WorkerError::new(Kind::Internal, e.to_string()))?;
    let children = ChildUsage::default();
    let mut spawn = Spawn { _program: program, path, nonce: 0, children };
    match spawn.start() {
        // Without the right, or where an emulator runs this process, whose programs the kernel below does not know.
        Err(e) if matches!(e.raw_os_error(), Some(libc::EACCES | libc::EPERM | libc::ENOEXEC)) => {
            Err(unavailable(format!("a program in memory can't be started here: {e}")))
        }
        Err(e) => Err(WorkerError::new(Kind::OperationFailed, format!("posix_spawn: {e}"))),
        Ok(pid) => {
            let status = spawn.wait(pid)?.wrapping_add(spawn.nonce);
            if status == NOT_STARTED {
                return Err(unavailable("a program in memory can't be started here")
                    .hint("under an emulator of programs the kernel below does not know it"));
            }
            Ok(Box::new(spawn))
        }
    }
}

/// The program as a file in memory, which is on every machine the same. Not open for writing any more: such a file can't be
/// started.
fn program_file() -> io::Result<File> {
    // SAFETY: the name ends with a zero byte.
    let fd = unsafe { libc::memfd_create(c"sizeup-exec".as_ptr(), 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just opened it for us.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(&program::elf())?;
    let path = CString::new(format!("/proc/self/fd/{fd}"))?;
    // Without `O_CLOEXEC`, which `File::open` sets: the new process finds the program by this number.
    // SAFETY: the path ends with a zero byte.
    let fd = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as above.
    Ok(unsafe { File::from_raw_fd(fd) })
}

struct Spawn {
    /// Open as long as it is started.
    _program: File,
    path: CString,
    /// The argument of the last start, which is the status to exit with: 1 to 255.
    nonce: u8,
    /// Totals of all processes so far.
    children: ChildUsage,
}

impl Spawn {
    fn start(&mut self) -> io::Result<libc::pid_t> {
        self.nonce = self.nonce % 255 + 1;
        let argument = [self.nonce, 0];
        let arguments = [self.path.as_ptr(), argument.as_ptr().cast(), null()];
        let mut pid = 0;
        // SAFETY: all texts and lists are there, with their ends; the call changes none of them.
        let error = unsafe {
            let environment = [null_mut()];
            libc::posix_spawn(
                &raw mut pid,
                self.path.as_ptr(),
                null(),
                null(),
                arguments.as_ptr().cast(),
                environment.as_ptr(),
            )
        };
        if error == 0 { Ok(pid) } else { Err(io::Error::from_raw_os_error(error)) }
    }

    /// Waits for a process and returns its exit status less its argument.
    fn wait(&mut self, pid: libc::pid_t) -> Result<u8, OpError> {
        let mut status = 0;
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: both pointers are valid for one value each; the process is ours and nobody else waits for it.
        checked("wait4", unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) })?;
        // SAFETY: all zeros is a valid value, and wait4 has filled it in.
        self.children += unsafe { usage.assume_init() }.into();
        if !libc::WIFEXITED(status) {
            return Err(OpError::new(format!("the program did not exit (status {status:#x})")));
        }
        Ok((libc::WEXITSTATUS(status) as u8).wrapping_sub(self.nonce))
    }

    fn run(&mut self) -> Result<u8, OpError> {
        let pid = self.start().map_err(|e| OpError::new(format!("posix_spawn: {e}")))?;
        self.wait(pid)
    }
}

impl Work for Spawn {
    fn op(&mut self) -> Result<(), OpError> {
        match self.run()? {
            0 => Ok(()),
            _ => Err(OpError::new("the program exited with another status than its argument")),
        }
    }

    /// The exit status less the argument, of two arguments.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(vec![self.run()?, self.run()?])
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output {
            [0, 0] => Ok(()),
            _ => Err(format!("exit statuses differ from the arguments by {output:?}")),
        }
    }

    fn verified(&self) -> &'static str {
        "the program exits with its argument as its status"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn children(&self) -> ChildUsage {
        self.children
    }
}
