//! Whether runs are to be believed.

use super::*;
use crate::validity_of;
use record::{Activity, Close, Ended, Note, Outcome};
use record::{Grade, ThreadSpec, Validity};

/// A run whose rows have uncontended figures, or too few samples for them.
fn run_of(samples: usize) -> Run {
    let mut ops = vec![100; samples];
    ops[samples / 2] += 1;
    let mut run = record::fixture::run(&[("a/x", &ops), ("b/x", &ops)]);
    run.close = Some(Close { at_ns: run.last_ns, ended: Ended::Budget, sha256: String::new() });
    run
}

fn found(id: &str, severity: Severity) -> Finding {
    let text = || "seen".to_owned();
    Finding { id: id.to_owned(), severity, seen: text(), meaning: text(), remedy: text() }
}

fn validity(run: &Run, findings: &[Finding]) -> Validity {
    validity_of(run, &RunEstimate::of(run), findings)
}

fn ids(validity: &Validity) -> Vec<&str> {
    validity.reasons.iter().map(|reason| reason.id.as_str()).collect()
}

#[test]
fn a_run_that_nothing_is_known_against_is_valid() {
    let notes = [found("virtualisation", Severity::Note), found("heat", Severity::NotAvailable)];
    let judged = validity(&run_of(20), &notes);
    assert_eq!((judged.grade, judged.reasons), (Grade::Valid, Vec::new()));
}

#[test]
fn the_worst_finding_decides_and_comes_first() {
    let warning = found("governor", Severity::Warning);
    let judged = validity(&run_of(20), std::slice::from_ref(&warning));
    assert_eq!((judged.grade, ids(&judged)), (Grade::Suspect, vec!["governor"]));
    let judged = validity(&run_of(20), &[warning, found("throttling", Severity::Unfit)]);
    assert_eq!((judged.grade, ids(&judged)), (Grade::Invalid, vec!["throttling", "governor"]));
}

#[test]
fn what_uncontended_figures_leave_out_makes_a_run_suspect_and_invalid_without_them() {
    for id in ["steal", "others", "unseen", "neighbour", "memory-neighbour"] {
        let findings = [found(id, Severity::Unfit)];
        assert_eq!(validity(&run_of(20), &findings).grade, Grade::Suspect, "{id}");
        assert_eq!(validity(&run_of(4), &findings).grade, Grade::Invalid, "{id}");
    }
}

#[test]
fn rows_on_fewer_threads_than_cpus_because_of_a_quota_make_a_run_invalid() {
    let mut run = run_of(20);
    let suspect = [found("cpu-quota", Severity::Warning)];
    let limits = &mut run.header.machine.limits;
    limits.allowed_cpus = vec![0, 1].into();
    limits.cpu_quota = Fact::Known(Cap::At(1.2));
    assert_eq!(validity(&run, &suspect).grade, Grade::Suspect, "rows on one thread");
    run.header.plan.cases[0].thread_spec = ThreadSpec::All;
    let judged = validity(&run, &suspect);
    assert_eq!((judged.grade, ids(&judged)), (Grade::Invalid, vec!["cpu-quota"]));
    assert_eq!(judged.reasons[0].seen, "`all` was 1 of 2 CPUs because of a quota of 1.2 CPUs");
    run.header.machine.limits.allowed_cpus = vec![0].into();
    assert_eq!(validity(&run, &[]).grade, Grade::Valid, "as many CPUs as the quota pays for");
}

/// A run during which others used so many CPUs.
fn beside_others(samples: usize, cpus: f64) -> Run {
    let mut run = run_of(samples);
    let seconds = 10;
    let others_ticks = (cpus * seconds as f64 * machine::TICKS_PER_S) as u64;
    let at_ns = seconds * 1_000_000_000;
    run.activity = vec![Activity { at_ns, others_ticks, ..Activity::default() }];
    run
}

#[test]
fn a_run_that_others_left_without_uncontended_figures_is_invalid_whatever_findings_say() {
    let judged = validity(&beside_others(4, 1.3), &[]);
    assert_eq!((judged.grade, ids(&judged)[0]), (Grade::Invalid, "contended"));
    let seen = "2 of 2 rows lack uncontended figures, and other processes used 1.3 CPUs";
    assert_eq!(judged.reasons[0].seen, seen);
    // With such figures, or where nobody else was at work.
    for run in [beside_others(20, 1.3), beside_others(4, 0.01)] {
        assert!(!ids(&validity(&run, &[])).contains(&"contended"));
    }
}

#[test]
fn a_file_that_was_changed_or_injected_is_invalid_and_one_without_an_end_suspect() {
    let mut run = run_of(20);
    run.notes.push(Note::Changed);
    assert_eq!(validity(&run, &[]).grade, Grade::Invalid);
    let mut run = run_of(20);
    run.close = None;
    let judged = validity(&run, &[]);
    assert_eq!((judged.grade, ids(&judged)), (Grade::Suspect, vec!["not-finished"]));
}

#[test]
fn wrong_answers_missing_rows_and_wide_margins_make_a_run_suspect() {
    let mut run = run_of(20);
    run.outcomes.push(record::fixture::wrong_answer(0));
    assert_eq!(ids(&validity(&run, &[])), ["unverified"]);
    run.outcomes.push(Outcome { case: 1, kind: "start".to_owned(), ..run.outcomes[0].clone() });
    assert_eq!(ids(&validity(&run, &[])), ["unverified", "not-measured"]);
    let mut run = run_of(20);
    for (number, sample) in run.samples.iter_mut().enumerate() {
        sample.measured.threads[0].ops *= 1 + (number as u64 % 5);
    }
    let judged = validity(&run, &[]);
    assert_eq!((judged.grade, ids(&judged)), (Grade::Suspect, vec!["not-converged"]));
}

#[test]
fn work_that_nobody_checked_at_its_end_makes_a_run_suspect() {
    let mut run = run_of(20);
    run.verified.clear();
    assert_eq!(ids(&validity(&run, &[])), ["unverified"]);
}

#[test]
fn a_clock_that_falls_for_a_part_of_the_run_makes_it_suspect() {
    let with_falls = |samples: usize| {
        let mut run = run_of(20);
        for (number, sample) in run.samples.iter_mut().rev().enumerate() {
            for thread in &mut sample.measured.threads {
                for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
                    let clock_ns = if number < samples { 1_250 } else { 1_000 };
                    (pulse.clock_ops, pulse.clock_ns) = (1_000, clock_ns);
                }
            }
        }
        let judged = validity(&run, &[]);
        (judged.grade, judged.reasons.into_iter().map(|reason| reason.seen).collect::<Vec<_>>())
    };
    let (grade, seen) = with_falls(10);
    assert_eq!(grade, Grade::Suspect);
    assert!(seen[0].starts_with("in 25 % of the samples the clock"), "{seen:?}");
    assert_eq!(with_falls(1).0, Grade::Valid, "one of forty");
}
