//! The rules on recorded machines and on evidence that was made up.

use super::*;
use crate::machine::fixture::{Fixture, machine};
use crate::machine::{Cap, CpuList, Elapsed, Fact, Throttling, Use};
use crate::record::Activity;
use crate::stats::States;
use crate::telemetry::ActivityWatch;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;

fn finding(evidence: &Evidence, id: &str) -> Finding {
    let found = judge(evidence, &Kind::ALL).into_iter().find(|finding| finding.id == id);
    found.unwrap_or_else(|| panic!("no finding {id}"))
}

#[track_caller]
fn expect(evidence: &Evidence, id: &str, severity: Severity, seen: &str) {
    let finding = finding(evidence, id);
    assert_eq!((finding.severity, &finding.seen[..]), (severity, seen), "{id}");
    let is_explained = !finding.meaning.is_empty() && !finding.remedy.is_empty();
    assert_eq!(is_explained, severity >= Severity::Note, "{id}");
}

/// A recorded machine at rest.
fn recorded(name: &str) -> Evidence {
    let fixture = Fixture::named(name);
    let machine = fixture.machine();
    let moment = Some(Moment::read(fixture.root(), &machine));
    Evidence { machine, moment, ..Evidence::default() }
}

/// What is not fine on a recorded machine.
fn worth_a_word(name: &str) -> BTreeMap<String, Severity> {
    let findings = judge(&recorded(name), &[Kind::State]).into_iter();
    findings.filter(|f| f.severity > Severity::Fine).map(|f| (f.id, f.severity)).collect()
}

#[test]
fn recorded_machines_are_judged_by_how_they_are_set_up() {
    use Severity::{Note, Warning};
    let told = |list: &[(&str, Severity)]| {
        list.iter().map(|(id, severity)| ((*id).to_owned(), *severity)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(worth_a_word("xeon-2s"), told(&[("smt", Note), ("turbo", Note)]));
    assert_eq!(worth_a_word("graviton3"), told(&[("virtualisation", Note)]));
    let altra = [("allowed-cpus", Note), ("governor", Warning), ("load", Note), ("swap", Note)];
    assert_eq!(worth_a_word("altra"), told(&altra));
    let epyc = [("allowed-cpus", Note), ("cpu-quota", Warning), ("virtualisation", Note)];
    assert_eq!(worth_a_word("epyc-container"), told(&epyc));
}

#[test]
fn what_a_machine_does_not_tell_is_not_available_with_the_reason() {
    let vm = recorded("graviton3");
    let why = "the kernel has no frequency driver here, as is usual in virtual machines";
    for id in ["governor", "turbo", "frequency-cap"] {
        expect(&vm, id, Severity::NotAvailable, why);
    }
    let empty = tempfile::tempdir().unwrap();
    let machine = crate::machine::Machine::read(empty.path());
    let moment = Some(Moment::read(empty.path(), &machine));
    let evidence = Evidence { machine, moment, ..Evidence::default() };
    for finding in judge(&evidence, &Kind::ALL) {
        let is_known = ["emulation"].contains(&finding.id.as_str());
        assert!(is_known || finding.severity == Severity::NotAvailable, "{finding:?}");
        assert!(!finding.seen.is_empty(), "{finding:?}");
    }
}

#[test]
fn settings_that_bend_figures_are_told_with_their_numbers() {
    let mut evidence = recorded("xeon-2s");
    expect(&evidence, "governor", Severity::Fine, "performance");
    expect(&evidence, "frequency-cap", Severity::Fine, "up to 3.50 of 3.50 GHz");
    evidence.machine.frequency.governor = Fact::Known("powersave".into());
    evidence.machine.frequency.allowed_khz = Fact::Known(2_000_000);
    evidence.machine.frequency.boost = Fact::Known(false);
    expect(&evidence, "governor", Severity::Warning, "powersave");
    expect(&evidence, "frequency-cap", Severity::Warning, "up to 2.00 of 3.50 GHz");
    expect(&evidence, "turbo", Severity::Fine, "off");
    evidence.moment.as_mut().unwrap().emulation = Fact::Known("QEMU without KVM (TCG)".into());
    expect(&evidence, "emulation", Severity::Unfit, "QEMU without KVM (TCG)");
}

#[test]
fn a_quota_below_the_cpus_is_a_warning_and_below_one_cpu_unfit() {
    let mut evidence = recorded("epyc-container");
    expect(&evidence, "cpu-quota", Severity::Warning, "the time of 1.5 CPUs for 2 CPUs");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::At(0.8));
    expect(&evidence, "cpu-quota", Severity::Unfit, "the time of 0.8 CPUs for 2 CPUs");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::At(2.0));
    expect(&evidence, "cpu-quota", Severity::Fine, "2 CPUs, enough for all");
    evidence.machine.limits.cpu_quota = Fact::Known(Cap::Unlimited);
    expect(&evidence, "cpu-quota", Severity::Fine, "none");
}

