//! Rules on state, with recorded machines.

use super::*;
use machine::fixture::Fixture;
use std::collections::BTreeMap;

/// A recorded machine at rest.
fn recorded(name: &str) -> Evidence {
    let fixture = Fixture::named(name);
    let machine = fixture.machine();
    let moment = Some(Moment::read(fixture.root(), &machine));
    Evidence { machine, moment, ..Evidence::default() }
}

/// The severities of all findings worse than fine.
fn problems(name: &str) -> BTreeMap<String, Severity> {
    let findings = judge(&recorded(name), &[RuleKind::State]).into_iter();
    findings.filter(|f| f.severity > Severity::Fine).map(|f| (f.id, f.severity)).collect()
}

#[test]
fn recorded_machines_are_judged_by_how_they_are_set_up() {
    use Severity::{Note, Warning};
    let expected = |list: &[(&str, Severity)]| {
        list.iter().map(|(id, severity)| ((*id).to_owned(), *severity)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(problems("xeon-2s"), expected(&[("smt", Note), ("turbo", Note)]));
    assert_eq!(problems("graviton3"), expected(&[("virtualisation", Note)]));
    let altra = [("allowed-cpus", Note), ("governor", Warning), ("load", Note), ("swap", Note)];
    assert_eq!(problems("altra"), expected(&altra));
    let epyc = [("allowed-cpus", Note), ("cpu-quota", Warning), ("virtualisation", Note)];
    assert_eq!(problems("epyc-container"), expected(&epyc));
}

#[test]
fn what_a_machine_does_not_report_is_not_available_with_the_reason() {
    let vm = recorded("graviton3");
    let why = "the kernel has no frequency driver here, as is usual in virtual machines";
    for id in ["governor", "turbo", "frequency-cap"] {
        expect(&vm, id, Severity::NotAvailable, why);
    }
    let empty = tempfile::tempdir().unwrap();
    let machine = machine::Machine::read(empty.path());
    let moment = Some(Moment::read(empty.path(), &machine));
    let evidence = Evidence { machine, moment, ..Evidence::default() };
    for finding in judge(&evidence, &RuleKind::ALL) {
        let is_known = ["emulation"].contains(&finding.id.as_str());
        assert!(is_known || finding.severity == Severity::NotAvailable, "{finding:?}");
        assert!(!finding.seen.is_empty(), "{finding:?}");
    }
}

#[test]
fn settings_that_distort_results_are_reported_with_numbers() {
    let mut evidence = recorded("xeon-2s");
    expect(&evidence, "governor", Severity::Fine, "performance");
    expect(&evidence, "frequency-cap", Severity::Fine, "limit 3.50 GHz, hardware maximum 3.50 GHz");
    evidence.machine.frequency.governor = Fact::Known("powersave".into());
    evidence.machine.frequency.allowed_khz = Fact::Known(2_000_000);
    evidence.machine.frequency.boost = Fact::Known(false);
    expect(&evidence, "governor", Severity::Warning, "powersave");
    expect(
        &evidence,
        "frequency-cap",
        Severity::Warning,
        "limit 2.00 GHz, hardware maximum 3.50 GHz",
    );
    expect(&evidence, "turbo", Severity::Fine, "off");
    evidence.moment.as_mut().unwrap().emulation = Fact::Known("QEMU without KVM (TCG)".into());
    expect(&evidence, "emulation", Severity::Unfit, "QEMU without KVM (TCG)");
}

#[test]
fn a_quota_below_the_cpus_is_a_warning_and_below_one_cpu_unfit() {
    let mut evidence = recorded("epyc-container");
    expect(&evidence, "cpu-quota", Severity::Warning, "quota of 1.5 CPUs for 2 CPUs");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::At(0.8));
    expect(&evidence, "cpu-quota", Severity::Unfit, "quota of 0.8 CPUs for 2 CPUs");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::At(2.0));
    expect(&evidence, "cpu-quota", Severity::Fine, "quota of 2 CPUs, enough for all");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::Unlimited);
    expect(&evidence, "cpu-quota", Severity::Fine, "no quota");
}

#[test]
fn little_memory_is_reported() {
    let mut evidence = recorded("graviton3");
    let mut with = |mib: u64, severity, seen: &str| {
        evidence.machine.limits.memory_available_bytes = Fact::Known(mib << 20);
        expect(&evidence, "memory", severity, seen);
    };
    with(4096, Severity::Fine, "4.0 GiB free");
    with(1023, Severity::Warning, "1023 MiB free");
    with(200, Severity::Unfit, "200 MiB free");
}
