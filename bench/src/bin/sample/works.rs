//! Work of the benchmark's own, for samples without a worker.

use sizeup_kit::{OpError, Work};
use std::hint::black_box;

/// Counts one up: the same op as `empty/control`.
#[derive(Default)]
pub struct CountUp(u64);

impl Work for CountUp {
    fn op(&mut self) -> Result<(), OpError> {
        self.0 = black_box(self.0 + 1);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.0.to_le_bytes().to_vec())
    }

    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn verified(&self) -> &'static str {
        "nothing"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

/// Adds up a block and decides on every word: work that has something to lose if caches or predictors were disturbed.
pub struct Tally {
    block: Vec<u64>,
    sum: u64,
}

impl Tally {
    /// A block that fills most of a core's first cache.
    pub fn new() -> Self {
        Self::of_bytes(24 << 10)
    }

    pub fn of_bytes(bytes: u64) -> Self {
        let words = bytes / size_of::<u64>() as u64;
        // Knuth's multiplier makes the low bits of the upper half look random.
        let block = (0..words).map(|i| i.wrapping_mul(0x5851_f42d_4c95_7f2d) >> 32).collect();
        Self { block, sum: 0 }
    }
}

impl Work for Tally {
    fn op(&mut self) -> Result<(), OpError> {
        let mut sum = 0_u64;
        for &word in &self.block {
            if word & 1 == 0 {
                sum = black_box(sum + word);
            } else {
                sum = black_box(sum ^ word);
            }
        }
        self.sum = sum;
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.sum.to_le_bytes().to_vec())
    }

    fn check(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn verified(&self) -> &'static str {
        "nothing"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
