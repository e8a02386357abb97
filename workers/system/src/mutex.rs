//! `mutex`: one op takes a `pthread_mutex` that all threads share, makes 64 dependent additions inside, gives it back, and
//! makes 256 outside.

use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::cell::UnsafeCell;
use std::hint::black_box;
use std::sync::Arc;

const INSIDE: u64 = 64;

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let shared = setting.shared(|| Shared::new(setting.cpus.len()))?;
    Ok(Box::new(Locks { shared, thread: setting.thread, outside: 0 }))
}

/// A lock and what it protects.
struct Shared {
    lock: UnsafeCell<libc::pthread_mutex_t>,
    counted: UnsafeCell<Counted>,
}

/// A cache line, so that no two threads write to one outside of the lock.
#[repr(align(128))]
#[derive(Clone, Copy)]
struct Line(u64);

struct Counted {
    /// 64 for each time that the lock was taken.
    sum: u64,
    /// How often each thread took it.
    locks: Vec<Line>,
}

// SAFETY: who touches `counted` holds the lock.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    fn new(threads: usize) -> Result<Self, WorkerError> {
        let counted = Counted { sum: 0, locks: vec![Line(0); threads] };
        Ok(Self {
            lock: UnsafeCell::new(libc::PTHREAD_MUTEX_INITIALIZER),
            counted: UnsafeCell::new(counted),
        })
    }

    /// Does something with the lock held.
    fn locked<T>(&self, inside: impl FnOnce(&mut Counted) -> T) -> Result<T, OpError> {
        // SAFETY: the lock stays where it is as long as it is shared, and only its holder touches what it protects.
        unsafe {
            if libc::pthread_mutex_lock(self.lock.get()) != 0 {
                return Err(OpError::new("the lock can't be taken"));
            }
            let result = inside(&mut *self.counted.get());
            match libc::pthread_mutex_unlock(self.lock.get()) {
                0 => Ok(result),
                _ => Err(OpError::new("the lock can't be given back")),
            }
        }
    }
}

/// This many additions, each to the result of the one before.
macro_rules! additions {
    ($number:literal, $sum:expr) => {{
        let mut sum: u64 = $sum;
        // SAFETY: additions of registers.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            std::arch::asm!(concat!(".rept ", $number), "add {sum}, {one}", ".endr",
                sum = inout(reg) sum, one = in(reg) 1_u64, options(pure, nomem, nostack));
            #[cfg(target_arch = "aarch64")]
            std::arch::asm!(concat!(".rept ", $number), "add {sum}, {sum}, {one}", ".endr",
                sum = inout(reg) sum, one = in(reg) 1_u64, options(pure, nomem, nostack));
        }
        sum
    }};
}

struct Locks {
    shared: Arc<Shared>,
    thread: usize,
    /// The sum added outside of the lock.
    outside: u64,
}

impl Work for Locks {
    fn op(&mut self) -> Result<(), OpError> {
        let thread = self.thread;
        self.shared.locked(|counted| {
            counted.sum = additions!("64", counted.sum);
            counted.locks[thread].0 += 1;
        })?;
        self.outside = black_box(additions!("256", self.outside));
        Ok(())
    }

    /// After an op: by how much the protected sum and the locks that threads counted differ, and how many the op took.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let thread = self.thread;
        let mine = |counted: &mut Counted| counted.locks[thread].0;
        let before = self.shared.locked(mine)?;
        self.op()?;
        let (difference, after) = self.shared.locked(|counted| {
            let locks: u64 = counted.locks.iter().map(|line| line.0).sum();
            (counted.sum.wrapping_sub(INSIDE * locks), counted.locks[thread].0)
        })?;
        Ok([difference, after - before].map(u64::to_le_bytes).concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == [0, 1].map(u64::to_le_bytes).concat() {
            Ok(())
        } else {
            Err(format!("the protected sum is not 64 for each lock that was taken: {output:?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "the sum under the lock is that of all threads' locks"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
