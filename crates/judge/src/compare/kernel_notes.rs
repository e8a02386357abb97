//! Caveats about rows that measure the kernel: its version, its mitigations, and a sandbox between.

use super::group::Group;
use catalog::Family;
use std::collections::{BTreeMap, BTreeSet};

/// So many mitigations are named.
const MOST_NAMED: usize = 4;

/// In what the kernels of two groups differ, if both have rows that measure the kernel; and which of them were measured in a
/// sandbox.
pub fn kernel_notes(baseline: &Group, other: &Group) -> Vec<String> {
    if !has_kernel_rows(baseline) || !has_kernel_rows(other) {
        return Vec::new();
    }
    let sandboxes = [baseline, other].into_iter().filter_map(sandbox_note);
    sandboxes
        .chain(mitigations_note(baseline, other))
        .chain(release_note(baseline, other))
        .collect()
}

fn has_kernel_rows(group: &Group) -> bool {
    let rows = group.runs.iter().flat_map(|run| &run.rows);
    rows.into_iter().any(|row| row.family == Some(Family::Kernel))
}

fn sandbox_note(group: &Group) -> Option<String> {
    let label = &group.label;
    if group.runs.iter().any(|run| run.is_gvisor) {
        return Some(format!(
            "{label} ran in gVisor: its kernel rows measure the sandbox, not Linux"
        ));
    }
    let is_filtered = |run: &super::Sheet| {
        run.kernel.call_filter.known().is_some_and(|filter| filter == "filter")
    };
    group.runs.iter().any(is_filtered).then(|| {
        format!(
            "{label} ran under a seccomp filter, which checks each system call of its kernel rows"
        )
    })
}

/// Mitigation → what the runs of a group say of it.
fn mitigations(group: &Group) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let known = group.runs.iter().filter_map(|run| run.kernel.mitigations.known());
    for (name, status) in known.flatten() {
        all.entry(name).or_default().insert(status);
    }
    all
}

fn mitigations_note(baseline: &Group, other: &Group) -> Option<String> {
    let (ours, theirs) = (mitigations(baseline), mitigations(other));
    let names: BTreeSet<&str> = ours.keys().chain(theirs.keys()).copied().collect();
    let said =
        |mitigations: &BTreeMap<&str, BTreeSet<&str>>, name: &str| match mitigations.get(name) {
            Some(all) => all.iter().copied().collect::<Vec<_>>().join(" | "),
            None => "unknown".to_owned(),
        };
    let differing: Vec<String> = names
        .into_iter()
        .map(|name| (name, said(&ours, name), said(&theirs, name)))
        .filter(|(_, one, other)| one != other)
        .map(|(name, one, two)| {
            format!("{name}: {one} in {}, {two} in {}", baseline.label, other.label)
        })
        .collect();
    if differing.is_empty() {
        return None;
    }
    let mut named = differing[..differing.len().min(MOST_NAMED)].join("; ");
    if differing.len() > MOST_NAMED {
        named += &format!("; {} more: `sizeup machine`", differing.len() - MOST_NAMED);
    }
    Some(format!("kernel rows include the kernels' mitigations, which differ ({named})"))
}

fn release_note(baseline: &Group, other: &Group) -> Option<String> {
    let releases = |group: &Group| -> BTreeSet<String> {
        group.runs.iter().filter_map(|run| run.kernel.release.known().cloned()).collect()
    };
    let (ours, theirs) = (releases(baseline), releases(other));
    let list = |all: BTreeSet<String>| all.into_iter().collect::<Vec<_>>().join(" | ");
    (ours != theirs && !ours.is_empty() && !theirs.is_empty()).then(|| {
        format!(
            "kernel rows were measured on different kernels: {} in {}, {} in {}",
            list(ours),
            baseline.label,
            list(theirs),
            other.label
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Sheet;
    use estimate::ViewKind;
    use machine::Fact;
    use record::Run;
    use record::fixture::run;

    /// A run of one row of a family, on a kernel with this mitigation of Spectre.
    fn run_on_kernel(family: Family, release: &str, spectre: &str) -> Run {
        let mut run = run(&[("syscall/linux", &[100; 20])]);
        run.header.workloads.get_mut("syscall/linux").unwrap().family = family;
        let kernel = &mut run.header.machine.kernel;
        kernel.release = Fact::Known(release.to_owned());
        kernel.mitigations =
            Fact::Known([("spectre_v2".to_owned(), spectre.to_owned())].into_iter().collect());
        run
    }

    fn group(label: &str, run: &Run) -> Group {
        let figures = vec![Sheet::of(run, ViewKind::Uncontended)];
        Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap()
    }

    #[test]
    fn differing_mitigations_and_kernels_are_named_beside_kernel_rows_only() {
        let new = run_on_kernel(Family::Kernel, "6.12.1", "Mitigation: Enhanced IBRS");
        let old = run_on_kernel(Family::Kernel, "5.4.0", "Mitigation: Retpolines");
        let notes = kernel_notes(&group("new", &new), &group("old", &old));
        assert_eq!(
            notes,
            [
                "kernel rows include the kernels' mitigations, which differ (spectre_v2: Mitigation: Enhanced IBRS in \
                 new, Mitigation: Retpolines in old)",
                "kernel rows were measured on different kernels: 6.12.1 in new, 5.4.0 in old",
            ]
        );
        assert_eq!(crate::compare::pair_notes(&group("new", &new), &group("old", &old)), notes);
        assert!(kernel_notes(&group("new", &new), &group("again", &new)).is_empty());
        let other = run_on_kernel(Family::Hash, "5.4.0", "Vulnerable");
        assert!(kernel_notes(&group("new", &new), &group("other", &other)).is_empty());
    }

    #[test]
    fn a_sandbox_is_named() {
        let mut sandboxed = run_on_kernel(Family::Kernel, "4.4.0", "Not affected");
        sandboxed.header.machine.platform.container = Fact::Known("gVisor".to_owned());
        let mut filtered = run_on_kernel(Family::Kernel, "4.4.0", "Not affected");
        filtered.header.machine.kernel.call_filter = Fact::Known("filter".to_owned());
        let notes = kernel_notes(&group("a", &sandboxed), &group("b", &filtered));
        assert!(notes[0].starts_with("a ran in gVisor"), "{notes:?}");
        assert!(notes[1].starts_with("b ran under a seccomp filter"), "{notes:?}");
    }
}
