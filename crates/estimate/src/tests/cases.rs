//! Estimates of cases and of whole runs.

use super::*;

/// Single-thread samples in launches of 5, every other of them on a contended core.
fn half_shared(count: u64, change: impl Fn(u64, &mut Measured)) -> Vec<Look> {
    let looks = (0..count).map(|i| {
        let mut measured = sample(vec![thread(0, if i % 2 == 0 { 60 } else { 100 })]);
        if i % 2 == 0 {
            measured.threads[0].pulse_before.width_ns *= 2;
        }
        change(i, &mut measured);
        Look::at(&measured, (i / 5, i), Some(0), KERNEL, false)
    });
    looks.collect()
}

#[test]
fn uncontended_samples_have_their_own_view() {
    let estimate = estimate(half_shared(40, |_, _| ()));
    let own = estimate.uncontended.unwrap();
    assert_eq!(own.samples, 20);
    assert!((own.interval.centre - 2_000.0).abs() < 1e-6);
    assert!((estimate.delivered.unwrap().interval.centre - 1_600.0).abs() < 1e-6);
    // Per GHz uses the uncontended samples: 2,000 ops/s at 3 GHz.
    assert!((estimate.per_ghz.unwrap().interval.centre - 2_000.0 / 3.0).abs() < 1e-6);
    assert_eq!(estimate.warnings, []);
}

#[test]
fn samples_short_of_cpu_time_are_not_uncontended() {
    let short = |i: u64, measured: &mut Measured| {
        if i % 10 == 1 {
            measured.threads[0].ops = 10;
            measured.threads[0].cpu_ns = measured.threads[0].cpu_ns.map(|ns| ns / 2);
            measured.process_cpu_ns /= 2;
        }
    };
    let estimate = estimate(half_shared(40, short));
    assert_eq!(estimate.uncontended.unwrap().samples, 16);
    assert!(estimate.uncontended.unwrap().interval.low > 1_999.0);
}

#[test]
fn a_case_on_a_mostly_busy_cpu_has_no_uncontended_figure() {
    let short = |i: u64, measured: &mut Measured| {
        if i % 10 != 1 {
            measured.threads[0].cpu_ns = measured.threads[0].cpu_ns.map(|ns| ns / 2);
            measured.process_cpu_ns /= 2;
        }
    };
    let estimate = estimate(half_shared(40, short));
    assert_eq!(estimate.uncontended, None);
    assert!(estimate.delivered.is_some());
    let is_disturbed = |w: &Warning| matches!(w, Warning::Disturbed { .. });
    assert!(estimate.warnings.iter().any(is_disturbed), "{:?}", estimate.warnings);
}

#[test]
fn threads_on_uncontended_cores_stand_for_all() {
    // Thread 1 is contended in every other sample and does half of the ops then.
    let looks: Vec<Look> = (0..40)
        .map(|i| {
            let mut threads = vec![thread(0, 100), thread(1, if i % 2 == 0 { 50 } else { 100 })];
            if i % 2 == 0 {
                threads[1].pulse_after.width_ns *= 2;
            }
            Look::at(&sample(threads), (i / 5, i), Some(0), KERNEL, false)
        })
        .collect();
    let own = estimate(looks).uncontended.unwrap();
    assert_eq!(own.samples, 40);
    assert!(
        (own.interval.centre - 4_000.0).abs() < 1e-6 && own.interval.margin() < 1e-6,
        "{own:?}"
    );
}

#[test]
fn a_case_that_was_always_contended_has_no_figure() {
    let never =
        |_: u64, measured: &mut Measured| measured.threads[0].pulse_after.width_ns = 2_000_000;
    let looks = vec![half_shared(40, |_, _| ()), half_shared(40, never)];
    let estimate = RunEstimate::of_looks(looks, &BTreeSet::new());
    let own = |case: usize| estimate.cases[case].as_ref().unwrap().uncontended;
    assert_eq!(own(0).unwrap().samples, 20);
    assert_eq!(own(1), None);
    assert_eq!(estimate.series(1, ViewKind::Uncontended), []);
    assert_eq!(estimate.series(1, ViewKind::Delivered).len(), 40);
}

#[test]
fn threads_of_a_case_on_one_core_are_not_neighbours() {
    // Three threads on two cores: the first has a core, the others share one and do three quarters each.
    let shared = |cpu: u32| {
        let mut thread = thread(cpu, 75);
        thread.pulse_before.width_ns *= 2;
        thread.pulse_after.width_ns *= 2;
        thread
    };
    let measured = sample(vec![thread(0, 100), shared(1), shared(2)]);
    let looks: Vec<Look> =
        (0..40).map(|i| Look::at(&measured, (i / 5, i), Some(0), KERNEL, false)).collect();
    let own = |sharing: &[usize]| {
        let sharing = sharing.iter().copied().collect();
        RunEstimate::of_looks(vec![looks.clone()], &sharing).cases[0].as_ref().unwrap().uncontended
    };
    assert!((own(&[3]).unwrap().interval.centre - 5_000.0).abs() < 1e-6);
    assert_eq!(own(&[]), None);
}

