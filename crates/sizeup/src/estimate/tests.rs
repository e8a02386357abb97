use super::*;
use crate::record::{ChainKernel, Measured, PartWindow, Pulse, ThreadWindow};
use crate::stats::mean;
use std::collections::BTreeSet;

/// Chains of 4 µs at 3 GHz.
const KERNEL: ClockKernel =
    ClockKernel { cycles_per_op: 3, chain: Some(ChainKernel { ops: 4_000, cost_ns: 25 }) };

/// A thread's share of a window of 50 ms at 3 GHz on an own core of 4 instructions a clock.
fn thread(cpu: u32, ops: u64) -> ThreadWindow {
    let pulse = Pulse {
        clock_ops: 1_000_000,
        clock_ns: 1_000_000,
        width_ops: 12_000_000,
        width_ns: 1_000_000,
    };
    ThreadWindow {
        cpu,
        ops,
        elapsed_ns: 50_000_000,
        cpu_ns: Some(50_000_000),
        cpu_elapsed_ns: Some(50_000_000),
        minor_faults: Some(0),
        major_faults: Some(0),
        voluntary_switches: Some(0),
        involuntary_switches: Some(0),
        pulse_before: pulse,
        pulse_after: pulse,
        chains_ns: Vec::new(),
    }
}

fn window(threads: Vec<ThreadWindow>) -> Measured {
    Measured {
        start_ns: 0,
        end_ns: 50_000_000,
        process_cpu_ns: 50_000_000 * threads.len() as u64,
        process_elapsed_ns: 50_000_000,
        threads,
        parts: Vec::new(),
        due_ops: None,
        latency: Vec::new(),
    }
}

fn look(window: &Measured) -> Look {
    Look::at(window, (0, 0), Some(0), KERNEL, false)
}

#[test]
fn throughput_is_the_sum_of_the_threads_own_rates() {
    let mut threads = vec![thread(0, 100), thread(1, 100)];
    threads[1].elapsed_ns = 100_000_000;
    let look = look(&window(threads));
    assert!((look.throughput - 3_000.0).abs() < 1e-9);
    assert!((look.clock_hz - 3e9).abs() < 1.0);
    assert!((look.threads[0].width() - 4.0).abs() < 1e-9);
    assert_eq!(look.disturbances, []);
}

#[test]
fn a_pulse_that_was_interrupted_does_not_make_the_clock_slow_but_the_core_shared() {
    let mut threads = vec![thread(0, 100)];
    threads[0].pulse_after.clock_ns *= 2;
    threads[0].pulse_before.width_ns *= 2;
    let look = look(&window(threads));
    assert!((look.clock_hz - 3e9).abs() < 1.0);
    assert!((look.threads[0].width() - 2.0).abs() < 1e-9);
}

#[test]
fn the_clock_inside_a_window_goes_before_that_of_the_pulses_beside_it() {
    let clock_hz = |chains_ns: &[u64]| {
        let mut threads = vec![thread(0, 100)];
        threads[0].chains_ns = chains_ns.to_vec();
        look(&window(threads)).clock_hz
    };
    let is_near = |hz: f64, expected: f64| (hz / expected - 1.0).abs() < 1e-9;
    assert!(is_near(clock_hz(&[]), 3e9));
    // 12,000 cycles in 5 µs, and what timing them costs.
    assert!(is_near(clock_hz(&[5_025]), 2.4e9));
    // Two of nine were interrupted.
    let nine = [5_025, 5_025, 90_000, 5_025, 5_025, 5_025, 5_025, 7_000, 5_025];
    assert!(is_near(clock_hz(&nine), 2.4e9));
    assert!(is_near(clock_hz(&[5_025, 5_025, 9_000]), 2.4e9));
    // Where time goes in steps, the truth lies between them.
    let steps = [5_005, 5_045, 5_005, 5_045, 5_005, 5_045, 5_025, 5_005, 5_045];
    assert!(is_near(clock_hz(&steps), 2.4e9));
}

#[test]
fn chains_tell_nothing_where_timing_them_costs_much_of_one() {
    let mut threads = vec![thread(0, 100)];
    threads[0].chains_ns = vec![5_025; 9];
    let window = window(threads);
    for cost_ns in [252, u64::MAX] {
        let chain = Some(ChainKernel { ops: 4_000, cost_ns });
        let look = Look::at(&window, (0, 0), Some(0), ClockKernel { chain, ..KERNEL }, false);
        assert!((look.clock_hz - 3e9).abs() < 1.0, "{look:?}");
    }
}