#[test]
fn little_memory_is_told() {
    let mut evidence = recorded("graviton3");
    let mut with = |mib: u64, severity, seen: &str| {
        evidence.machine.limits.memory_available_bytes = Fact::Known(mib << 20);
        expect(&evidence, "memory", severity, seen);
    };
    with(4096, Severity::Fine, "4.0 GiB free");
    with(1023, Severity::Warning, "1023 MiB free");
    with(200, Severity::Unfit, "200 MiB free");
}

fn used(pid: u32, command: &str, cpu: Option<u32>, ticks: u64) -> Use {
    Use { pid, command: command.to_owned(), cpu, ticks, ended_ticks: 0 }
}

/// A minute on two CPUs with nothing in it but our own work.
fn quiet_minute() -> Activity {
    Activity {
        since_ns: 0,
        at_ns: 60_000_000_000,
        took_ns: 1_000_000,
        cpus: vec![0, 1],
        elapsed: Some(Elapsed { steal: 0, busy: 6_000, total: 12_000 }),
        own_ticks: 5_990,
        others_ticks: 10,
        processes: Some(Vec::new()),
        throttled: Some(Throttling::default()),
        swapped_pages: Some(0),
        thermal_throttles: Some(0),
    }
}

fn with_activity(change: impl FnOnce(&mut Activity)) -> Evidence {
    let mut activity = quiet_minute();
    change(&mut activity);
    let machine = machine("epyc-container");
    Evidence { machine, activity: Some(activity), ..Evidence::default() }
}

#[test]
fn a_quiet_minute_is_fine_in_every_respect() {
    let findings = judge(&with_activity(|_| ()), &[Kind::Activity]);
    assert_eq!(findings.len(), 6);
    assert!(findings.iter().all(|f| f.severity == Severity::Fine), "{findings:?}");
}

#[test]
fn who_takes_a_cpu_is_named_with_its_share() {
    let others = |uses: Vec<Use>| with_activity(|activity| activity.processes = Some(uses));
    let yes = || used(123, "yes", Some(0), 2_760);
    let seen = "used 46 % of CPU 0 (yes, pid 123: 28 s)";
    expect(&others(vec![yes()]), "others", Severity::Unfit, seen);
    let remedy = finding(&others(vec![yes()]), "others").remedy;
    assert!(remedy.contains("kill -STOP 123;") && remedy.ends_with("--cpus 1"), "{remedy}");
    let seen = "used 46 % of CPU 0 (yes, pid 123: 28 s; cron, pid 9: 0.6 s), \
                2.0 % of CPU 1 (sh, pid 7: 1.2 s)";
    let tiny = used(4, "init", Some(0), 50);
    let three = vec![yes(), used(9, "cron", Some(0), 60), used(7, "sh", Some(1), 120), tiny];
    expect(&others(three), "others", Severity::Unfit, &seen.replace("46 %", "47 %"));
    let small = others(vec![used(7, "sh", Some(1), 120)]);
    expect(&small, "others", Severity::Note, "used 2.0 % of CPU 1 (sh, pid 7: 1.2 s)");
    let seen = "used 130 % of a CPU in several threads (java, pid 5: 78 s)";
    expect(&others(vec![used(5, "java", None, 7_800)]), "others", Severity::Unfit, seen);
    let build = Use { ended_ticks: 1_200, ..used(6, "make", Some(0), 6) };
    let seen = "used 0.1 % of CPU 0 (make, pid 6: 0.1 s), 20 % of a CPU by children that ended (make, \
                pid 6: 12 s)";
    expect(&others(vec![build]), "others", Severity::Warning, seen);
    let elsewhere = others(vec![used(8, "yes", Some(6), 6_000)]);
    let seen = "used 100 % of CPU 6, which is not measured (yes, pid 8: 60 s)";
    expect(&elsewhere, "others", Severity::Note, seen);
}

