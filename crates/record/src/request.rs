//! Checks a sample against the request for it, in workers' answers and run files alike.

use super::bounds::{MOST_GHZ, check_measured};
use super::counters::check_counters;
use super::flaw::Flaw;
use super::plan::Timing;
use super::ready::Ready;
use super::sample::{Measured, Pulse, ThreadSample};

/// Least ops per thread in a sample.
const LEAST_OPS: u64 = 3;
/// Most chains per thread in a sample.
const MOST_CHAINS: usize = 9;

/// How much longer than requested a sample can be: a worker gets that long for an answer, and co-runners are asked for a
/// quarter more than the longest sample of their row, which took as long at most.
const MOST_BEYOND_NS: u64 = 3 * Timing::MOST_WAIT_NS;

/// A request for a sample.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The CPU of each thread.
    pub cpus: &'a [u32],
    /// The worker's answer to `prepare`.
    pub ready: &'a Ready,
    /// Least time that each thread works.
    pub sample_ns: u64,
}

impl Request<'_> {
    /// Checks that a correct worker can have given this answer.
    ///
    /// # Errors
    /// The gravest flaw.
    pub fn check(&self, sample: &Measured) -> Result<(), Flaw> {
        let measured = check_measured(sample, self.cpus.len());
        if let Err(Flaw::Lie(_)) = measured {
            return measured;
        }
        self.check_ops(sample)?;
        self.check_threads(sample)?;
        self.check_counted(sample)?;
        self.check_chains(sample)?;
        check_counters(sample, self.ready.counters.as_ref())?;
        measured.and_then(|()| self.check_length(sample))
    }

    /// Whoever asks gives up on a longer sample, so only a machine that stood still while its clock went on, as one whose
    /// hypervisor paused it, gives one. A closer bound would leave out slow ops and busy machines.
    fn check_length(&self, sample: &Measured) -> Result<(), Flaw> {
        let most_ns = self.sample_ns.saturating_add(MOST_BEYOND_NS);
        let length_ns = sample.length_ns();
        if length_ns <= most_ns {
            return Ok(());
        }
        Err(Flaw::Stray(format!("a sample of {length_ns} ns, {} ns requested", self.sample_ns)))
    }

    /// The first part is what is measured; a sample without parts is measured as a whole.
    fn check_ops(&self, sample: &Measured) -> Result<(), String> {
        let parts = &self.ready.parts;
        if sample.parts.len() != parts.len() {
            return Err(format!("it reports {} parts, not {}", sample.parts.len(), parts.len()));
        }
        for thread in &sample.threads {
            let counts = parts.first().is_none_or(|part| part.cpus.contains(&thread.cpu));
            if counts && thread.ops < LEAST_OPS {
                return Err(format!(
                    "a thread has {} ops; at least {LEAST_OPS} required",
                    thread.ops
                ));
            }
            if !counts && thread.ops > 0 {
                let (ops, cpu) = (thread.ops, thread.cpu);
                return Err(format!(
                    "{ops} ops on CPU {cpu}, which does not belong to the first part"
                ));
            }
        }
        Ok(())
    }

    /// Checks the time that counts: that each thread has it or none, as the worker announced, that it lies within the
    /// sample, and that each op was timed.
    fn check_counted(&self, sample: &Measured) -> Result<(), String> {
        for thread in &sample.threads {
            let ThreadSample { ops, elapsed_ns, .. } = *thread;
            match (self.ready.counts_part, thread.counted_ns, thread.counted_stretches) {
                (false, None, None) => {}
                (true, Some(counted_ns), Some(stretches)) => {
                    if counted_ns == 0 || counted_ns > elapsed_ns {
                        return Err(format!(
                            "{counted_ns} ns count in a sample of {elapsed_ns} ns"
                        ));
                    }
                    // None of them is shorter than the reading of the clock that it holds.
                    if stretches < ops || stretches > counted_ns {
                        return Err(format!(
                            "{ops} ops were timed in {stretches} stretches of {counted_ns} ns"
                        ));
                    }
                }
                (true, ..) => return Err("a thread lacks the time that counts".to_owned()),
                (false, ..) => return Err("a thread has time that counts unannounced".to_owned()),
            }
        }
        Ok(())
    }

    /// Checks each thread's chains: their number, that none is faster than any core, and that together they fit into the
    /// sample. A worker with chains runs one at the end of each sample.
    fn check_chains(&self, sample: &Measured) -> Result<(), String> {
        for ThreadSample { chains_ns, cpu_elapsed_ns, .. } in &sample.threads {
            let count = chains_ns.len();
            let Some(chain) = self.ready.chain else {
                if count == 0 {
                    continue;
                }
                return Err(format!("{count} chains, but the worker declares none"));
            };
            if !(1..=MOST_CHAINS).contains(&count) {
                return Err(format!("a thread has {count} chains, not 1 to {MOST_CHAINS}"));
            }
            if let Some(ns) = chains_ns.iter().find(|ns| self.is_too_fast(chain.ops, **ns)) {
                return Err(format!("a chain of {ns} ns implies a clock over {MOST_GHZ} GHz"));
            }
            let sum_ns = chains_ns.iter().fold(0, |sum: u64, ns| sum.saturating_add(*ns));
            let available_ns = cpu_elapsed_ns.unwrap_or(0);
            if sum_ns > available_ns {
                return Err(format!(
                    "chains took {sum_ns} ns, more than the {available_ns} ns available"
                ));
            }
        }
        Ok(())
    }

    /// Whether no core executes this many dependent instructions in this time.
    fn is_too_fast(&self, ops: u64, ns: u64) -> bool {
        let cycles = u128::from(ops) * u128::from(self.ready.pulse.clock_cycles_per_op);
        cycles > u128::from(ns) * u128::from(MOST_GHZ)
    }

    fn check_threads(&self, sample: &Measured) -> Result<(), String> {
        let is_too_fast = |pulse: &Pulse| self.is_too_fast(pulse.clock_ops, pulse.clock_ns);
        for (thread, &cpu) in sample.threads.iter().zip(self.cpus) {
            if thread.cpu_elapsed_ns.is_none() && self.ready.parts.is_empty() {
                return Err("a thread reports CPU time without cpu_elapsed_ns".to_owned());
            }
            if thread.cpu != cpu {
                return Err(format!("a thread ran on CPU {}, not {cpu}", thread.cpu));
            }
            if thread.elapsed_ns < self.sample_ns {
                let (elapsed_ns, sample_ns) = (thread.elapsed_ns, self.sample_ns);
                return Err(format!(
                    "a thread worked {elapsed_ns} ns; at least {sample_ns} required"
                ));
            }
            if is_too_fast(&thread.pulse_before) || is_too_fast(&thread.pulse_after) {
                return Err(format!("the pulse implies a clock over {MOST_GHZ} GHz"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
