//! The laws of `docs/run-file.md`, each with forged files that break it: their digests are right, their records were never
//! measured.

use super::honest::{Honest, SAMPLE_NS, honest, read_back};
use super::*;
use ThreadSpec::{All, Count};
use catalog::{Demand, Mix};
use std::collections::BTreeSet;

/// A law, a file that breaks it, and what its reader makes of that file.
type Law = (&'static str, fn(&mut Honest), &'static str);

const LAWS: &[Law] = &[
    ("requested threads", |r| case(r, 1).thread_spec = Count(1), "1 thread was requested"),
    ("requested threads", |r| case(r, 0).thread_spec = All, "but \"all\" means 2"),
    ("requested threads", |r| case(r, 0).cpus.clear(), "has no thread or no CPU"),
    ("requested threads", |r| case(r, 1).threads = 3, "has 3 threads, but names the CPUs of 2"),
    ("CPUs of the machine", |r| case(r, 0).cpus = vec![7], "uses CPU 7, but the machine has 0-1"),
    ("CPUs of the machine", |r| case(r, 1).cpus = vec![1, 0], "puts it on CPU 0"),
    (
        "CPUs of the case",
        |r| measured(r, 4).threads[0].cpu = 1,
        "line 4: a thread ran on CPU 1, not 0",
    ),
    ("CPUs of the case", |r| drop(measured(r, 5).threads.pop()), "has 1 threads, not 2"),
    ("a row once", |r| *case(r, 1) = case(r, 0).clone(), "is defined twice"),
    (
        "a plan that can be requested",
        |r| plan(r).precision_ppm = 0,
        "precision, in ppm, is 0, not 100 …",
    ),
    ("a plan that can be requested", |r| plan(r).precision_ppm = 500_001, "precision"),
    (
        "a plan that can be requested",
        |r| plan(r).budget_ns = 999_999_999,
        "budget, in ns, is 999999999",
    ),
    ("a plan that can be requested", |r| plan(r).budget_ns = u64::MAX, "budget"),
    (
        "a plan that can be requested",
        |r| plan(r).timing.sample_ns = 999_999,
        "sample time, in ns, is 999999",
    ),
    ("a plan that can be requested", |r| plan(r).timing.sample_ns = u64::MAX, "sample time"),
    (
        "a plan that can be requested",
        |r| plan(r).timing.warmup_ns = u64::MAX,
        "warm-up, in ns, is 18446744073709551615",
    ),
    (
        "a plan that can be requested",
        |r| plan(r).timing.rounds_per_launch = 0,
        "rounds per launch is 0",
    ),
    (
        "a plan that can be requested",
        |r| plan(r).sustain_ns = Some(1),
        "sustained load, in ns, is 1, not",
    ),
    ("a plan that can be requested", many_variants, "65 variants, but a run has at most 64"),
    (
        "time goes on",
        |r| start_at(r, 4, 900),
        "line 4: the sample starts at 900 ns, but the previous record ended at",
    ),
    (
        "time goes on",
        |r| start_at(r, 5, 3 * MS + 1_000),
        "line 5: the sample starts at 3001000 ns, but the",
    ),
    (
        "time goes on",
        |r| launch_of(r, 2).at_ns = 900,
        "line 2: launch 0 is ready at 900 ns, but the run started at 1000 ns",
    ),
    (
        "time goes on",
        |r| launch_of(r, 3).at_ns = 10 * MS,
        "line 4: the sample starts at 3001000 ns, but",
    ),
    ("time goes on", |r| sample_of(r, 4).round = 1, "line 5: round 0 follows round 1"),
    (
        "time goes on",
        |r| activity(r, 11).since_ns = 1_000,
        "line 11: activity since 1000 ns overlaps",
    ),
    (
        "a clock's times",
        |r| header(r).started_ns = 1 << 61,
        "line 1: the run started at 2305843009213693952 ns, more than 36",
    ),
    (
        "a clock's times",
        |r| launch_of(r, 2).at_ns = u64::MAX,
        "more than 36 years after the machine",
    ),
    (
        "a clock's times",
        |r| reading(r, 6).at_ns = u64::MAX,
        "line 6: a reading is at 18446744073709551615 ns, more",
    ),
    ("a clock's times", |r| r.resume(u64::MAX), "the run resumed at 18446744073709551615 ns, more"),
    (
        "numbers with room to go on",
        |r| launch_of(r, 2).launch = (1 << 52) + 1,
        "line 2: launch 4503599627370497 is too large",
    ),
    (
        "numbers with room to go on",
        |r| sample_of(r, 9).round = (1 << 52) + 1,
        "line 9: round 4503599627370497 is too large",
    ),
    (
        "launches of the plan",
        |r| sample_of(r, 4).launch = 7,
        "line 4: the sample names launch 7 and case 0, but",
    ),
    ("launches of the plan", |r| sample_of(r, 4).case = 1, "but that launch has another case"),
    ("launches of the plan", |r| launch_of(r, 2).case = 3, "unknown case 3: the plan has 3"),
    ("launches of the plan", |r| launch_of(r, 3).launch = 0, "launch 0 is defined twice"),
    (
        "requested length",
        |r| last(r, SAMPLE_NS / 500),
        "a thread worked 100000 ns; at least 50000000 required",
    ),
    (
        "requested length",
        |r| last(r, 1_801_000_000_000),
        "left out: a sample of 1801000000000 ns, 50000000 ns requested",
    ),
    (
        "a core's clock",
        |r| pulse(r).clock_ops = 7_000_000_000,
        "the pulse implies a clock over 20 GHz",
    ),
    (
        "a core's clock",
        |r| pulse(r).width_ops = 321,
        "more instructions per cycle than any core has",
    ),
    ("a core's clock", |r| pulse(r).clock_ns = 0, "a pulse has no instructions or no time"),
    (
        "a core's clock",
        |r| launch_of(r, 2).ready.pulse.clock_cycles_per_op = 1_001,
        "instructions of 1001 cycles",
    ),
    (
        "a core's work",
        |r| measured(r, 4).threads[0].ops = 2,
        "a thread has 2 ops; at least 3 required",
    ),
    (
        "a core's work",
        |r| measured(r, 4).threads[0].ops = u64::MAX,
        "18446744073709551615 ops in 50000000 ns",
    ),
    (
        "an op of at least a byte",
        |r| launch_of(r, 2).ready.bytes_per_op = Some(0),
        "line 2: an op of 0 bytes",
    ),
    ("an op of at least a byte", |r| import(r, 1.0, Some(0)), "line 2: an op of 0 bytes"),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].cpu_ns = Some(3_000_000_000),
        "thread 0 used 3000000000 ns",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].cpu_ns = Some(120_000_000),
        "left out: thread 0 used 120000000",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).process_cpu_ns = 3_000_000_000,
        "the process used 3000000000 ns",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].cpu_elapsed_ns = Some(1),
        "its CPU time covers 1 ns",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].gc_ns = Some(3_000_000_000),
        "thread 0 used 3000000000 ns for collections",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].gc_ns = Some(120_000_000),
        "left out: thread 0 used 120000000 ns for collections",
    ),
    (
        "CPU time that was there",
        |r| measured(r, 4).threads[0].jit_ns = Some(u64::MAX),
        "thread 0 used 18446744073709551615 ns for compilation",
    ),
    ("CPU time that was there", |r| ticks(r, 4, 6, 1), "idle for 6 and stolen for 1 of 6 ticks"),
    (
        "counts that can be summed",
        |r| measured(r, 4).threads[0].minor_faults = Some(u64::MAX),
        "is too large",
    ),
    (
        "counts that can be summed",
        |r| measured(r, 4).due_ops = Some(u64::MAX),
        "ops were due in 50000000 ns",
    ),
    (
        "counts that can be summed",
        |r| latency(r, &[(1, u64::MAX), (2, 2)]),
        "latencies of None ops",
    ),
    ("samples of their own", copies, "have the same figures as others to the nanosecond"),
    ("samples of their own", |r| repeat(r, |_| ()), "repeated: {0}"),
    (
        "one end",
        |r| {
            r.fail(0);
            r.has_outcome[0] = false;
            r.fail(0)
        },
        "case 0 already has an outcome",
    ),
    (
        "one end",
        |r| {
            r.verify(0);
            r.live[0] = Some(0);
            r.sample(0)
        },
        "launch 0 has ended but a later sample names it",
    ),
    (
        "one end",
        |r| {
            close(r);
            r.resume(r.now_ns + 1)
        },
        "the run continues after it was complete",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            plan(r).rolling = None
        },
        "line 2: a list, but the plan has no rolling mix",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            list(r).items[1].case = 0
        },
        "line 2: a list of 2 items for 2 rows",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            list(r).items[1].sample_ns = u64::MAX
        },
        "line 2: 9 ops of case 1 in 18446744073709551615 ns are impossible",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            let again = r.records[1].clone();
            r.records.insert(2, again)
        },
        "line 3: a second list of the rolling mix",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            pass(r).threads.truncate(1)
        },
        "line 7: case 0: a pass of 1 threads, not 2",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            drop(pass(r).threads[1].pop())
        },
        "line 7: case 0: thread 1 did 1 items of 2",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            pass(r).threads.swap(0, 1)
        },
        "line 7: case 0: thread 0 did case 1 in its place",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            let measured = &mut pass(r).threads[1][1].measured;
            (measured.start_ns, measured.end_ns) = (measured.start_ns - MS, measured.end_ns - MS)
        },
        "line 7: case 1: it worked on thread 1 until",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            pass(r).end_ns -= 1
        },
        "outside the pass",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            pass(r).threads[0][0].launch = 1
        },
        "line 7: launch 1 does not do case 0 on thread 0",
    ),
    (
        "one list for all threads",
        |r| {
            roll(r);
            let verified = Verified { launch: 3, at_ns: 5_001_000, verified: String::new() };
            r.records.insert(6, Record::RollingVerified(verified))
        },
        "line 8: launch 3 does not do case 1 on thread 1",
    ),
    (
        "requested length",
        |r| {
            roll(r);
            list(r).items[0].sample_ns += MS
        },
        "line 7: a thread worked 50000000 ns; at least 51000000 required",
    ),
    (
        "one origin",
        |r| r.records.insert(1, imported(1.0, None)),
        "line 2: an imported figure in a measured run",
    ),
    (
        "one origin",
        |r| header(r).origin = Some(origin()),
        "line 2: a launch in a run that a table measured",
    ),
    ("one origin", |r| import(r, f64::MAX, None), "line 2: impossible throughput"),
];