#[test]
fn what_happened_meanwhile_is_told_by_how_much() {
    let evidence = with_activity(|activity| {
        activity.throttled = Some(Throttling { times: 120, waited_ns: 3_400_000_000 });
        activity.elapsed = Some(Elapsed { steal: 600, busy: 8_000, total: 12_000 });
        activity.swapped_pages = Some(6_000);
        activity.thermal_throttles = Some(2);
    });
    let seen = "120 times, 3.4 s: quota of 1.5 CPUs";
    expect(&evidence, "throttling", Severity::Unfit, seen);
    expect(&evidence, "steal", Severity::Warning, "5.0 % of the CPUs' time");
    let seen = "17 % of the CPUs' time is nobody's that can be seen";
    expect(&evidence, "unseen", Severity::Warning, seen);
    let seen = "6000 pages moved, 100 a second";
    expect(&evidence, "swapping", Severity::Warning, seen);
    expect(&evidence, "heat", Severity::Warning, "slowed down 2 times");
}

#[test]
fn a_tick_in_a_short_look_is_no_steal() {
    let evidence = with_activity(|activity| {
        activity.at_ns = 200_000_000;
        activity.elapsed = Some(Elapsed { steal: 1, busy: 30, total: 40 });
    });
    for id in ["steal", "unseen"] {
        expect(&evidence, id, Severity::NotAvailable, "it was looked at for too short a time");
    }
}

#[test]
fn a_tree_of_proc_in_which_someone_works_names_him() {
    let stat = |ticks: u64| {
        format!(
            "20 (stress \u{1b}[2J) R 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 70 1 1 1 1 1 1 1 1 0 0 \
                 0 0 0 0 0 17 1 0 0\n"
        )
    };
    let fixture = Fixture::unpack(&format!("/proc/20/stat: {}", stat(0)));
    let mut watch = ActivityWatch::start(fixture.root(), &[0, 1]);
    fs::write(fixture.locate("/proc/20/stat"), stat(500)).unwrap();
    let mut activity = watch.look();
    activity.at_ns = activity.since_ns + 10_000_000_000;
    let evidence = Evidence { activity: Some(activity), ..Evidence::default() };
    let seen = "used 50 % of CPU 1 (stress \u{fffd}[2J, pid 20: 5.0 s)";
    expect(&evidence, "others", Severity::Unfit, seen);
}

