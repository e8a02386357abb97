use super::*;
use crate::compare::{Group, MustMatch, Sheet};
use estimate::ViewKind;
use machine::Topology;
use record::{Case, Imported, Origin, Run, ThreadSpec, fixture};

/// A machine of two sockets of two cores of two threads each, with these ops/s on so many threads and CPUs.
fn machine(label: &str, figures: &[(usize, &[u32], f64)]) -> Group {
    group(label, vec![run(figures)])
}

fn group(label: &str, runs: Vec<Run>) -> Group {
    let figures = runs.iter().map(|run| Sheet::of(run, ViewKind::Uncontended)).collect();
    Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap()
}

fn run(figures: &[(usize, &[u32], f64)]) -> Run {
    let mut run = fixture::run(&[("a/x", &[])]);
    let (tool, sources, lacks) = ("a test".to_owned(), Vec::new(), Vec::new());
    run.header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    run.launches.clear();
    let case = run.header.plan.cases.remove(0);
    // CPU 0 and 4 are one core, and so on; 0, 1, 4 and 5 are the first socket.
    let mut topology = Topology::with_siblings(8, |cpu| vec![cpu % 4, cpu % 4 + 4]);
    topology.cpus.iter_mut().for_each(|cpu| cpu.package = cpu.cpu % 4 / 2);
    run.header.machine.topology = topology;
    for (number, (threads, cpus, ops_per_s)) in figures.iter().enumerate() {
        let (thread_spec, cpus) = (ThreadSpec::Count(*threads), cpus.to_vec());
        run.header.plan.cases.push(Case { threads: *threads, thread_spec, cpus, ..case.clone() });
        for factor in [0.999, 1.0, 1.001] {
            let per_s = ops_per_s * factor;
            run.imported.push(Imported { case: number, per_s, bytes_per_op: None });
        }
    }
    run
}

/// On 1, 2, 4 and 8 threads.
fn curve(label: &str, ops_per_s: [f64; 4]) -> Group {
    let cpus: [&[u32]; 4] = [&[0], &[0, 1], &[0, 1, 2, 3], &[0, 1, 2, 3, 4, 5, 6, 7]];
    let counts = [1, 2, 4, 8];
    let figures: Vec<(usize, &[u32], f64)> =
        (0..4).map(|i| (counts[i], cpus[i], ops_per_s[i])).collect();
    machine(label, &figures)
}

#[test]
fn speed_up_efficiency_and_what_siblings_and_sockets_add_are_told() {
    let all = scaling(&[curve("a", [100.0, 198.0, 380.0, 475.0])], &[]);
    let curve = &all[0].curves[0];
    let last = &curve.points[3];
    assert!((last.speed_up.unwrap().centre - 4.75).abs() < 1e-6);
    assert!((last.efficiency.unwrap().centre - 4.75 / 8.0).abs() < 1e-6);
    assert_eq!((last.cores, last.sockets), (Some(4), Some(2)));
    let smt = curve.smt_yield.unwrap();
    assert_eq!((smt.cores, smt.threads), (4, 8));
    assert!((smt.ratio.centre - 475.0 / 380.0).abs() < 1e-6);
    let sockets = curve.socket_effect.unwrap();
    assert_eq!(sockets.sockets, 2);
    assert!((sockets.ratio.centre - 380.0 / (2.0 * 198.0)).abs() < 1e-6);
    assert!(all[0].crossovers.is_empty());
}

#[test]
fn a_law_that_does_not_fit_is_said_not_to() {
    let fits = scaling(&[curve("a", [100.0, 196.0, 377.0, 700.0])], &[]);
    assert!(fits[0].curves[0].usl.is_some() && fits[0].curves[0].misfit.is_none());
    let jagged = scaling(&[curve("a", [100.0, 150.0, 400.0, 410.0])], &[]);
    let misfit = jagged[0].curves[0].misfit.unwrap();
    assert!(misfit.residual > 0.03, "{misfit:?}");
    // Three figures 0.1 % apart: so much is their mean off, whatever Student makes of three.
    assert!((misfit.noise / (0.001 / 3.0_f64.sqrt()) - 1.0).abs() < 0.01, "{misfit:?}");
}

fn lines_and_gain(ops_per_s: [f64; 4]) -> (String, Option<(usize, usize)>) {
    let curve = &scaling(&[curve("a", ops_per_s)], &[])[0].curves[0];
    (curve_lines(curve, ViewKind::Uncontended).join("\n"), gains_until(curve))
}

