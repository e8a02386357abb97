//! Runs that were emulated.

use super::*;
use machine::Fact;

/// The notes of a closed run with this header.
fn notes_of(header: &Header) -> Vec<Note> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.jsonl");
    Writer::create(&path, header).unwrap().close(Ended::Budget, CLOSED_NS).unwrap();
    read(&path).unwrap().notes
}

#[test]
fn an_emulated_run_is_noted_and_unfit() {
    let mut header = header();
    let finding = Finding {
        id: "emulation".to_owned(),
        severity: Severity::Fine,
        seen: "by somebody".to_owned(),
        meaning: String::new(),
        remedy: String::new(),
    };
    header.findings.push(finding);
    assert_eq!(notes_of(&header), []);
    header.findings[0].severity = Severity::Unfit;
    assert_eq!(notes_of(&header), [Note::Emulated { seen: "by somebody".to_owned() }]);
}

#[test]
fn workers_for_another_architecture_than_the_machines_are_emulated() {
    let mut header = header();
    header.machine.cpu.architecture = Fact::Known("x86_64".to_owned());
    for (target, is_foreign) in [
        ("x86_64-unknown-linux-gnu", false),
        ("linux/amd64", false),
        ("a user's own", false),
        ("aarch64-unknown-linux-gnu", true),
        ("linux/arm64", true),
    ] {
        let build = WorkerBuild { target: target.to_owned(), ..WorkerBuild::default() };
        let manifest = Manifest { sha256: String::new(), build };
        header.workers.insert("native".to_owned(), manifest);
        let is_noted = matches!(notes_of(&header)[..], [Note::Emulated { .. }]);
        assert_eq!(is_noted, is_foreign, "{target}");
    }
}
