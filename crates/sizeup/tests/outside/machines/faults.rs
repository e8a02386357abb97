//! Faults of a machine during a run (`tests/machines/faults`): CPUs unplugged, SMT switched off, clocks set, quotas, a full
//! file system.

use super::{Shape, shapes};

/// A fault, the exit statuses that a run may end with under it, and what it must say.
const FAULTS: [(&str, &[i32], &str); 5] = [
    // A row on a CPU that goes away has no figure, unless it had its last sample before; others where the emulator is too slow.
    ("unplugged", &[0, 3], ""),
    ("smt", &[0, 3], ""),
    ("clock", &[0, 3], ""),
    ("quota", &[0, 3], ""),
    ("full", &[3], "No space left on device"),
];

/// The exit status of a command in a machine.
fn status(shape: &Shape, command: &str) -> i32 {
    let all = shape.read("faults");
    let line = all.lines().find_map(|line| line.strip_prefix(&format!("{command}: exit status ")));
    let status = line.and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("{}: {command} is not in {all}", shape.name))
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn a_run_ends_clearly_whatever_happens_to_its_machine_and_is_gone_on_with() {
    for shape in shapes() {
        // The kernel speaks of SMT on x86 only.
        let has_smt = shape.threads_per_core > 1 && shape.name.starts_with("x86_64");
        for (fault, statuses, says) in FAULTS.iter().filter(|fault| fault.0 != "smt" || has_smt) {
            let name = format!("{}: {fault}", shape.name);
            let said = shape.read(&format!("{fault}.txt"));
            assert!(statuses.contains(&status(&shape, fault)), "{name}: {said}");
            assert!(said.contains(says) && !said.contains("panicked"), "{name}: {said}");
            assert!(said.contains("sha-256-16KiB"), "{name}: no table: {said}");

            let before = shape.run(&format!("{fault}-before"));
            let kept = before.samples.len();
            assert!(kept > 0, "{name}: nothing was measured");
            let resumed = shape.read(&format!("{fault}-resumed.txt"));
            let ended = status(&shape, &format!("{fault} resumed"));
            assert!([0, 3].contains(&ended) && !resumed.contains("panicked"), "{name}: {resumed}");
            let after = shape.run(fault);
            assert!(after.is_complete(), "{name}: {resumed}");
            assert_eq!(after.samples[..kept], before.samples[..], "{name}");
        }
        assert!(!shape.read("faults").contains("is left"), "{}", shape.read("faults"));
    }
}

#[test]
#[ignore = "needs machines: make test-machines"]
fn a_run_is_not_gone_on_with_while_cpus_are_missing() {
    for shape in shapes() {
        let said = shape.read("refused.txt");
        assert_eq!(status(&shape, "refused"), 2, "{}: {said}", shape.name);
        assert!(said.contains("the run started on a different machine"), "{}: {said}", shape.name);
    }
}