#[test]
fn parameters_of_the_law_are_told_where_it_fits_and_they_change_what_was_measured() {
    let (bent, _) = lines_and_gain([100.0, 196.0, 377.0, 700.0]);
    assert!(bent.contains("; contention 0.0") && !bent.contains("peak"), "{bent}");
    let (straight, _) = lines_and_gain([100.0, 199.99, 399.9, 799.2]);
    assert!(straight.contains("contention and coherency take less than 2 % each"), "{straight}");
    assert!(!straight.contains("peak at"), "{straight}");
    let (jagged, _) = lines_and_gain([100.0, 150.0, 400.0, 410.0]);
    assert!(jagged.contains("Law does not fit") && !jagged.contains("contention"), "{jagged}");
}

#[test]
fn gains_end_at_the_cores_where_more_are_no_more_than_error() {
    // 4 cores of 2 threads.
    let until = |ops_per_s| lines_and_gain(ops_per_s).1;
    assert_eq!(until([100.0, 200.0, 400.0, 404.0]), Some((4, 4)));
    assert_eq!(until([100.0, 200.0, 400.0, 790.0]), Some((8, 8)));
    assert_eq!(until([100.0, 200.0, 202.0, 201.0]), Some((2, 2)));
    // Nobody knows how far figures are off that were measured once: 36 threads of 32 cores are 32.
    let cpus: Vec<u32> = (0..64).collect();
    let counts = [1, 16, 31, 32, 33, 36, 48, 64];
    let figures: Vec<(usize, &[u32], f64)> = counts
        .iter()
        .map(|n| (*n, &cpus[..*n], 100.0 * (*n).min(32) as f64 * if *n > 33 { 1.03 } else { 1.0 }))
        .collect();
    let mut once = run(&figures);
    once.imported = once.imported.into_iter().skip(1).step_by(3).collect();
    once.header.machine.topology = Topology::with_siblings(64, |cpu| vec![cpu % 32, cpu % 32 + 32]);
    let all = scaling(&[group("a", vec![once])], &[]);
    assert_eq!(gains_until(&all[0].curves[0]), Some((32, 32)));
}

#[test]
fn a_workload_on_fewer_numbers_of_threads_than_are_wanted_makes_no_curve() {
    let short = || machine("a", &[(1, &[0], 100.0), (2, &[0, 1], 198.0)]);
    assert_eq!(scaling(&[short()], &[]).len(), 1);
    assert!(scaling_from(&[short()], &[], 3).is_empty());
    // One machine that has them suffices.
    let both = [short(), curve("b", [100.0, 198.0, 380.0, 475.0])];
    assert_eq!(scaling_from(&both, &[], 3)[0].crossovers.len(), 1);
}

fn against(baseline: Group, other: Group) -> Crossover {
    scaling(&[baseline, other], &[])[0].crossovers[0].crossover.clone()
}

#[test]
fn a_machine_is_always_or_never_ahead_or_overtakes() {
    let base = || curve("a", [100.0, 200.0, 400.0, 500.0]);
    let range = (1, 8);
    let always = against(base(), curve("b", [110.0, 220.0, 440.0, 900.0]));
    assert_eq!(always, Crossover::Always { range, is_certain: true });
    let never = against(base(), curve("b", [90.0, 180.0, 360.0, 450.0]));
    assert_eq!(never, Crossover::Never { range, is_certain: true });
    let Crossover::Once(once) = against(base(), curve("b", [80.0, 160.0, 320.0, 640.0])) else {
        panic!("not once");
    };
    assert_eq!((once.between, once.other_leads), ((4, 8), true));
    let (low, high) = (once.low.unwrap(), once.high.unwrap());
    assert!(4.0 < low && low < once.at && once.at < high && high < 8.0, "{once:?}");
    let several = against(base(), curve("b", [80.0, 210.0, 320.0, 640.0]));
    assert!(
        matches!(several, Crossover::Several { range: (1, 8), ref changes } if changes.len() == 3)
    );
}

#[test]
fn counts_that_only_one_has_are_read_off_the_others_curve() {
    let all: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let sparse = machine("b", &[(1, &all[..1], 80.0), (8, &all, 640.0)]);
    let Crossover::Once(once) = against(curve("a", [100.0, 200.0, 400.0, 500.0]), sparse) else {
        panic!("not once");
    };
    assert_eq!(once.between, (4, 8));
    let apart = machine("c", &[(16, &all, 640.0), (32, &all, 700.0)]);
    let nowhere = against(curve("a", [100.0, 200.0, 400.0, 500.0]), apart);
    assert!(matches!(nowhere, Crossover::Unknown { .. }), "{nowhere:?}");
}

