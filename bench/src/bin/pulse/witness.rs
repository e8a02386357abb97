//! Samples that tell themselves how much of the core was theirs.

use estimate::{ClockKernel, Look};
use record::{ChainKernel, Measured, Pulse, ThreadSample, Timing, fixture};
use sizeup_kit::proof::{self, Count, Manner};
use sizeup_kit::{OpError, Work, additions};
use std::hint::black_box;

/// Fills the core with additions: its rate is the core's width that was ours.
pub struct Fill;

impl Fill {
    const TURNS: u64 = 1000;
    /// The kit does so many a turn.
    const OP_ADDITIONS: u64 = 32 * Self::TURNS;
}

impl Work for Fill {
    fn op(&mut self) -> Result<(), OpError> {
        black_box(additions(Self::TURNS));
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op().map(|()| vec![0])
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

/// A sample of [`Fill`].
pub struct Witnessed {
    /// As a worker would tell it.
    pub measured: Measured,
    /// As sizeup sees it, by its pulses.
    pub look: Look,
    /// Additions per cycle that it did itself.
    pub width_inside: f64,
}

impl Witnessed {
    /// Takes one on the calling thread.
    pub fn take(cpu: u32, timing: Timing, batch_ops: u64) -> anyhow::Result<Self> {
        let Timing { warmup_ns, sample_ns, .. } = timing;
        let manner = Manner { warmup_ns, sample_ns, batch_ops, has_pulses: true, has_chains: true };
        let count = proof::sample(&mut Fill, manner)?;
        let measured = measured(cpu, &count);
        let look = look(&measured, kernel());
        let additions = (count.ops * Fill::OP_ADDITIONS) as f64;
        let width_inside = additions / (count.elapsed_ns as f64 / 1e9 * look.clock_hz);
        Ok(Self { measured, look, width_inside })
    }
}

/// A sample as sizeup sees it.
pub fn look(sample: &Measured, kernel: ClockKernel) -> Look {
    Look::at(sample, (0, 0), None, kernel, false)
}

/// The instruction chain by which the kit's samples show the clock.
pub fn kernel() -> ClockKernel {
    let (cycles_per_op, ops, cost_ns) = proof::clock_kernel();
    ClockKernel { cycles_per_op, chain: Some(ChainKernel { ops, cost_ns }) }
}

/// A sample of one thread that nothing interrupted, as a worker would tell it.
pub fn measured(cpu: u32, count: &Count) -> Measured {
    let pulses = count.pulses.map(|pulse| Pulse {
        clock_ops: pulse.clock_ops,
        clock_ns: pulse.clock_ns,
        width_ops: pulse.width_ops,
        width_ns: pulse.width_ns,
    });
    let Count { ops, elapsed_ns, chains_ns, .. } = count.clone();
    let thread = ThreadSample { chains_ns, ..fixture::thread(cpu, (ops, elapsed_ns), pulses) };
    fixture::measured((0, elapsed_ns), vec![thread])
}