/// 400 windows at 3 GHz on an own core of four instructions a clock, on two CPUs that are tried together.
fn steady_pulses() -> Pulses {
    let cpu = |cpu| CpuPulses {
        cpu,
        windows: 200,
        clock_hz: Some(3e9),
        width: Some(4.0),
        shared_share: None,
        cpu_share: Some(0.999),
    };
    Pulses {
        windows: 400,
        clock_hz: Some(3e9),
        clock_spread: 0.002,
        clock_drift: 0.001,
        width: Some(4.0),
        clear_windows: 400,
        width_states: None,
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
fn a_steady_pulse_is_fine_in_every_respect() {
    let findings = judge(&with_pulses(|_| ()), &[Kind::Pulse]);
    assert_eq!(findings.len(), 5);
    assert!(findings.iter().all(|f| f.severity == Severity::Fine), "{findings:?}");
}

#[test]
fn an_unsteady_pulse_is_named() {
    let evidence = with_pulses(|pulses| {
        pulses.clock_spread = 0.05;
        pulses.width_states =
            Some(States { low: 1.9, high: 3.8, threshold: 2.7, high_share: 0.62 });
        pulses.cpus[0].shared_share = Some(0.38);
        pulses.cpus[1].cpu_share = Some(0.9);
    });
    let seen = "unsteady pulse: clock 3.00 GHz, spread 5.0 %, slow drift ±0.1 %";
    expect(&evidence, "clock", Severity::Warning, seen);
    let seen = "unsteady pulse: on the core 38 % of the time (CPU 0 38 %): 1.9 instead of 3.8 \
                instructions per clock";
    expect(&evidence, "neighbour", Severity::Warning, seen);
    let seen = "a thread alone on CPU 1 had 90 % of its time";
    expect(&evidence, "cpu-share", Severity::Warning, seen);
}

#[test]
fn what_few_clear_windows_show_of_the_cores_is_not_believed() {
    for clear in [0, 10, 99] {
        let taken = with_pulses(|pulses| {
            pulses.clear_windows = clear;
            if clear == 0 {
                (pulses.clock_hz, pulses.width) = (None, None);
                (pulses.clock_spread, pulses.clock_drift) = (0.0, 0.0);
            }
        });
        let why = format!("only in {clear} of 400 windows was the CPU ours for long enough");
        expect(&taken, "clock", Severity::NotAvailable, &why);
        expect(&taken, "neighbour", Severity::NotAvailable, &why);
    }
    let enough = with_pulses(|pulses| pulses.clear_windows = 100);
    expect(&enough, "clock", Severity::Fine, "clock 3.00 GHz, spread 0.2 %, slow drift ±0.1 %");
}

#[test]
fn siblings_are_told_whatever_the_kernel_says() {
    let hidden = with_pulses(|pulses| pulses.pairs = Some(vec![tried(0, 1, false, 0.5)]));
    let finding = finding(&hidden, "siblings");
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.seen.starts_with("hidden siblings: 0+1 (a thread keeps 5"), "{}", finding.seen);
    assert!(finding.remedy.ends_with("--cpus 0"), "{}", finding.remedy);
    let claimed = with_pulses(|pulses| {
        pulses.pairs = Some(vec![tried(0, 2, true, 0.5), tried(0, 1, false, 0.97)]);
    });
    let seen = "2 of 2 pairs tried are as the kernel says";
    expect(&claimed, "siblings", Severity::Fine, seen);
    let in_name = with_pulses(|pulses| pulses.pairs = Some(vec![tried(0, 2, true, 0.97)]));
    assert!(
        super::tests::finding(&in_name, "siblings").seen.starts_with("siblings only in name: 0+2")
    );
    let pair = Pair::judge(Candidate { a: 0, b: 1, claimed: false }, &[None; 20]);
    let spoilt = with_pulses(|pulses| pulses.pairs = Some(vec![pair]));
    let seen = "can't be told: 0+1 (both CPUs were ours in 0 of 20 trials)";
    expect(&spoilt, "siblings", Severity::Note, seen);
    let none = with_pulses(|pulses| pulses.pairs = Some(Vec::new()));
    expect(&none, "siblings", Severity::NotAvailable, "there is but one CPU to try");
}

#[test]
fn a_pulse_that_could_not_be_taken_is_a_warning() {
    let evidence = Evidence { pulses: Some(Err("no worker".into())), ..Evidence::default() };
    expect(&evidence, "pulse", Severity::Warning, "not available: no worker");
}

#[test]
fn pairs_that_there_was_no_room_for_are_told() {
    let seen = "400 windows of one thread on CPUs 0,1";
    expect(&with_pulses(|_| ()), "pulse", Severity::Fine, seen);
    let crowded = with_pulses(|pulses| pulses.without_room = 120);
    let seen = "400 windows of one thread on CPUs 0,1; 120 more pairs of CPUs were not tried: their \
                workers would need more open files or tasks than are allowed";
    expect(&crowded, "pulse", Severity::Fine, seen);
}

#[test]
fn a_run_tells_what_was_told_at_its_start_unless_it_knows_better_by_then() {
    let told = |id: &str| Finding {
        id: id.to_owned(),
        severity: Severity::Warning,
        seen: "at the start".to_owned(),
        meaning: String::new(),
        remedy: String::new(),
    };
    let mut run = crate::record::samples::run(&[("zip/zip", &[5; 20])]);
    run.header.findings = ["governor", "others", "heat"].map(told).to_vec();
    let mut activity = quiet_minute();
    activity.thermal_throttles = None;
    run.activity = vec![activity];
    let findings = findings_of_run(&run, &RunEstimate::of(&run));
    let seen = |id: &str| {
        let of = findings.iter().filter(|finding| finding.id == id);
        of.map(|finding| &finding.seen[..]).collect::<Vec<_>>()
    };
    assert_eq!(seen("governor"), ["at the start"]);
    assert_eq!(seen("others"), ["none used 1 % of a CPU; all together 0.2 %"]);
    let unknown = "the kernel counts no slowing for heat here";
    assert_eq!(seen("heat"), ["at the start", unknown]);
    // What a run's pulses tell is judged, too; pairs it has not tried.
    assert_eq!(seen("pulse").len(), 1);
    assert_eq!(seen("siblings").len(), 0);
}

#[test]
fn what_was_not_looked_at_is_not_judged() {
    assert_eq!(judge(&Evidence::default(), &[Kind::Activity, Kind::Pulse]), []);
}

#[test]
fn every_rule_has_its_own_name_and_a_section_in_the_docs() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/doctor.md");
    let docs = fs::read_to_string(path).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for rule in RULES {
        assert!(names.insert(rule.id), "two rules {}", rule.id);
        assert!(
            docs.contains(&format!("\n### `{}`\n", rule.id)),
            "docs/doctor.md lacks {}",
            rule.id
        );
    }
    let sections = docs.lines().filter(|line| line.starts_with("### `")).count();
    assert_eq!(sections, RULES.len(), "docs/doctor.md has rules that are not there");
}

