//! Rules on pulses, with synthetic evidence.

use super::*;
use stats::States;

/// 400 samples at 3 GHz and 4 instructions/cycle on two uncontended CPUs that are tried together.
fn steady_pulses() -> Pulses {
    let cpu = |cpu| CpuPulses {
        cpu,
        samples: 200,
        clock_hz: Some(3e9),
        width: Some(4.0),
        shared_share: None,
        cpu_share: Some(0.999),
    };
    Pulses {
        samples: 400,
        clock_hz: Some(3e9),
        clock_spread: Some(0.002),
        clock_drift: Some(0.001),
        width: Some(4.0),
        width_quartiles: Some((3.95, 4.05)),
        clear_samples: 400,
        width_states: None,
        is_one_state: true,
        memory_gb_s: Some(40.2),
        memory_states: None,
        is_memory_steady: true,
        cpus: vec![cpu(0), cpu(1)],
        pairs: Some(vec![tried(0, 1, false, 0.98)]),
        without_room: 0,
    }
}

fn tried(a: u32, b: u32, claimed: bool, kept: f64) -> Pair {
    let trials: Vec<_> = (0..100).map(|i| Some(kept * (1.0 + f64::from(i % 3) * 0.01))).collect();
    Pair::judge(Candidate { a, b, claimed }, &trials)
}

fn with_pulses(change: impl FnOnce(&mut Pulses)) -> Evidence {
    let mut pulses = steady_pulses();
    change(&mut pulses);
    Evidence { pulses: Some(Ok(pulses)), ..Evidence::default() }
}

#[test]
fn every_rule_finds_a_steady_pulse_fine() {
    let findings = judge(&with_pulses(|_| ()), &[RuleKind::Pulse]);
    assert_eq!(findings.len(), 6);
    assert!(findings.iter().all(|f| f.severity == Severity::Fine), "{findings:?}");
}

#[test]
fn an_unsteady_pulse_is_reported() {
    let evidence = with_pulses(|pulses| {
        pulses.clock_spread = Some(0.05);
        pulses.width_states =
            Some(States { low: 1.9, high: 3.8, threshold: 2.7, high_share: 0.62 });
        pulses.cpus[0].shared_share = Some(0.38);
        pulses.cpus[1].cpu_share = Some(0.9);
    });
    let seen = "unsteady pulse: clock 3.00 GHz, spread 5.0 %, slow drift ±0.1 %";
    expect(&evidence, "clock", Severity::Warning, seen);
    let seen = "unsteady pulse: a neighbour used the core 38 % of the time (CPU 0: 38 %); 1.9 instead of 3.8 \
                instructions/cycle";
    expect(&evidence, "neighbour", Severity::Warning, seen);
    let seen = "a thread alone on CPU 1 got 90 % of its time";
    expect(&evidence, "cpu-share", Severity::Warning, seen);
}

#[test]
fn a_neighbour_that_is_always_there_shows_where_the_width_of_a_whole_core_is_known() {
    let evidence = |core: &str, width: f64| {
        let mut evidence = with_pulses(|pulses| pulses.width = Some(width));
        evidence.machine.cpu.core = machine::Fact::Known(core.into());
        evidence
    };
    let seen = "a neighbour was on the cores all the time: 3.0 instructions/cycle, where a whole Emerald Rapids core runs 4.7";
    expect(&evidence("Emerald Rapids", 3.0), "whole-core", Severity::Unfit, seen);
    let seen = "4.6 instructions/cycle, as a whole Emerald Rapids core";
    expect(&evidence("Emerald Rapids", 4.6), "whole-core", Severity::Fine, seen);
    let unknown = judge(&evidence("Merom", 1.0), &[RuleKind::Pulse]);
    assert!(unknown.iter().all(|finding| finding.id != "whole-core"), "{unknown:?}");
}

#[test]
fn scattered_widths_are_not_one_state() {
    let noisy = with_pulses(|pulses| {
        (pulses.is_one_state, pulses.width_quartiles) = (false, Some((2.31, 3.24)));
    });
    let seen = "unsteady pulse: 2.3 to 3.2 instructions/cycle in the middle half of samples, with no \
                uncontended state";
    expect(&noisy, "neighbour", Severity::Warning, seen);
}

