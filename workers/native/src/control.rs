//! Control workloads: operations that every machine can run, each for one property of the core or its memory. The
//! harness measures them once a minute during a run, to record the state of the machine. And an operation that does
//! nothing, which measures the cost of the harness itself.

use crate::issue_width::{ADDITIONS, issue_width};
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::hint::black_box;

/// A cache line on x86-64 and on most aarch64 cores; the elements of a pointer chase lie at least this far apart.
const LINE_BYTES: usize = 64;
/// u64 elements in a line.
const LINE_WORDS: usize = LINE_BYTES / 8;

/// The checks of all control operations prove this.
pub const VERIFIED: &str = "the result is arithmetically correct";

pub fn operations() -> Vec<Operation> {
    const BYTES: Parameter = Parameter::integer("bytes", 4096..=1 << 32);
    let operation = |name, setup| Operation::new(name, "control", setup);
    vec![
        operation("empty", empty),
        operation("memory-latency", memory_latency).takes([BYTES]),
        operation("memory-bandwidth", memory_bandwidth).takes([BYTES]),
        operation("memory-fill", memory_fill).takes([BYTES]),
        operation("branches", branches).takes([BYTES]),
        operation("vectors", vectors).takes([BYTES]),
        operation("issue-width", issue_width).takes([ADDITIONS]),
    ]
}

fn bytes(setting: &Setting) -> Result<usize, WorkerError> {
    let bytes: usize = setting.integer("bytes");
    if bytes.is_multiple_of(LINE_BYTES) {
        Ok(bytes)
    } else {
        Err(WorkerError::parameters(format!("bytes is {bytes}, not a multiple of {LINE_BYTES}")))
    }
}

/// Numbers of Vigna's SplitMix64: the same everywhere, and unpredictable enough.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Compares the result of an op with the expected one.
pub fn compare(output: &[u8], expected: u64) -> Result<(), String> {
    if output == expected.to_le_bytes() {
        Ok(())
    } else {
        Err(format!("the result is {output:02x?}, not {:02x?}", expected.to_le_bytes()))
    }
}

/// Sets up `empty`: one op counts itself and does nothing else.
fn empty(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Empty { done: 0 }))
}

/// A count is the least that can be checked: ops removed by the compiler would be missing.
struct Empty {
    done: u64,
}

/// The number of ops in a check of [`Empty`].
const CHECKED_OPS: u64 = 1000;

impl Work for Empty {
    fn op(&mut self) -> Result<(), OpError> {
        self.done = black_box(self.done + 1);
        Ok(())
    }

