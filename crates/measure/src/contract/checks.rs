//! Whether the check of a workload is alive: it passes the worker's output, and not one with a wrong bit.

use super::process::PlayedWorker;
use super::variables::{cpus, inputs_of};
use catalog::{Catalog, Workload};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The outcome of performing a workload with and without an injected wrong answer.
#[derive(Debug, PartialEq, Eq)]
pub enum CheckProof {
    /// The right output passes, and the wrong one does not.
    Noticed,
    /// This machine can't perform it, and why.
    Unavailable(String),
}

/// Performs a workload on one thread with and without an injected wrong answer.
///
/// # Errors
/// If the worker answers something else; the error quotes it.
pub fn check_workload(
    catalog: &Catalog,
    workload: &Workload,
    patience: Duration,
) -> Result<CheckProof, String> {
    let honest = prepared(catalog, workload, None, patience)?;
    if honest["kind"] == "unavailable" {
        let why = honest["message"].as_str().unwrap_or_default();
        return Ok(CheckProof::Unavailable(why.to_owned()));
    }
    if honest["answer"] != "ready" {
        return Err(format!("prepare is answered by {honest}"));
    }
    let injected = prepared(catalog, workload, Some("wrong-answer"), patience)?;
    if injected["answer"] == "error" && injected["kind"] == "wrong-answer" {
        return Ok(CheckProof::Noticed);
    }
    Err(format!("its check does not notice an injected wrong answer: {injected}"))
}

/// The answer to `prepare`.
fn prepared(
    catalog: &Catalog,
    workload: &Workload,
    inject: Option<&str>,
    patience: Duration,
) -> Result<Value, String> {
    let parameters = workload.parameters.as_object().cloned().unwrap_or_default();
    let given: Map<String, Value> =
        parameters.into_iter().filter(|(_, value)| !value.is_null()).collect();
    let mut request = json!({
        "request": "prepare", "protocol": 1, "operation": workload.definition.operation,
        "parameters": given, "threads": 1, "cpus": [cpus()?[0]], "seed": 42,
        "inputs": inputs_of(catalog, workload),
    });
    if let Some(fault) = inject {
        request["inject"] = json!(fault);
    }
    let mut process = PlayedWorker::start(&workload.program, &[], patience)?;
    process.send(format!("{request}\n").as_bytes())?;
    let line = process.receive().map_err(|got| format!("{got}\n{}", process.stderr()))?;
    serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"))
}
