use super::*;
use crate::compare::{Group, Pairs, Power, PowerSource, Sheet, Weightings};
use catalog::{Price, PriceArg, SPOT};
use estimate::ViewKind;
use jiff::civil::date;
use record::{Imported, Origin, ThreadSpec, fixture};
use stats::Interval;

fn even(ratio: f64) -> Interval {
    Interval::around(ratio, 0.02, 9.0)
}

fn at(per_hour: f64) -> Price {
    Price { per_hour, ..Price::default() }
}

#[test]
fn the_backup_studys_ratios_are_turned_by_its_prices() {
    // m6i.xlarge at $0.192 is the baseline, m6g.xlarge at $0.154 the other.
    let turned = [1.5, 3.0, 3.5, 7.0, 0.9, 0.4].map(|ratio| {
        let adjusted =
            PriceAdjusted::of(even(ratio), 1.0, &at(0.192), &at(0.154)).price_adjusted.centre;
        (adjusted * 100.0).round() / 100.0
    });
    assert_eq!(turned, [1.87, 3.74, 4.36, 8.73, 1.12, 0.5]);
}

#[test]
fn a_thread_costs_the_part_of_its_machine_that_it_takes() {
    // One thread of a machine of 16 CPUs at 0.05 against one of 64 CPUs at 2.312.
    let adjusted = PriceAdjusted::of(even(1.23), 4.0, &at(2.312), &at(0.05));
    let per_cpu = 1.23 * (2.312 / 64.0) / (0.05 / 16.0);
    assert!((adjusted.price_adjusted.centre - per_cpu).abs() < 1e-9, "{adjusted:?}");
    let even_price = adjusted.break_even_per_hour.centre;
    let at_that = PriceAdjusted::of(even(1.23), 4.0, &at(2.312), &at(even_price));
    assert!((at_that.price_adjusted.centre - 1.0).abs() < 1e-12);
}

#[test]
fn the_price_at_which_both_are_even_is_the_baselines_times_the_ratio() {
    let stand = PriceAdjusted::of(even(1.5), 1.0, &at(2.0), &at(2.5));
    assert!((stand.break_even_per_hour.centre - 3.0).abs() < 1e-12);
    let at_that = PriceAdjusted::of(even(1.5), 1.0, &at(2.0), &at(3.0));
    assert!((at_that.price_adjusted.centre - 1.0).abs() < 1e-12);
    // As certain as the ratio.
    assert!((stand.price_adjusted.margin() - 0.02).abs() < 1e-9);
    assert!((stand.break_even_per_hour.margin() - 0.02).abs() < 1e-9);
}

/// A machine that serves so many requests a second on all threads.
fn server(label: &str, per_s: f64) -> Group {
    let mut run = fixture::run(&[("https/nginx", &[])]);
    run.header.plan.cases[0].thread_spec = ThreadSpec::All;
    let (tool, sources, lacks) = ("a study".to_owned(), Vec::new(), Vec::new());
    run.header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
    run.launches.clear();
    let figure = |factor: f64| Imported { case: 0, per_s: per_s * factor, bytes_per_op: None };
    run.imported = [0.99, 1.0, 1.01].map(figure).to_vec();
    let figures = Sheet::of(&run, ViewKind::Uncontended);
    Group::of(label.to_owned(), ViewKind::Uncontended, vec![figures]).unwrap()
}

#[test]
fn the_cdn_studys_requests_per_watt_rank_as_it_prints_them() {
    // Requests/s that the rated watts turn into what the study prints.
    let servers = [("centriq", 214.0, 89.0), ("skylake", 99.0, 230.0), ("broadwell", 77.0, 160.0)];
    let groups = servers.map(|(label, per_watt, watts)| server(label, per_watt * watts));
    let against = |index: usize| {
        let pair = (&groups[0], &groups[index]);
        let comparison = Pairs::of(pair.0, pair.1, &[]).comparison();
        energy(
            &Pairs::of(pair.0, pair.1, &[]),
            &comparison,
            (Some(servers[0].2), Some(servers[index].2)),
        )
        .remove(0)
    };
    let (second, third) = (against(1), against(2));
    let centre = |ratio: Option<Interval>| (ratio.unwrap().centre * 100.0).round() / 100.0;
    assert_eq!(
        second.baseline.as_ref().map(|per_watt| per_watt.source.clone()),
        Some(PowerSource::Rated)
    );
    assert!((second.baseline.unwrap().per_s_per_watt.centre - 214.0).abs() < 0.1);
    assert_eq!((centre(second.ratio), centre(third.ratio)), (0.46, 0.36));
}

