use super::*;
use record::Note;
use record::fixture::{imported, run};

/// The same in all samples but one: nothing that was measured has no spread.
fn about(ops: u64) -> [u64; 20] {
    let mut all = [ops; 20];
    all[7] += 1;
    all
}

#[test]
fn machines_stand_side_by_side_and_what_is_missing_is_told_below() {
    let view = |label: &str, rows: &[(&str, &[u64])]| {
        let mut run = run(rows);
        run.header.label = label.to_owned();
        ShowView::of(&run)
    };
    let views = [
        view("left", &[("a/x", &about(100)), ("b/x", &about(100))]),
        view("right", &[("a/x", &about(200)), ("c/x", &[100; 2])]),
    ];
    let table = grid_table(&views, None);
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect())
        .collect();
    assert_eq!(
        lines[0],
        ["workload", "unit", "left on 1 thread", "95 %", "GHz", "right on 1 thread", "95 %", "GHz"]
    );
    assert_eq!(lines[1], ["a/x", "MiB/s", "9,537", "±0.4 %", "3.00", "19,073", "±0.2 %", "3.00"]);
    assert_eq!(lines[2], ["b/x", "MiB/s", "9,537", "±0.4 %", "3.00"]);
    assert_eq!(lines[3], ["c/x", "MiB/s", "–"]);
    assert!(
        table.contains("\nc/x, right on 1 thread: too few samples for an interval (uncontended)\n")
    );
}

#[test]
fn what_must_be_known_of_rows_is_told_once_with_the_rows() {
    let mut run = run(&[("a/x", &[100; 20]), ("b/x", &[100; 20]), ("c/x", &[100; 20])]);
    run.header.label = "left".to_owned();
    for workload in ["a/x", "c/x"] {
        run.header.workloads.get_mut(workload).unwrap().starts_threads = true;
    }
    run.launches[1].ready.fixed_rate_per_s = Some(500);
    run.notes.push(Note::Changed);
    let table = grid_table(&[ShowView::of(&run)], None);
    let below: Vec<&str> = table.lines().skip_while(|line| !line.is_empty()).skip(2).collect();
    assert_eq!(
        below[0],
        "b/x, left on 1 thread: its rate is fixed; `sizeup show` has its latencies"
    );
    let threads = "left on 1 thread: its library starts more threads, on the same CPUs: a/x, c/x";
    assert!(below.contains(&threads), "{table}");
    assert!(below.iter().any(|line| line.starts_with("note: left: ")), "{table}");
}

fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

const ONE: ThreadSpec = ThreadSpec::Count(1);

#[test]
fn imported_figures_stand_in_their_units_and_claim_no_cores_and_no_intervals() {
    let rows: &[_] = &[("a/x", ONE, 1, &[2_097_152.0][..])];
    let bytes = ShowView::of(&imported("bytes", &Unit::Bytes, rows));
    let table = grid_table(std::slice::from_ref(&bytes), None);
    assert_eq!(cells(table.lines().nth(1).unwrap()), ["a/x", "MiB/s", "2.000", "unknown"]);
    assert!(table.contains("\nFigures: as imported, without intervals.\n"), "{table}");
    let requests = Unit::Named("requests/s".to_owned());
    let requests = ShowView::of(&imported("requests", &requests, rows));
    let table = grid_table(&[bytes, requests], None);
    let line = cells(table.lines().nth(1).unwrap());
    assert_eq!(line, ["a/x", "2.000 MiB/s", "unknown", "2,097,152 requests/s", "unknown"]);
    assert!(!table.contains("ops/s"), "{table}");
}

#[test]
fn a_grid_shows_the_view_that_is_asked_for_and_says_which() {
    // Half of the samples have a neighbour that takes half of the core.
    let mut run = run(&[("a/x", &[100; 20])]);
    run.samples.iter_mut().step_by(2).for_each(|sample| {
        sample.measured.threads[0].ops = 50;
        sample.measured.threads[0].pulse_after.width_ns = 2;
    });
    let views = [ShowView::of(&run)];
    let row = &views[0].rows[0];
    for kind in ViewKind::ALL {
        let table = grid_table(&views, Some(kind));
        let figure = row.view(kind).unwrap().interval.centre * 10.0 / 1_048_576.0;
        let unit = unit_in_words(&Unit::Bytes, kind);
        let expected = ["a/x", &unit, &quantity(figure)];
        assert_eq!(cells(table.lines().nth(1).unwrap())[..3], expected, "{table}");
        let says = format!("\nFigures: {}, with 95 % intervals.\n", view_in_words(kind));
        assert!(table.contains(&says), "{table}");
    }
    let grids = ViewKind::ALL.map(|kind| grid_table(&views, Some(kind)));
    assert!(grids[0] != grids[1] && grids[1] != grids[2], "{grids:?}");
}

#[test]
fn numbers_of_threads_of_a_sweep_stand_in_rows() {
    let counts = [1, 2, 4, 8].map(|count| ("a/x", ThreadSpec::Count(count), count, &[1.0][..]));
    let sweep = [&counts[..], &[("a/x", ThreadSpec::All, 64, &[5.0])]].concat();
    let other: &[_] = &[("a/x", ONE, 1, &[3.0][..]), ("b/x", ONE, 1, &[4.0])];
    let views = [("sweep", &sweep[..]), ("other", other)]
        .map(|(label, rows)| ShowView::of(&imported(label, &Unit::Ops, rows)));
    let table = grid_table(&views, None);
    let lines: Vec<Vec<&str>> = table.lines().map(cells).take(7).collect();
    assert_eq!(lines[0], ["workload", "threads", "unit", "sweep", "95 %", "other", "95 %"]);
    assert_eq!(lines[1], ["a/x", "1", "ops/s", "1.000", "unknown", "3.000", "unknown"]);
    assert_eq!(lines[5], ["a/x", "all", "ops/s", "5.000", "unknown"]);
    assert_eq!(lines[6], ["b/x", "1", "ops/s", "4.000", "unknown"]);
    let once = "sweep: 1 sample: no error bar: all rows";
    assert!(table.contains(once), "{table}");
}
