use super::*;
use crate::compare::{Figures, Group};
use crate::estimate::ViewKind;
use crate::machine::Topology;
use crate::record::{Case, Imported, Origin, ThreadSpec, samples};

/// A machine of two sockets of two cores of two threads each, with these ops/s on so many threads and CPUs.
fn machine(label: &str, figures: &[(usize, &[u32], f64)]) -> Group {
    let mut run = samples::run(&[("a/x", &[])]);
    let (tool, sources, lacks) = ("a test".to_owned(), Vec::new(), Vec::new());
    run.header.origin = Some(Origin { tool, sources, lacks });
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
            let ops_per_s = ops_per_s * factor;
            run.imported.push(Imported { case: number, ops_per_s, bytes_per_op: None });
        }
    }
    let figures = Figures::of(&run, ViewKind::OwnCore);
    Group::of(label.to_owned(), ViewKind::OwnCore, vec![figures]).unwrap()
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
