//! A run's machine as rows of properties: reported by the machine, measured, of the build, and stated by the user.

use crate::numbers::three_digits;
use machine::{ClockStep, Fact, Level, SpecRow};
use record::{MeasuredMachine, Run};

/// The group of what users say.
pub const SAID: &str = "Said by the user";

/// Properties of a run's machine, in the order in which they are shown.
pub(super) fn described(run: &Run) -> Vec<SpecRow> {
    let header = &run.header;
    let mut rows = header.machine.summary();
    rows.extend(run.measured_machine.iter().flat_map(|measured| measured_rows(measured)));
    let built = |label: String, value: &str| SpecRow {
        group: "Built with",
        label,
        value: value.to_owned(),
    };
    for (worker, manifest) in &header.workers {
        rows.push(built(format!("compiler of {worker}"), &manifest.build.compiler));
    }
    let libraries = header.workers.values().flat_map(|manifest| &manifest.build.libraries);
    rows.extend(libraries.map(|(name, version)| built(name.clone(), version)));
    let said = header.facts.iter().map(|(key, value)| SpecRow {
        group: SAID,
        label: key.clone(),
        value: value.clone(),
    });
    rows.extend(said);
    rows
}

/// Latencies and clocks, a row each; nothing of parts without figures.
pub fn measured_rows(measured: &MeasuredMachine) -> Vec<SpecRow> {
    let row = |label: String, value: String| SpecRow { group: "Measured", label, value };
    let ns = |ns: f64| format!("{} ns", three_digits(ns));
    let mut rows = Vec::new();
    if let Fact::Known(core_to_core) = &measured.core_to_core {
        let relations = core_to_core.relations.iter();
        rows.extend(
            relations.map(|relation| {
                row(format!("core to core, {}", relation.relation), ns(relation.ns))
            }),
        );
    }
    if let Fact::Known(ladder) = &measured.ladder {
        let typical = ladder.steps.iter().filter(|step| step.is_typical);
        rows.extend(typical.map(|step| row(format!("load from {}", step.level), ns(step.load.ns))));
        let others = ladder.other_nodes.iter().map(|node| node.load.ns);
        let slowest = others.reduce(f64::max).map(ns);
        rows.extend(
            slowest
                .map(|time| row(format!("load from {} of the farthest node", Level::Memory), time)),
        );
    }
    if let Fact::Known(steps) = &measured.clocks {
        let clock = |on: &str, step: &ClockStep| {
            row(format!("clock on {on}"), format!("{:.2} GHz", step.clock_hz / 1e9))
        };
        rows.extend(steps.first().map(|step| clock("1 core", step)));
        rows.extend(steps.last().map(|step| clock("all cores", step)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{BatchTimes, CoreToCore, Ladder, LadderStep, NodeLoad, Relation, RelationTimes};
    use record::{Activity, fixture};

    #[test]
    fn what_was_measured_of_the_machine_is_a_part_of_its_own_and_what_failed_is_not_there() {
        let load = |ns: f64| BatchTimes { ns, quartiles_ns: [ns; 2], batches: 9 };
        let step = |level, is_typical, ns| LadderStep {
            bytes: 1 << 20,
            level,
            is_typical,
            load: load(ns),
        };
        let relation = RelationTimes {
            relation: Relation::OtherSocket,
            pairs: 4,
            ns: 131.4,
            range_ns: [120.0, 150.0],
            spread: 0.02,
        };
        let clock = |cores, clock_hz| ClockStep {
            cores,
            clock_hz,
            quartiles_hz: [clock_hz; 2],
            cores_hz: [clock_hz; 2],
            samples: 7,
        };
        let mut measured = MeasuredMachine {
            core_to_core: Fact::Known(CoreToCore { relations: vec![relation], pairs: Vec::new() }),
            ladder: Fact::Known(Ladder {
                cpu: 7,
                steps: vec![
                    step(Level::L1, true, 1.18),
                    step(Level::L2, false, 2.0),
                    step(Level::Memory, true, 98.2),
                ],
                large_page_share: None,
                largest_cache_bytes: None,
                other_nodes: vec![
                    NodeLoad { node: 1, load: load(151.2) },
                    NodeLoad { node: 2, load: load(140.0) },
                ],
                wanted_bytes: None,
            }),
            clocks: Fact::Known(vec![clock(1, 3.9e9), clock(2, 3.8e9), clock(64, 3.1e9)]),
            emulation: Fact::Known("none seen".to_owned()),
            activity: Activity::default(),
        };
        let mut run = fixture::run(&[("a/x", &[100; 20])]);
        let rows = |measured: &MeasuredMachine| -> Vec<String> {
            run.measured_machine = Some(Box::new(measured.clone()));
            let rows = described(&run).into_iter().filter(|row| row.group == "Measured");
            rows.map(|row| format!("{}: {}", row.label, row.value)).collect()
        };
        let mut rows = rows;
        let expected = [
            "core to core, other socket: 131 ns",
            "load from L1: 1.18 ns",
            "load from memory: 98.2 ns",
            "load from memory of the farthest node: 151 ns",
            "clock on 1 core: 3.90 GHz",
            "clock on all cores: 3.10 GHz",
        ];
        assert_eq!(rows(&measured), expected);
        measured.clocks = Fact::not_available("the worker died");
        assert_eq!(rows(&measured), expected[..4]);
    }
}
