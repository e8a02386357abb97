//! Several runs that stand for the same thing.

use super::*;
use machine::IsaSwitch;

/// A run of these rows with so many ops a sample, give or take a little, on a host.
fn on_host(host: &str, rows: &[(&str, u64)]) -> Run {
    let samples: Vec<(&str, Vec<u64>)> =
        rows.iter().map(|(name, ops)| (*name, (0..20).map(|i| ops + i % 3).collect())).collect();
    let rows: Vec<(&str, &[u64])> = samples.iter().map(|(name, ops)| (*name, &ops[..])).collect();
    let mut run = run(&rows);
    run.header.host = Some(host.to_owned());
    run
}

const ROWS: [&str; 6] = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x"];

/// A run of six rows with so many ops a sample.
fn even(host: &str, ops: u64) -> Run {
    on_host(host, &ROWS.map(|name| (name, ops)))
}

#[test]
fn hosts_that_differ_widen_what_their_group_knows() {
    let runs = [even("h1", 100_000), even("h2", 102_000), even("h3", 104_000)];
    let all = group("m7g", &runs.iter().collect::<Vec<_>>());
    let view = all.rows[0].view.unwrap();
    assert!((view.interval.centre / 1.02e12 - 1.0).abs() < 1e-3, "{view:?}");
    // Student's t with two degrees of freedom times 2 % over √3.
    assert!((view.run_effect.margin - 4.303 * 0.0196 / 3_f64.sqrt()).abs() < 1e-3, "{view:?}");
    // All rows of a host move together: how they stand to each other is known all the same.
    assert!(view.own.margin() < 0.001, "{view:?}");
    let alone = group("m7g", &[&runs[0]]).rows[0].view.unwrap();
    assert!(alone.interval.margin() < 0.001, "{alone:?}");
}

#[test]
fn a_run_effect_is_of_the_rows_that_a_group_has_now() {
    let three = [100_000, 102_000, 104_000].map(|ops| on_host("h", &[("a/x", ops), ("b/x", ops)]));
    let one = on_host("h", &[("b/x", 110_000)]);
    let runs: Vec<&Run> = three.iter().chain([&one]).collect();
    let mut turned = group("m7g", &runs);
    let [of_a, of_b] = [0, 1].map(|row| group("m7g", &runs).run_effect(&[row]));
    assert_ne!(of_a, of_b);
    assert_eq!(turned.run_effect(&[0]), of_a);
    turned.set_rows(turned.rows.iter().rev().cloned().collect());
    assert_eq!(turned.run_effect(&[0]), of_b);
}

#[test]
fn runs_of_one_host_count_each_and_of_several_hosts_as_one() {
    let (one, two) = (even("h1", 100_000), even("h1", 110_000));
    let same = group("g", &[&one, &two]);
    assert!(same.notes().iter().any(|note| note.contains("all runs are from 1 host")));
    let spread = same.spreads()[0].apart;
    assert_eq!((spread.runs, spread.hosts, spread.between_hosts), (2, 1, None));
    assert!((spread.between_runs.unwrap() - 0.0674).abs() < 1e-3, "{spread:?}");

    let other = even("h2", 105_000);
    let both = group("g", &[&one, &two, &other]);
    assert!(!both.notes().iter().any(|note| note.contains("1 host")));
    let spread = both.spreads()[0].apart;
    assert_eq!((spread.runs, spread.hosts), (3, 2));
    // The first host's mean is the second's: what differs is runs.
    assert!(spread.between_hosts.unwrap() < 0.01, "{spread:?}");
    // A row by itself says the same here, where all rows move together.
    let row = compare(&one, &two, &[]).rows.remove(0);
    assert_eq!((row.baseline_apart, row.other_apart), (None, None));
    let row = crate::compare::Pairs::of(&same, &both, &[]).comparison().rows.remove(0);
    assert!((row.baseline_apart.unwrap().between_runs.unwrap() - 0.0674).abs() < 1e-3);
    assert_eq!(row.other_apart.unwrap().hosts, 2);
    let view = both.rows[0].view.unwrap();
    assert!((view.interval.centre / 1.05e12 - 1.0).abs() < 2e-3, "{view:?}");
}

#[test]
fn a_row_that_moves_by_itself_from_host_to_host_is_less_certain_than_the_others() {
    let host = |number: u64| {
        let mut rows = ROWS.map(|name| (name, 100_000 + number % 3 * 10));
        rows[2].1 = [80_000, 100_000, 120_000, 90_000][number as usize];
        on_host(&format!("h{number}"), &rows)
    };
    let runs: Vec<Run> = (0..4).map(host).collect();
    let all = group("g", &runs.iter().collect::<Vec<_>>());
    let margin = |row: usize| all.rows[row].view.unwrap().own.margin();
    assert!(margin(2) > 2.0 * margin(1), "{} {}", margin(2), margin(1));
}

