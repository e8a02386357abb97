mod changed;

use super::table::EXAMPLES;
use super::*;
use crate::compare::{Sheet, Group, Power, PowerSource, Weightings, compare, score};
use estimate::ViewKind;
use jiff::civil::date;
use record::{Imported, Origin, ThreadSpec, fixture};
use stats::Interval;

fn even(ratio: f64) -> Interval {
    Interval::around(ratio, 0.02, 9.0)
}

#[test]
fn the_backup_studys_ratios_are_turned_by_its_prices() {
    // m6i.xlarge at $0.192 is the baseline, m6g.xlarge at $0.154 the other.
    let turned = [1.5, 3.0, 3.5, 7.0, 0.9, 0.4].map(|ratio| {
        let adjusted = Stand::of(even(ratio), 0.192, 0.154).price_adjusted.centre;
        (adjusted * 100.0).round() / 100.0
    });
    assert_eq!(turned, [1.87, 3.74, 4.36, 8.73, 1.12, 0.5]);
}

#[test]
fn the_price_at_which_both_are_even_is_the_baselines_times_the_ratio() {
    let stand = Stand::of(even(1.5), 2.0, 2.5);
    assert!((stand.break_even_per_hour.centre - 3.0).abs() < 1e-12);
    let at_that = Stand::of(even(1.5), 2.0, 3.0);
    assert!((at_that.price_adjusted.centre - 1.0).abs() < 1e-12);
    // As certain as the ratio.
    assert!((stand.price_adjusted.margin() - 0.02).abs() < 1e-9);
    assert!((stand.break_even_per_hour.margin() - 0.02).abs() < 1e-9);
}

fn read_file(name: &str, text: &str) -> Result<Vec<Price>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let shown = |e: PriceError| e.to_string().replace(&folder.path().display().to_string(), "");
    read(&path).map_err(shown)
}

#[test]
fn a_price_file_is_toml_or_csv() {
    let toml = "[[price]]\nlabel = \"m7g\"\nper_hour = 2.464\ncurrency = \"USD\"\ndate = \"2026-11-01\"\nwatts = 115\n";
    let csv = "label,per_hour,currency,date,watts\nm7g, 2.464, USD, 2026-11-01, 115\n";
    let prices = read_file("p.toml", toml).unwrap();
    assert_eq!(prices, read_file("p.csv", csv).unwrap());
    assert_eq!((prices[0].per_hour, prices[0].watts), (2.464, Some(115.0)));
    assert_eq!(prices[0].date, Some(date(2026, 11, 1)));
}

