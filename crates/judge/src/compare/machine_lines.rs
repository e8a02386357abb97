//! Properties of machines side by side, as studies open with them.

use super::group::Group;
use serde::Serialize;

/// A property of machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MachineLine {
    /// Part of the machine or its run: `CPU`, `Memory`; `Built with`, `Said by the user`.
    pub part: String,
    /// Name of the property within its part.
    pub label: String,
    /// In the machines' order, with units; `None` where a machine does not have it. Where runs of a machine differ, all that
    /// they report.
    pub values: Vec<Option<String>>,
}

impl MachineLine {
    /// Whether machines differ in it.
    pub fn differs(&self) -> bool {
        self.values.windows(2).any(|two| two[0] != two[1])
    }
}

/// All properties of some groups, those of the first before what only others have; parts stay together.
pub fn machine_lines(groups: &[&Group]) -> Vec<MachineLine> {
    let mut lines: Vec<MachineLine> = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for row in group.runs.iter().flat_map(|run| &run.described) {
            let known =
                lines.iter().position(|line| line.part == row.group && line.label == row.label);
            let line = known.unwrap_or_else(|| {
                let after = lines.iter().rposition(|line| line.part == row.group);
                let at = after.map_or(lines.len(), |after| after + 1);
                let (part, label) = (row.group.to_owned(), row.label.clone());
                lines.insert(at, MachineLine { part, label, values: vec![None; groups.len()] });
                at
            });
            match &mut lines[line].values[index] {
                Some(values) if values.split(" | ").any(|known| known == row.value) => {}
                Some(values) => *values = format!("{values} | {}", row.value),
                none => *none = Some(row.value.clone()),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{SAID, Sheet};
    use estimate::ViewKind;
    use machine::{Fact, fixture};
    use record::Run;
    use record::fixture::run;

    fn run_on(machine: &str, facts: &[(&str, &str)]) -> Run {
        let mut run = run(&[("a/x", &[100; 20])]);
        run.header.machine = fixture::machine(machine);
        let fact = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        run.header.facts = facts.iter().map(fact).collect();
        run
    }

    fn group(label: &str, runs: &[Run]) -> Group {
        let figures = runs.iter().map(|run| Sheet::of(run, ViewKind::Uncontended)).collect();
        Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap()
    }

    fn line(lines: &[MachineLine], label: &str) -> Vec<Option<String>> {
        let found = lines.iter().find(|line| line.label == label);
        found.unwrap_or_else(|| panic!("no line {label}")).values.clone()
    }

    #[test]
    fn machines_and_what_users_say_stand_side_by_side() {
        let xeon = group("xeon", &[run_on("xeon-2s", &[("tdp_w", "300"), ("vendor", "x")])]);
        let altra = group("altra", &[run_on("altra", &[("price", "2"), ("tdp_w", "250")])]);
        let lines = machine_lines(&[&xeon, &altra]);
        let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned())).to_vec();
        assert_eq!(line(&lines, "sockets"), some(["2", "1"]));
        assert_eq!(line(&lines, "NUMA nodes")[0], Some("2".to_owned()));
        assert_eq!(line(&lines, "tdp_w"), some(["300", "250"]));
        assert_eq!(line(&lines, "vendor"), [Some("x".to_owned()), None]);
        assert_eq!(line(&lines, "price"), [None, Some("2".to_owned())]);
        // The third-level cache is only the first's, and stands with the others all the same.
        let mut parts: Vec<&str> = lines.iter().map(|line| line.part.as_str()).collect();
        parts.dedup();
        let mut distinct = parts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(parts.len(), distinct.len(), "{parts:?}");
        assert_eq!(parts.last(), Some(&SAID));
    }

    #[test]
    fn runs_of_a_group_that_differ_are_both_told() {
        let mut later = run_on("xeon-2s", &[]);
        later.header.machine.kernel.release = Fact::Known("6.1.0".to_owned());
        let both = group("xeon", &[run_on("xeon-2s", &[]), later.clone(), later]);
        let lines = machine_lines(&[&both]);
        assert_eq!(line(&lines, "release"), [Some("5.15.0-105-generic | 6.1.0".to_owned())]);
        assert!(lines.iter().all(|line| !line.differs()));
    }
}
