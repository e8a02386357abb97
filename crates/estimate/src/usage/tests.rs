use super::*;
use record::fixture::run;

/// A run of one row, with what each sample's thread counted: faults, CPU time and kernel time.
fn counted(of_samples: &[(u64, u64, Option<u64>)]) -> Run {
    let mut run = run(&[("a/x", &vec![10; of_samples.len()])]);
    for (sample, (faults, cpu_ns, system_ns)) in run.samples.iter_mut().zip(of_samples) {
        let thread = &mut sample.measured.threads[0];
        thread.minor_faults = Some(*faults);
        thread.cpu_ns = Some(*cpu_ns);
        thread.system_ns = *system_ns;
    }
    run
}

fn usage(run: &Run) -> Usage {
    Usage::of_cases(run)[0].expect("it has samples")
}

#[test]
fn faults_are_counted_per_op_over_all_samples() {
    let usage = usage(&counted(&[(5, 100, None), (35, 100, None)]));
    // 40 faults in 20 ops.
    assert_eq!(usage.minor_faults_per_op, Some(2.0));
    assert_eq!(usage.major_faults_per_op, Some(0.0));
    assert_eq!(usage.kernel, None);
}

#[test]
fn the_kernels_share_is_one_of_cpu_time_and_its_margin_holds_whole_ticks() {
    // A fifth, in whole ticks of a whole sample.
    let ticks: Vec<_> =
        (0..100).map(|i| (0, 100, Some(if i % 5 == 0 { 100 } else { 0 }))).collect();
    let kernel = usage(&counted(&ticks)).kernel.expect("workers report it");
    assert!((kernel.share - 0.2).abs() < 1e-12, "{kernel:?}");
    // A hundred trials with probability 0.2: 1.98 × √(0.2 × 0.8 / 99).
    assert!((kernel.margin - 0.0798).abs() < 1e-3, "{kernel:?}");
    let exact: Vec<_> = (0..100).map(|_| (0, 100, Some(20))).collect();
    let kernel = usage(&counted(&exact)).kernel.expect("workers report it");
    assert!((kernel.share - 0.2).abs() < 1e-12 && kernel.margin < 1e-9, "{kernel:?}");
    // 20 ns in each sample of 10 ops.
    assert!((kernel.ns_per_op - 2.0).abs() < 1e-12, "{kernel:?}");
}

#[test]
fn samples_that_do_not_say_are_in_no_share() {
    let kernel = |samples: &[(u64, u64, Option<u64>)]| usage(&counted(samples)).kernel;
    let kernel_of_two =
        kernel(&[(0, 100, Some(40)), (0, 900, None), (0, 100, Some(60))]).expect("two say so");
    assert!((kernel_of_two.share - 0.5).abs() < 1e-12, "{kernel_of_two:?}");
    // 100 ns in 20 ops.
    assert!((kernel_of_two.ns_per_op - 5.0).abs() < 1e-12, "{kernel_of_two:?}");
    assert_eq!(kernel(&[(0, 100, Some(40)), (0, 900, None)]), None);
}

#[test]
fn collections_and_compilation_are_shares_of_the_samples_time_on_all_threads() {
    let mut run = run(&[("a/x", &[10, 10])]);
    for sample in &mut run.samples {
        let thread = &mut sample.measured.threads[0];
        (thread.elapsed_ns, thread.gc_ns, thread.jit_ns) = (100, Some(30), Some(500));
        let other = ThreadSample { gc_ns: Some(10), jit_ns: Some(0), ..thread.clone() };
        sample.measured.threads.push(other);
    }
    let used = usage(&run);
    assert_eq!(used.collections.expect("both threads know").share, 0.2);
    // Two compilers ran at once.
    assert_eq!(used.compilation.expect("both threads know").share, 1.0);
    run.samples[1].measured.threads[1].gc_ns = None;
    assert_eq!(usage(&run).collections, None);
}

#[test]
fn where_a_librarys_threads_do_the_work_the_waiting_threads_counters_mean_nothing() {
    let mut run = counted(&[(5, 100, Some(50)), (5, 100, Some(50))]);
    run.header.workloads.get_mut("a/x").expect("the row").starts_threads = true;
    let usage = usage(&run);
    assert_eq!((usage.minor_faults_per_op, usage.kernel), (None, None));
    assert_eq!(usage.voluntary_switches_per_s, None);
    assert!(usage.cpu_share > 0.99, "{usage:?}");
}

#[test]
fn a_server_is_known_by_the_cpu_time_of_its_part() {
    let mut run = run(&[("a/x", &[10, 10])]);
    for sample in &mut run.samples {
        sample.measured = record::fixture::served_sample();
    }
    let usage = usage(&run);
    // 30 of 50 ms.
    assert!((usage.cpu_share - 0.6).abs() < 1e-12, "{usage:?}");
    assert_eq!(usage.kernel, None);
}

#[test]
fn without_samples_nothing_is_known() {
    assert_eq!(Usage::of_cases(&run(&[("a/x", &[])])), [None]);
}
