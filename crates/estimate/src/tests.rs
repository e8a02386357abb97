use super::*;
use record::{ChainKernel, Measured, PartSample, Pulse, ThreadSample, fixture};
use stats::mean;
use std::collections::BTreeSet;

mod beside;
mod cases;
mod memory;

/// Chains of 4 µs at 3 GHz.
const KERNEL: ClockKernel =
    ClockKernel { cycles_per_op: 3, chain: Some(ChainKernel { ops: 4_000, cost_ns: 25 }) };

/// A thread's part of a sample of 50 ms at 3 GHz on an uncontended core with 4 instructions/cycle.
fn thread(cpu: u32, ops: u64) -> ThreadSample {
    let pulse = Pulse {
        clock_ops: 1_000_000,
        clock_ns: 1_000_000,
        width_ops: 12_000_000,
        width_ns: 1_000_000,
    };
    fixture::thread(cpu, (ops, 50_000_000), [pulse; 2])
}

fn sample(threads: Vec<ThreadSample>) -> Measured {
    fixture::measured((0, 50_000_000), threads)
}

fn look(sample: &Measured) -> Look {
    Look::at(sample, (0, 0), Some(0), KERNEL, false)
}

#[test]
fn throughput_is_the_sum_of_the_threads_own_rates() {
    let mut threads = vec![thread(0, 100), thread(1, 100)];
    threads[1].elapsed_ns = 100_000_000;
    let look = look(&sample(threads));
    assert!((look.throughput - 3_000.0).abs() < 1e-9);
    assert!((look.clock_hz - 3e9).abs() < 1.0);
    assert!((look.threads[0].width() - 4.0).abs() < 1e-9);
    assert_eq!(look.disturbances, []);
}

#[test]
fn an_interrupted_pulse_does_not_lower_the_clock_but_marks_the_core_as_contended() {
    let mut threads = vec![thread(0, 100)];
    threads[0].pulse_after.clock_ns *= 2;
    threads[0].pulse_before.width_ns *= 2;
    let look = look(&sample(threads));
    assert!((look.clock_hz - 3e9).abs() < 1.0);
    assert!((look.threads[0].width() - 2.0).abs() < 1e-9);
}

#[test]
fn the_clock_inside_a_sample_takes_precedence_over_its_pulses() {
    let clock_hz = |chains_ns: &[u64]| {
        let mut threads = vec![thread(0, 100)];
        threads[0].chains_ns = chains_ns.to_vec();
        look(&sample(threads)).clock_hz
    };
    let is_near = |hz: f64, expected: f64| (hz / expected - 1.0).abs() < 1e-9;
    assert!(is_near(clock_hz(&[]), 3e9));
    // 12,000 cycles in 5 µs, and what timing them costs.
    assert!(is_near(clock_hz(&[5_025]), 2.4e9));
    // Two of nine were interrupted.
    let nine = [5_025, 5_025, 90_000, 5_025, 5_025, 5_025, 5_025, 7_000, 5_025];
    assert!(is_near(clock_hz(&nine), 2.4e9));
    assert!(is_near(clock_hz(&[5_025, 5_025, 9_000]), 2.4e9));
    // With a coarse timer, the true value lies between two steps.
    let steps = [5_005, 5_045, 5_005, 5_045, 5_005, 5_045, 5_025, 5_005, 5_045];
    assert!(is_near(clock_hz(&steps), 2.4e9));
}

#[test]
fn chains_do_not_count_if_timing_them_takes_too_long() {
    let mut threads = vec![thread(0, 100)];
    threads[0].chains_ns = vec![5_025; 9];
    let sample = sample(threads);
    for cost_ns in [252, u64::MAX] {
        let chain = Some(ChainKernel { ops: 4_000, cost_ns });
        let look = Look::at(&sample, (0, 0), Some(0), ClockKernel { chain, ..KERNEL }, false);
        assert!((look.clock_hz - 3e9).abs() < 1.0, "{look:?}");
    }
}

#[test]
fn each_disturbance_is_named() {
    let disturbances = |change: &dyn Fn(&mut Measured)| {
        let mut measured = sample(vec![thread(0, 1), thread(1, 1)]);
        change(&mut measured);
        look(&measured).disturbances
    };
    let take = |w: &mut Measured, ns: u64| {
        w.process_cpu_ns -= ns;
        w.threads[0].cpu_ns = w.threads[0].cpu_ns.map(|had| had - ns);
    };
    let busy = disturbances(&|w| take(w, 3_000_000));
    assert_eq!(busy, [Disturbance::CpuTaken]);
    let switches = disturbances(&|w| {
        take(w, 1_000_000);
        w.threads[1].involuntary_switches = Some(26);
    });
    assert_eq!(switches, [Disturbance::Switches]);
    let faults = disturbances(&|w| w.threads[0].major_faults = Some(1));
    assert_eq!(faults, [Disturbance::MajorFaults]);
    let steal = Look::at(&sample(vec![thread(0, 1)]), (0, 0), Some(1), KERNEL, false).disturbances;
    assert_eq!(steal, [Disturbance::Steal]);
    // One tick over many CPUs is negligible.
    let many = sample((0..64).map(|cpu| thread(cpu, 1)).collect());
    assert_eq!(Look::at(&many, (0, 0), Some(1), KERNEL, false).disturbances, []);
}

#[test]
fn process_time_behind_that_of_its_threads_is_not_a_disturbance() {
    let mut measured = sample(vec![thread(0, 1), thread(1, 1)]);
    measured.process_cpu_ns -= 4_000_000;
    assert_eq!(look(&measured).disturbances, []);
}