#[test]
fn runs_of_a_group_that_are_not_alike_are_not_comparable() {
    let mut other_library = even("h2", 100_000);
    let libraries = &mut other_library.launches[0].ready.build.libraries;
    libraries.insert("zip".to_owned(), "2".to_owned());
    let mixed = group("mixed", &[&even("h1", 100_000), &other_library]);
    let baseline = group("base", &[&even("h9", 100_000)]);
    let comparison = crate::compare::Pairs::of(&baseline, &mixed, &[]).comparison();
    assert_eq!(comparison.rows[0].verdict, Verdict::NotComparable);
    assert_eq!(comparison.rows[0].differences[0].kind, MustMatch::Library);
    assert_ne!(comparison.rows[1].verdict, Verdict::NotComparable);
    let allowed = crate::compare::Pairs::of(&baseline, &mixed, &[MustMatch::Library]).comparison();
    assert!(allowed.rows[0].ratio.is_some() && !allowed.rows[0].differences.is_empty());
}

/// Runs of hosts that differ by 10 % from one to the next, with six rows each; the slowest has one more.
fn unbalanced() -> Vec<Run> {
    let rows = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "only/x"];
    let of_host = |(number, speed): (usize, u64)| {
        let samples = [speed; 20];
        let count = if number == 0 { rows.len() } else { rows.len() - 1 };
        let rows: Vec<(&str, &[u64])> =
            rows[..count].iter().map(|name| (*name, &samples[..])).collect();
        let mut run = run(&rows);
        run.header.host = Some(format!("h{number}"));
        run
    };
    [100_000, 110_000, 120_000].into_iter().enumerate().map(of_host).collect()
}

#[test]
fn a_row_that_one_host_has_is_as_uncertain_as_hosts_differ_and_not_slow_for_the_host() {
    let runs = unbalanced();
    let kind = group("kind", &runs.iter().collect::<Vec<_>>());
    let all = kind.rows[0].view.unwrap();
    let only = kind.rows[6].view.unwrap();
    // The host lies 9 % below the three of them.
    assert!((only.interval.centre / all.interval.centre - 1.0).abs() < 1e-3, "{only:?}");
    assert!(only.interval.margin() >= all.interval.margin() * 0.999, "{only:?} {all:?}");
    let run_effect = kind.run_effect(&(0..7).collect::<Vec<_>>());
    assert!(run_effect.margin >= all.run_effect.margin * 0.9, "{run_effect:?}");
}

#[test]
fn hosts_that_share_no_row_can_not_be_put_together() {
    let (mut left, mut right) = (even("h1", 100_000), even("h2", 100_000));
    for (run, name) in [(&mut left, "left/x"), (&mut right, "right/x")] {
        for case in &mut run.header.plan.cases {
            let name = format!("{}-{name}", case.workload.replace('/', "-"));
            let definition = run.header.workloads[&case.workload].clone();
            run.header.workloads.insert(name.clone(), definition);
            case.workload = name;
        }
    }
    let both = group("g", &[&left, &right]);
    assert!(both.rows.iter().all(|row| row.view.unwrap().interval.margin().is_infinite()));
    assert!(both.run_effect(&[0, 1]).margin.is_infinite());
    assert!(both.hosts_note().unwrap().contains("run --host NAME"));
}

#[test]
fn a_row_without_a_figure_says_of_what_there_are_too_few_samples() {
    let reason = |kind| Sheet::of(&run(&[("a/x", &[100])]), kind).rows[0].why_no_figure(kind);
    for (kind, name) in [
        (ViewKind::Uncontended, "uncontended"),
        (ViewKind::Delivered, "as delivered"),
        (ViewKind::PerGhz, "per GHz"),
    ] {
        let said = format!("too few of its 1 samples are usable ({name})");
        assert_eq!(reason(kind), said);
    }
}

#[test]
fn two_runs_of_one_host_are_not_taken_for_two_machines() {
    let [here, again, there] = [("h1", 100_000), ("h1", 90_000), ("h2", 90_000)]
        .map(|(host, ops)| group(host, &[&even(host, ops)]));
    let notes = |one: &Group, other: &Group| {
        crate::compare::Pairs::of(one, other, &[]).comparison().notes.join("; ")
    };
    assert!(notes(&here, &again).contains("were measured on one host"), "{}", notes(&here, &again));
    assert!(!notes(&here, &there).contains("same host"), "{}", notes(&here, &there));
}

#[test]
fn what_libraries_did_without_is_said_first_and_once() {
    let with = |isa: &[IsaSwitch]| {
        let mut run = even("h1", 100_000);
        run.header.plan.isa = isa.to_vec();
        run
    };
    let (whole, without) =
        (group("whole", &[&with(&[])]), group("less", &[&with(&[IsaSwitch::NoAes])]));
    let said = |note: &&String| note.contains("measured with --isa no-aes");
    for (one, other) in [(&whole, &without), (&without, &whole)] {
        let notes = crate::compare::Pairs::of(one, other, &[]).comparison().notes;
        assert!(said(&&notes[0]) && notes[0].starts_with("less: "), "{notes:?}");
        assert_eq!(notes.iter().filter(said).count(), 1, "{notes:?}");
        assert_eq!(crate::compare::pair_notes(one, other)[0], notes[0]);
    }
    assert!(said(&&without.notes()[0]), "{:?}", without.notes());
    // Where both did without it, it is no difference.
    assert!(!crate::compare::pair_notes(&without, &without).iter().any(|note| said(&note)));
}
