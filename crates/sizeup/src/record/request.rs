//! What a sample was asked for: workers and run files are held to it alike.

use super::bounds::{Flaw, MOST_GHZ, check_measured};
use super::ready::Ready;
use super::window::{Measured, Pulse};

/// A sample holds at least so many ops of each thread.
const LEAST_OPS: u64 = 3;

/// What a worker was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The CPU of each thread.
    pub cpus: &'a [u32],
    /// What it said when it was ready.
    pub ready: &'a Ready,
    /// How long each thread works, at least.
    pub window_ns: u64,
}

impl Request<'_> {
    /// Whether a worker that is right can have answered this.
    ///
    /// # Errors
    /// The gravest flaw, in words.
    pub fn check(&self, sample: &Measured) -> Result<(), Flaw> {
        let measured = check_measured(sample, self.cpus.len());
        if let Err(Flaw::Lie(_)) = measured {
            return measured;
        }
        self.check_ops(sample)?;
        self.check_threads(sample)?;
        measured
    }

    /// The first part is what is measured; a sample without parts is measured as a whole.
    fn check_ops(&self, sample: &Measured) -> Result<(), String> {
        let parts = &self.ready.parts;
        if sample.parts.len() != parts.len() {
            return Err(format!("it tells of {} parts, not {}", sample.parts.len(), parts.len()));
        }
        for thread in &sample.threads {
            let counts = parts.first().is_none_or(|part| part.cpus.contains(&thread.cpu));
            if counts && thread.ops < LEAST_OPS {
                return Err(format!("a thread has {} ops, not at least {LEAST_OPS}", thread.ops));
            }
            if !counts && thread.ops > 0 {
                let (ops, cpu) = (thread.ops, thread.cpu);
                return Err(format!("{ops} ops on CPU {cpu}, which is not the first part's"));
            }
        }
        Ok(())
    }

    fn check_threads(&self, sample: &Measured) -> Result<(), String> {
        let cycles_per_op = self.ready.pulse.clock_cycles_per_op;
        let is_too_fast = |pulse: &Pulse| {
            let cycles = u128::from(pulse.clock_ops) * u128::from(cycles_per_op);
            cycles > u128::from(pulse.clock_ns) * u128::from(MOST_GHZ)
        };
        for (thread, &cpu) in sample.threads.iter().zip(self.cpus) {
            if thread.cpu_elapsed_ns.is_none() && self.ready.parts.is_empty() {
                return Err("a thread reports CPU time without cpu_elapsed_ns".to_owned());
            }
            if thread.cpu != cpu {
                return Err(format!("a thread ran on CPU {}, not {cpu}", thread.cpu));
            }
            if thread.elapsed_ns < self.window_ns {
                let (elapsed_ns, window_ns) = (thread.elapsed_ns, self.window_ns);
                return Err(format!("a thread worked {elapsed_ns} ns, not at least {window_ns}"));
            }
            if is_too_fast(&thread.pulse_before) || is_too_fast(&thread.pulse_after) {
                return Err(format!("a pulse that is faster than any core: over {MOST_GHZ} GHz"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