    /// Runs a batch and returns the increase of the count.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let before = self.done;
        self.batch(CHECKED_OPS)?;
        Ok((self.done - before).to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        compare(output, CHECKED_OPS)
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// Sets up `memory-latency`: one op is one load that depends on the one before.
fn memory_latency(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let lines = bytes(setting)? / LINE_BYTES;
    // Sattolo's shuffle makes one cycle through all lines, in an order that no prefetcher can predict.
    let mut order: Vec<u32> = (0..u32::try_from(lines).map_err(OpError::new)?).collect();
    let mut numbers = Numbers(1);
    for last in (1..lines).rev() {
        order.swap(last, (numbers.next() % last as u64) as usize);
    }
    let mut next = vec![0_u64; lines * LINE_WORDS];
    for (line, &follower) in order.iter().enumerate() {
        next[line * LINE_WORDS] = u64::from(follower) * LINE_WORDS as u64;
    }
    Ok(Box::new(Chase { next, at: 0 }))
}

struct Chase {
    next: Vec<u64>,
    at: u64,
}

impl Work for Chase {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(1)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        let mut at = self.at;
        for _ in 0..ops {
            at = self.next[at as usize];
        }
        self.at = black_box(at);
        Ok(())
    }

    /// The loads in one full cycle.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let start = self.at;
        let mut loads = 0_u64;
        loop {
            self.op()?;
            loads += 1;
            if self.at == start || loads > self.next.len() as u64 {
                return Ok(loads.to_le_bytes().to_vec());
            }
        }
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        compare(output, (self.next.len() / LINE_WORDS) as u64)
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// Sets up `memory-bandwidth`: one op reads a block once, from end to end.
fn memory_bandwidth(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let words = bytes(setting)? / 8;
    let block: Vec<u64> = (0..words as u64).collect();
    Ok(Box::new(Read { block, sum: 0 }))
}

struct Read {
    block: Vec<u64>,
    sum: u64,
}

impl Work for Read {
    fn op(&mut self) -> Result<(), OpError> {
        let sum = self.block.iter().fold(0_u64, |sum, word| sum.wrapping_add(*word));
        self.sum = black_box(sum);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.sum.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let words = self.block.len() as u64;
        compare(output, words * (words - 1) / 2)
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.block.len() as u64 * 8)
    }
}

/// A piece that [`Fill`] writes in an op: short, so that a sample ends soon after it is due.
const PIECE_WORDS: usize = (1 << 20) / 8;

/// Sets up `memory-fill`: one op overwrites 1 MiB of a block, the ops of a pass one piece after the other.
fn memory_fill(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let words = bytes(setting)? / 8;
    if !words.is_multiple_of(PIECE_WORDS) {
        return Err(WorkerError::parameters(format!(
            "bytes is {}, not a multiple of 1 MiB",
            words * 8
        )));
    }
    Ok(Box::new(Fill { block: vec![0; words], next: 0, written: 0 }))
}

struct Fill {
    block: Vec<u64>,
    /// Where the next piece begins.
    next: usize,
    /// The number of pieces so far, which is what the next one is filled with.
    written: u64,
}

impl Work for Fill {
    fn op(&mut self) -> Result<(), OpError> {
        let piece = &mut self.block[self.next..self.next + PIECE_WORDS];
        // Ordinary stores: memset may go around the caches where a block is large.
        piece.fill(self.written);
        black_box(piece);
        self.written += 1;
        self.next = (self.next + PIECE_WORDS) % self.block.len();
        Ok(())
    }

    /// The sum of all words after a pass, less the pieces before it.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let (before, pieces) = (self.written, self.block.len() / PIECE_WORDS);
        self.batch(pieces as u64)?;
        let sum = self.block.iter().fold(0_u64, |sum, word| sum.wrapping_add(word - before));
        Ok(sum.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let pieces = (self.block.len() / PIECE_WORDS) as u64;
        compare(output, pieces * (pieces - 1) / 2 * PIECE_WORDS as u64)
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(PIECE_WORDS as u64 * 8)
    }
}

/// Sets up `branches`: one op branches on each byte of an unpredictable block.
fn branches(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let mut numbers = Numbers(2);
    let block: Vec<u8> = (0..bytes(setting)?).map(|_| (numbers.next() >> 56) as u8).collect();
    Ok(Box::new(Decide { block, result: 0 }))
}

struct Decide {
    block: Vec<u8>,
    result: u64,
}

impl Work for Decide {
    fn op(&mut self) -> Result<(), OpError> {
        let mut result = 0_u64;
        for &byte in &self.block {
            // Two paths that the compiler can't merge into one without a branch.
            if byte >= 128 {
                result = black_box(result + 1);
            } else {
                result = black_box(result + 3);
            }
        }
        self.result = result;
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.result.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let high: u64 = self.block.iter().map(|byte| u64::from(byte >> 7)).sum();
        compare(output, high + 3 * (self.block.len() as u64 - high))
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.block.len() as u64)
    }
}

/// Sets up `vectors`: one op multiplies and adds the elements of a block in the first-level cache, in vectors of the
/// target's baseline instruction set.
fn vectors(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let block = vec![1.0_f32; bytes(setting)? / 4];
    Ok(Box::new(Scale { block, low: true }))
}

struct Scale {
    block: Vec<f32>,
    low: bool,
}

impl Work for Scale {
    fn op(&mut self) -> Result<(), OpError> {
        // Alternates between 1 and 2 forever: both are exact, and neither grows.
        let (factor, summand) = if self.low { (1.5, 0.5) } else { (0.25, 0.5) };
        for element in &mut self.block {
            *element = *element * factor + summand;
        }
        self.low = !self.low;
        black_box(&mut self.block);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        let sum: f64 = self.block.iter().map(|element| f64::from(*element)).sum();
        Ok(sum.to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let each = if self.low { 1.0 } else { 2.0 };
        compare(output, (self.block.len() as f64 * each).to_bits())
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.block.len() as u64 * 4)
    }
}