#[test]
fn what_lies_within_chance_is_no_overtaking() {
    let base = || curve("a", [100.0, 200.0, 400.0, 500.0]);
    let undecided = |all: &[Scaling]| all[0].crossovers[0].undecided.clone();
    let even = scaling(&[base(), curve("b", [100.05, 199.9, 400.2, 499.7])], &[]);
    let Crossover::Unknown { reason } = &even[0].crossovers[0].crossover else {
        panic!("{:?}", even[0].crossovers);
    };
    assert_eq!(
        reason,
        "crossover undetermined: neither is ahead beyond its error from 1 to 8 threads"
    );
    assert!(!even[0].is_decided());
    let nearly = scaling(&[base(), curve("b", [100.05, 199.9, 440.0, 499.7])], &[]);
    let always = Crossover::Always { range: (1, 8), is_certain: false };
    assert_eq!(nearly[0].crossovers[0].crossover, always);
    assert_eq!(undecided(&nearly), [(1, 2), (8, 8)]);
    assert!(!nearly[0].is_decided());
    // Undecided at the start and where the order changes: the latter is the crossing's interval.
    let crosses = scaling(&[base(), curve("b", [80.0, 199.9, 400.2, 640.0])], &[]);
    let Crossover::Once(once) = crosses[0].crossovers[0].crossover else {
        panic!("{:?}", crosses[0].crossovers);
    };
    assert_eq!((once.between, once.other_leads), ((1, 8), true));
    assert!(once.low.unwrap() < 2.0 && once.high.unwrap() > 4.0, "{once:?}");
    assert!(undecided(&crosses).is_empty() && crosses[0].is_decided());
    let even_first = scaling(&[base(), curve("b", [100.05, 160.0, 320.0, 640.0])], &[]);
    assert_eq!(undecided(&even_first), [(1, 1)]);
    assert!(even_first[0].is_decided());
}

#[test]
fn figures_that_were_measured_once_are_ordered_as_they_look_without_an_error_bar() {
    let all: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let once = |label: &str, ops_per_s: [f64; 3]| {
        let figures: Vec<(usize, &[u32], f64)> =
            (0..3).map(|i| (1 << i, &all[..1 << i], ops_per_s[i])).collect();
        let mut run = run(&figures);
        run.imported = run.imported.into_iter().skip(1).step_by(3).collect();
        group(label, vec![run])
    };
    let crossing = |ops_per_s: [f64; 3]| {
        scaling(&[once("a", [100.0, 200.0, 300.0]), once("b", ops_per_s)], &[]).remove(0)
    };
    let never = crossing([99.0, 199.0, 299.0]);
    let expected = Crossover::Never { range: (1, 4), is_certain: false };
    assert_eq!(never.crossovers[0].crossover, expected);
    let several = crossing([99.0, 201.0, 299.0]);
    let is_twice =
        |it: &Crossover| matches!(it, Crossover::Several { changes, .. } if changes.len() == 2);
    assert!(is_twice(&several.crossovers[0].crossover), "{several:?}");
    for scaling in [never, several] {
        assert!(scaling.crossovers[0].undecided.is_empty());
        assert!(!scaling.crossovers[0].has_error_bars && !scaling.is_decided());
    }
}

#[test]
fn curves_of_other_work_are_not_compared_though_no_number_of_threads_is_in_both() {
    let other_work = |figures: &[(usize, &[u32], f64)]| {
        let mut run = run(figures);
        let definition = run.header.workloads.get_mut("a/x").unwrap();
        definition.parameters = serde_json::json!({ "level": 9 });
        run
    };
    let all: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let here = machine("a", &[(1, &all[..1], 100.0), (8, &all, 640.0)]);
    let there = [(2, &all[..2], 300.0), (4, &all[..4], 500.0)];
    let found = scaling(&[here.clone(), machine("b", &there)], &[]);
    assert!(matches!(found[0].crossovers[0].crossover, Crossover::Always { .. }), "{found:?}");
    let groups = [here, group("b", vec![other_work(&there)])];
    let Crossover::Unknown { reason } = &scaling(&groups, &[])[0].crossovers[0].crossover else {
        panic!("compared");
    };
    assert!(reason.contains("not comparable: definition: parameters"), "{reason}");
    let allowed = scaling(&groups, &[MustMatch::Definition]);
    assert!(matches!(allowed[0].crossovers[0].crossover, Crossover::Always { .. }));
    assert_eq!(allowed[0].crossovers[0].allowed.len(), 1);
    // Nor is a curve made of both in one group.
    let few = run(&[(1, &all[..1], 100.0), (8, &all, 640.0)]);
    let mixed = [group("c", vec![few, other_work(&there)])];
    let told = scaling(&mixed, &[]).remove(0);
    let curve = &told.curves[0];
    assert!(curve.refused.is_some() && curve.points.iter().all(|point| point.speed_up.is_none()));
    assert!(!told.is_decided());
    let allowed = scaling(&mixed, &[MustMatch::Definition]).remove(0);
    assert!(allowed.is_decided() && allowed.curves[0].usl.is_some());
}
