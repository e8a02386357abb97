//! The protocol's requests and answers, as `docs/protocol.md` has them.

use crate::build::Build;
use crate::chain::ChainKernel;
use crate::counters::Counted;
use crate::error::{Kind, WorkerError};
use crate::input::InputFile;
use crate::parameters::Values;
use crate::pulse::Kernels;
use crate::sample::ThreadSample;
use crate::work::Operation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Write};

/// The protocol's number.
pub(crate) const PROTOCOL: u64 = 1;
/// The longest line in either direction.
const MAX_LINE_BYTES: u64 = 2 << 20;
const MAX_THREADS: usize = 2048;
const MAX_SEED: u64 = i64::MAX as u64;
const MAX_WARMUP_NS: u64 = 60_000_000_000;
const SAMPLE_NS: std::ops::RangeInclusive<u64> = 1_000..=600_000_000_000;

/// A request of the harness.
#[derive(Debug, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    Prepare(Prepare),
    Measure { warmup_ns: u64, sample_ns: u64 },
    // Braces, not a bare name: with a bare name serde would accept unknown fields.
    Finish {},
}

/// A `prepare` request: one operation with its parameters, threads and inputs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prepare {
    pub protocol: u64,
    pub operation: String,
    pub parameters: Values,
    pub threads: usize,
    pub cpus: Vec<u32>,
    pub seed: u64,
    pub inputs: BTreeMap<String, InputFile>,
    #[serde(default)]
    pub inject: Inject,
}

/// Faults that a request may inject, to test the checks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Inject {
    #[default]
    Nothing,
    WrongAnswer,
}

impl TryFrom<String> for Inject {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name.as_str() {
            "wrong-answer" => Ok(Self::WrongAnswer),
            _ => Err(format!("inject is {name:?}; the only known fault is wrong-answer")),
        }
    }
}

/// An answer of the worker.
#[derive(Debug, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(crate) enum Answer<'a> {
    List { protocol: u64, worker: &'a str, build: Build<'a>, operations: &'a [Operation] },
    Ready(Box<Ready<'a>>),
    Sample(Sample),
    Done { verified: &'a str, samples: u64, ops: u64 },
    Error { kind: Kind, message: &'a str, hint: &'a str },
}

#[derive(Debug, Serialize)]
pub(crate) struct Ready<'a> {
    pub protocol: u64,
    pub worker: &'a str,
    pub build: Build<'a>,
    pub bytes_per_op: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub counts_part: bool,
    pub batch_ops: u64,
    pub clock_cost_ns: u64,
    pub resident_bytes: u64,
    pub verified: &'a str,
    pub output_sha256: Option<String>,
    pub output_bytes: Option<u64>,
    pub pulse: Kernels,
    pub chain: ChainKernel,
    pub counters: Counted,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    pub start_ns: u64,
    pub end_ns: u64,
    pub process_cpu_ns: u64,
    pub process_elapsed_ns: u64,
    pub threads: Vec<ThreadSample>,
}

impl Sample {
    /// Combines the threads' shares; there is at least one.
    pub fn of(threads: Vec<ThreadSample>) -> Self {
        let start_ns = threads.iter().map(|t| t.start_ns).min().unwrap_or(0);
        let end_ns = threads.iter().map(|t| t.start_ns + t.elapsed_ns).max().unwrap_or(0);
        let first = threads.first();
        Self {
            start_ns,
            end_ns,
            process_cpu_ns: first.map_or(0, |t| t.process_cpu_ns),
            process_elapsed_ns: first.map_or(0, |t| t.cpu_elapsed_ns),
            threads,
        }
    }
}

impl Request {
    /// The next request; `None` when stdin is closed.
    pub fn read(from: &mut impl BufRead) -> Result<Option<Self>, WorkerError> {
        let mut line = Vec::new();
        from.by_ref()
            .take(MAX_LINE_BYTES + 1)
            .read_until(b'\n', &mut line)
            .map_err(|e| WorkerError::bad_request(format!("cannot read stdin: {e}")))?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() as u64 > MAX_LINE_BYTES {
            let message = format!("the request is longer than {MAX_LINE_BYTES} bytes");
            return Err(WorkerError::bad_request(message));
        }
        let text = std::str::from_utf8(&line)
            .map_err(|e| WorkerError::bad_request(format!("the request is not UTF-8: {e}")))?;
        Self::parse(text).map(Some)
    }

    fn parse(text: &str) -> Result<Self, WorkerError> {
        // The protocol's number comes first: another protocol may have other fields.
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|e| WorkerError::bad_request(format!("the request is not JSON: {e}")))?;
        let protocol = &value["protocol"];
        if value["request"] == "prepare" && protocol.is_number() && *protocol != PROTOCOL {
            let message =
                format!("the request uses protocol {protocol}; this worker speaks {PROTOCOL}");
            return Err(WorkerError::new(Kind::Protocol, message)
                .hint("use sizeup and workers of the same release"));
        }
        // Serde also accepts a structure as a list of its fields.
        let inputs = value["inputs"].as_object().into_iter().flat_map(|inputs| inputs.values());
        if !value.is_object() || inputs.into_iter().any(|input| !input.is_object()) {
            return Err(WorkerError::bad_request(
                "the request and each of its inputs must be an object",
            ));
        }
        // From the text, not the value, so that duplicate fields are refused.
        let request: Self = serde_json::from_str(text)
            .map_err(|e| WorkerError::bad_request(format!("invalid request: {e}")))?;
        request.check()?;
        Ok(request)
    }

    fn check(&self) -> Result<(), WorkerError> {
        let refuse = |message: String| Err(WorkerError::bad_request(message));
        match self {
            Self::Prepare(p) if p.protocol != PROTOCOL => {
                refuse(format!("protocol is {}, not {PROTOCOL}", p.protocol))
            }
            Self::Prepare(p) if !(1..=MAX_THREADS).contains(&p.threads) => {
                refuse(format!("threads is {}, not 1 … {MAX_THREADS}", p.threads))
            }
            Self::Prepare(p) if p.cpus.is_empty() => refuse("cpus is empty".to_owned()),
            Self::Prepare(p) if p.seed > MAX_SEED => {
                refuse(format!("seed is {}, not 0 … {MAX_SEED}", p.seed))
            }
            Self::Measure { warmup_ns, .. } if *warmup_ns > MAX_WARMUP_NS => {
                refuse(format!("warmup_ns is {warmup_ns}, not 0 … {MAX_WARMUP_NS}"))
            }
            Self::Measure { sample_ns, .. } if !SAMPLE_NS.contains(sample_ns) => {
                let (least, most) = (SAMPLE_NS.start(), SAMPLE_NS.end());
                refuse(format!("sample_ns is {sample_ns}, not {least} … {most}"))
            }
            _ => Ok(()),
        }
    }
}

