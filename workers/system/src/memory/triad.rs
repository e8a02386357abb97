//! `memory-triad`: one op is `a = b + 3 c` for 4,096 elements, the next ones of three arrays of f64 that the threads share
//! out: each first writes its own part, and the arrays together have the same size on any number of threads.

use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::hint::black_box;

/// Elements of an op: few, so that a sample ends soon after it is due, and parts of 2,048 threads have some.
const PIECE: usize = 4096;
const ELEMENT: usize = size_of::<f64>();
const FACTOR: f64 = 3.0;

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let elements = setting.integer::<usize>("bytes") / (3 * ELEMENT) / setting.cpus.len();
    let elements = elements / PIECE * PIECE;
    if elements == 0 {
        let threads = setting.cpus.len();
        return Err(WorkerError::parameters(format!("bytes is too small for {threads} threads")));
    }
    // Whole numbers, which f64 adds without rounding, and the same in each piece.
    let filled = |period: usize| -> Vec<f64> {
        (0..elements).map(|i| (i % PIECE % period) as f64).collect()
    };
    Ok(Box::new(Triad { a: filled(1), b: filled(1000), c: filled(7), next: 0 }))
}

struct Triad {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    /// Where the next piece begins.
    next: usize,
}

impl Triad {
    fn pieces(&self) -> usize {
        self.a.len() / PIECE
    }
}

impl Work for Triad {
    fn op(&mut self) -> Result<(), OpError> {
        let piece = self.next..self.next + PIECE;
        let (b, c) = (&self.b[piece.clone()], &self.c[piece.clone()]);
        let a = &mut self.a[piece];
        for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
            *a = b + FACTOR * c;
        }
        black_box(a);
        self.next = (self.next + PIECE) % self.a.len();
        Ok(())
    }

    /// The sum of a piece of `a`, as a mean over all pieces, after a pass over arrays whose `a` was wiped.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.a.fill(f64::NAN);
        self.batch(self.pieces() as u64)?;
        let sum: f64 = self.a.iter().sum();
        Ok((sum / self.pieces() as f64).to_le_bytes().to_vec())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let expected: usize = (0..PIECE).map(|i| i % 1000 + 3 * (i % 7)).sum();
        if output == (expected as f64).to_le_bytes() {
            Ok(())
        } else {
            Err(format!("the sum of a piece is not {expected}: {output:02x?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "the sum of all results is right"
    }

    /// As STREAM counts: two elements read and one written.
    fn bytes_per_op(&self) -> Option<u64> {
        Some((3 * ELEMENT * PIECE) as u64)
    }
}