#[test]
fn too_few_undisturbed_samples_give_no_verdict_on_the_cores() {
    for clear in [0, 10, 99] {
        let taken = with_pulses(|pulses| {
            pulses.clear_samples = clear;
            if clear == 0 {
                (pulses.clock_hz, pulses.width) = (None, None);
                (pulses.clock_spread, pulses.clock_drift) = (None, None);
            }
        });
        let why = format!("too few undisturbed samples ({clear} of 400; 100 needed)");
        expect(&taken, "clock", Severity::NotAvailable, &why);
        expect(&taken, "neighbour", Severity::NotAvailable, &why);
    }
    let enough = with_pulses(|pulses| pulses.clear_samples = 100);
    expect(&enough, "clock", Severity::Fine, "clock 3.00 GHz, spread 0.2 %, slow drift ±0.1 %");
}

#[test]
fn a_clock_with_one_sample_per_row_is_neither_steady_nor_unsteady() {
    let once = with_pulses(|pulses| (pulses.clock_spread, pulses.clock_drift) = (None, None));
    let why = "every row has 1 sample: clock spread and drift are unknown";
    expect(&once, "clock", Severity::NotAvailable, why);
}

#[test]
fn a_neighbour_on_the_memory_is_named_with_what_it_takes() {
    let quiet = with_pulses(|_| ());
    expect(
        &quiet,
        "memory-neighbour",
        Severity::Fine,
        "no neighbour detected (40 GB/s for a core)",
    );
    for (high_share, severity) in [(0.95, Severity::Note), (0.7, Severity::Warning)] {
        let states = States { low: 19.0, high: 40.0, threshold: 32.0, high_share };
        let busy = with_pulses(|pulses| pulses.memory_states = Some(states));
        let share = if high_share > 0.9 { "5.0 %" } else { "30 %" };
        let seen = format!(
            "a neighbour used the memory {share} of the time; 19 instead of 40 GB/s for a core"
        );
        expect(&busy, "memory-neighbour", severity, &seen);
    }
    let varying = with_pulses(|pulses| pulses.is_memory_steady = false);
    let seen = "the memory's bandwidth varies (median 40 GB/s for a core)";
    expect(&varying, "memory-neighbour", Severity::Warning, seen);
    let without = with_pulses(|pulses| pulses.memory_gb_s = None);
    let findings = judge(&without, &[RuleKind::Pulse]);
    assert!(findings.iter().all(|finding| finding.id != "memory-neighbour"), "{findings:?}");
}

#[test]
fn siblings_are_found_whatever_the_kernel_reports() {
    let hidden = with_pulses(|pulses| pulses.pairs = Some(vec![tried(0, 1, false, 0.5)]));
    let finding = finding(&hidden, "siblings");
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding.seen.starts_with("hidden siblings: 0+1 (each thread keeps 5"),
        "{}",
        finding.seen
    );
    assert!(finding.remedy.ends_with("--cpus 0"), "{}", finding.remedy);
    let claimed = with_pulses(|pulses| {
        pulses.pairs = Some(vec![tried(0, 2, true, 0.5), tried(0, 1, false, 0.97)]);
    });
    let seen = "2 of 2 CPU pairs match the kernel's topology";
    expect(&claimed, "siblings", Severity::Fine, seen);
    let in_name = with_pulses(|pulses| pulses.pairs = Some(vec![tried(0, 2, true, 0.97)]));
    assert!(super::finding(&in_name, "siblings").seen.starts_with("siblings in name only: 0+2"));
    let pair = Pair::judge(Candidate { a: 0, b: 1, claimed: false }, &[None; 20]);
    let spoilt = with_pulses(|pulses| pulses.pairs = Some(vec![pair]));
    let seen = "undetermined: 0+1 (0 of 20 trials undisturbed)";
    expect(&spoilt, "siblings", Severity::Note, seen);
    let none = with_pulses(|pulses| pulses.pairs = Some(Vec::new()));
    expect(&none, "siblings", Severity::NotAvailable, "only one CPU is available");
}

#[test]
fn a_pulse_that_could_not_be_taken_is_a_warning() {
    let evidence = Evidence { pulses: Some(Err("no worker".into())), ..Evidence::default() };
    expect(&evidence, "pulse", Severity::Warning, "pulse not available: no worker");
}

#[test]
fn pairs_beyond_the_limits_are_counted() {
    let seen = "400 single-thread samples on CPUs 0,1";
    expect(&with_pulses(|_| ()), "pulse", Severity::Fine, seen);
    let crowded = with_pulses(|pulses| pulses.without_room = 120);
    let seen = "400 single-thread samples on CPUs 0,1; 120 more CPU pairs not tried: their workers need more \
                open files or tasks than are allowed";
    expect(&crowded, "pulse", Severity::Fine, seen);
}