#[test]
fn rated_watts_are_not_held_against_measured_ones_nor_used_for_a_part_of_a_machine() {
    let (base, mut other) = (server("a", 100.0), server("b", 100.0));
    let power = Power {
        watts: Interval::around(50.0, 0.01, 5.0),
        idle: None,
        source: PowerSource::Measured("wall".to_owned()),
    };
    other.runs[0].rows[0].powers = vec![power];
    let comparison = Pairs::of(&base, &other, &[]).comparison();
    let mixed =
        energy(&Pairs::of(&base, &other, &[]), &comparison, (Some(50.0), Some(60.0))).remove(0);
    assert_eq!((mixed.ratio, mixed.other.is_some()), (None, true));
    assert_eq!(
        mixed.reason.as_deref(),
        Some("watts are not comparable: rated and measured by wall")
    );
    let mut row = comparison.clone();
    row.rows[0].threads = ThreadSpec::Count(1);
    assert_eq!(energy(&Pairs::of(&base, &base, &[]), &row, (Some(50.0), Some(60.0))), []);
}

#[test]
fn of_several_meters_the_first_counts_that_both_were_read_from() {
    let read = |meters: &[(&str, f64)]| -> Vec<Power> {
        let power = |(meter, watts): &(&str, f64)| Power {
            watts: Interval::around(*watts, 0.01, 5.0),
            idle: None,
            source: PowerSource::Measured((*meter).to_owned()),
        };
        meters.iter().map(power).collect()
    };
    let (mut base, mut other) = (server("a", 100.0), server("b", 100.0));
    base.runs[0].rows[0].powers = read(&[("wall", 50.0), ("package", 20.0), ("cores", 10.0)]);
    other.runs[0].rows[0].powers = read(&[("cores", 5.0), ("package", 10.0)]);
    let row = |base: &Group, other: &Group| {
        let comparison = Pairs::of(base, other, &[]).comparison();
        energy(&Pairs::of(base, other, &[]), &comparison, (None, None)).remove(0)
    };
    let found = row(&base, &other);
    let source = found.baseline.as_ref().map(|per_watt| per_watt.source.to_string());
    assert_eq!(source.as_deref(), Some("measured by package"));
    assert!((found.ratio.unwrap().centre - 2.0).abs() < 1e-9, "{found:?}");
    other.runs[0].rows[0].powers = read(&[("battery", 5.0)]);
    assert_eq!(row(&base, &other).ratio, None);
}

#[test]
fn work_per_watt_above_idle_is_told_where_idle_and_busy_can_be_told_apart() {
    let net = |idle: Option<f64>| {
        let mut base = server("a", 100.0);
        base.runs[0].rows[0].powers = vec![Power {
            watts: Interval::around(50.0, 0.03, 5.0),
            idle: idle.map(|watts| Interval::around(watts, 0.04, 9.0)),
            source: PowerSource::Measured("wall".to_owned()),
        }];
        let comparison = Pairs::of(&base, &base, &[]).comparison();
        let row = energy(&Pairs::of(&base, &base, &[]), &comparison, (None, None)).remove(0);
        row.other.and_then(|other| other.net_per_s_per_watt)
    };
    // 50 ± 1.5 W less 40 ± 1.6 W: 10 ± 2.2 W.
    let found = net(Some(40.0)).expect("net watts");
    assert!(
        (found.centre - 10.0).abs() < 0.1 && (found.margin() - 0.219).abs() < 0.01,
        "{found:?}"
    );
    assert_eq!((net(Some(48.5)), net(Some(60.0)), net(None)), (None, None, None));
}

