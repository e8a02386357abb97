use super::*;
use crate::compare::{Pairs, Sheet};
use estimate::ViewKind;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::fixture::run;
use std::f64::consts::TAU;

const MINUTE_NS: u64 = 60_000_000_000;

/// A group of one run on each of some hosts, whose rows are faster or slower by these factors, in logarithms.
fn hosts(label: &str, factors: &[f64]) -> Group {
    let of_host = |(number, factor): (usize, &f64)| {
        let ops = (1e8 * factor.exp()).round() as u64;
        let samples: Vec<u64> = (0..20).map(|sample| ops + sample % 3).collect();
        let mut run = run(&[("a/x", &samples), ("b/x", &samples)]);
        run.header.host = Some(format!("{label}-{number}"));
        run.spent_ns = 6 * MINUTE_NS;
        Sheet::of(&run, ViewKind::Uncontended)
    };
    let runs = factors.iter().enumerate().map(of_host).collect();
    Group::of(label.to_owned(), ViewKind::Uncontended, runs).unwrap()
}

/// Four hosts whose sample standard deviation is this, around a centre.
fn four(label: &str, centre: f64, deviation: f64) -> Group {
    let part = deviation * (3.0_f64 / 4.0).sqrt();
    hosts(label, &[centre - part, centre + part, centre - part, centre + part])
}

fn enough(baseline: &Group, other: &Group) -> Option<HostsToDecide> {
    Pairs::of(baseline, other, &[]).comparison().common.remove(0).enough
}

fn more(baseline: &Group, other: &Group) -> MoreHosts {
    match enough(baseline, other) {
        Some(HostsToDecide::Hosts(more)) => more,
        found => panic!("{found:?}"),
    }
}

/// Normal values by Box and Muller's method.
fn normal(random: &mut ChaCha8Rng, centre: f64, deviation: f64) -> f64 {
    let (radius, angle) = (random.random::<f64>(), random.random::<f64>());
    centre + deviation * (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * angle).cos()
}

#[test]
fn as_many_hosts_as_were_told_give_the_margin_that_was_told() {
    const SIMULATIONS: usize = 120;
    let (deviation, ratio) = (0.03, 0.035);
    let told = more(&four("a", 0.0, deviation), &four("b", ratio, deviation));
    // t(0.975, 2n - 2) × 0.03 × √(2 / n) is 0.0386 for 6 hosts each, 0.0349 for 7.
    assert_eq!((told.hosts_each, told.baseline_more, told.other_more), (7, 3, 3));
    let mut random = ChaCha8Rng::seed_from_u64(26);
    let mut simulate = |label: &str, centre: f64| {
        let values: Vec<f64> =
            (0..told.hosts_each).map(|_| normal(&mut random, centre, deviation)).collect();
        hosts(label, &values)
    };
    let (mut squares, mut settled) = (0.0, 0);
    for _ in 0..SIMULATIONS {
        let common = Pairs::of(&simulate("a", 0.0), &simulate("b", ratio), &[])
            .comparison()
            .common
            .remove(0);
        squares += common.ratio.margin().powi(2);
        settled += usize::from(common.enough == Some(HostsToDecide::Settled));
    }
    let seen = (squares / SIMULATIONS as f64).sqrt();
    assert!((seen / told.margin - 1.0).abs() < 0.07, "{seen} and {}", told.margin);
    // An estimate that repeats exactly would settle it; around it, every other one does.
    let share = settled as f64 / SIMULATIONS as f64;
    assert!((0.4..0.75).contains(&share), "{share}");
}

#[test]
fn what_is_settled_or_the_same_needs_no_more_hosts() {
    assert_eq!(enough(&four("a", 0.0, 0.01), &four("b", 0.1, 0.01)), Some(HostsToDecide::Settled));
    assert_eq!(enough(&four("a", 0.0, 0.001), &four("b", 0.0, 0.001)), Some(HostsToDecide::Same));
}

