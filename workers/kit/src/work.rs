//! What a worker offers: its workloads, and how one of them is set up, performed and checked.

use crate::build::{Libraries, Paths};
use crate::error::{Kind, WorkerError};
use crate::input::Inputs;
use serde::de::DeserializeOwned;

/// Why an op failed, in the library's own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpError(String);

impl OpError {
    /// An op's failure, described.
    pub fn new(message: impl ToString) -> Self {
        Self(message.to_string())
    }
}

impl From<OpError> for WorkerError {
    fn from(error: OpError) -> Self {
        Self::new(Kind::OperationFailed, error.0)
    }
}

/// One thread's state of a workload, made on that thread after it was pinned.
///
/// Doing and checking are two steps, so that the kit can damage the output between them and prove
/// that the check is alive.
pub trait Work {
    /// Performs one op. This is what is timed.
    fn op(&mut self) -> Result<(), OpError>;

    /// Performs one op and gives its output. Never timed.
    fn output(&mut self) -> Result<Vec<u8>, OpError>;

    /// Says what is wrong with an output of this workload, down to any single bit. Never timed.
    fn check(&mut self, output: &[u8]) -> Result<(), String>;

    /// Input bytes of one op, where bytes make sense.
    fn bytes_per_op(&self) -> Option<u64>;

    /// CPU time, so far, of the processes that this work started and waited for, in ns. Nothing where the
    /// thread itself does all the work.
    fn children_cpu_ns(&self) -> u64 {
        0
    }

    /// Performs `ops` ops, up to the first that fails. Provided, so that the loop is compiled for
    /// each workload and a dynamic call is paid once a batch, not once an op.
    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        for _ in 0..ops {
            self.op()?;
        }
        Ok(())
    }
}

/// What a workload is set up from.
pub struct Setting<'a> {
    pub(crate) parameters: &'a serde_json::Value,
    pub(crate) inputs: &'a Inputs,
    /// For whatever the workload draws at random.
    pub seed: u64,
}

impl Setting<'_> {
    /// The request's parameters as the workload's own type, which must refuse unknown fields.
    pub fn parameters<T: DeserializeOwned>(&self) -> Result<T, WorkerError> {
        T::deserialize(self.parameters)
            .map_err(|e| WorkerError::bad_request(format!("parameters: {e}")))
    }

    /// A copy of an input for the calling thread, so that the memory is near its CPU.
    pub fn input(&self, name: &str) -> Result<Vec<u8>, WorkerError> {
        self.inputs.get(name).map(<[u8]>::to_vec)
    }
}

/// Sets a workload up for one thread.
pub type Setup = fn(&Setting) -> Result<Box<dyn Work>, WorkerError>;

/// A workload in a worker's registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// `OPERATION/IMPLEMENTATION`.
    pub id: &'static str,
    /// Names of the libraries that it uses, keys of [`Worker::libraries`].
    pub libraries: &'static [&'static str],
    /// What the check checks, in one phrase.
    pub verified: &'static str,
    /// How a thread's state is made.
    pub setup: Setup,
}

/// A worker: what [`crate::run`] needs to know.
pub struct Worker {
    /// Its name, as workload tables say it.
    pub name: &'static str,
    /// All workloads.
    pub entries: Vec<Entry>,
    /// Asks the linked libraries for their versions.
    pub libraries: fn() -> Libraries,
    /// Asks the libraries which instruction-set paths they chose.
    pub paths: fn() -> Paths,
    /// Proves that each implementation is the one that it claims to be.
    pub self_test: fn() -> Result<(), String>,
}
