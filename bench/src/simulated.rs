//! The records of a run that nobody measured.

use catalog::{Category, Definition, Family, Unit};
use machine::{Machine, Placement};
use record::{
    Case, FORMAT, Header, Launch, Plan, PulseKernels, Ready, Run, Sample, ThreadSample, ThreadSpec,
    Timing, WorkerBuild, fixture,
};
use std::collections::BTreeMap;

/// Samples that a launch gives.
pub const ROUNDS_PER_LAUNCH: u64 = 6;

/// A sample of one thread that starts at a time.
pub fn a_sample(
    (launch, case): (u64, usize),
    round: u64,
    start_ns: u64,
    thread: ThreadSample,
) -> Sample {
    let measured = fixture::measured((start_ns, thread.elapsed_ns), vec![thread]);
    Sample {
        launch,
        case,
        round,
        steal_ticks: Some(0),
        idle_ticks: None,
        total_ticks: None,
        measured,
    }
}

/// A launch, by number, of a case that is ready at a time.
pub fn a_launch(launch: u64, case: usize, at_ns: u64) -> Launch {
    let pulse = PulseKernels {
        clock_kernel: String::new(),
        clock_cycles_per_op: 3,
        width_kernel: String::new(),
    };
    let ready = Ready {
        protocol: 1,
        worker: "simulated".to_owned(),
        build: WorkerBuild::default(),
        bytes_per_op: None,
        counts_part: false,
        batch_ops: 1,
        clock_cost_ns: 1,
        resident_bytes: 1,
        verified: String::new(),
        output_sha256: None,
        output_bytes: None,
        pulse,
        chain: None,
        counters: None,
        fixed_rate_per_s: None,
        parts: Vec::new(),
    };
    Launch { launch, case, at_ns, ready }
}

/// The name of a row.
pub fn row_name(row: usize) -> String {
    format!("row-{row}/simulated")
}

/// A run of so many rows, without samples.
pub fn empty_run(rows: usize) -> Run {
    let definition = Definition {
        family: Family::Compress,
        worker: "simulated".to_owned(),
        operation: "row/simulated".to_owned(),
        parameters: serde_json::Value::Null,
        inputs: BTreeMap::new(),
        sample_ms: None,
        rounds_per_launch: None,
        starts_threads: false,
        unit: Unit::Ops,
    };
    let case = |row| Case {
        workload: row_name(row),
        thread_spec: ThreadSpec::Count(1),
        threads: 1,
        placement: Placement::Cores,
        cpus: vec![0],
        variant: None,
        control: false,
        co_runner: false,
    };
    let header = Header {
        format: format!("{}.{}", FORMAT.0, FORMAT.1),
        sizeup: String::new(),
        label: "simulated".to_owned(),
        started_unix_ns: 0,
        started_ns: 0,
        suite: "simulated".to_owned(),
        suite_version: 1,
        categories: vec![Category {
            name: "all".to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads: (0..rows).map(row_name).collect(),
        }],
        workloads: (0..rows).map(|row| (row_name(row), definition.clone())).collect(),
        workers: BTreeMap::new(),
        plan: Plan {
            seed: 0,
            precision_ppm: 10_000,
            budget_ns: 3_600_000_000_000,
            timing: Timing {
                warmup_ns: 5_000_000,
                sample_ns: 50_000_000,
                rounds_per_launch: ROUNDS_PER_LAUNCH,
            },
            cases: (0..rows).map(case).collect(),
            mix: None,
            rolling: None,
            isa: Vec::new(),
            sustain_ns: None,
        },
        machine: Machine::default(),
        variants: Vec::new(),
        injected: None,
        host: None,
        boot: None,
        origin: None,
        findings: Vec::new(),
        facts: record::UserFacts::default(),
    };
    Run::empty("simulated".into(), header)
}