#[test]
fn a_file_that_breaks_a_law_is_refused_or_marked() {
    assert_eq!(told(&honest()), "believed");
    for (law, breaks, says) in LAWS {
        let mut run = honest();
        breaks(&mut run);
        let told = told(&run);
        assert!(told.contains(says), "{law}: {told:?}, not {says:?}");
    }
}

#[test]
fn the_page_about_run_files_lists_the_laws() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/run-file.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, table) = page.split_once("| law | what it says |\n|---|---|\n").expect("the table");
    let listed = table.lines().map_while(|line| line.strip_prefix("| ")?.split(" | ").next());
    let tested: BTreeSet<&str> = LAWS.iter().map(|(law, ..)| *law).collect();
    assert_eq!(listed.collect::<BTreeSet<_>>(), tested);
}

#[test]
fn a_mix_that_rolled_is_believed() {
    let mut run = honest();
    roll(&mut run);
    let read = read_back(&run.records, run.now_ns).unwrap();
    assert_eq!((read.rolling_launches.len(), read.rolling_passes.len()), (4, 1));
    // Readers of rows do not take these launches for theirs.
    assert!(read.launches.is_empty() && read.samples.is_empty());
}

/// Makes it a run of two rows on two threads whose work rolls once. The header is line 1, the list 2, launches are 3 to 6, and the
/// pass is line 7.
fn roll(run: &mut Honest) {
    let header = header(run);
    header.plan.cases.remove(0);
    header.plan.cases[1] =
        Case { workload: "zip/other".to_owned(), ..header.plan.cases[0].clone() };
    let definition = header.workloads["zip/zip"].clone();
    header.workloads.insert("zip/other".to_owned(), definition);
    let demand =
        |workload: &str| Demand { workload: workload.to_owned(), rate: None, weight: Some(1.0) };
    let demands = vec![demand("zip/zip"), demand("zip/other")];
    header.plan.rolling = Some(Mix { utilisation: 1.0, spares: 0, demands });
    run.records.truncate(1);
    run.now_ns = 1_000 + MS;
    let item = |case| RollingItem { case, ops: 9, sample_ns: SAMPLE_NS };
    let list = RollingList { at_ns: run.now_ns, items: vec![item(0), item(1)] };
    run.records.push(Record::RollingList(list));
    let Record::Launch(ready) = launch() else { unreachable!() };
    for number in 0..4 {
        run.now_ns += MS;
        let (case, thread) = (number as usize / 2, number as usize % 2);
        let (launch, at_ns, ready) = (number, run.now_ns, ready.ready.clone());
        let launch = RollingLaunch { launch, case, thread, at_ns, ready };
        run.records.push(Record::RollingLaunch(Box::new(launch)));
    }
    let start_ns = run.now_ns;
    let mut share = |case: usize, thread: usize, place: u64| {
        let mut measured = run.measured(0, SAMPLE_NS);
        measured.threads[0].cpu = thread as u32;
        measured.start_ns += place * SAMPLE_NS;
        measured.end_ns += place * SAMPLE_NS;
        RollingShare { launch: (2 * case + thread) as u64, case, measured }
    };
    let threads = vec![vec![share(0, 0, 0), share(1, 0, 1)], vec![share(1, 1, 0), share(0, 1, 1)]];
    run.now_ns = start_ns + 2 * SAMPLE_NS;
    let (round, end_ns) = (run.round, run.now_ns);
    run.records.push(Record::RollingPass(RollingPass { round, start_ns, end_ns, threads }));
}