#[test]
fn what_is_no_price_is_refused_with_its_line() {
    for (name, text, says) in [
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = 0\n", "line 1: a price of 0 per hour"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = nan\n", "a price of NaN per hour"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nper_hour = 1\nwatts = -3\n", "-3 W is out of range"),
        ("p.toml", "[[price]]\nlabel = \"a\"\nprice = 1\n", "unknown field `price`"),
        ("p.csv", "label,per_hour\na,1\na,2\n", "\"a\" has two prices"),
        ("p.csv", "label,per_hour\n ,1\n", "line 2: no label"),
    ] {
        let said = read_file(name, text).unwrap_err();
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn what_is_wrong_in_a_csv_file_is_told_by_line_and_column_in_plain_words() {
    for (text, says) in [
        ("label,per_hour\na,1\nb,x\n", "line 3: per_hour is \"x\". Use a number, e.g. 2.464"),
        ("label,per_hour\n\n\nb,1 $\n", "line 4: per_hour is \"1 $\". Use a number, e.g. 2.464"),
        ("label,per_hour\r\n\"a\nb\",1\r\n\r\nc,x", "line 5: per_hour is \"x\""),
        ("\u{feff}label,per_hour\nb,\n", "line 2: per_hour is \"\". Use a number, e.g. 2.464"),
        ("label,per_hour,watts\nb,1,x\n", "line 2: watts is \"x\". Use a number, e.g. 2.464"),
        (
            "label,per_hour,date\nb,1,1.11.2026\n",
            "line 2: date is \"1.11.2026\". Use YYYY-MM-DD, e.g. 2026-11-01",
        ),
        (
            "label,per_hour\na,1\nb,2,5\n",
            "line 3: 3 fields, but the header has 2. Quote fields that contain commas",
        ),
        ("label,per_hour\nb\n", "line 2: 1 field, but the header has 2."),
        (
            "label;per_hour\nb;1\n",
            "line 1: unknown column \"label;per_hour\". Columns are label, per_hour, currency, region, \
             date, commitment, watts, vcpus, cores, memory_gib, source, separated by commas",
        ),
        ("label,label,per_hour\na,b,1\n", "line 1: the column label appears twice"),
        ("\nlabel,watts\na,1\n", "line 2: the column per_hour is missing"),
        ("per_hour\n1\n", "line 1: the column label is missing"),
    ] {
        let said = read_file("p.csv", text).unwrap_err();
        assert!(said.starts_with(&format!("/p.csv: {says}")), "{said}");
    }
}

#[test]
fn a_price_file_with_nothing_in_it_is_said_to_be_empty() {
    for name in ["p.csv", "p.toml", "p"] {
        for text in ["", "\n \r\n", "\u{feff}\n"] {
            let said = read_file(name, text).unwrap_err();
            assert_eq!(said, format!("/{name}: is empty. {EXAMPLES}"), "{text:?}");
        }
    }
}

#[test]
fn a_price_on_the_command_line_may_name_its_currency() {
    let price = |text: &str| text.parse::<PriceArg>().map(|arg| arg.0);
    let euro = price("a=b=2.5EUR").unwrap();
    assert_eq!((euro.label.as_str(), euro.per_hour, euro.unit()), ("a=b", 2.5, "EUR"));
    assert_eq!(price("m7g=2").unwrap().currency, None);
    for wrong in ["m7g", "m7g=", "m7g=x", "m7g=-1", "m7g=0", "m7g=inf", "=3", "m7g=1e999"] {
        assert!(price(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn an_hour_of_a_cpu_is_the_price_shared() {
    let prices = [(2.464, 64), (3.06, 72), (4.08, 96), (3.696, 96)];
    let per_cpu = prices.map(|(per_hour, cpus)| {
        let price = format!("m={per_hour}").parse::<PriceArg>().unwrap().0;
        format!("{:.4}", price.per_cpu(cpus))
    });
    assert_eq!(per_cpu, ["0.0385", "0.0425", "0.0425", "0.0385"]);
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
    let against = |place: usize| {
        let pair = (&groups[0], &groups[place]);
        let comparison = compare(pair.0, pair.1, &[]);
        energy(pair, &comparison, (Some(servers[0].2), Some(servers[place].2))).remove(0)
    };
    let (second, third) = (against(1), against(2));
    let centre = |of: Option<Interval>| (of.unwrap().centre * 100.0).round() / 100.0;
    assert_eq!(second.baseline.as_ref().map(|of| of.source.clone()), Some(PowerSource::Rated));
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
    let comparison = compare(&base, &other, &[]);
    let mixed = energy((&base, &other), &comparison, (Some(50.0), Some(60.0))).remove(0);
    assert_eq!((mixed.ratio, mixed.other.is_some()), (None, true));
    assert_eq!(
        mixed.reason.as_deref(),
        Some("watts are not comparable: rated and measured by wall")
    );
    let mut row = comparison.clone();
    row.rows[0].threads = ThreadSpec::Count(1);
    assert_eq!(energy((&base, &base), &row, (Some(50.0), Some(60.0))), []);
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
    let of = |base: &Group, other: &Group| {
        let comparison = compare(base, other, &[]);
        energy((base, other), &comparison, (None, None)).remove(0)
    };
    let found = of(&base, &other);
    let source = found.baseline.as_ref().map(|of| of.source.to_string());
    assert_eq!(source.as_deref(), Some("measured by package"));
    assert!((found.ratio.unwrap().centre - 2.0).abs() < 1e-9, "{found:?}");
    other.runs[0].rows[0].powers = read(&[("battery", 5.0)]);
    assert_eq!(of(&base, &other).ratio, None);
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
        let comparison = compare(&base, &base, &[]);
        let row = energy((&base, &base), &comparison, (None, None)).remove(0);
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
    let comparison = compare(&base, &other, &[]);
    let score = score(&other, &base, &[], None, &Weightings::of(1));
    let price =
        |text: &str| Price { date: Some(date(2026, 11, 1)), ..text.parse::<PriceArg>().unwrap().0 };
    let of = |one: &Price, two: &Price| {
        cost((&base, &other), &comparison, &score, (one, two), date(2026, 11, 22))
    };
    let (one, two) = (price("a=2USD"), price("b=2.5USD"));
    let fine = of(&one, &two).unwrap();
    assert_eq!(fine.notes, Vec::<String>::new());
    let overall = fine.overall().next().unwrap();
    assert!((overall.stand.break_even_per_hour.centre - 3.0).abs() < 0.01, "{overall:?}");
    assert!((fine.rows[0].baseline_per_unit.centre - 180_000.0).abs() < 100.0);
    let spot = Price { commitment: Some(SPOT.to_owned()), ..price("b=2EUR") };
    assert_eq!(
        of(&one, &spot).unwrap_err(),
        "a is priced in USD, b (spot) in EUR. Use one currency: leave one out, or convert it in a price file"
    );
    let told = |two: Price| of(&one, &two).unwrap().notes.join("; ");
    assert!(told(Price { date: None, ..two.clone() }).contains("b: the price has no date"));
    let old = told(Price { date: Some(date(2024, 11, 1)), ..two.clone() });
    assert!(old.contains("751 days old") && old.contains("different dates"), "{old}");
    let place = told(Price { region: Some("eu".to_owned()), ..two.clone() });
    assert!(place.contains("different regions: unknown and eu"), "{place}");
    let terms = told(Price { commitment: Some("3 years".to_owned()), ..two });
    assert!(terms.contains("different commitments"), "{terms}");
}

#[test]
fn one_group_alone_has_ops_for_its_price_and_per_watt_and_no_ratio() {
    let group = server("a", 1_000.0);
    let price = "a=2USD".parse::<PriceArg>().unwrap().0;
    let of = alone(&group, Some(&price), Some(50.0), date(2026, 11, 22)).unwrap();
    let energy = of.rows[0].energy.as_ref().unwrap();
    assert!((energy.per_s_per_watt.centre - 20.0).abs() < 0.01, "{energy:?}");
    assert!((energy.watts.centre - 50.0).abs() < 1e-9);
    assert!((of.rows[0].per_unit.unwrap().centre - 1_800_000.0).abs() < 1_000.0);
    assert_eq!(of.notes, ["a: the price has no date"]);
    let unpriced = alone(&group, None, None, date(2026, 11, 22)).unwrap();
    assert_eq!((unpriced.rows[0].per_unit, unpriced.rows[0].energy.is_none()), (None, true));
    let mut per_ghz = group;
    per_ghz.view = ViewKind::PerGhz;
    assert!(alone(&per_ghz, None, Some(50.0), date(2026, 11, 22)).is_err());
}