proptest! {
    #[test]
    fn no_evidence_of_a_run_file_makes_a_rule_panic(
        numbers in proptest::collection::vec(any::<u64>(), 10),
        name in "\\PC{0,20}",
        cpu in proptest::option::of(any::<u32>()),
        quota in any::<f64>(),
        cpus in proptest::collection::vec(0_u32..70_000, 0..4),
    ) {
        let n = |i: usize| numbers[i];
        let evidence = with_activity(|activity| *activity = Activity {
            since_ns: n(0), at_ns: n(1), took_ns: n(2), cpus: cpus.clone(),
            elapsed: Some(Elapsed { steal: n(3), busy: n(4), total: n(5) }),
            own_ticks: n(6), others_ticks: n(7),
            processes: Some(vec![used(1, &name, cpu, n(8)), used(2, &name, None, n(9))]),
            throttled: Some(Throttling { times: n(3), waited_ns: n(4) }),
            swapped_pages: Some(n(5)), thermal_throttles: Some(n(6)),
        });
        let mut evidence = evidence;
        evidence.machine.limits.cpu_quota = Fact::Known(Cap::At(quota));
        evidence.machine.limits.allowed_cpus = CpuList::from(cpus);
        let findings = judge(&evidence, &Kind::ALL);
        prop_assert!(findings.iter().all(|finding| !finding.seen.is_empty()));
        let parts = vec![evidence.activity.unwrap(); 3];
        prop_assert!(Activity::sum(&parts).is_some());
    }
}