#[test]
fn the_run_effect_includes_a_clock_drop_between_stretches() {
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
            Look::at(&sample(threads), (round / 5, round), Some(0), KERNEL, false)
        });
        looks.collect::<Vec<_>>()
    };
    let estimate = RunEstimate::of_looks((0..4).map(row).collect(), &BTreeSet::new());
    let run_effect = estimate.cores[&1].run_effect;
    assert!(run_effect.margin > 0.05, "{run_effect:?}");
}

#[test]
fn mostly_disturbed_samples_carry_a_warning() {
    let mut measured = sample(vec![thread(0, 1)]);
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
    let look = look(&sample(vec![thread(0, 100)]));
    let same: Vec<Look> =
        (0..20).map(|i| Look { launch: i / 5, round: i, ..look.clone() }).collect();
    let estimate_of = |looks: &[Look]| estimate(looks.to_vec());
    let found = estimate_of(&same);
    for view in [found.uncontended, found.per_ghz, found.delivered] {
        let view = view.unwrap();
        assert!(!view.interval.is_known() && view.interval.centre > 0.0, "{view:?}");
        assert_eq!(view.why_unknown().unwrap(), "20 samples without any spread: no error bar");
    }
    assert!(found.warnings.contains(&Warning::NoSpread { samples: 20 }), "{:?}", found.warnings);
    let mut differing = same;
    differing[3].throughput *= 1.001;
    assert!(estimate_of(&differing).delivered.unwrap().interval.is_known());
}

#[test]
fn a_run_of_one_round_has_unknown_steadiness() {
    let rows: Vec<Vec<Look>> =
        (0..3).map(|row| vec![look(&sample(vec![thread(0, 100 + row)]))]).collect();
    let steadiness = RunEstimate::of_looks(rows, &BTreeSet::new()).steadiness.unwrap();
    assert_eq!((steadiness.run_effect, steadiness.clock_spread), (None, None));
    let sentence = steadiness.sentence();
    assert!(!sentence.contains('±') && sentence.contains("unknown (1 round)"), "{sentence}");
}

#[test]
fn a_row_that_lowers_the_clock_keeps_its_throughput_and_has_a_warning() {
    // Three rows alternate; the last has four fifths of the clock and of the ops.
    let row = |row: u64| -> Vec<Look> {
        let looks = (0..20).map(|round| {
            let mut measured = sample(vec![thread(0, 1000 + round % 3)]);
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
    let ops_per_s = |case: &CaseEstimate| case.uncontended.unwrap().interval.centre;
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
fn chains_show_a_lower_clock_that_recovers_before_the_pulse() {
    // Three rows alternate; the last has four fifths of the clock while it works, but the full clock in every pulse.
    let run = |has_chains: bool| {
        let row = |row: u64| -> Vec<Look> {
            let looks = (0..20).map(|round| {
                let mut measured = sample(vec![thread(0, 1000 + round % 3)]);
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
    for (has_chains, clock, per_ghz) in [(true, 0.8, 1.0), (false, 1.0, 0.8)] {
        let run = run(has_chains);
        let of_clock = ratio(&run, |case| case.clock_hz.unwrap().centre);
        let of_per_ghz = ratio(&run, |case| case.per_ghz.unwrap().interval.centre);
        let of_speed = ratio(&run, |case| case.uncontended.unwrap().interval.centre);
        assert!(is_near(of_clock, clock), "{of_clock}");
        assert!(is_near(of_per_ghz, per_ghz), "{of_per_ghz}");
        assert!(is_near(of_speed, 0.8), "{of_speed}");
    }
}

#[test]
fn a_case_whose_samples_repeat_each_other_has_no_error_bar() {
    let ops: Vec<u64> = (0..20).map(|place| 100 + place * 7 % 5).collect();
    let mut run = record::fixture::run(&[("a/x", &ops), ("b/x", &ops)]);
    run.repeated.insert(0);
    let cases = RunEstimate::of(&run).cases;
    let [Some(repeated), Some(other)] = &cases[..] else { panic!("{cases:?}") };
    assert!(!repeated.delivered.unwrap().interval.is_known());
    assert!(repeated.uncontended.is_none_or(|view| !view.interval.is_known()));
    assert!(repeated.warnings.contains(&Warning::NoSpread { samples: 20 }));
    assert!(other.delivered.unwrap().interval.is_known());
}