#[test]
fn each_disturbance_is_named() {
    let disturbances = |change: &dyn Fn(&mut Measured)| {
        let mut measured = window(vec![thread(0, 1), thread(1, 1)]);
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
    let steal = Look::at(&window(vec![thread(0, 1)]), (0, 0), Some(1), KERNEL, false).disturbances;
    assert_eq!(steal, [Disturbance::Steal]);
    // The same tick among many CPUs is next to nothing.
    let many = window((0..64).map(|cpu| thread(cpu, 1)).collect());
    assert_eq!(Look::at(&many, (0, 0), Some(1), KERNEL, false).disturbances, []);
}

#[test]
fn process_time_that_lags_behind_its_threads_is_no_disturbance() {
    let mut measured = window(vec![thread(0, 1), thread(1, 1)]);
    measured.process_cpu_ns -= 4_000_000;
    assert_eq!(look(&measured).disturbances, []);
}

#[test]
fn the_runtimes_own_threads_and_taking_turns_are_no_disturbance() {
    // The collector took a fifth of the thread's time: the process had all of it.
    let mut collected = window(vec![thread(0, 1)]);
    collected.threads[0].cpu_ns = Some(40_000_000);
    assert_eq!(look(&collected).disturbances, []);
    // Two threads on one CPU.
    let mut turns = window(vec![thread(0, 1), thread(0, 1)]);
    turns.process_cpu_ns = 50_000_000;
    turns.threads.iter_mut().for_each(|thread| thread.cpu_ns = Some(25_000_000));
    turns.threads[0].involuntary_switches = Some(100);
    assert_eq!(look(&turns).disturbances, []);
}

#[test]
fn parts_that_are_both_idle_were_short_of_their_cpus_but_not_at_a_rate() {
    let disturbances = |server_ns: u64, client_ns: u64, due_ops: Option<u64>| {
        let mut measured = window(vec![thread(0, 1), thread(1, 1)]);
        measured.threads[1].ops = 0;
        measured.threads.iter_mut().for_each(|thread| thread.cpu_ns = None);
        let part = |cpu_ns| PartWindow { cpu_count: 1, cpu_ns, elapsed_ns: 50_000_000 };
        measured.parts = vec![part(server_ns), part(client_ns)];
        measured.due_ops = due_ops;
        let local = look(&measured);
        assert_eq!(local.threads.len(), 1, "the client's CPU is looked at");
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
fn windows_that_are_alike_in_time_widen_the_interval() {
    // The same values, once in turn and once in two long episodes.
    let turns: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 90.0 } else { 110.0 }).collect();
    let episodes: Vec<f64> = (0..40).map(|i| if i < 20 { 90.0 } else { 110.0 }).collect();
    let (turns, episodes) = (delivered(&turns).unwrap(), delivered(&episodes).unwrap());
    assert!(episodes.half() > 4.0 * turns.half().max(0.01), "{episodes:?} {turns:?}");
}

#[test]
fn three_windows_are_too_few_for_an_interval() {
    assert_eq!(delivered(&[1.0, 1.0, 1.0]), None);
}

fn rounds(speed: impl Fn(u64) -> f64) -> Series {
    (0..400).map(|round| (round, speed(round).ln())).collect()
}

fn floor(rows: &[Series]) -> f64 {
    flicker_floor(&level_by_round(rows, mean)).half
}

#[test]
fn the_floor_shows_slow_drift_and_not_fast_noise() {
    assert!(floor(&[rounds(|i| if i % 2 == 0 { 1.0 } else { 1.2 })]) < 0.001);
    assert!(floor(&[rounds(|i| 1.0 + 0.2 * (i / 100 % 2) as f64)]) > 0.1);
    assert!(floor(&[]).abs() < 1e-12);
}

#[test]
fn rows_that_come_and_go_are_no_flicker() {
    // One row at half the speed of the other takes part in the first half only.
    let fast = rounds(|_| 2.0);
    let slow: Series = rounds(|_| 1.0).into_iter().take(200).collect();
    assert!(floor(&[fast, slow]) < 1e-9);
}

#[test]
fn rows_that_swing_together_have_a_wide_level_and_unlike_ones_a_narrow_one() {
    let swing = rounds(|i| if i < 200 { 1.1 } else { 0.9 });
    let other_way = rounds(|i| if i < 200 { 0.9 } else { 1.1 });
    let half = |rows: &[Series]| level_of(&level_by_round(rows, mean)).half;
    assert!(half(&[swing.clone(), swing.clone()]) > 0.05);
    assert!(half(&[swing, other_way]) < 1e-9);
}

#[test]
fn an_interval_of_another_probability_is_stretched_as_students_t_tells() {
    let level = Level { half: 0.01, freedom: 3.0 };
    assert!((level.half_at(0.95) - 0.01).abs() < 1e-12);
    assert!((level.half_at(0.99) / 0.01 - 5.841 / 3.182).abs() < 1e-3);
}

#[test]
fn a_clock_is_judged_by_its_own_case() {
    let slow_pulse = |clock_ns: u64| {
        let mut threads = vec![thread(0, 100)];
        threads[0].pulse_before.clock_ns = clock_ns;
        threads[0].pulse_after.clock_ns = clock_ns;
        look(&window(threads))
    };
    let mut looks = vec![slow_pulse(1_000_000); 10];
    looks.push(slow_pulse(9_000_000));
    mark_frequency_drops(&mut looks);
    mark_frequency_drops(&mut looks);
    assert!(looks[..10].iter().all(Look::has_clock));
    assert_eq!(looks[10].disturbances, [Disturbance::FrequencyDrop]);
    // Such a window has no part in what is divided by the clock.
    let per_clock = estimate(looks).per_clock.unwrap();
    assert_eq!(per_clock.windows, 10);
    assert!((per_clock.interval.centre - 2_000.0 / 3.0).abs() < 1e-6);
}

/// The estimate of a run of one case.
fn estimate(looks: Vec<Look>) -> CaseEstimate {
    RunEstimate::of_looks(vec![looks], &BTreeSet::new()).cases.remove(0).unwrap()
}

/// Windows of one thread in launches of 5, every other of them on a shared core.
fn half_shared(count: u64, change: impl Fn(u64, &mut Measured)) -> Vec<Look> {
    let looks = (0..count).map(|i| {
        let mut measured = window(vec![thread(0, if i % 2 == 0 { 60 } else { 100 })]);
        if i % 2 == 0 {
            measured.threads[0].pulse_before.width_ns *= 2;
        }
        change(i, &mut measured);
        Look::at(&measured, (i / 5, i), Some(0), KERNEL, false)
    });
    looks.collect()
}

#[test]
fn own_core_windows_are_a_view_of_their_own() {
    let estimate = estimate(half_shared(40, |_, _| ()));
    let own = estimate.own_core.unwrap();
    assert_eq!(own.windows, 20);
    assert!((own.interval.centre - 2_000.0).abs() < 1e-6);
    assert!((estimate.delivered.unwrap().interval.centre - 1_600.0).abs() < 1e-6);
    // Per clock rests on the own-core windows: 2,000 ops/s at 3 GHz.
    assert!((estimate.per_clock.unwrap().interval.centre - 2_000.0 / 3.0).abs() < 1e-6);
    assert_eq!(estimate.warnings, []);
}

#[test]
fn windows_that_were_short_of_cpu_time_are_not_the_workloads_own() {
    let short = |i: u64, measured: &mut Measured| {
        if i % 10 == 1 {
            measured.threads[0].ops = 10;
            measured.threads[0].cpu_ns = measured.threads[0].cpu_ns.map(|ns| ns / 2);
            measured.process_cpu_ns /= 2;
        }
    };
    let estimate = estimate(half_shared(40, short));
    assert_eq!(estimate.own_core.unwrap().windows, 16);
    assert!(estimate.own_core.unwrap().interval.low > 1_999.0);
}

#[test]
fn a_case_whose_cpu_others_had_most_of_the_time_has_no_figure_on_own_cores() {
    let short = |i: u64, measured: &mut Measured| {
        if i % 10 != 1 {
            measured.threads[0].cpu_ns = measured.threads[0].cpu_ns.map(|ns| ns / 2);
            measured.process_cpu_ns /= 2;
        }
    };
    let estimate = estimate(half_shared(40, short));
    assert_eq!(estimate.own_core, None);
    assert!(estimate.delivered.is_some());
    let is_disturbed = |w: &Warning| matches!(w, Warning::Disturbed { .. });
    assert!(estimate.warnings.iter().any(is_disturbed), "{:?}", estimate.warnings);
}

#[test]
fn of_several_threads_those_on_own_cores_stand_for_all() {
    // Thread 1 shares its core in every other window and has half of the ops then.
    let looks: Vec<Look> = (0..40)
        .map(|i| {
            let mut threads = vec![thread(0, 100), thread(1, if i % 2 == 0 { 50 } else { 100 })];
            if i % 2 == 0 {
                threads[1].pulse_after.width_ns *= 2;
            }
            Look::at(&window(threads), (i / 5, i), Some(0), KERNEL, false)
        })
        .collect();
    let own = estimate(looks).own_core.unwrap();
    assert_eq!(own.windows, 40);
    assert!((own.interval.centre - 4_000.0).abs() < 1e-6 && own.interval.half() < 1e-6, "{own:?}");
}

#[test]
fn a_case_that_never_had_its_core_to_itself_has_no_figure() {
    let never =
        |_: u64, measured: &mut Measured| measured.threads[0].pulse_after.width_ns = 2_000_000;
    let looks = vec![half_shared(40, |_, _| ()), half_shared(40, never)];
    let estimate = RunEstimate::of_looks(looks, &BTreeSet::new());
    let own = |case: usize| estimate.cases[case].as_ref().unwrap().own_core;
    assert_eq!(own(0).unwrap().windows, 20);
    assert_eq!(own(1), None);
    assert_eq!(estimate.series(1, ViewKind::OwnCore), []);
    assert_eq!(estimate.series(1, ViewKind::Delivered).len(), 40);
}

#[test]
fn threads_that_share_a_core_with_each_other_are_no_neighbours() {
    // Three threads on two cores: the first has a core, the others share one and do three quarters each.
    let shared = |cpu: u32| {
        let mut thread = thread(cpu, 75);
        thread.pulse_before.width_ns *= 2;
        thread.pulse_after.width_ns *= 2;
        thread
    };
    let measured = window(vec![thread(0, 100), shared(1), shared(2)]);
    let looks: Vec<Look> =
        (0..40).map(|i| Look::at(&measured, (i / 5, i), Some(0), KERNEL, false)).collect();
    let own = |sharing: &[usize]| {
        let sharing = sharing.iter().copied().collect();
        RunEstimate::of_looks(vec![looks.clone()], &sharing).cases[0].as_ref().unwrap().own_core
    };
    assert!((own(&[3]).unwrap().interval.centre - 5_000.0).abs() < 1e-6);
    assert_eq!(own(&[]), None);
}

#[test]
fn a_clock_that_falls_from_stretch_to_stretch_is_in_the_level_though_no_row_saw_it() {
    let row = |stretch: u64| {
        let looks = (0..40).map(|i| {
            let mut threads = vec![thread(0, 100)];
            let slower = 1.0 + 0.05 * stretch as f64;
            threads[0].elapsed_ns = (5e7 * slower) as u64;
            let pulse = &mut threads[0].pulse_after;
            pulse.clock_ns = (1e6 * slower) as u64;
            pulse.width_ns = (1e6 * slower) as u64;
            threads[0].pulse_before = threads[0].pulse_after;
            let round = 40 * stretch + i;
            Look::at(&window(threads), (round / 5, round), Some(0), KERNEL, false)
        });
        looks.collect::<Vec<_>>()
    };
    let estimate = RunEstimate::of_looks((0..4).map(row).collect(), &BTreeSet::new());
    let level = estimate.cores[&1].level;
    assert!(level.half > 0.05, "{level:?}");
}

#[test]
fn mostly_disturbed_windows_carry_a_warning() {
    let mut measured = window(vec![thread(0, 1)]);
    measured.process_cpu_ns = 1;
    measured.threads[0].cpu_ns = Some(1);
    let mut looks = vec![look(&measured); 10];
    looks[0].throughput *= 1.01;
    let few = estimate(looks);
    let warning = Warning::Disturbed { share: 1.0, cause: Disturbance::CpuTaken };
    assert_eq!(few.warnings, [Warning::FewLaunches { launches: 1 }, warning]);
}

#[test]
fn samples_without_any_spread_have_no_error_bar() {
    let look = look(&window(vec![thread(0, 100)]));
    let same: Vec<Look> =
        (0..20).map(|i| Look { launch: i / 5, round: i, ..look.clone() }).collect();
    let estimate_of = |looks: &[Look]| estimate(looks.to_vec());
    let found = estimate_of(&same);
    for view in [found.own_core, found.per_clock, found.delivered] {
        let view = view.unwrap();
        assert!(!view.interval.is_known() && view.interval.centre > 0.0, "{view:?}");
        assert_eq!(view.why_unknown().unwrap(), "20 samples without any spread: no error bar");
    }
    assert!(found.warnings.contains(&Warning::NoSpread { windows: 20 }), "{:?}", found.warnings);
    let mut differing = same;
    differing[3].throughput *= 1.001;
    assert!(estimate_of(&differing).delivered.unwrap().interval.is_known());
}

#[test]
fn a_run_of_one_round_claims_no_steadiness() {
    let rows: Vec<Vec<Look>> =
        (0..3).map(|row| vec![look(&window(vec![thread(0, 100 + row)]))]).collect();
    let steadiness = RunEstimate::of_looks(rows, &BTreeSet::new()).steadiness.unwrap();
    assert_eq!((steadiness.level, steadiness.clock_spread), (None, None));
    let sentence = steadiness.sentence();
    assert!(!sentence.contains('±') && sentence.contains("unknown (1 round)"), "{sentence}");
}

#[test]
fn a_row_that_clocks_down_has_its_own_throughput_and_says_so() {
    // Three rows in turn; the last has four fifths of the clock, and of the ops.
    let row = |row: u64| -> Vec<Look> {
        let looks = (0..20).map(|round| {
            let mut measured = window(vec![thread(0, 1000 + round % 3)]);
            measured.start_ns = (round * 3 + (row + round) % 3) * 65_000_000;
            if row == 2 {
                let thread = &mut measured.threads[0];
                thread.ops = thread.ops * 4 / 5;
                for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
                    (pulse.clock_ns, pulse.width_ns) = (1_250_000, 1_250_000);
                }
            }
            Look::at(&measured, (round / 5, round), Some(0), KERNEL, false)
        });
        looks.collect()
    };
    let run = RunEstimate::of_looks((0..3).map(row).collect(), &BTreeSet::new());
    let cases: Vec<&CaseEstimate> = run.cases.iter().flatten().collect();
    let ops_per_s = |case: &CaseEstimate| case.own_core.unwrap().interval.centre;
    let ratio = ops_per_s(cases[2]) / ops_per_s(cases[0]);
    assert!((ratio - 0.8).abs() < 0.005, "{ratio}");
    let low = |case: &&CaseEstimate| {
        case.warnings.iter().any(
            |warning| matches!(warning, Warning::LowClock { share } if (share - 0.8).abs() < 0.01),
        )
    };
    assert_eq!(cases.iter().map(low).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn a_row_whose_clock_has_recovered_before_the_pulse_is_known_by_its_chains() {
    // Three rows in turn; the last has four fifths of the clock while it works, and every pulse sees all of it.
    let run = |has_chains: bool| {
        let row = |row: u64| -> Vec<Look> {
            let looks = (0..20).map(|round| {
                let mut measured = window(vec![thread(0, 1000 + round % 3)]);
                measured.start_ns = (round * 3 + (row + round) % 3) * 65_000_000;
                let thread = &mut measured.threads[0];
                let mut chain_ns = 4_025;
                if row == 2 {
                    (thread.ops, chain_ns) = (thread.ops * 4 / 5, 5_025);
                }
                thread.chains_ns = vec![chain_ns; if has_chains { 9 } else { 0 }];
                Look::at(&measured, (round / 5, round), Some(0), KERNEL, false)
            });
            looks.collect()
        };
        RunEstimate::of_looks((0..3).map(row).collect(), &BTreeSet::new())
    };
    let ratio = |run: &RunEstimate, figure: fn(&CaseEstimate) -> f64| {
        figure(run.cases[2].as_ref().unwrap()) / figure(run.cases[0].as_ref().unwrap())
    };
    let is_near = |ratio: f64, expected: f64| (ratio / expected - 1.0).abs() < 0.005;
    for (has_chains, clock, per_clock) in [(true, 0.8, 1.0), (false, 1.0, 0.8)] {
        let run = run(has_chains);
        let of_clock = ratio(&run, |case| case.clock_hz.unwrap().centre);
        let of_per_clock = ratio(&run, |case| case.per_clock.unwrap().interval.centre);
        let of_speed = ratio(&run, |case| case.own_core.unwrap().interval.centre);
        assert!(is_near(of_clock, clock), "{of_clock}");
        assert!(is_near(of_per_clock, per_clock), "{of_per_clock}");
        assert!(is_near(of_speed, 0.8), "{of_speed}");
    }
}
