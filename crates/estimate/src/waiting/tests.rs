use super::*;
use crate::{CaseEstimate, RunEstimate, Warning};
use machine::Throttling;
use record::Pulse;
use record::fixture;

/// A run of one case with samples of 50 ms: for each the CPU time of the work in ms, and the idle ticks of its CPU out
/// of 6 from request to answer.
fn run(samples: &[(u64, u64)]) -> Run {
    const MS: u64 = 1_000_000;
    let mut run = fixture::run(&[("a/x", &vec![3; samples.len()])]);
    let pulse = Pulse { clock_ops: 1_000, clock_ns: 1_000, width_ops: 4_000, width_ns: 1_000 };
    for (sample, (cpu_ms, idle_ticks)) in run.samples.iter_mut().zip(samples) {
        (sample.idle_ticks, sample.total_ticks) = (Some(*idle_ticks), Some(6));
        let measured = &mut sample.measured;
        measured.end_ns = measured.start_ns + 50 * MS;
        (measured.process_cpu_ns, measured.process_elapsed_ns) = (cpu_ms * MS, 50 * MS);
        let thread = &mut measured.threads[0];
        (thread.elapsed_ns, thread.cpu_elapsed_ns) = (50 * MS, Some(50 * MS));
        thread.cpu_ns = Some(cpu_ms * MS);
        (thread.pulse_before, thread.pulse_after) = (pulse, pulse);
    }
    run
}

fn estimate(run: &Run) -> CaseEstimate {
    RunEstimate::of(run).cases.remove(0).unwrap()
}

fn cause(estimate: &CaseEstimate) -> Option<Disturbance> {
    estimate.warnings.iter().find_map(|warning| match warning {
        Warning::Disturbed { cause, .. } => Some(*cause),
        _ => None,
    })
}

#[test]
fn a_command_with_a_busy_neighbour_is_disturbed_and_has_no_uncontended_figure() {
    // Measured: `sort` of the README with a busy loop on its CPU gets 24 to 30 of 50 ms.
    let estimate = estimate(&run(&[(24, 0), (30, 0), (27, 0), (26, 0), (25, 1)].repeat(4)));
    assert_eq!(cause(&estimate), Some(Disturbance::CpuTaken));
    assert_eq!((estimate.uncontended, estimate.delivered.unwrap().samples), (None, 20));
}

#[test]
fn disturbed_samples_do_not_count_in_the_uncontended_figure_of_a_command() {
    let mut run = run(&[(50, 0), (50, 0), (50, 0), (25, 0)].repeat(5));
    for sample in run.samples.iter_mut().filter(|w| w.measured.process_cpu_ns == 25_000_000) {
        sample.measured.threads[0].ops = 1;
    }
    let estimate = estimate(&run);
    let own = estimate.uncontended.unwrap();
    assert_eq!((own.samples, cause(&estimate)), (15, None));
    assert!((own.interval.centre - 60.0).abs() < 1e-9, "{own:?}");
}

#[test]
fn a_command_that_got_its_cpu_is_not_marked() {
    let estimate = estimate(&run(&[(50, 0); 20]));
    assert_eq!((cause(&estimate), estimate.uncontended.unwrap().samples), (None, 20));
}

#[test]
fn a_command_that_sleeps_on_an_idle_cpu_waits() {
    // During a sleep of 45 ms the CPU is idle 5 or 6 ticks of 6.
    let estimate = estimate(&run(&[(5, 5), (5, 6), (5, 5), (5, 5)].repeat(5)));
    assert_eq!(cause(&estimate), Some(Disturbance::Waiting));
    assert_eq!(estimate.uncontended.unwrap().samples, 20);
}

#[test]
fn a_command_that_sleeps_while_others_use_its_cpu_has_no_uncontended_figure() {
    let estimate = estimate(&run(&[(5, 0), (5, 1), (5, 0), (5, 3)].repeat(5)));
    assert_eq!((cause(&estimate), estimate.uncontended), (Some(Disturbance::CpuTaken), None));
}

#[test]
fn work_does_not_count_as_waiting_if_the_activity_of_its_cpus_is_unknown() {
    let mut unknown = run(&[(5, 6); 20]);
    unknown.samples[7].idle_ticks = None;
    assert_eq!(cause(&estimate(&unknown)), Some(Disturbance::CpuTaken));
}

#[test]
fn throttling_by_a_quota_does_not_count_as_waiting() {
    let cause_after = |waited_s: u64| {
        let mut run = run(&[(25, 3); 20]);
        let throttled = Throttling { times: 9, waited_ns: waited_s * 1_000_000_000 };
        run.activity = vec![Activity {
            at_ns: 10_000_000_000,
            cpus: vec![0],
            throttled: Some(throttled),
            ..Activity::default()
        }];
        cause(&estimate(&run))
    };
    assert_eq!(cause_after(0), Some(Disturbance::Waiting));
    assert_eq!(cause_after(5), Some(Disturbance::CpuTaken));
}

#[test]
fn few_samples_short_of_cpu_time_do_not_count_as_waiting() {
    let mut looks = RunEstimate::of(&run(&[(50, 0), (50, 0), (50, 0), (25, 3)].repeat(5))).looks;
    mark_waiting(&mut looks[0]);
    let waits = |look: &Look| look.disturbances.contains(&Disturbance::Waiting);
    assert!(!looks[0].iter().any(waits));
    let taken = looks[0].iter().filter(|l| l.disturbances.contains(&Disturbance::CpuTaken)).count();
    assert_eq!(taken, 5);
}
