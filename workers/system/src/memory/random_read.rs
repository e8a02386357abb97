//! `memory-random-read`: one op is 1,024 loads of lines of 64 bytes in random order, in 8 chains that do not depend on one
//! another: in each, a line says which comes next.

use super::{Numbers, spread};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::hint::black_box;

const CHAINS: usize = 8;
const STEPS: usize = 128;
/// A thread has so much at least, however many there are: more than its part of any cache.
const LEAST_BYTES: usize = 64 << 20;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line {
    /// The number of the line that follows.
    next: u32,
    word: u64,
}

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let bytes = setting.integer::<usize>("bytes");
    let part = (bytes / setting.cpus.len()).max(LEAST_BYTES.min(bytes));
    let count = u32::try_from(part / size_of::<Line>()).map_err(WorkerError::parameters)?;
    // Sattolo's shuffle makes one cycle through all lines.
    let mut order: Vec<u32> = (0..count).collect();
    let mut numbers = Numbers(1);
    for last in (1..count as usize).rev() {
        order.swap(last, numbers.below(last as u64) as usize);
    }
    let mut lines = vec![Line { next: 0, word: 0 }; count as usize];
    for (line, next) in order.into_iter().enumerate() {
        lines[line] = Line { next, word: spread(line as u64) };
    }
    let at = std::array::from_fn(|chain| (chain as u64 * u64::from(count) / CHAINS as u64) as u32);
    Ok(Box::new(Read { lines, start: at, at, read: 0 }))
}

struct Read {
    lines: Vec<Line>,
    /// Where the chains begin, and where they are.
    start: [u32; CHAINS],
    at: [u32; CHAINS],
    /// Exclusive or of the words of an op.
    read: u64,
}

impl Work for Read {
    fn op(&mut self) -> Result<(), OpError> {
        let (mut at, mut read) = (self.at, 0);
        for _ in 0..STEPS {
            for at in &mut at {
                let line = self.lines[*at as usize];
                read ^= line.word;
                *at = line.next;
            }
        }
        (self.at, self.read) = (at, black_box(read));
        Ok(())
    }

    /// The lines that an op from the start reads, XORed with those that lie there: memory has another order on another number
    /// of threads.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.at = self.start;
        self.read = 0;
        self.op()?;
        let mut lies = 0;
        for mut at in self.start {
            for _ in 0..STEPS {
                lies ^= spread(u64::from(at));
                at = self.lines[at as usize].next;
            }
        }
        Ok((self.read ^ lies).to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == [0; 8] {
            Ok(())
        } else {
            Err(format!("other words were read than were written: {output:02x?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "the words of all lines are those that were written"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some((CHAINS * STEPS * size_of::<Line>()) as u64)
    }
}
