//! How many integer additions a core performs at once: the width of the pulse as an operation. `sizeup doctor` uses
//! it to find which CPUs share a core: two threads that fill a core's units halve each other.

use crate::control::{VERIFIED, compare};
use sizeup_kit::{OpError, Parameter, Setting, Work, WorkerError, additions};

/// Additions in one iteration of the kit's loop.
const UNROLL: u64 = 32;

pub const ADDITIONS: Parameter = Parameter::integer("additions", UNROLL..=1 << 32);

/// Sets up `issue-width`: one op is a block of additions, each of which depends only on the eighth before it.
pub fn issue_width(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let additions: u64 = setting.integer("additions");
    if additions.is_multiple_of(UNROLL) {
        Ok(Box::new(Add { turns: additions / UNROLL, sum: 0 }))
    } else {
        Err(WorkerError::parameters(format!(
            "additions is {additions}, not a multiple of {UNROLL}"
        )))
    }
}

struct Add {
    turns: u64,
    sum: u64,
}

impl Work for Add {
    fn op(&mut self) -> Result<(), OpError> {
        self.sum = additions(self.turns);
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(self.sum.to_le_bytes().to_vec())
    }

    /// Eight registers begin at 1 … 8, and every addition adds 3 to one of them.
    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        compare(output, (1..=8).sum::<u64>() + 3 * UNROLL * self.turns)
    }

    fn verified(&self) -> &'static str {
        VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}
