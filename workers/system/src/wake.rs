//! `wake`: one op is one value there and back between threads on two CPUs, over two blocking eventfds: each wakes the other
//! on a CPU that has gone idle.
//!
//! The CPUs of a launch form pairs. Both threads of a pair send to a helper on the other's CPU, in turns of a batch, so that
//! one value at a time is under way between the two CPUs. So the sum over the threads is the round trips of all pairs.

use crate::helper::{Helper, current_cpu, unavailable};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::FromRawFd;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// So many round trips in a batch that handing the turn over, which is half of one, is a thousandth of them.
const LEAST_BATCH: u64 = 512;

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Setting { thread, cpus, .. } = setting;
    let group = group(*thread, cpus.len());
    let next = if thread + 1 < group.end { thread + 1 } else { group.start };
    let (cpu, other) = (cpus[*thread], cpus[next]);
    if cpu == other {
        return Err(unavailable("a wake-up from one CPU to another needs two CPUs")
            .hint("use at least 2 threads on 2 CPUs"));
    }
    let turns = setting.shared(|| Ok((0..cpus.len()).map(|_| Turns::default()).collect()))?;
    let (to, there) = eventfd()?;
    let (mut back, from) = eventfd()?;
    let answer = move |value| match u64::from_ne_bytes(value) {
        END => Err(io::ErrorKind::UnexpectedEof.into()),
        value => back.write_all(&(value + 1).to_ne_bytes()),
    };
    let helper = Helper::start(other, there, answer)?;
    Ok(Box::new(Wake { cpus: [cpu, other], to, from, helper, last: 0, group: group.start, turns }))
}

/// The threads whose CPUs form a pair with that of this one; of an odd number the last three take turns.
fn group(thread: usize, threads: usize) -> std::ops::Range<usize> {
    let pairs = (threads / 2).max(1);
    let pair = (thread / 2).min(pairs - 1);
    2 * pair..if pair + 1 == pairs { threads } else { 2 * pair + 2 }
}

/// A counter in the kernel, as both sides have it.
fn eventfd() -> Result<(File, File), WorkerError> {
    let failed = |e: io::Error| unavailable(format!("there is no eventfd: {e}"));
    // SAFETY: the call takes numbers only.
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) };
    if fd < 0 {
        return Err(failed(io::Error::last_os_error()));
    }
    // SAFETY: the kernel has just opened it for us.
    let file = unsafe { File::from_raw_fd(fd) };
    Ok((file.try_clone().map_err(failed)?, file))
}

/// Whose turn it is, in the order of asking.
#[derive(Default)]
struct Turns {
    /// The number that the next one to ask draws, and that of the turn.
    numbers: Mutex<(u64, u64)>,
    over: Condvar,
}

struct Turn<'a>(&'a Turns);

impl Turns {
    fn take(&self) -> Turn<'_> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let mine = numbers.0;
        numbers.0 += 1;
        while numbers.1 != mine {
            numbers = self.over.wait(numbers).unwrap_or_else(PoisonError::into_inner);
        }
        Turn(self)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.numbers.lock().unwrap_or_else(PoisonError::into_inner).1 += 1;
        self.0.over.notify_all();
    }
}

/// Ends the helper that reads it: the largest value that an eventfd holds.
const END: u64 = u64::MAX - 1;

struct Wake {
    /// That of the thread, and that of its helper.
    cpus: [u32; 2],
    to: File,
    from: File,
    helper: Helper,
    /// The value that came back last.
    last: u64,
    /// The first thread of its group: the index of the group's turns.
    group: usize,
    turns: Arc<Vec<Turns>>,
}

impl Wake {
    /// Sends the next value and returns the one that comes back.
    fn round_trip(&mut self) -> Result<u64, OpError> {
        let mut value = (self.last + 1).to_ne_bytes();
        self.to.write_all(&value).map_err(OpError::new)?;
        self.from.read_exact(&mut value).map_err(OpError::new)?;
        Ok(u64::from_ne_bytes(value))
    }
}

impl Work for Wake {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(1)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        let turns = Arc::clone(&self.turns);
        let _turn = turns[self.group].take();
        for _ in 0..ops {
            let value = self.round_trip()?;
            if value != self.last + 2 {
                return Err(OpError::new(format!("{value} came back, not {}", self.last + 2)));
            }
            self.last = value;
        }
        Ok(())
    }

    fn least_batch_ops(&self) -> u64 {
        LEAST_BATCH
    }

    /// By how much the value rose, and how far both threads are from their CPUs.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let turns = Arc::clone(&self.turns);
        let _turn = turns[self.group].take();
        let before = self.last;
        self.helper.ask();
        let value = self.round_trip();
        let [mine, its] = self.cpus.map(|cpu| cpu as i32);
        let distances =
            [current_cpu().wrapping_sub(mine), self.helper.last_cpu().wrapping_sub(its)];
        self.last = value?;
        let rise = self.last.wrapping_sub(before).to_le_bytes();
        Ok([&rise[..], &distances.map(i32::to_le_bytes).concat()].concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output {
            [2, rest @ ..] if rest == [0; 15] => Ok(()),
            [2, 0, 0, 0, 0, 0, 0, 0, ..] => {
                Err(format!("the threads are not on CPUs {:?}: {output:?}", self.cpus))
            }
            _ => Err(format!("the value did not rise by 2: {output:?}")),
        }
    }

    fn verified(&self) -> &'static str {
        "the value counts up, and both threads are on their CPUs"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        if self.to.write_all(&END.to_ne_bytes()).is_ok() {
            self.helper.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_form_pairs_and_the_last_three_of_an_odd_number_take_turns() {
        let groups =
            |threads| (0..threads).map(|thread| group(thread, threads)).collect::<Vec<_>>();
        assert_eq!(group(0, 1), 0..1);
        assert_eq!(groups(4), [0..2, 0..2, 2..4, 2..4]);
        assert_eq!(groups(5), [0..2, 0..2, 2..5, 2..5, 2..5]);
        assert_eq!(groups(3), [0..3, 0..3, 0..3]);
    }
}