fn list(run: &mut Honest) -> &mut RollingList {
    let Record::RollingList(list) = &mut run.records[1] else { unreachable!() };
    list
}

fn pass(run: &mut Honest) -> &mut RollingPass {
    let Some(Record::RollingPass(pass)) = run.records.last_mut() else { unreachable!() };
    pass
}

/// The reader's verdict on a run's file.
fn told(run: &Honest) -> String {
    match read_back(&run.records, run.now_ns) {
        Err(refusal) => refusal,
        Ok(run) if !run.left_out.is_empty() => format!("left out: {}", run.left_out[0].what),
        Ok(run) if !run.repeated.is_empty() => format!("repeated: {:?}", run.repeated),
        Ok(_) => "believed".to_owned(),
    }
}

fn header(run: &mut Honest) -> &mut Header {
    let Record::Header(header) = &mut run.records[0] else { unreachable!() };
    header
}

fn plan(run: &mut Honest) -> &mut Plan {
    &mut header(run).plan
}

fn case(run: &mut Honest, number: usize) -> &mut Case {
    &mut plan(run).cases[number]
}

fn many_variants(run: &mut Honest) {
    header(run).variants = vec![Variant::default(); 65];
}

fn launch_of(run: &mut Honest, line: usize) -> &mut Launch {
    let Record::Launch(launch) = &mut run.records[line - 1] else { unreachable!() };
    launch
}

