//! Throughput that rows retain beside co-runners.

use crate::beside::{beside_estimates, left_beside, looks_beside};
use crate::{RunEstimate, ViewKind};
use record::Sample;
use record::fixture::run_beside as run;

#[test]
fn what_is_left_is_the_median_of_pairs_of_one_round() {
    let run = run(|round| 70 + round % 3);
    let estimates = RunEstimate::of(&run);
    let beside = beside_estimates(&run, &estimates);
    assert!(beside[1].is_empty(), "co-runners keep nothing");
    let [estimate] = &beside[0][..] else { panic!("{beside:?}") };
    assert_eq!(
        (estimate.workload.as_str(), estimate.count, estimate.view),
        ("fill/x", 1, ViewKind::Uncontended)
    );
    assert!((estimate.left.interval.centre - 0.71).abs() < 1e-9, "{estimate:?}");
    assert_eq!(estimate.left.samples, 20);
    // Not among the samples alone.
    let alone = estimates.cases[0].as_ref().unwrap().uncontended.unwrap();
    assert_eq!(alone.samples, 20);
}

#[test]
fn pairs_without_the_co_runner_all_the_time_do_not_count() {
    let mut run = run(|_| 70);
    for (number, beside) in run.beside.iter_mut().enumerate() {
        match number % 4 {
            0 => beside.co_runners.measured.start_ns += 1,
            1 => beside.co_runners.measured.end_ns -= 1,
            _ => {}
        }
    }
    assert_eq!(looks_beside(&run)[&0][&1].len(), 10);
    run.beside.truncate(10);
    // Five are too few.
    assert!(beside_estimates(&run, &RunEstimate::of(&run))[0].is_empty());
}

#[test]
fn pairs_on_contended_cores_count_only_if_there_are_too_few_others() {
    let mut run = run(|_| 70);
    let contend = |sample: &mut Sample, ops: u64| {
        let thread = &mut sample.measured.threads[0];
        thread.ops = ops;
        thread.pulse_before.width_ns *= 2;
        thread.pulse_after.width_ns *= 2;
    };
    run.beside[..8].iter_mut().for_each(|beside| contend(&mut beside.row, 10));
    // Some samples without co-runners are contended, too.
    run.samples[12..].iter_mut().for_each(|sample| contend(sample, 50));
    let estimates = RunEstimate::of(&run);
    let beside = looks_beside(&run);
    let cores = estimates.cores.get(&1);
    assert!(cores.unwrap().states.is_some());
    // 12 rounds alone and 12 beside co-runners are on uncontended cores; in 4 rounds both are.
    let (left, view) = left_beside(&estimates.looks[0], &beside[&0][&1], cores).unwrap();
    assert_eq!((view, left.samples), (ViewKind::Delivered, 20));
}
