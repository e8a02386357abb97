//! The rules on recorded machines and on synthetic evidence.

mod activity;
mod pulses;
mod state;
mod validity;

use super::*;
use activity::{quiet_minute, used, with_activity};
use machine::{Cap, CpuList, Elapsed, Fact, Throttling};
use proptest::prelude::*;
use record::Activity;
use std::fs;

fn finding(evidence: &Evidence, id: &str) -> Finding {
    let found = judge(evidence, &RuleKind::ALL).into_iter().find(|finding| finding.id == id);
    found.unwrap_or_else(|| panic!("no finding {id}"))
}

#[track_caller]
fn expect(evidence: &Evidence, id: &str, severity: Severity, seen: &str) {
    let finding = finding(evidence, id);
    assert_eq!((finding.severity, &finding.seen[..]), (severity, seen), "{id}");
    let is_explained = !finding.meaning.is_empty() && !finding.remedy.is_empty();
    assert_eq!(is_explained, severity >= Severity::Note, "{id}");
}

#[test]
fn findings_of_a_run_replace_those_of_its_start_where_they_are_known() {
    let at_start = |id: &str| Finding {
        id: id.to_owned(),
        severity: Severity::Warning,
        seen: "at the start".to_owned(),
        meaning: String::new(),
        remedy: String::new(),
    };
    let mut run = record::fixture::run(&[("zip/zip", &[5; 20])]);
    run.header.findings = ["governor", "others", "heat"].map(at_start).to_vec();
    let mut activity = quiet_minute();
    activity.thermal_throttles = None;
    run.activity = vec![activity];
    let findings = findings_of_run(&run, &RunEstimate::of(&run));
    let seen = |id: &str| {
        let named = findings.iter().filter(|finding| finding.id == id);
        named.map(|finding| &finding.seen[..]).collect::<Vec<_>>()
    };
    assert_eq!(seen("governor"), ["at the start"]);
    assert_eq!(seen("others"), ["no process used 1 % of a CPU; 0.2 % in total"]);
    let unknown = "the kernel does not count thermal throttling here";
    assert_eq!(seen("heat"), ["at the start", unknown]);
    // A run's pulses are judged, too; it tries no pairs.
    assert_eq!(seen("pulse").len(), 1);
    assert_eq!(seen("siblings").len(), 0);
}

#[test]
fn evidence_that_was_not_collected_is_not_judged() {
    assert_eq!(judge(&Evidence::default(), &[RuleKind::Activity, RuleKind::Pulse]), []);
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
            "docs/doctor.md has no section {}",
            rule.id
        );
    }
    let sections = docs.lines().filter(|line| line.starts_with("### `")).count();
    assert_eq!(sections, RULES.len(), "docs/doctor.md has sections without a rule");
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
        let findings = judge(&evidence, &RuleKind::ALL);
        prop_assert!(findings.iter().all(|finding| !finding.seen.is_empty()));
        let parts = vec![evidence.activity.unwrap(); 3];
        prop_assert!(Activity::sum(&parts).is_some());
    }
}
