//! Samples and operations without a worker around them, for the benchmarks in `bench/`, which prove that a sample
//! costs what the protocol promises, and for the workers' tests. Workers do not use it.

use crate::chain::ChainKernel;
use crate::clock;
use crate::counters::Counters;
pub use crate::crew::pin;
use crate::error::{Kind, WorkerError};
use crate::input::Inputs;
use crate::parameters::{self, Values};
use crate::pulse::KERNELS;
pub use crate::pulse::Pulse;
use crate::sample::{self, Gate, Span};
use crate::setting::Setting;
use crate::sharing::Common;
use crate::work::{OpError, Operation, Work};

/// How a sample is taken.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Uncounted work before the sample.
    pub warmup_ns: u64,
    /// Its minimum length.
    pub sample_ns: u64,
    /// Ops between two clock readings.
    pub batch_ops: u64,
    /// Whether a pulse precedes and follows it, as in a worker.
    pub has_pulses: bool,
    /// Whether it has chains, as in a worker.
    pub has_chains: bool,
}

/// The counts of a sample.
#[derive(Debug, Clone)]
pub struct Count {
    /// Whole ops.
    pub ops: u64,
    /// Time between the op boundaries.
    pub elapsed_ns: u64,
    /// The thread's CPU time.
    pub cpu_ns: u64,
    /// The pulses before and after it; all zeros if there were none.
    pub pulses: [Pulse; 2],
    /// The time of each of its chains.
    pub chains_ns: Vec<u64>,
}

/// The cost of a clock reading, and how many ops a worker would do between two.
///
/// # Errors
/// When an op fails.
pub fn batch(work: &mut dyn Work) -> Result<(u64, u64), OpError> {
    let clock_cost_ns = clock::cost_ns(|| ());
    Ok((clock_cost_ns, sample::find_batch(work, clock_cost_ns, clock::now_ns)?))
}

/// The latency of the instruction that pulses and chains use to find the clock frequency, how many of them a chain
/// has, and the cost of timing a chain.
pub fn clock_kernel() -> (u64, u64, u64) {
    let chain = ChainKernel::measure();
    (KERNELS.clock_cycles_per_op, chain.ops, chain.cost_ns)
}

/// A sample on the calling thread: the very function that a worker's threads run.
///
/// # Errors
/// When an op fails.
pub fn sample(work: &mut dyn Work, manner: Manner) -> Result<Count, OpError> {
    let Manner { warmup_ns, sample_ns, batch_ops, has_pulses, has_chains } = manner;
    let span = Span { warmup_ns, sample_ns, batch_ops, reads_process_clock: true, has_chains };
    let pulse = if has_pulses { Pulse::take } else { Pulse::none };
    let sample = sample::measure(work, span, 0, &Gate::new(1), &Counters::default(), pulse)?;
    Ok(Count {
        ops: sample.ops,
        elapsed_ns: sample.elapsed_ns,
        cpu_ns: sample.cpu_ns,
        pulses: [sample.pulse_before, sample.pulse_after],
        chains_ns: sample.chains_ns,
    })
}

/// Sets up an operation on the calling thread from parameters in JSON and the bytes of its inputs.
///
/// # Errors
/// When the parameters are out of the operation's ranges, or the operation refuses them.
pub fn set_up(
    operation: &Operation,
    parameters: &str,
    inputs: &[(&str, &[u8])],
) -> Result<Box<dyn Work>, WorkerError> {
    Team::new(operation, parameters, inputs, &[0])?.set_up(0)
}

/// Panics, with the operation's name, where a work's check refuses what its op makes, or takes that with a bit flipped, with a byte
/// less or with a byte more.
pub fn assert_refuses_changes(work: &mut dyn Work, name: &str) {
    work.batch(3).unwrap_or_else(|e| panic!("{name}: {e}"));
    for _ in 0..2 {
        let output = work.output().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(work.check(&output), Ok(()), "{name}");
        for at in 0..64 {
            let bit = at * (8 * output.len() - 1) / 63;
            let mut flipped = output.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(work.check(&flipped).is_err(), "{name}: bit {bit}");
        }
        assert!(work.check(&output[1..]).is_err(), "{name}: the first byte is missing");
        let longer = [&output[..], &[0]].concat();
        assert!(work.check(&longer).is_err(), "{name}: a byte more");
    }
}

/// The operation of that name.
///
/// # Panics
/// If there is none.
pub fn named(operations: Vec<Operation>, name: &str) -> Operation {
    let mut those = operations.into_iter().filter(|operation| operation.name() == name);
    those.next().unwrap_or_else(|| panic!("no operation is named {name}"))
}

/// Sets up each operation with each case of its first name, parameters in JSON, that it does not refuse as out of its ranges.
/// Panics where it accepts none, and where its check refuses what its op makes or takes that with a flipped bit.
pub fn assert_notices_mistakes(
    operations: &[Operation],
    cases: &[(&str, &[&str])],
    inputs: &[(&str, &[u8])],
) {
    for operation in operations {
        let name = operation.name();
        let first = name.split('/').next();
        let mut accepted = 0;
        for case in cases.iter().filter(|(named, _)| Some(*named) == first).flat_map(|case| case.1)
        {
            let mut work = match set_up(operation, case, inputs) {
                Ok(work) => work,
                Err(error) => {
                    assert_eq!(error.kind, Kind::BadRequest, "{name} {case}: {error}");
                    continue;
                }
            };
            accepted += 1;
            for _ in 0..2 {
                let mut output = work.output().expect("the library does not fail");
                assert_eq!(work.check(&output), Ok(()), "{name} {case}");
                let middle = output.len() / 2;
                output[middle] ^= 1;
                assert!(work.check(&output).is_err(), "{name} {case}");
                work.batch(2).expect("the library does not fail");
            }
        }
        assert!(accepted > 0, "{name} accepts none of the cases");
    }
}

/// The threads of a launch to be, which are the caller's to start and to pin.
pub struct Team<'a> {
    operation: &'a Operation,
    parameters: Values,
    inputs: Inputs,
    cpus: &'a [u32],
    common: Common,
}

impl<'a> Team<'a> {
    /// One thread for each of these CPUs.
    ///
    /// # Errors
    /// When the parameters are out of the operation's ranges.
    pub fn new(
        operation: &'a Operation,
        parameters: &str,
        inputs: &[(&str, &[u8])],
        cpus: &'a [u32],
    ) -> Result<Self, WorkerError> {
        let parameters = serde_json::from_str(parameters).map_err(WorkerError::parameters)?;
        parameters::check(&operation.parameters, &parameters)?;
        let (inputs, common) = (Inputs::of(inputs), Common::default());
        Ok(Self { operation, parameters, inputs, cpus, common })
    }

    /// Sets up a thread, which is the calling one.
    ///
    /// # Errors
    /// When the operation refuses its parameters, or can't run here.
    pub fn set_up(&self, thread: usize) -> Result<Box<dyn Work>, WorkerError> {
        (self.operation.setup)(&Setting {
            operation: self.operation.name(),
            parameters: &self.parameters,
            inputs: &self.inputs,
            seed: 0,
            thread,
            cpus: self.cpus,
            common: &self.common,
        })
    }
}
