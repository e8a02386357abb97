//! Small records and runs for tests.

use super::*;
use catalog::{Category, Definition, Demand, Family, Mix, Unit};
use machine::{Machine, Placement};
use std::collections::BTreeMap;

/// The header of a run with one case.
pub fn header() -> Header {
    let definition = Definition {
        family: Family::Compress,
        worker: "native".to_owned(),
        operation: "zip/zip".to_owned(),
        parameters: serde_json::json!({ "level": 1 }),
        inputs: BTreeMap::new(),
        sample_ms: None,
        rounds_per_launch: None,
        starts_threads: false,
        unit: Unit::Ops,
    };
    Header {
        format: format!("{}.{}", FORMAT.0, FORMAT.1),
        sizeup: "0.1.0".to_owned(),
        label: "here".to_owned(),
        started_unix_ns: 1,
        started_ns: 1_000,
        suite: "s".to_owned(),
        suite_version: 1,
        categories: vec![Category {
            name: "c".to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads: vec!["zip/zip".to_owned()],
        }],
        workloads: BTreeMap::from([("zip/zip".to_owned(), definition)]),
        workers: BTreeMap::new(),
        plan: Plan {
            seed: 7,
            precision_ppm: 10_000,
            budget_ns: 60_000_000_000,
            timing: Timing { warmup_ns: 1, sample_ns: 50_000_000, rounds_per_launch: 4 },
            cases: vec![Case {
                workload: "zip/zip".to_owned(),
                thread_spec: ThreadSpec::All,
                threads: 1,
                placement: Placement::Cores,
                cpus: vec![0],
                variant: None,
                control: false,
                co_runner: false,
            }],
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
        facts: UserFacts::new(),
    }
}

/// A launch of the only case.
pub fn launch() -> Record {
    Record::Launch(Box::new(Launch {
        launch: 0,
        case: 0,
        at_ns: 2_000,
        ready: Ready {
            protocol: 1,
            worker: "native".to_owned(),
            build: WorkerBuild::default(),
            counts_part: false,
            bytes_per_op: Some(10),
            batch_ops: 1,
            clock_cost_ns: 40,
            resident_bytes: 1,
            verified: "round trip".to_owned(),
            output_sha256: Some("0".repeat(64)),
            output_bytes: Some(1_000),
            pulse: PulseKernels {
                clock_kernel: "imul".to_owned(),
                clock_cycles_per_op: 3,
                width_kernel: "add".to_owned(),
            },
            chain: None,
            counters: None,
            fixed_rate_per_s: None,
            parts: Vec::new(),
        },
    }))
}

/// A sample of that launch, with 5 ops in 100 ns.
pub fn sample(start_ns: u64) -> Record {
    let pulse = Pulse { clock_ops: 1, clock_ns: 1, width_ops: 1, width_ns: 1 };
    Record::Sample(Sample {
        launch: 0,
        case: 0,
        round: 0,
        steal_ticks: Some(0),
        idle_ticks: None,
        total_ticks: None,
        measured: measured((start_ns, 100), vec![thread(0, (5, 100), [pulse; 2])]),
    })
}

/// A thread's ops in so many ns, for all of which it had its CPU, and without what only some workers report.
pub fn thread(
    cpu: u32,
    (ops, elapsed_ns): (u64, u64),
    [pulse_before, pulse_after]: [Pulse; 2],
) -> ThreadSample {
    ThreadSample {
        cpu,
        ops,
        elapsed_ns,
        cpu_ns: Some(elapsed_ns),
        cpu_elapsed_ns: Some(elapsed_ns),
        minor_faults: Some(0),
        major_faults: Some(0),
        voluntary_switches: Some(0),
        involuntary_switches: Some(0),
        pulse_before,
        pulse_after,
        ..ThreadSample::default()
    }
}

/// Threads that a worker ran from a time on for so many ns, for all of which each had its CPU.
pub fn measured((start_ns, elapsed_ns): (u64, u64), threads: Vec<ThreadSample>) -> Measured {
    Measured {
        start_ns,
        end_ns: start_ns + elapsed_ns,
        process_cpu_ns: elapsed_ns * threads.len() as u64,
        process_elapsed_ns: elapsed_ns,
        threads,
        ..Measured::default()
    }
}

/// Two threads that did 5,000,000 ops in 50 ms each, on these CPUs.
pub fn two_threads(cpus: [u32; 2]) -> Measured {
    let Record::Sample(Sample { mut measured, .. }) = sample(1_000) else { unreachable!() };
    let ns = 50_000_000;
    measured.end_ns = measured.start_ns + ns;
    (measured.process_cpu_ns, measured.process_elapsed_ns) = (ns, ns);
    let thread = &mut measured.threads[0];
    (thread.ops, thread.elapsed_ns) = (5_000_000, ns);
    (thread.cpu_ns, thread.cpu_elapsed_ns) = (Some(ns / 2), Some(ns));
    measured.threads = cpus.map(|cpu| ThreadSample { cpu, ..thread.clone() }).to_vec();
    measured
}

/// A sample of a server on CPU 0 with a client on CPU 1, at a fixed rate.
pub fn served_sample() -> Measured {
    let mut sample = two_threads([0, 1]);
    let part = PartSample { cpu_count: 1, cpu_ns: 30_000_000, elapsed_ns: 50_000_000 };
    sample.parts = vec![part; 2];
    for thread in &mut sample.threads {
        (thread.cpu_ns, thread.cpu_elapsed_ns) = (None, None);
    }
    sample.threads[1].ops = 0;
    sample.due_ops = Some(5);
    sample.latency = vec![(100, 3), (101, 2)];
    sample
}

/// The outcome of a case whose worker gave a wrong answer.
pub fn wrong_answer(case: usize) -> Outcome {
    Outcome {
        case,
        outcome: OutcomeKind::Failed,
        kind: "wrong-answer".to_owned(),
        message: "a bit was wrong".to_owned(),
        hint: String::new(),
        stderr: String::new(),
    }
}

/// A closed run of rows with these ops in each sample of 100 ns, on one thread each.
pub fn run(rows: &[(&str, &[u64])]) -> Run {
    let Record::Launch(a_launch) = launch() else { unreachable!() };
    let Record::Sample(a_sample) = sample(3_000) else { unreachable!() };
    let mut header = header();
    let a_case = header.plan.cases.remove(0);
    let definition = header.workloads["zip/zip"].clone();
    let names = || rows.iter().map(|(name, _)| (*name).to_owned());
    header.workloads = names().map(|name| (name, definition.clone())).collect();
    header.categories = vec![Category {
        name: "c".to_owned(),
        threads: Vec::new(),
        is_flat: false,
        workloads: names().collect(),
    }];
    let thread_spec = ThreadSpec::Count(1);
    header.plan.cases =
        names().map(|workload| Case { workload, thread_spec, ..a_case.clone() }).collect();
    let mut launches = Vec::new();
    let mut samples = Vec::new();
    for (case, (_, ops)) in rows.iter().enumerate() {
        launches.push(Launch { launch: case as u64, case, ..(*a_launch).clone() });
        for (round, &ops) in ops.iter().enumerate() {
            let mut sample = Sample { launch: case as u64, case, ..a_sample.clone() };
            sample.round = round as u64;
            sample.measured.threads[0].ops = ops;
            samples.push(sample);
        }
    }
    Run {
        verified: launches.iter().map(|launch| launch.launch).collect(),
        launches,
        samples,
        ..Run::empty("x".into(), header)
    }
}

/// A closed run of the row `a/x` with 20 samples of 100 ops, each also beside a co-runner, with as many ops as `left` says for
/// its round.
pub fn run_beside(left: impl Fn(u64) -> u64) -> Run {
    let mut run = run(&[("a/x", &[100; 20]), ("fill/x", &[100; 20])]);
    run.header.plan.cases[1].co_runner = true;
    run.header.plan.cases[1].cpus = vec![1];
    let (alone, others): (Vec<Sample>, Vec<Sample>) =
        run.samples.drain(..).partition(|sample| sample.case == 0);
    for (row, co_runners) in alone.iter().zip(others) {
        let mut row = row.clone();
        row.measured.threads[0].ops = left(row.round);
        run.beside.push(Beside { row, co_runners });
    }
    run.samples = alone;
    run
}

/// A closed import of rows with their threads and figures, all in one unit.
pub fn imported(label: &str, unit: &Unit, rows: &[(&str, ThreadSpec, usize, &[f64])]) -> Run {
    let mut header = header();
    let a_case = header.plan.cases.remove(0);
    let definition = Definition { unit: unit.clone(), ..header.workloads["zip/zip"].clone() };
    header.label = label.to_owned();
    header.workloads =
        rows.iter().map(|(name, ..)| ((*name).to_owned(), definition.clone())).collect();
    let (tool, sources, lacks) = ("a test".to_owned(), Vec::new(), Vec::new());
    header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    let case = |&(name, thread_spec, threads, _): &(&str, ThreadSpec, usize, &[f64])| Case {
        workload: name.to_owned(),
        thread_spec,
        threads,
        cpus: (0..threads as u32).collect(),
        ..a_case.clone()
    };
    header.plan.cases = rows.iter().map(case).collect();
    header.categories[0].workloads = header.workloads.keys().cloned().collect();
    let figures = rows.iter().enumerate().flat_map(|(case, (.., figures))| {
        figures.iter().map(move |&per_s| Imported { case, per_s, bytes_per_op: None })
    });
    Run { imported: figures.collect(), ..Run::empty(label.into(), header) }
}

/// Makes the rows of a run, on one thread, a mix that also rolled in each round: work takes so many times as long in it as alone. The
/// list has 1e8 ops of the first row, 2e8 of the second, and so on.
pub fn roll(run: &mut Run, slowdowns: &[f64], rounds: u64) {
    let demand =
        |case: &Case| Demand { workload: case.workload.clone(), rate: None, weight: Some(1.0) };
    let demands = run.header.plan.cases.iter().map(demand).collect();
    run.header.plan.rolling = Some(Mix { utilisation: 1.0, spares: 0, demands });
    let item = |case| RollingItem { case, ops: 100_000_000 * (case as u64 + 1), sample_ns: MS };
    run.rolling_list =
        Some(RollingList { at_ns: 0, items: (0..slowdowns.len()).map(item).collect() });
    for round in 0..rounds {
        let share = |(case, slowdown): (usize, &f64)| {
            let mut sample = run.samples.iter().filter(|w| w.case == case && w.round == round);
            let mut measured = sample.next().expect("a sample of the round").measured.clone();
            let thread = &mut measured.threads[0];
            thread.ops = (thread.ops_per_s() / slowdown * MS as f64 / 1e9) as u64;
            thread.elapsed_ns = MS;
            measured.start_ns = 2 * MS * case as u64;
            measured.end_ns = measured.start_ns + MS;
            RollingShare { launch: 100 + case as u64, case, measured }
        };
        let shares: Vec<RollingShare> = slowdowns.iter().enumerate().map(share).collect();
        let end_ns = 2 * MS * slowdowns.len() as u64;
        run.rolling_passes.push(RollingPass { round, start_ns: 0, end_ns, threads: vec![shares] });
    }
}

const MS: u64 = 1_000_000;
