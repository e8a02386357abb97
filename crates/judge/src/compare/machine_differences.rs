//! In what the machines of two groups differ, so that a loss between them may be the machine's and not the code's.

use super::group::Group;
use super::must_match::{Difference, MustMatch};
use super::sheet::Sheet;
use std::collections::BTreeSet;

/// CPU model, microcode and kernel where both groups know them and they are not the same. Microcode is told of one model only:
/// that of another one is another anyway.
pub fn machine_differences(baseline: &Group, other: &Group) -> Vec<Difference> {
    let difference = |what: &str, known: fn(&Sheet) -> Option<&String>| {
        let all = |group: &Group| -> BTreeSet<String> {
            group.runs.iter().filter_map(known).cloned().collect()
        };
        let (ours, theirs) = (all(baseline), all(other));
        let in_words = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>().join(", ");
        (!ours.is_empty() && !theirs.is_empty() && ours != theirs).then(|| Difference {
            kind: MustMatch::Machine,
            what: what.to_owned(),
            baseline: in_words(&ours),
            other: in_words(&theirs),
        })
    };
    let model = difference("the CPU", |run| run.cpu_model.as_ref());
    let microcode = difference("the microcode", |run| run.microcode.as_ref());
    let microcode = microcode.filter(|_| model.is_none());
    let kernel = difference("the kernel", |run| run.kernel.release.known());
    [model, microcode, kernel].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ViewKind;
    use machine::{Fact, Machine};
    use record::fixture;

    fn group(change: impl Fn(&mut Machine)) -> Group {
        let mut run = fixture::run(&[("a/x", &[100; 20])]);
        let machine = &mut run.header.machine;
        machine.cpu.model = Fact::Known("EPYC".to_owned());
        machine.cpu.microcode = Fact::Known("0x1".to_owned());
        machine.kernel.release = Fact::Known("6.1".to_owned());
        change(machine);
        Group::of("m".to_owned(), ViewKind::Delivered, vec![Sheet::of(&run, ViewKind::Delivered)])
            .unwrap()
    }

    #[test]
    fn what_both_know_and_is_not_the_same_is_a_difference() {
        let here = group(|_| {});
        let differences = |change: fn(&mut Machine)| {
            let found = machine_differences(&here, &group(change));
            found.into_iter().map(|difference| difference.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(differences(|_| {}), [""; 0]);
        assert_eq!(
            differences(|machine| machine.cpu.model = Fact::not_available("hidden")),
            [""; 0]
        );
        let other_model = differences(|machine| {
            machine.cpu.model = Fact::Known("Xeon".to_owned());
            machine.cpu.microcode = Fact::Known("0x2".to_owned());
        });
        assert_eq!(other_model, ["machine: the CPU is EPYC on one, Xeon on the other"]);
        let microcode =
            differences(|machine| machine.cpu.microcode = Fact::Known("0x2".to_owned()));
        assert_eq!(microcode, ["machine: the microcode is 0x1 on one, 0x2 on the other"]);
        let kernel = differences(|machine| machine.kernel.release = Fact::Known("6.2".to_owned()));
        assert_eq!(kernel, ["machine: the kernel is 6.1 on one, 6.2 on the other"]);
    }
}
