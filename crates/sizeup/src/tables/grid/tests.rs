use super::*;
use crate::briefing::Screen;
use catalog::Unit;
use judge::units::figure;
use record::Note;
use record::fixture::{imported, run};

/// All samples are equal but one: without any spread nothing would count as measured.
fn about(ops: u64) -> [u64; 20] {
    let mut all = [ops; 20];
    all[7] += 1;
    all
}

const PLAIN: Extent = Extent { all: false, details: false };
const DETAILS: Extent = Extent { all: false, details: true };

fn text(views: &[ShowView], view: Option<ViewKind>, extent: Extent) -> String {
    let screen = Screen { verbose: true, ..Screen::of_width(200) };
    grid_briefing(views, view, extent).text(&screen, extent)
}

/// The cells of the table's lines.
fn table(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().skip(2).take_while(|line| !line.is_empty());
    let cells = lines.map(|line| {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    });
    cells.collect()
}

#[test]
fn machines_stand_side_by_side_and_what_is_missing_is_said_below() {
    let view = |label: &str, rows: &[(&str, &[u64])]| {
        let mut run = run(rows);
        run.header.label = label.to_owned();
        ShowView::of(&run)
    };
    let views = [
        view("left", &[("a/x", &about(100)), ("b/x", &about(100))]),
        view("right", &[("a/x", &about(200)), ("c/x", &[100; 2])]),
    ];
    let plain = text(&views, None, PLAIN);
    let rows = table(&plain);
    assert_eq!(rows[0], ["workload", "left 1", "right 1"]);
    assert_eq!(rows[1], ["a/x", "9.31 GiB/s", "18.6 GiB/s"]);
    assert_eq!(rows[2], ["b/x", "9.31 GiB/s"]);
    assert_eq!(rows[3], ["c/x", "–"]);
    assert!(
        plain.contains("\n! right 1: c/x: too few samples for an interval (uncontended)\n"),
        "{plain}"
    );
    let rows = table(&text(&views, None, DETAILS));
    assert_eq!(rows[0], ["workload", "left 1", "±", "GHz", "right 1", "±", "GHz"]);
    assert_eq!(rows[1][1..4], ["9.31 GiB/s", "±0.4 %", "3.00"]);
}

#[test]
fn what_must_be_known_of_rows_is_said_once_with_the_rows() {
    let mut run = run(&[("a/x", &[100; 20]), ("b/x", &[100; 20]), ("c/x", &[100; 20])]);
    run.header.label = "left".to_owned();
    for workload in ["a/x", "c/x"] {
        run.header.workloads.get_mut(workload).unwrap().starts_threads = true;
    }
    run.launches[1].ready.fixed_rate_per_s = Some(500);
    run.notes.push(Note::Changed);
    let text = text(&[ShowView::of(&run)], None, PLAIN);
    for note in [
        "! left 1: b/x: its rate is fixed; `sizeup show` prints its latencies",
        "! left 1: a/x, c/x: its library starts more threads, on the same CPUs",
        "! left: ",
    ] {
        assert_eq!(text.lines().filter(|line| line.starts_with(note)).count(), 1, "{note}: {text}");
    }
}

const ONE: ThreadSpec = ThreadSpec::Count(1);

#[test]
fn imported_figures_stand_in_their_units_and_claim_no_cores_and_no_intervals() {
    let rows: &[_] = &[("a/x", ONE, 1, &[2_097_152.0][..])];
    let bytes = ShowView::of(&imported("bytes", &Unit::Bytes, rows));
    let requests = Unit::Named("requests/s".to_owned());
    let requests = ShowView::of(&imported("requests", &requests, rows));
    let text = text(&[bytes, requests], None, PLAIN);
    assert_eq!(table(&text)[1], ["a/x", "2.00 MiB/s", "2,097,152 requests/s"]);
    assert!(text.contains("Figures are as imported, without error bars"), "{text}");
}

#[test]
fn a_grid_shows_the_view_that_is_requested_and_says_which() {
    // Half of the samples have a neighbour that takes half of the core.
    let mut run = run(&[("a/x", &[100; 20])]);
    run.samples.iter_mut().step_by(2).for_each(|sample| {
        sample.measured.threads[0].ops = 50;
        sample.measured.threads[0].pulse_after.width_ns = 2;
    });
    let views = [ShowView::of(&run)];
    let row = &views[0].rows[0];
    for kind in ViewKind::ALL {
        let text = text(&views, Some(kind), PLAIN);
        let expected = figure(&Unit::Bytes, row.view(kind).unwrap().interval.centre * 10.0, kind);
        assert_eq!(table(&text)[1], ["a/x", &expected], "{text}");
        assert!(text.contains(&format!("Figures are {}, ", view_in_words(kind))), "{text}");
    }
}

#[test]
fn numbers_of_threads_of_a_sweep_stand_in_rows() {
    let counts = [1, 2, 4, 8].map(|count| ("a/x", ThreadSpec::Count(count), count, &[1.0][..]));
    let sweep = [&counts[..], &[("a/x", ThreadSpec::All, 64, &[5.0])]].concat();
    let other: &[_] = &[("a/x", ONE, 1, &[3.0][..]), ("b/x", ONE, 1, &[4.0])];
    let views = [("sweep", &sweep[..]), ("other", other)]
        .map(|(label, rows)| ShowView::of(&imported(label, &Unit::Ops, rows)));
    let all = Extent { all: true, details: false };
    let rows = table(&text(&views, None, all));
    assert_eq!(rows[0], ["workload", "threads", "sweep", "other"]);
    assert_eq!(rows[1], ["a/x", "1", "1.00 /s", "3.00 /s"]);
    assert_eq!(rows[5], ["a/x", "all", "5.00 /s"]);
    assert_eq!(rows[6], ["b/x", "1", "4.00 /s"]);
}

#[test]
fn of_many_machines_each_has_a_line() {
    let views: Vec<ShowView> = (0..6)
        .map(|number| {
            let rows: &[_] = &[("a/x", ONE, 1, &[f64::from(number) + 1.0][..])];
            ShowView::of(&imported(&format!("m{number}"), &Unit::Ops, rows))
        })
        .collect();
    let rows = table(&text(&views, None, PLAIN));
    assert_eq!((rows[0].clone(), rows.len()), (vec!["machine".to_owned(), "a/x".to_owned()], 7));
    assert_eq!(rows[6], ["m5 1", "6.00 /s"]);
}