#[test]
fn no_number_of_hosts_shows_more_than_sameness_of_what_is_the_same() {
    let Some(HostsToDecide::SameWithHosts(more)) =
        enough(&four("a", 0.0, 0.02), &four("b", 0.001, 0.02))
    else {
        panic!("hosts would show that these are the same");
    };
    assert!(more.margin < EQUIVALENT.ln_1p() - 0.001 && more.hosts_each > 20, "{more:?}");
    assert_eq!(enough(&four("a", 0.0, 0.5), &four("b", 0.02, 0.5)), Some(HostsToDecide::TooMany));
}

#[test]
fn of_one_host_each_it_is_unknown_how_hosts_differ() {
    let (one, several) = (hosts("one", &[0.0]), four("several", 0.02, 0.02));
    let labels = vec!["one".to_owned()];
    assert_eq!(enough(&one, &several), Some(HostsToDecide::OneHost { labels: labels.clone() }));
    assert_eq!(enough(&several, &one), Some(HostsToDecide::OneHost { labels }));
    assert_eq!(enough(&one, &hosts("other", &[0.1])), None);
}

#[test]
fn the_type_that_has_fewer_hosts_gets_more() {
    let told = more(&hosts("a", &[-0.02, 0.02]), &four("b", 0.03, 0.02));
    assert_eq!(told.hosts_each - 2, told.baseline_more);
    assert_eq!(told.hosts_each.saturating_sub(4), told.other_more);
    assert!(told.baseline_more > told.other_more, "{told:?}");
}

#[test]
fn longer_runs_help_only_with_what_a_run_does_not_know_of_itself() {
    // Hosts differ and runs know themselves well.
    assert_eq!(more(&four("a", 0.0, 0.03), &four("b", 0.03, 0.03)).minutes_each, None);
    let side = HostSample {
        hosts: 4,
        now: RunEffect { margin: 0.02, freedom: 3.0 },
        within: 1.0,
        minutes: Some(6.0),
    };
    let now = side.now.and(&side.now).margin;
    let minutes = minutes(&side, &side, now / 2.0).unwrap();
    // A quarter of the variance.
    assert!((minutes / 24.0 - 1.0).abs() < 0.002, "{minutes}");
}

fn a_side() -> impl Strategy<Value = HostSample> {
    (2..12_usize, 1e-4..0.3_f64, 0.0..=1.0_f64).prop_map(|(hosts, margin, within)| HostSample {
        hosts,
        now: RunEffect { margin, freedom: hosts as f64 - 1.0 },
        within,
        minutes: Some(5.0),
    })
}

proptest! {
    #[test]
    fn more_hosts_of_both_never_widen(one in a_side(), other in a_side(), hosts in 2..60_usize) {
        let both = one.hosts.max(other.hosts).max(hosts);
        let margin = |hosts: usize| one.on(hosts).and(&other.on(hosts)).margin;
        prop_assert!(margin(both + 1) <= margin(both) * 1.000_001);
        prop_assert!(one.on(hosts + 1).margin <= one.on(hosts).margin);
    }

    #[test]
    fn longer_runs_never_widen(one in a_side(), other in a_side(), times in 1.0..50.0_f64) {
        let margin = |times: f64| one.longer(times).and(&other.longer(times)).margin;
        prop_assert!(one.longer(times * 1.5).margin <= one.longer(times).margin);
        prop_assert!(margin(1.0) <= one.now.and(&other.now).margin * 1.000_001);
    }

    #[test]
    fn as_many_hosts_as_there_are_give_the_margin_that_there_is(one in a_side(), other in a_side()) {
        let now = one.now.and(&other.now).margin;
        let fewest = one.hosts.min(other.hosts);
        prop_assert!((one.on(fewest).and(&other.on(fewest)).margin / now - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_told_is_the_least_that_does(one in a_side(), other in a_side(), allowed in 0.001..0.2_f64) {
        if let Some(told) = MoreHosts::of(&one, &other, allowed) {
            prop_assert!(told.margin < allowed);
            let fewer = told.hosts_each - 1;
            if fewer > one.hosts.min(other.hosts) {
                prop_assert!(one.on(fewer).and(&other.on(fewer)).margin >= allowed);
            }
        }
    }
}
