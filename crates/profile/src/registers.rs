//! The registers that a stack begins with.

use nix::sys::ptrace::getregs;
use nix::unistd::Pid;

/// Where a stopped thread is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Registers {
    /// The next instruction.
    pub instruction: u64,
    /// The top of its stack.
    pub stack: u64,
    /// By convention, where the caller's frame pointer and the return address lie.
    pub frame: u64,
}

impl Registers {
    /// Those of a thread that we have stopped.
    pub fn of(thread: Pid) -> nix::Result<Self> {
        let all = getregs(thread)?;
        #[cfg(target_arch = "x86_64")]
        let registers = Self { instruction: all.rip, stack: all.rsp, frame: all.rbp };
        #[cfg(target_arch = "aarch64")]
        let registers = Self { instruction: all.pc, stack: all.sp, frame: all.regs[29] };
        Ok(registers)
    }
}
