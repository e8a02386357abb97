use super::*;
use crate::RunEstimate;
use record::fixture;

/// Cycles of a core at 3 GHz in a sample of 50 ms.
const CYCLES: u64 = 150_000_000;

/// A run of one workload: a row for each number of threads, on as many CPUs; each thread does these ops in every
/// sample of 50 ms.
fn run(rows: &[(usize, u64)]) -> Run {
    let ops = vec![[1_u64; 12]; rows.len()];
    let row = |(i, _): (usize, &(usize, u64))| (["a/a", "b/b", "c/c"][i], &ops[i][..]);
    let mut run = fixture::run(&rows.iter().enumerate().map(row).collect::<Vec<_>>());
    for (case, &(threads, _)) in run.header.plan.cases.iter_mut().zip(rows) {
        case.workload = "a/a".to_owned();
        case.threads = threads;
        case.cpus = (0..threads as u32).collect();
    }
    for launch in &mut run.launches {
        launch.ready.batch_ops = 1 << 20;
        launch.ready.bytes_per_op = None;
    }
    for sample in &mut run.samples {
        let (threads, ops) = rows[sample.case];
        let measured = &mut sample.measured;
        measured.process_elapsed_ns = 50_000_000;
        let mut thread = measured.threads.remove(0);
        // Real samples spread: make one sample a nanosecond longer, which leaves medians as they are.
        let elapsed_ns = 50_000_000 + u64::from(sample.round == 7);
        (thread.ops, thread.elapsed_ns, thread.cpu_ns) = (ops, elapsed_ns, Some(elapsed_ns));
        for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
            (pulse.clock_ops, pulse.clock_ns) = (1_000_000, 1_000_000);
        }
        let on = |cpu| record::ThreadSample { cpu, ..thread.clone() };
        measured.threads = (0..threads as u32).map(on).collect();
    }
    run
}

/// The bounds that each row exceeds.
fn bounds(run: &Run) -> Vec<Vec<Bound>> {
    let exceeded = |estimate: &Option<CaseEstimate>| {
        let warnings = estimate.iter().flat_map(|estimate| &estimate.warnings);
        warnings
            .filter_map(|warning| match warning {
                Warning::OutOfBounds(bound) => Some(*bound),
                _ => None,
            })
            .collect()
    };
    RunEstimate::of(run).cases.iter().map(exceeded).collect()
}

#[test]
fn a_normal_run_is_within_all_bounds() {
    let run = run(&[(1, 1000), (2, 1000), (4, 900)]);
    assert_eq!(bounds(&run), [vec![], vec![], vec![]]);
}

#[test]
fn more_than_twice_the_throughput_on_two_threads_is_reported() {
    let run = run(&[(2, 1100), (1, 1000)]);
    let found = bounds(&run);
    let [Bound::SpeedUp { speed_up, most: 2 }] = found[0][..] else { panic!("{found:?}") };
    assert!((speed_up - 2.2).abs() < 1e-9);
    assert_eq!(found[1], []);
    assert_eq!(found[0][0].to_string(), "impossible: 2.20× one thread (at most 2×)");
}

#[test]
fn a_speed_up_within_its_interval_is_not_reported() {
    let mut run = run(&[(1, 1000), (2, 1040)]);
    for sample in &mut run.samples {
        sample.measured.threads[0].ops += sample.round % 5 * 200;
    }
    assert_eq!(bounds(&run), [vec![], vec![]]);
}

#[test]
fn two_threads_on_one_cpu_cannot_be_faster_than_one() {
    let mut run = run(&[(1, 1000), (2, 1000)]);
    run.header.plan.cases[1].cpus = vec![0];
    let found = bounds(&run);
    assert!(matches!(found[1][..], [Bound::SpeedUp { most: 1, .. }]), "{found:?}");
}

#[test]
fn speed_up_compares_rows_of_the_same_workload() {
    let mut run = run(&[(1, 1000), (2, 3000)]);
    let definition = run.header.workloads["a/a"].clone();
    run.header.workloads.insert("z/z".to_owned(), definition);
    run.header.plan.cases[0].workload = "z/z".to_owned();
    assert_eq!(bounds(&run), [vec![], vec![]]);
}

#[test]
fn more_bytes_per_cycle_than_a_core_can_load_are_reported() {
    let bytes = |per_cycle: u64| {
        // An op every 1,000 cycles.
        let mut run = run(&[(2, CYCLES / 1000)]);
        run.launches[0].ready.bytes_per_op = Some(1000 * per_cycle);
        bounds(&run).remove(0)
    };
    assert_eq!(bytes(127), []);
    let found = bytes(200);
    let [Bound::BytesPerCycle { bytes, .. }] = found[..] else { panic!("{found:?}") };
    // The end of an interval with a spread.
    assert!((bytes - 200.0).abs() < 1e-5);
}

#[test]
fn ops_that_take_less_than_a_cycle_are_reported() {
    let ops = |ops: u64| bounds(&run(&[(1, ops)])).remove(0);
    assert_eq!(ops(CYCLES * 9 / 10), []);
    let found = ops(CYCLES * 3);
    let [Bound::OpsPerCycle { ops, .. }] = found[..] else { panic!("{found:?}") };
    assert!((ops - 3.0).abs() < 1e-7);
}

#[test]
fn reading_the_clock_too_often_is_reported() {
    let share = |batch_ops: u64| {
        // An op takes 1 µs, reading the clock 40 ns.
        let mut run = run(&[(2, 50_000)]);
        run.launches[0].ready.batch_ops = batch_ops;
        run.launches[0].ready.clock_cost_ns = 40;
        bounds(&run).remove(0)
    };
    assert_eq!(share(64), []);
    let found = share(8);
    let [Bound::ClockReading { share, .. }] = found[..] else { panic!("{found:?}") };
    assert!((share - 0.005).abs() < 1e-9);
    assert_eq!(found[0].to_string(), "reading the clock takes 0.50 % of the time, more than 0.1 %");
}

#[test]
fn reading_the_clock_for_the_time_that_counts_may_take_half_a_percent_of_it() {
    let share = |clock_cost_ns: u64| {
        // An op takes 1 µs, of which a half counts, in two stretches.
        let mut run = run(&[(2, 50_000)]);
        run.launches[0].ready.counts_part = true;
        run.launches[0].ready.clock_cost_ns = clock_cost_ns;
        for thread in run.samples.iter_mut().flat_map(|sample| &mut sample.measured.threads) {
            thread.counted_ns = Some(thread.elapsed_ns / 2);
            thread.counted_stretches = Some(2 * thread.ops);
        }
        bounds(&run).remove(0)
    };
    assert_eq!(share(1), []);
    let found = share(2);
    let [Bound::ClockReading { share, .. }] = found[..] else { panic!("{found:?}") };
    assert!((share - 0.008).abs() < 1e-9);
}
