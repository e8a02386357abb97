//! Fuzz target: requests, changed. Each is carried out, or is refused with one of the protocol's errors.

use super::*;
use testkit::{Choices, changed_text, edit};

/// More threads or longer samples only take longer.
const MOST_THREADS: usize = 3;
const MOST_NS: u64 = 100_000;

fn is_small(request: &Request) -> bool {
    match request {
        Request::Prepare(prepare) => prepare.threads <= MOST_THREADS,
        Request::Measure { warmup_ns, sample_ns } => warmup_ns.max(sample_ns) <= &MOST_NS,
        Request::Finish {} => true,
    }
}

/// Three requests, most of them as a harness sends them.
fn conversation(choices: &mut Choices) -> String {
    // SAFETY: takes nothing and returns this thread's CPU, which the thread may use.
    let cpu = unsafe { libc::sched_getcpu() };
    let mut requests = [
        json!({
            "request": "prepare", "protocol": 1, "operation": "varying/test", "parameters": { "level": 3 },
            "threads": 1, "cpus": [cpu], "seed": 7, "inputs": {}, "inject": "wrong-answer",
        }),
        json!({ "request": "measure", "warmup_ns": 0, "sample_ns": 10_000 }),
        json!({ "request": "finish" }),
    ];
    for _ in 0..=choices.below(3) {
        let place = choices.below(requests.len());
        edit(&mut requests[place], choices);
    }
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    if choices.is_one_of(4) { changed_text(&[&lines], choices) } else { lines }
}

/// How a launch answers requests, until one of them is an error.
fn serve(requests: &str) -> Result<(), WorkerError> {
    let worker = worker();
    let language = Language::rust();
    let mut session =
        Session { language: &language, worker: &worker, launch: None, samples: 0, ops: 0 };
    let (mut stdin, mut out) = (requests.as_bytes(), Vec::new());
    while let Some(request) = Request::read(&mut stdin)? {
        if !is_small(&request) {
            return Ok(());
        }
        match request {
            Request::Prepare(prepare) => session.prepare(prepare, &mut out)?,
            Request::Measure { warmup_ns, sample_ns } => {
                session.measure(warmup_ns, sample_ns, &mut out)?;
            }
            Request::Finish {} => return session.finish().map(drop),
        }
    }
    session.finish().map(drop)
}

#[test]
fn a_changed_request_is_carried_out_or_refused() {
    testkit::check("requests", 200, |input| {
        let requests = conversation(&mut Choices::new(input));
        if let Err(error) = serve(&requests) {
            assert!(!error.message.is_empty());
            assert!(error.kind != Kind::Internal, "{error}: {requests}");
        }
    });
}
