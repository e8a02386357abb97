//! Fuzz target: run files that tell what can't be, and whose digest is right. What is read keeps the laws that all who
//! judge rely on.

use super::*;
use testkit::{Choices, RUNS, changed_run};

#[test]
fn a_changed_run_is_refused_or_keeps_what_judges_rely_on() {
    testkit::check("record", 600, |input| {
        let folder = testkit::folder();
        let path = folder.path().join("changed.jsonl");
        std::fs::write(&path, changed_run(&RUNS, &mut Choices::new(input))).unwrap();
        let Ok(run) = read(&path) else { return };
        let cases = run.header.plan.cases.len();
        for sample in &run.samples {
            assert!(sample.case < cases && sample.measured.start_ns < sample.measured.end_ns);
            assert!(!sample.measured.threads.is_empty());
        }
        assert!(
            run.imported.iter().all(|imported| imported.case < cases && imported.per_s.is_finite())
        );
        for note in &run.notes {
            assert!(!note.to_string().is_empty());
        }
    });
}
