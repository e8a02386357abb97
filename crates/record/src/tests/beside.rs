//! Rows beside co-runners.

use super::honest::{Honest, SAMPLE_NS, read_back, refused};
use super::*;
use ThreadSpec::Count;

/// A row on CPU 0 and a co-runner on CPU 1: the header is line 1, launches are 2 and 3, a sample alone 4, one beside 5.
fn run() -> Honest {
    let mut run = Honest::start();
    let Record::Header(header) = &mut run.records[0] else { unreachable!() };
    header.plan.cases.truncate(2);
    let co_runner = &mut header.plan.cases[1];
    (co_runner.co_runner, co_runner.thread_spec, co_runner.threads) = (true, Count(1), 1);
    co_runner.cpus = vec![1];
    run.launch(0);
    run.launch(1);
    run.sample(0);
    run.now_ns += MS;
    let beside = Beside { row: sample_of(&mut run, 0), co_runners: sample_of(&mut run, 1) };
    run.records.push(Record::Beside(Box::new(beside)));
    run.now_ns += 4 * SAMPLE_NS;
    run
}

/// The row's begins 10 ms after the co-runner's and ends before it.
fn sample_of(run: &mut Honest, case: usize) -> Sample {
    let mut measured = run.measured(case, if case == 0 { SAMPLE_NS } else { 2 * SAMPLE_NS });
    if case == 0 {
        measured.start_ns += 10 * MS;
        measured.end_ns += 10 * MS;
    } else {
        measured.threads.truncate(1);
        measured.threads[0].cpu = 1;
    }
    let launch = run.live[case].unwrap();
    let (round, steal_ticks) = (run.round, Some(0));
    Sample { launch, case, round, steal_ticks, idle_ticks: None, total_ticks: None, measured }
}

fn beside_of(run: &mut Honest) -> &mut Beside {
    let Some(Record::Beside(beside)) = run.records.last_mut() else { unreachable!() };
    beside
}

#[track_caller]
fn lie(change: impl Fn(&mut Beside)) -> String {
    let mut run = run();
    change(beside_of(&mut run));
    refused(&run)
}

#[test]
fn a_row_and_its_co_runners_are_measured_at_the_same_time() {
    let run = run();
    let read = read_back(&run.records, run.now_ns).unwrap();
    assert_eq!((read.samples.len(), read.beside.len()), (1, 1));
    assert!(read.beside[0].is_covered());
}

#[test]
fn co_runners_that_were_not_there_all_the_time_are_kept_and_known() {
    for late_ns in [11 * MS, 61 * MS] {
        let mut run = run();
        let row = &mut beside_of(&mut run).row.measured;
        // Ends after them, or begins before them.
        (row.start_ns, row.end_ns) = match late_ns {
            late_ns if late_ns > SAMPLE_NS => (row.start_ns + late_ns, row.end_ns + late_ns),
            late_ns => (row.start_ns - late_ns, row.end_ns - late_ns),
        };
        let read = read_back(&run.records, run.now_ns).unwrap();
        assert!(!read.beside[0].is_covered(), "{late_ns}");
    }
}

#[test]
fn each_is_what_it_was_planned_for_and_keeps_the_laws_of_a_sample() {
    let swapped = lie(|beside| std::mem::swap(&mut beside.row, &mut beside.co_runners));
    assert_eq!(swapped, "line 5: case 1 can't be a sample beside co-runners or of them");
    let twice = lie(|beside| beside.co_runners = beside.row.clone());
    assert_eq!(twice, "line 5: case 0 can't be a sample beside co-runners or of them");
    let early = lie(|beside| beside.row.measured.start_ns = 2_000);
    assert!(early.starts_with("line 5: the sample starts at 2000 ns, but"), "{early}");
    let elsewhere = lie(|beside| beside.co_runners.measured.threads[0].cpu = 0);
    assert_eq!(elsewhere, "line 5: a thread ran on CPU 0, not 1");
    let unknown = lie(|beside| beside.co_runners.launch = 9);
    assert!(unknown.contains("names launch 9 and case 1"), "{unknown}");
}

#[test]
fn co_runners_have_no_samples_alone() {
    let mut run = run();
    run.now_ns += MS;
    let alone = sample_of(&mut run, 1);
    run.records.push(Record::Sample(alone));
    assert_eq!(refused(&run), "line 6: case 1 runs beside rows and has no samples alone");
}

#[test]
fn impossible_cpu_time_of_either_leaves_both_out() {
    for of_row in [true, false] {
        let mut run = run();
        let beside = beside_of(&mut run);
        let sample = if of_row { &mut beside.row } else { &mut beside.co_runners };
        let length_ns = sample.measured.length_ns();
        sample.measured.threads[0].cpu_ns = Some(length_ns + 8 * SAMPLE_NS);
        let read = read_back(&run.records, run.now_ns).unwrap();
        assert_eq!((read.beside.len(), read.left_out.len()), (0, 1));
        assert_eq!(read.left_out[0].case, usize::from(!of_row));
    }
}

#[test]
fn co_runners_run_on_cpus_that_no_row_uses() {
    let mut run = run();
    let Record::Header(header) = &mut run.records[0] else { unreachable!() };
    header.plan.cases[1].cpus = vec![0];
    assert_eq!(refused(&run), "line 1: case 1 runs beside rows, but on their CPU 0");
    header_of(&mut run).plan.cases[1].cpus = vec![7];
    assert_eq!(refused(&run), "line 1: case 1 uses CPU 7, but the machine has 0-1");
    header_of(&mut run).plan.cases.remove(0);
    assert_eq!(refused(&run), "line 1: co-runners without a row");
}

fn header_of(run: &mut Honest) -> &mut Header {
    let Record::Header(header) = &mut run.records[0] else { unreachable!() };
    header
}
