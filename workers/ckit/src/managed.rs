//! Work in languages whose programs call this library, and not the other way round: Node loads it as a module, a Java program as
//! a native library. They declare their operations as JSON and hand control over; what the kit asks for goes through one function
//! of theirs, a code and bytes in, bytes out.

use crate::warm_up::{LONGEST_MS, warm_up};
use serde::Deserialize;
use serde_json::Value;
use sizeup_kit::{Kind, Language, Libraries, OpError, Operation, Parameter, Paths, RuntimeTime};
use sizeup_kit::{Setting, StartThread, Work, Worker, WorkerError};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Requests to the language, in the order of the kits' own lists.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    StartThread,
    SetUp,
    /// So many ops, as text.
    Batch,
    Output,
    Check,
    BytesPerOp,
    SelfTest,
    /// A number that changes when machine code was made.
    Compiled,
    /// Times in ns so far: for how long the collector stopped this thread, and for how long compilers ran. With a space between
    /// them; the second, or both, may be missing.
    Runtime,
}

/// Calls the language's function on this thread: `None` where that itself failed.
pub(crate) type Call = fn(Asked, &[u8]) -> Option<Vec<u8>>;

/// How answers begin.
const DONE: u8 = 0;
const UNAVAILABLE: u8 = 2;

/// The worker of this process.
static DECLARED: OnceLock<(Declaration, Call)> = OnceLock::new();

/// Runs the worker of a declaration, and returns its exit status.
pub(crate) fn run(declaration: &[u8], call: Call, start_thread: Option<StartThread>) -> u8 {
    match serde_json::from_slice(declaration) {
        Ok(declaration) => {
            run_declared(&DECLARED.get_or_init(|| (declaration, call)).0, start_thread)
        }
        Err(e) => {
            eprintln!("the worker's declaration: {e}");
            2
        }
    }
}

/// Calls the language's side of the kit, whose failures have a kind and a reason.
pub(crate) fn ask(what: Asked, bytes: &[u8]) -> Result<Vec<u8>, (Kind, String)> {
    let answer = DECLARED.get().and_then(|(_, call)| call(what, bytes)).unwrap_or_default();
    match answer.split_first() {
        Some((&DONE, answer)) => Ok(answer.to_vec()),
        Some((&kind, why)) => {
            let kind = if kind == UNAVAILABLE { Kind::Unavailable } else { Kind::Internal };
            Err((kind, String::from_utf8_lossy(why).into_owned()))
        }
        None => Err((Kind::Internal, "the worker's language could not be called".to_owned())),
    }
}

/// For requests within an op.
fn ask_op(what: Asked, bytes: &[u8]) -> Result<Vec<u8>, OpError> {
    ask(what, bytes).map_err(|(_, why)| OpError::new(why))
}

fn number(bytes: &[u8]) -> Result<u64, OpError> {
    let text = String::from_utf8_lossy(bytes);
    text.parse().map_err(|e| OpError::new(format!("the kit's answer {text:?}: {e}")))
}

fn runtime_time(answer: &[u8]) -> Result<RuntimeTime, OpError> {
    let mut times = answer.split(|byte| *byte == b' ').filter(|time| !time.is_empty()).map(number);
    let time = RuntimeTime {
        collector_ns: times.next().transpose()?,
        compilers_ns: times.next().transpose()?,
    };
    match times.next() {
        Some(_) => Err(OpError::new("the kit's answer has more than two times")),
        None => Ok(time),
    }
}

/// A worker as it is declared.
#[derive(Deserialize)]
struct Declaration {
    name: String,
    arguments: Vec<String>,
    compiler: String,
    flags: String,
    libraries: Libraries,
    operations: Vec<DeclaredOperation>,
}