impl Answer<'_> {
    /// Writes the answer as one line.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        to.write_all(&line)?;
        to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> WorkerError {
        Request::read(&mut text.as_bytes()).unwrap_err()
    }

    #[test]
    fn an_unknown_field_is_named_in_every_request() {
        for request in [
            r#"{"request":"finish","colour":1}"#,
            r#"{"request":"measure","warmup_ns":1,"sample_ns":1000,"colour":1}"#,
        ] {
            let error = refusal(request);
            assert_eq!(error.kind, Kind::BadRequest);
            assert!(error.message.contains("colour"), "{error}");
        }
    }

    #[test]
    fn another_protocol_is_refused_before_other_fields_are_checked() {
        let error = refusal(r#"{"request":"prepare","protocol":7,"shape":"new"}"#);
        assert_eq!(error.kind, Kind::Protocol);
        assert!(error.message.contains('7') && error.message.contains('1'), "{error}");
    }

    #[test]
    fn a_duplicate_field_is_refused() {
        let error =
            refusal(r#"{"request":"measure","warmup_ns":1,"warmup_ns":2,"sample_ns":1000}"#);
        assert!(error.message.contains("warmup_ns"), "{error}");
    }

    #[test]
    fn a_request_that_is_not_text_or_json_or_is_too_long_is_refused() {
        assert!(refusal("{").message.contains("JSON"));
        let error = Request::read(&mut &b"{\"request\":\"\xff\"}\n"[..]).unwrap_err();
        assert!(error.message.contains("UTF-8"), "{error}");
        let long = " ".repeat(usize::try_from(MAX_LINE_BYTES).unwrap() + 1);
        assert!(refusal(&long).message.contains("longer"));
    }

    #[test]
    fn a_closed_stdin_is_not_an_error() {
        assert!(Request::read(&mut &b""[..]).unwrap().is_none());
    }
}
