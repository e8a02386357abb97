//! Windows and operations without a worker around them: what the benchmarks in `bench/` measure to prove that a window
//! costs what the protocol says, and what tests of the workers look into. Workers have no use for it.

use crate::chain::ChainKernel;
use crate::clock;
use crate::crew;
use crate::error::WorkerError;
use crate::input::Inputs;
use crate::parameters;
use crate::pulse::KERNELS;
pub use crate::pulse::Pulse;
use crate::setting::Setting;
use crate::window::{self, Gate, Span};
use crate::work::{OpError, Operation, Work};

/// How a window is taken.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Uncounted work before it.
    pub settle_ns: u64,
    /// Its least length.
    pub window_ns: u64,
    /// Ops between two looks at the clock.
    pub batch_ops: u64,
    /// Whether it stands between two pulses, as a worker's does.
    pub has_pulses: bool,
    /// Whether it has chains, as a worker's does.
    pub has_chains: bool,
}

/// What a window counted.
#[derive(Debug, Clone)]
pub struct Count {
    /// Whole ops.
    pub ops: u64,
    /// Between the op boundaries.
    pub elapsed_ns: u64,
    /// The thread's CPU time.
    pub cpu_ns: u64,
    /// The pulses before and after it; of nothing, if there were none.
    pub pulses: [Pulse; 2],
    /// How long each of its chains took.
    pub chains_ns: Vec<u64>,
}

/// Pins the calling thread to a CPU, as a worker's are.
///
/// # Errors
/// When the CPU can't be had.
pub fn pin(cpu: u32) -> Result<(), WorkerError> {
    crew::pin(cpu)
}

/// What a look at the clock costs, and how many ops a worker would do between two.
///
/// # Errors
/// When an op fails.
pub fn batch(work: &mut dyn Work) -> Result<(u64, u64), OpError> {
    let clock_cost_ns = clock::cost_ns(|| ());
    Ok((clock_cost_ns, window::find_batch(work, clock_cost_ns, clock::now_ns)?))
}

/// The latency of the instruction that pulses and chains tell the clock by, how many of them a chain has, and what
/// timing a chain costs.
pub fn clock_kernel() -> (u64, u64, u64) {
    let chain = ChainKernel::measure();
    (KERNELS.clock_cycles_per_op, chain.ops, chain.cost_ns)
}

/// A window of one thread, the calling one: the very function that a worker's threads run.
///
/// # Errors
/// When an op fails.
pub fn window(work: &mut dyn Work, manner: Manner) -> Result<Count, OpError> {
    let Manner { settle_ns, window_ns, batch_ops, has_pulses, has_chains } = manner;
    let span = Span { settle_ns, window_ns, batch_ops, reads_process_clock: true, has_chains };
    let pulse = if has_pulses { Pulse::take } else { Pulse::none };
    let window = window::measure(work, span, 0, &Gate::new(1), pulse)?;
    Ok(Count {
        ops: window.ops,
        elapsed_ns: window.elapsed_ns,
        cpu_ns: window.cpu_ns,
        pulses: [window.pulse_before, window.pulse_after],
        chains_ns: window.chains_ns,
    })
}

/// An operation, set up on the calling thread from parameters in JSON and the bytes of its inputs.
///
/// # Errors
/// When they are out of the operation's ranges, or it refuses them.
pub fn set_up(
    operation: &Operation,
    parameters: &str,
    inputs: &[(&str, &[u8])],
) -> Result<Box<dyn Work>, WorkerError> {
    let parameters = serde_json::from_str(parameters).map_err(WorkerError::parameters)?;
    parameters::check(&operation.parameters, &parameters)?;
    let setting = Setting { parameters: &parameters, inputs: &Inputs::of(inputs), seed: 0 };
    (operation.setup)(&setting)
}