#[test]
fn prices_of_other_times_places_and_terms_are_told_and_of_other_currencies_refused() {
    let (base, other) = (server("a", 100.0), server("b", 150.0));
    let pairs = Pairs::of(&base, &other, &[]);
    let (comparison, score) = (pairs.comparison(), pairs.score(None, &Weightings::of(1)));
    let price =
        |text: &str| Price { date: Some(date(2026, 11, 1)), ..text.parse::<PriceArg>().unwrap().0 };
    let costs = |one: &Price, two: &Price| {
        cost(&pairs, &comparison, &score, (one, two), date(2026, 11, 22))
    };
    let (one, two) = (price("a=2USD"), price("b=2.5USD"));
    let fine = costs(&one, &two).unwrap();
    assert_eq!(fine.notes, Vec::<String>::new());
    let overall = fine.overall().next().unwrap();
    assert!((overall.adjusted.break_even_per_hour.centre - 3.0).abs() < 0.01, "{overall:?}");
    assert!((fine.rows[0].baseline_per_currency_unit.centre - 180_000.0).abs() < 100.0);
    let spot = Price { commitment: Some(SPOT.to_owned()), ..price("b=2EUR") };
    assert_eq!(
        costs(&one, &spot).unwrap_err(),
        "a is priced in USD, b (spot) in EUR. Use one currency: leave one out, or convert it in a price file"
    );
    let told = |two: Price| costs(&one, &two).unwrap().notes.join("; ");
    assert!(told(Price { date: None, ..two.clone() }).contains("b: the price has no date"));
    let old = told(Price { date: Some(date(2024, 11, 1)), ..two.clone() });
    assert!(old.contains("751 days old") && old.contains("different dates"), "{old}");
    let region = told(Price { region: Some("eu".to_owned()), ..two.clone() });
    assert!(region.contains("different regions: unknown and eu"), "{region}");
    let terms = told(Price { commitment: Some("3 years".to_owned()), ..two });
    assert!(terms.contains("different commitments"), "{terms}");
}

#[test]
fn one_group_alone_has_ops_for_its_price_and_per_watt_and_no_ratio() {
    let group = server("a", 1_000.0);
    let price = "a=2USD".parse::<PriceArg>().unwrap().0;
    let found = alone(&group, Some(&price), Some(50.0), date(2026, 11, 22)).unwrap();
    let energy = found.rows[0].energy.as_ref().unwrap();
    assert!((energy.per_s_per_watt.centre - 20.0).abs() < 0.01, "{energy:?}");
    assert!((energy.watts.centre - 50.0).abs() < 1e-9);
    assert!((found.rows[0].per_currency_unit.unwrap().centre - 1_800_000.0).abs() < 1_000.0);
    assert_eq!(found.notes, ["a: the price has no date"]);
    let unpriced = alone(&group, None, None, date(2026, 11, 22)).unwrap();
    assert_eq!(
        (unpriced.rows[0].per_currency_unit, unpriced.rows[0].energy.is_none()),
        (None, true)
    );
    let mut per_ghz = group;
    per_ghz.view = ViewKind::PerGhz;
    assert!(alone(&per_ghz, None, Some(50.0), date(2026, 11, 22)).is_err());
}

#[test]
fn work_per_watt_is_scored_by_the_weights_of_the_score() {
    let group = |label: &str, factors: [f64; 3]| {
        let rates = factors.map(|factor| [990.0, 1000.0, 1010.0].map(|per_s| per_s * factor));
        let names = ["sm4-16B/x", "sm4-8KiB/x", "gzip-1/z"];
        let rows: Vec<(&str, ThreadSpec, usize, &[f64])> = (names.iter().zip(&rates))
            .map(|(name, rates)| (*name, ThreadSpec::All, 4, &rates[..]))
            .collect();
        let run = fixture::imported(label, &catalog::Unit::Ops, &rows);
        let sheet = Sheet::of(&run, ViewKind::Uncontended);
        Group::of(label.to_owned(), ViewKind::Uncontended, vec![sheet]).unwrap()
    };
    let (base, other) = (group("a", [1.0; 3]), group("b", [4.0, 4.0, 1.0]));
    let pairs = Pairs::of(&base, &other, &[]);
    let rows = energy(&pairs, &pairs.comparison(), (Some(100.0), Some(50.0)));
    let scored = energy_scores(&pairs, &rows, None);
    let score = scored.iter().find(|score| score.category == catalog::OVERALL).unwrap();
    assert_eq!((score.rows, score.sources.as_str()), (3, "rated"));
    // Both sizes of sm4 are one operation: √4 × √1 times the work, for half the watts. All rows alike would be 4^⅔ × 2.
    assert!((score.score.centre - 4.0).abs() < 1e-9, "{score:?}");
    let lines = pairs.score(None, &Weightings::of(3)).lines;
    let work = lines.iter().find(|line| line.category == catalog::OVERALL).unwrap().score.unwrap();
    assert!((score.score.margin() - work.margin()).abs() < 1e-12);
    // Without the watts of a row, the others are scored.
    let fewer = energy_scores(&pairs, &rows[..2], None);
    assert!((fewer[0].score.centre - 8.0).abs() < 1e-9, "{fewer:?}");
}