#[test]
fn threads_of_the_runtime_and_taking_turns_are_not_a_disturbance() {
    // The garbage collector took a fifth of the thread's time: the process got all of it.
    let mut collected = sample(vec![thread(0, 1)]);
    collected.threads[0].cpu_ns = Some(40_000_000);
    assert_eq!(look(&collected).disturbances, []);
    // Two threads on one CPU.
    let mut turns = sample(vec![thread(0, 1), thread(0, 1)]);
    turns.process_cpu_ns = 50_000_000;
    turns.threads.iter_mut().for_each(|thread| thread.cpu_ns = Some(25_000_000));
    turns.threads[0].involuntary_switches = Some(100);
    assert_eq!(look(&turns).disturbances, []);
}

#[test]
fn idle_parts_were_short_of_cpu_time_except_at_a_fixed_rate() {
    let disturbances = |server_ns: u64, client_ns: u64, due_ops: Option<u64>| {
        let mut measured = sample(vec![thread(0, 1), thread(1, 1)]);
        measured.threads[1].ops = 0;
        measured.threads.iter_mut().for_each(|thread| thread.cpu_ns = None);
        let part = |cpu_ns| PartSample { cpu_count: 1, cpu_ns, elapsed_ns: 50_000_000 };
        measured.parts = vec![part(server_ns), part(client_ns)];
        measured.due_ops = due_ops;
        let local = look(&measured);
        assert_eq!(local.threads.len(), 1, "the client's CPU has a look, too");
        // Over a network both may wait.
        assert_eq!(Look::at(&measured, (0, 0), Some(0), KERNEL, true).disturbances, []);
        local.disturbances
    };
    assert_eq!(disturbances(49_000_000, 10_000_000, None), []);
    assert_eq!(disturbances(10_000_000, 49_000_000, None), []);
    assert_eq!(disturbances(30_000_000, 10_000_000, None), [Disturbance::CpuTaken]);
    assert_eq!(disturbances(30_000_000, 10_000_000, Some(100)), []);
}

#[test]
fn correlated_samples_widen_the_interval() {
    // Equal values, once alternating and once in two long episodes.
    let turns: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 90.0 } else { 110.0 }).collect();
    let episodes: Vec<f64> = (0..40).map(|i| if i < 20 { 90.0 } else { 110.0 }).collect();
    let (turns, episodes) = (delivered(&turns).unwrap(), delivered(&episodes).unwrap());
    assert!(episodes.margin() > 4.0 * turns.margin().max(0.01), "{episodes:?} {turns:?}");
}

#[test]
fn three_samples_are_too_few_for_an_interval() {
    assert_eq!(delivered(&[1.0, 1.0, 1.0]), None);
}

fn rounds(speed: impl Fn(u64) -> f64) -> Series {
    (0..400).map(|round| (round, speed(round).ln())).collect()
}

fn floor(rows: &[Series]) -> f64 {
    flicker_floor(&run_effect_by_round(rows, mean)).margin
}

#[test]
fn the_floor_shows_slow_drift_and_not_fast_noise() {
    assert!(floor(&[rounds(|i| if i % 2 == 0 { 1.0 } else { 1.2 })]) < 0.001);
    assert!(floor(&[rounds(|i| 1.0 + 0.2 * (i / 100 % 2) as f64)]) > 0.1);
    assert!(floor(&[]).abs() < 1e-12);
}

#[test]
fn rows_that_come_and_go_are_not_flicker() {
    // One row at half the speed of the other takes part in the first half only.
    let fast = rounds(|_| 2.0);
    let slow: Series = rounds(|_| 1.0).into_iter().take(200).collect();
    assert!(floor(&[fast, slow]) < 1e-9);
}

#[test]
fn correlated_rows_have_a_wide_run_effect_and_independent_ones_a_narrow_one() {
    let swing = rounds(|i| if i < 200 { 1.1 } else { 0.9 });
    let other_way = rounds(|i| if i < 200 { 0.9 } else { 1.1 });
    let margin = |rows: &[Series]| run_effect_of(&run_effect_by_round(rows, mean)).margin;
    assert!(margin(&[swing.clone(), swing.clone()]) > 0.05);
    assert!(margin(&[swing, other_way]) < 1e-9);
}

#[test]
fn intervals_at_another_confidence_level_scale_by_students_t() {
    let run_effect = RunEffect { margin: 0.01, freedom: 3.0 };
    assert!((run_effect.margin_at(0.95) - 0.01).abs() < 1e-12);
    assert!((run_effect.margin_at(0.99) / 0.01 - 5.841 / 3.182).abs() < 1e-3);
}

#[test]
fn a_clock_is_judged_by_its_own_case() {
    let slow_pulse = |clock_ns: u64| {
        let mut threads = vec![thread(0, 100)];
        threads[0].pulse_before.clock_ns = clock_ns;
        threads[0].pulse_after.clock_ns = clock_ns;
        look(&sample(threads))
    };
    let mut looks = vec![slow_pulse(1_000_000); 10];
    looks.push(slow_pulse(9_000_000));
    mark_frequency_drops(&mut looks);
    mark_frequency_drops(&mut looks);
    assert!(looks[..10].iter().all(Look::has_clock));
    assert_eq!(looks[10].disturbances, [Disturbance::FrequencyDrop]);
    // Such a sample does not count in the figure per GHz.
    let per_ghz = estimate(looks).per_ghz.unwrap();
    assert_eq!(per_ghz.samples, 10);
    assert!((per_ghz.interval.centre - 2_000.0 / 3.0).abs() < 1e-6);
}

/// The estimate of a run of one case.
fn estimate(looks: Vec<Look>) -> CaseEstimate {
    RunEstimate::of_looks(vec![looks], &BTreeSet::new()).cases.remove(0).unwrap()
}