fn sample_of(run: &mut Honest, line: usize) -> &mut Sample {
    let Record::Sample(sample) = &mut run.records[line - 1] else { unreachable!() };
    sample
}

fn measured(run: &mut Honest, line: usize) -> &mut Measured {
    &mut sample_of(run, line).measured
}

fn pulse(run: &mut Honest) -> &mut Pulse {
    &mut measured(run, 4).threads[0].pulse_after
}

fn reading(run: &mut Honest, line: usize) -> &mut Reading {
    let Record::Reading(reading) = &mut run.records[line - 1] else { unreachable!() };
    reading
}

fn activity(run: &mut Honest, line: usize) -> &mut Activity {
    let Record::Activity(activity) = &mut run.records[line - 1] else { unreachable!() };
    activity
}

fn start_at(run: &mut Honest, line: usize, start_ns: u64) {
    let sample = measured(run, line);
    (sample.start_ns, sample.end_ns) = (start_ns, start_ns + sample.length_ns());
}

/// Another sample of case 0, of this length.
fn last(run: &mut Honest, length_ns: u64) {
    run.sample(0);
    let line = run.records.len();
    let sample = measured(run, line);
    sample.end_ns = sample.start_ns + length_ns;
    sample.process_elapsed_ns = length_ns;
    let thread = &mut sample.threads[0];
    (thread.elapsed_ns, thread.cpu_elapsed_ns) = (length_ns, Some(length_ns));
    thread.cpu_ns = Some(length_ns / 3);
    run.now_ns = measured(run, line).end_ns;
}

fn ticks(run: &mut Honest, line: usize, idle: u64, steal: u64) {
    let sample = sample_of(run, line);
    (sample.idle_ticks, sample.total_ticks) = (Some(idle), Some(idle));
    sample.steal_ticks = Some(steal);
}

fn latency(run: &mut Honest, buckets: &[(u64, u64)]) {
    let sample = measured(run, 4);
    (sample.due_ops, sample.latency) = (Some(1), buckets.to_vec());
}

/// Many samples of case 0 that have the throughput of the first.
fn repeat(run: &mut Honest, change: fn(&mut ThreadSample)) {
    let first = measured(run, 4).threads[0].clone();
    for _ in 0..20 {
        run.sample(0);
        let line = run.records.len();
        let sample = measured(run, line);
        (sample.end_ns, sample.process_elapsed_ns) = (sample.start_ns + SAMPLE_NS, SAMPLE_NS);
        let thread = &mut sample.threads[0];
        (thread.ops, thread.elapsed_ns) = (first.ops, first.elapsed_ns);
        (thread.cpu_ns, thread.cpu_elapsed_ns) = (first.cpu_ns, first.cpu_elapsed_ns);
        change(thread);
    }
}

fn copies(run: &mut Honest) {
    repeat(run, |thread| thread.pulse_after.clock_ns = 1);
}

fn close(run: &mut Honest) {
    let (at_ns, ended, sha256) = (run.now_ns, Ended::Budget, String::new());
    run.records.push(Record::Close(Close { at_ns, ended, sha256 }));
}

fn origin() -> Origin {
    let (tool, sources, lacks) = ("a table".to_owned(), Vec::new(), Vec::new());
    Origin { tool, sources, lacks, failed: Vec::new() }
}

fn imported(per_s: f64, bytes_per_op: Option<u64>) -> Record {
    Record::Imported(Imported { case: 0, per_s, bytes_per_op })
}

/// An import of this figure.
fn import(run: &mut Honest, per_s: f64, bytes_per_op: Option<u64>) {
    run.records.truncate(1);
    header(run).origin = Some(origin());
    run.records.push(imported(per_s, bytes_per_op));
}
