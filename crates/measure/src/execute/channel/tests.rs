use super::*;
use std::collections::BTreeMap;

/// A program that neither reads nor ends by itself.
fn deaf(interrupt: &Interrupt) -> Channel {
    let program = Program {
        name: "deaf".to_owned(),
        run: vec!["sleep".to_owned(), "1000".to_owned()],
        folder: "/".into(),
        environment: BTreeMap::new(),
    };
    Channel::start(&program, &[], &[], interrupt).unwrap()
}

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(1000);

#[test]
fn waiting_for_a_worker_ends_as_a_timeout() {
    let nobody = Interrupt::default();
    // More than a pipe holds.
    let line = "x".repeat(LONGEST_LINE_BYTES / 2);
    assert_eq!(deaf(&nobody).send(&line, SHORT).unwrap_err().kind, "timeout");
    assert_eq!(deaf(&nobody).receive("a word", SHORT).unwrap_err().kind, "timeout");
    assert_eq!(deaf(&nobody).end(SHORT).unwrap_err().kind, "timeout");
}

#[test]
fn a_second_interrupt_ends_every_wait_and_is_not_the_workers_fault() {
    let insisted = Interrupt::with_count(2);
    let line = "x".repeat(LONGEST_LINE_BYTES / 2);
    assert_eq!(deaf(&insisted).send(&line, LONG).unwrap_err().kind, "interrupted");
    assert_eq!(deaf(&insisted).receive("a word", LONG).unwrap_err().kind, "interrupted");
    assert_eq!(deaf(&insisted).end(LONG).unwrap_err().kind, "interrupted");
}
