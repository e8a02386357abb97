use super::*;
use crate::compare::{Group, Sheet};
use catalog::{Mix, NamedMix, Unit};
use estimate::ViewKind;
use record::{Imported, Origin, ThreadSpec, fixture};

/// A machine that does 1,000,000,000 ops/s of each, give or take a percent.
fn group(rows: &[&str]) -> Group {
    let samples: Vec<u64> = (0..40).map(|i| 99 + i % 3).collect();
    let rows: Vec<(&str, &[u64])> = rows.iter().map(|name| (*name, &samples[..])).collect();
    let mut run = fixture::run(&rows);
    for case in &mut run.header.plan.cases {
        case.thread_spec = ThreadSpec::All;
    }
    let figures = Sheet::of(&run, ViewKind::Uncontended);
    Group::of("m7g".to_owned(), ViewKind::Uncontended, vec![figures]).unwrap()
}

fn mix(text: &str) -> Result<Mix, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mix.toml");
    std::fs::write(&path, text).unwrap();
    NamedMix::read(&path).map(|named| named.mix).map_err(|e| e.to_string())
}

#[test]
fn as_many_machines_are_needed_as_the_demands_take_with_headroom_and_spares() {
    let mix = mix("utilisation = 0.5\nspares = 2\n\
         [[demand]]\nworkload = \"a/x\"\nrate = \"1,000,000,000 ops/s\"\n\
         [[demand]]\nworkload = \"b/x\"\nrate = \"2.5 GB/s\"\n")
    .unwrap();
    let needed = machines_needed(&group(&["a/x", "b/x"]), &mix, Some(2.0), Some(100.0)).unwrap();
    // One machine's time and, at ten bytes an op, a quarter of one: 1.25 / 0.5 is 2.5.
    assert!((needed.load.centre - 1.25).abs() < 0.01, "{:?}", needed.load);
    assert_eq!((needed.machines, needed.binds.as_str()), (5, "a/x"));
    assert_eq!((needed.cost_per_month, needed.watts), (Some(7_300.0), Some(500.0)));
    assert!((needed.needs[0].share - 0.8).abs() < 0.01);
    let (least, most) = needed.machines_range.unwrap();
    assert!(least <= 5 && most >= 5 && needed.load.low < 1.25 && needed.load.high > 1.25);
}

#[test]
fn a_demand_that_was_not_measured_or_has_no_bytes_is_refused() {
    let needed_for =
        |text: &str| machines_needed(&group(&["a/x"]), &mix(text).unwrap(), None, None);
    let missing = needed_for("[[demand]]\nworkload = \"c/x\"\nrate = \"1 ops/s\"\n").unwrap_err();
    assert_eq!(missing, "m7g: c/x: was not measured on all threads");
}

#[test]
fn a_rate_in_operations_takes_nothing_of_a_figure_in_bytes() {
    let rows: &[_] = &[("a/x", ThreadSpec::All, 4, &[1e9, 1.01e9][..])];
    let run = fixture::imported("m", &Unit::Bytes, rows);
    let figures = Sheet::of(&run, ViewKind::Uncontended);
    let group = Group::of("m".to_owned(), ViewKind::Uncontended, vec![figures]).unwrap();
    let needed_at = |rate: &str| {
        let text = format!("[[demand]]\nworkload = \"a/x\"\nrate = \"{rate}\"\n");
        machines_needed(&group, &mix(&text).unwrap(), None, None)
    };
    assert!((needed_at("3 GB/s").unwrap().load.centre - 3.0).abs() < 0.02);
    let refused = needed_at("3,000,000,000 ops/s").unwrap_err();
    assert!(refused.starts_with("m: a/x: its figure is in bytes/s"), "{refused}");
}

#[test]
fn figures_that_were_measured_once_give_no_range_of_machines_and_none_an_absurd_number() {
    let needed_at = |per_s: f64| {
        let mut run = fixture::run(&[("a/x", &[])]);
        run.header.plan.cases[0].thread_spec = ThreadSpec::All;
        let (tool, sources, lacks) = ("t".to_owned(), Vec::new(), Vec::new());
        run.header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
        run.imported.push(Imported { case: 0, per_s, bytes_per_op: None });
        let figures = Sheet::of(&run, ViewKind::Uncontended);
        let group = Group::of("m7g".to_owned(), ViewKind::Uncontended, vec![figures]).unwrap();
        let text = "spares = 9\n[[demand]]\nworkload = \"a/x\"\nrate = \"1 ops/s\"\n";
        machines_needed(&group, &mix(text).unwrap(), None, None)
    };
    let needed = needed_at(1e-3).unwrap();
    assert_eq!((needed.machines, needed.machines_range), (1009, None));
    let refused = needed_at(1e-10).unwrap_err();
    assert_eq!(refused, "m7g: the mix needs 1.0e10 machines. Check its rates");
}