#[derive(Deserialize)]
struct DeclaredOperation {
    name: String,
    verified: String,
    parameters: BTreeMap<String, Range>,
    inputs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Range {
    Integers(u64, u64),
    Choices { of: Vec<String> },
}

impl DeclaredOperation {
    fn operation(&'static self) -> Operation {
        let (operation, implementation) = self.name.split_once('/').unwrap_or((&self.name, ""));
        let parameters = self.parameters.iter().map(|(name, range)| match range {
            Range::Integers(from, to) => Parameter::integer(name, *from..=*to),
            Range::Choices { of: choices } => {
                let choices: Vec<_> = choices.iter().map(|choice| (choice.as_str(), ())).collect();
                Parameter::one_of(name, &choices)
            }
        });
        let warm_up = Parameter::integer(WARM_UP, 0..=10 * LONGEST_MS).optional();
        let inputs: Vec<&str> = self.inputs.iter().map(String::as_str).collect();
        Operation::new(operation, implementation, set_up)
            .takes(parameters.chain([warm_up]).collect::<Vec<_>>())
            .reads(inputs)
    }
}

fn run_declared(declared: &'static Declaration, start_thread: Option<StartThread>) -> u8 {
    // As a program in Rust does: a harness that has gone is a failed write.
    // SAFETY: ignoring a signal installs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    let language = Language {
        compiler: declared.compiler.clone(),
        flags: declared.flags.clone(),
        crossing: Some(|| {
            // Its op does nothing; a failure shows in the first batch.
            let _ = ask(Asked::Batch, b"0");
        }),
        start_thread,
    };
    let worker = Worker {
        name: &declared.name,
        operations: declared.operations.iter().map(DeclaredOperation::operation).collect(),
        libraries: || {
            DECLARED.get().map(|(declared, _)| declared.libraries.clone()).unwrap_or_default()
        },
        paths: Paths::new,
        self_test: || ask(Asked::SelfTest, &[]).map(|_| ()).map_err(|(_, why)| why),
    };
    sizeup_kit::run_in(&language, &worker, &declared.arguments)
}

/// A parameter of each operation: the longest time of the warm-up.
const WARM_UP: &str = "warm_up_ms";

/// The work of this thread, which the language keeps.
struct Managed {
    verified: &'static str,
    bytes_per_op: Option<u64>,
    warm_up_ms: u64,
}

/// The language gets what it is made from in lines of fields, an empty line, and the inputs, one behind the other.
fn set_up(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let declared = DECLARED.get().and_then(|(declared, _)| {
        declared.operations.iter().find(|operation| operation.name == setting.operation)
    });
    let declared = declared.expect("only operations that were declared are listed");
    let Setting { operation, seed, thread, .. } = setting;
    let mut head = format!("operation\t{operation}\nseed\t{seed}\n");
    head += &format!("thread\t{thread}\t{}\n", setting.cpus.len());
    for (name, value) in setting.values().iter().filter(|(name, _)| *name != WARM_UP) {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        head += &format!("parameter\t{name}\t{value}\n");
    }
    let mut inputs = Vec::new();
    for name in &declared.inputs {
        let input = setting.input(name)?;
        head += &format!("input\t{name}\t{}\n", input.len());
        inputs.extend(input);
    }
    let request = [format!("{head}\n").into_bytes(), inputs].concat();
    let refused = |(kind, why)| WorkerError::new(kind, why);
    ask(Asked::SetUp, &request).map_err(refused)?;
    let bytes = ask(Asked::BytesPerOp, &[]).map_err(refused)?;
    let bytes_per_op = if bytes.is_empty() { None } else { Some(number(&bytes)?) };
    let warm_up_ms = setting.values().get(WARM_UP).and_then(Value::as_u64).unwrap_or(LONGEST_MS);
    Ok(Box::new(Managed { verified: &declared.verified, bytes_per_op, warm_up_ms }))
}

impl Work for Managed {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(1)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        ask_op(Asked::Batch, ops.to_string().as_bytes()).map(|_| ())
    }

    fn warm_up(&mut self) -> Result<(), OpError> {
        let compiled = || number(&ask_op(Asked::Compiled, &[])?);
        warm_up(self.warm_up_ms, || self.batch(1), compiled)?;
        // The first time is the longest.
        self.runtime().map(|_| ())
    }

    fn runtime(&self) -> Result<RuntimeTime, OpError> {
        runtime_time(&ask_op(Asked::Runtime, &[])?)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let output = ask_op(Asked::Output, &[])?;
        if output.is_empty() {
            return Err(OpError::new("the operation made no output to check"));
        }
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        ask(Asked::Check, output).map(|_| ()).map_err(|(_, why)| why)
    }

    fn verified(&self) -> &'static str {
        self.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        self.bytes_per_op
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_says_both_times_or_the_collectors_or_none() {
        let said =
            |answer: &[u8]| runtime_time(answer).map(|time| (time.collector_ns, time.compilers_ns));
        assert_eq!(said(b"7 0"), Ok((Some(7), Some(0))));
        assert_eq!(said(b"7"), Ok((Some(7), None)));
        assert_eq!(said(b""), Ok((None, None)));
        for wrong in [&b"-1"[..], b"7 NaN", b"7 8 9", b"18446744073709551616"] {
            assert!(said(wrong).is_err(), "{wrong:?}");
        }
    }
}
