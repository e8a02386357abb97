//! A worker's operations, and how one of them is set up, performed and checked.

use crate::build::{Libraries, Paths};
use crate::clock;
use crate::error::{Kind, WorkerError};
use crate::parameters::Parameter;
use crate::setting::Setting;
use crate::usage::ChildUsage;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Why an op failed, in the library's own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpError(String);

impl OpError {
    /// Takes a description of the failure.
    pub fn new(message: impl ToString) -> Self {
        Self(message.to_string())
    }
}

impl From<OpError> for WorkerError {
    fn from(error: OpError) -> Self {
        Self::new(Kind::OperationFailed, error.0)
    }
}

/// One thread's state of an operation, made on that thread after it was pinned.
///
/// Running and checking are two steps, so that the kit can damage the output between them and prove that the check
/// works.
pub trait Work {
    /// Performs one op. This is what is timed.
    fn op(&mut self) -> Result<(), OpError>;

    /// Performs one op and returns its output. Never timed.
    fn output(&mut self) -> Result<Vec<u8>, OpError>;

    /// Checks an output of this work, down to any single bit. Never timed.
    fn check(&mut self, output: &[u8]) -> Result<(), String>;

    /// A phrase on what the check proves.
    fn verified(&self) -> &'static str;

    /// Input bytes of one op, where bytes make sense.
    fn bytes_per_op(&self) -> Option<u64>;

    /// Totals of the processes that this work has started and waited for, over all ops so far; zeros where the thread itself
    /// does all the work.
    fn children(&self) -> ChildUsage {
        ChildUsage::default()
    }

    /// Versions of the programs that this work starts and of libraries that it opens, by the names that [`Operation::starts`] listed.
    fn libraries(&self) -> Libraries {
        Libraries::new()
    }

    /// The time that the runtime of the language has taken so far; read on the thread, right outside its sample.
    fn runtime(&self) -> Result<RuntimeTime, OpError> {
        Ok(RuntimeTime::default())
    }

    /// Performs ops until they take as long as they will in samples, where that takes many: once, behind the first checks.
    fn warm_up(&mut self) -> Result<(), OpError> {
        Ok(())
    }

    /// The least number of ops in a batch, a power of two: more than one where a batch begins with a handover to a thread or
    /// process, which is no part of an op and must not count.
    fn least_batch_ops(&self) -> u64 {
        1
    }

    /// The time that counts in all ops so far, of work that times a part of each op; the throughput of its samples is
    /// ops over that time. `None` where whole ops count.
    fn counted(&self) -> Option<Stopwatch> {
        None
    }

    /// Performs `ops` ops, up to the first that fails. Provided, so that the loop is compiled for each kind of work
    /// and a dynamic call is paid once a batch, not once an op.
    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        for _ in 0..ops {
            self.op()?;
        }
        Ok(())
    }
}

/// Time in ns that a language's runtime takes. `None` where the language can't tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RuntimeTime {
    /// For how long its collector stopped the thread.
    #[serde(rename = "gc_ns", skip_serializing_if = "Option::is_none")]
    pub collector_ns: Option<u64>,
    /// For how long its compilers ran, all together, on whichever thread.
    #[serde(rename = "jit_ns", skip_serializing_if = "Option::is_none")]
    pub compilers_ns: Option<u64>,
}

impl RuntimeTime {
    /// The time since an earlier reading.
    pub(crate) fn since(self, earlier: Self) -> Self {
        let between = |now: Option<u64>, then| Some(now?.saturating_sub(then?));
        Self {
            collector_ns: between(self.collector_ns, earlier.collector_ns),
            compilers_ns: between(self.compilers_ns, earlier.compilers_ns),
        }
    }
}

/// Times the parts of ops that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stopwatch {
    ns: u64,
    stretches: u64,
}

impl Stopwatch {
    /// Performs a part that counts. Two readings of the clock, of which one is in the time.
    pub fn time<T>(&mut self, part: impl FnOnce() -> T) -> T {
        let start_ns = clock::now_ns();
        let done = part();
        self.ns += clock::now_ns() - start_ns;
        self.stretches += 1;
        done
    }

    /// The time in ns and the stretches since an earlier reading.
    pub(crate) fn since(self, earlier: Self) -> (u64, u64) {
        (self.ns - earlier.ns, self.stretches - earlier.stretches)
    }
}

/// Sets an operation up for one thread.
pub type Setup = fn(&Setting) -> Result<Box<dyn Work>, WorkerError>;

/// An operation in a worker's registry: its parameters and inputs, and how it is set up.
#[derive(Debug, Clone)]
pub struct Operation {
    pub(crate) name: String,
    pub(crate) implementation: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) inputs: Vec<&'static str>,
    pub(crate) starts: Vec<&'static str>,
    pub(crate) setup: Setup,
}

impl Operation {
    /// An operation without parameters or inputs. `implementation` is also the library's name in
    /// [`Worker::libraries`].
    #[must_use]
    pub fn new(operation: &str, implementation: &'static str, setup: Setup) -> Self {
        let name = format!("{operation}/{implementation}");
        let (parameters, inputs, starts) = (Vec::new(), Vec::new(), Vec::new());
        Self { name, implementation, parameters, inputs, starts, setup }
    }

    /// Declares its parameters.
    #[must_use]
    pub fn takes(self, parameters: impl Into<Vec<Parameter>>) -> Self {
        Self { parameters: parameters.into(), ..self }
    }

    /// Declares its inputs, named by their role in the operation, such as `data`.
    #[must_use]
    pub fn reads(self, inputs: impl Into<Vec<&'static str>>) -> Self {
        Self { inputs: inputs.into(), ..self }
    }

    /// Names the programs that its work starts, and large libraries that it opens. Their versions are libraries that only
    /// [`Work::libraries`] knows: a manifest starts and opens nothing.
    #[must_use]
    pub fn starts(self, programs: impl Into<Vec<&'static str>>) -> Self {
        Self { starts: programs.into(), ..self }
    }

    /// `OPERATION/IMPLEMENTATION`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The operation's entry in the manifest.
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Entry<'a> {
            operation: &'a str,
            parameters: BTreeMap<&'a str, &'a Parameter>,
            inputs: &'a [&'a str],
        }
        let parameters = self.parameters.iter().map(|parameter| (parameter.name, parameter));
        Entry { operation: &self.name, parameters: parameters.collect(), inputs: &self.inputs }
            .serialize(serializer)
    }
}

/// A worker's operations and libraries, for [`crate::run`].
pub struct Worker {
    /// Its name, as workload tables use it.
    pub name: &'static str,
    /// All its operations.
    pub operations: Vec<Operation>,
    /// Reads the linked libraries' versions.
    pub libraries: fn() -> Libraries,
    /// Reads the instruction-set paths that the libraries chose.
    pub paths: fn() -> Paths,
    /// Proves that each linked library is the expected one.
    pub self_test: fn() -> Result<(), String>,
}
