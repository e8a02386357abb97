//! Every worker keeps to `docs/protocol.md`: the golden transcripts of `workers/contract`, played to
//! every worker that is built. The README there says how to run this and how to add a transcript.

pub mod installation;

use crate::support::not_tested;
use catalog::Workload;
use installation::Installation;
use measure::contract::{PlayedWorker, Variables, WorkloadNeeds, play_all};
use serde_json::Value;
use std::time::Duration;

/// The workers that this file has a test for.
const WORKERS: [&str; 16] = [
    "agents",
    "cloudflare-zlib",
    "command",
    "compressors",
    "data",
    "go",
    "jvm",
    "luajit",
    "ml",
    "native",
    "node",
    "openssl",
    "python",
    "serve",
    "system",
    "xxhash",
];
/// An answer takes seconds at most, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// Plays all transcripts to a worker and tells all failures at once.
fn assert_keeps_the_contract(worker: &str) {
    match failures(worker) {
        Ok(failures) if failures.is_empty() => {}
        Ok(failures) => {
            panic!("{} of the contract:\n\n{}\n", failures.len(), failures.join("\n\n"))
        }
        Err(error) => panic!("{error}"),
    }
}

/// Where instructions are translated for one process, it can't start another. The apps pack is not everywhere. A turn of an agent
/// takes long.
fn is_played(workload: &&Workload) -> bool {
    let left_out = [
        "exec/linux",
        "/onnxruntime",
        "/llamacpp",
        "/usearch",
        "/duckdb",
        "/jackson",
        "/lucene",
        "/jinja",
        "/clang",
        "/tools",
    ];
    !left_out.iter().any(|end| workload.id.ends_with(end))
}

fn failures(worker: &str) -> Result<Vec<String>, String> {
    let installation = Installation::find()?;
    let program = installation.worker(worker)?;
    let workloads: Vec<_> = installation.workloads_of(worker).filter(is_played).collect();
    let folder = installation::contract();
    let played = play_all(&folder, &installation.catalog, &program, &workloads, PATIENCE)?;
    for transcript in played.left_out {
        println!("{worker} has no workload for {transcript}");
    }
    Ok(played.failures)
}

#[test]
fn the_native_worker_keeps_the_contract() {
    assert_keeps_the_contract("native");
}

#[test]
fn the_openssl_worker_keeps_the_contract() {
    assert_keeps_the_contract("openssl");
}

#[test]
fn the_compressors_worker_keeps_the_contract() {
    assert_keeps_the_contract("compressors");
}

#[test]
fn the_luajit_worker_keeps_the_contract() {
    assert_keeps_the_contract("luajit");
}

#[test]
fn the_cloudflare_zlib_worker_keeps_the_contract() {
    assert_keeps_the_contract("cloudflare-zlib");
}

#[test]
fn the_data_worker_keeps_the_contract() {
    assert_keeps_the_contract("data");
}

#[test]
fn the_go_worker_keeps_the_contract() {
    assert_keeps_the_contract("go");
}

#[test]
fn the_python_worker_keeps_the_contract() {
    assert_keeps_the_contract_if_it_can("python");
}

#[test]
fn the_jvm_worker_keeps_the_contract() {
    assert_keeps_the_contract_if_it_can("jvm");
}

#[test]
fn the_node_worker_keeps_the_contract() {
    assert_keeps_the_contract_if_it_can("node");
}

/// Where the interpreter is missing, a worker in that language has nothing to keep a contract with.
fn assert_keeps_the_contract_if_it_can(worker: &str) {
    match Installation::find().and_then(|installation| installation.why_not_here(worker)) {
        Ok(None) => assert_keeps_the_contract(worker),
        Ok(Some(why)) => not_tested(format_args!("{worker}: {why}")),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_serve_worker_keeps_the_contract() {
    assert_keeps_the_contract_if_it_is_available("serve");
}

#[test]
fn the_agents_worker_keeps_the_contract() {
    assert_keeps_the_contract_if_it_is_available("agents");
}

/// Without NGINX, with its modules, or without git there is nothing to keep a contract with. The worker says so, and so does this test.
fn assert_keeps_the_contract_if_it_is_available(worker: &str) {
    match why_unavailable(worker) {
        Ok(None) => assert_keeps_the_contract(worker),
        Ok(Some(why)) => not_tested(format_args!("{worker}: {why}")),
        Err(error) => panic!("{error}"),
    }
}

/// The worker's reason for refusing to prepare its first workload; `None` if it prepares it.
fn why_unavailable(worker: &str) -> Result<Option<String>, String> {
    let installation = Installation::find()?;
    let workloads: Vec<_> = installation.workloads_of(worker).filter(is_played).collect();
    let needs = WorkloadNeeds::default();
    let variables = Variables::of(&installation.catalog, &workloads, worker, needs)?
        .ok_or("the worker has no workload")?;
    let request = variables.fill(PREPARE)?;
    let mut process = PlayedWorker::start(&installation.worker(worker)?, &[], PATIENCE)?;
    process.send(format!("{request}\n").as_bytes())?;
    let line = process.receive()?;
    let answer: Value = serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"))?;
    let is_so = answer["kind"] == "unavailable";
    Ok(is_so.then(|| answer["message"].as_str().unwrap_or_default().to_owned()))
}

const PREPARE: &str = concat!(
    r#"{"request":"prepare","protocol":1,"operation":$OPERATION,"parameters":$PARAMETERS,"#,
    r#""threads":1,"cpus":[$CPU],"seed":42,"inputs":$INPUTS}"#
);

#[test]
fn the_command_worker_keeps_the_contract() {
    assert_keeps_the_contract("command");
}

#[test]
fn the_ml_worker_keeps_the_contract() {
    assert_keeps_the_contract("ml");
}

#[test]
fn the_system_worker_keeps_the_contract() {
    assert_keeps_the_contract("system");
}

#[test]
fn the_xxhash_worker_keeps_the_contract() {
    assert_keeps_the_contract("xxhash");
}

#[test]
fn every_worker_that_is_built_is_tested() {
    let workers = Installation::find().and_then(|installation| installation.workers());
    let workers = workers.unwrap_or_else(|error| panic!("{error}"));
    let untested: Vec<&String> =
        workers.iter().filter(|name| !WORKERS.contains(&name.as_str())).collect();
    assert!(untested.is_empty(), "no test here is for {untested:?}: add one, and to WORKERS");
}
