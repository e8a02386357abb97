use super::*;
use crate::build::{Libraries, Paths};
use crate::parameters::Parameter;
use crate::setting::Setting;
use crate::work::{OpError, Work};
use serde_json::{Value, json};
use std::hint::black_box;

mod changed;

/// Work whose ops write three bytes: always the same, or different each time.
struct Write3 {
    last: u8,
    varies: bool,
}

impl Work for Write3 {
    fn op(&mut self) -> Result<(), OpError> {
        // Without it the compiler does any number of ops at once, and no batch is ever long enough.
        self.last = black_box(self.last.wrapping_add(u8::from(self.varies)));
        Ok(())
    }
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.op()?;
        Ok(vec![1, 2, self.last])
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

fn same(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Write3 { last: 0, varies: false }))
}

fn varying(_: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Write3 { last: 0, varies: true }))
}

fn operations() -> Vec<Operation> {
    vec![
        Operation::new("same", "test", same),
        Operation::new("varying", "test", varying).takes([Parameter::integer("level", 1..=9)]),
    ]
}

fn worker() -> Worker {
    Worker {
        name: "test",
        operations: operations(),
        libraries: Libraries::new,
        paths: Paths::new,
        self_test: || Ok(()),
    }
}

/// The answer to a `prepare` on a number of threads.
fn answer(operation: &str, parameters: &Value, threads: usize) -> Result<Value, WorkerError> {
    let worker = worker();
    // SAFETY: takes nothing and returns this thread's CPU, which the thread may use.
    let cpu = unsafe { libc::sched_getcpu() };
    let request = json!({
        "request": "prepare", "protocol": 1, "operation": operation, "parameters": parameters,
        "threads": threads, "cpus": [cpu], "seed": 0, "inputs": {},
    });
    let request = Request::read(&mut format!("{request}\n").as_bytes()).unwrap();
    let Some(Request::Prepare(prepare)) = request else { panic!("it is a prepare") };
    let language = Language::rust();
    let mut session =
        Session { language: &language, worker: &worker, launch: None, samples: 0, ops: 0 };
    let mut answer = Vec::new();
    session.prepare(prepare, &mut answer)?;
    Ok(serde_json::from_slice(&answer).unwrap())
}

#[test]
fn a_constant_output_is_reported_by_digest_and_length() {
    for threads in [1, 2] {
        let ready = answer("same/test", &json!({}), threads).unwrap();
        // printf '\1\2\0' | sha256sum
        let digest = "d7b3d4012540102c40a23acdeee417e06a42a74a5d66c7efe59f4e4aa0537c5c";
        assert_eq!(ready["output_sha256"], digest);
        assert_eq!(ready["output_bytes"], 3);
    }
}

#[test]
fn varying_outputs_have_neither_digest_nor_length_but_null() {
    let ready = answer("varying/test", &json!({"level": 9}), 1).unwrap();
    let ready = ready.as_object().unwrap();
    assert_eq!(ready.get("output_sha256"), Some(&Value::Null));
    assert_eq!(ready.get("output_bytes"), Some(&Value::Null));
}

#[test]
fn an_operation_that_the_worker_does_not_have_is_unknown() {
    let error = answer("same/other", &json!({}), 1).unwrap_err();
    assert_eq!(error.kind, Kind::UnknownOperation);
    assert!(error.message.contains("same/other"), "{error}");
}

#[test]
fn parameters_are_checked_against_the_operations_declaration() {
    for (operation, parameters) in [
        ("varying/test", json!({"level": 10})),
        ("varying/test", json!({})),
        ("same/test", json!({"level": 9})),
    ] {
        let error = answer(operation, &parameters, 1).unwrap_err();
        assert_eq!(error.kind, Kind::BadRequest);
        assert!(error.message.starts_with("parameters: level"), "{error}");
    }
}

#[test]
fn the_manifest_lists_operations_with_parameters_and_inputs() {
    let listed = serde_json::to_value(operations()).unwrap();
    let expected = json!([
        {"operation": "same/test", "parameters": {}, "inputs": []},
        {"operation": "varying/test", "parameters": {"level": {"from": 1, "to": 9}}, "inputs": []},
    ]);
    assert_eq!(listed, expected);
}
