//! The clocks of rows beside their ratios.

use super::*;

/// 20 rounds of three rows, of which the first clocks at this share of 3 GHz and does as much less.
fn run_with_first_row_at(tenths: u64) -> Run {
    let rows: &[u64] = &steady(100 * tenths);
    let mut run = run(&[("a/x", rows), ("b/x", STEADY), ("c/x", STEADY)]);
    for sample in &mut run.samples {
        sample.measured.start_ns = 3_000 + (sample.round * 3 + sample.case as u64) * 1_000;
        let thread = &mut sample.measured.threads[0];
        for pulse in [&mut thread.pulse_before, &mut thread.pulse_after] {
            let of_row = if sample.case == 0 { tenths } else { 10 };
            (pulse.clock_ops, pulse.clock_ns) = (of_row * 100, 1_000);
            (pulse.width_ops, pulse.width_ns) = (of_row * 100, 1_000);
        }
    }
    run
}

#[test]
fn a_row_that_clocks_down_on_one_machine_shows_its_clocks_beside_its_ratio() {
    let comparison = compare(&run_with_first_row_at(10), &run_with_first_row_at(8), &[]);
    let clocks = |row: usize| {
        let row = &comparison.rows[row];
        let clocks = [row.baseline_clock_hz, row.other_clock_hz, row.clock_ratio];
        clocks.map(|clock| clock.expect("a clock").centre)
    };
    let is_near = |found: [f64; 3], expected: [f64; 3]| {
        found.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 0.01)
    };
    assert!(is_near(clocks(0), [3e9, 2.4e9, 0.8]), "{:?}", clocks(0));
    assert!(is_near(clocks(1), [3e9, 3e9, 1.0]), "{:?}", clocks(1));
    assert!((ratio(&comparison.rows[0]) - 0.8).abs() < 0.01, "{}", ratio(&comparison.rows[0]));
}

#[test]
fn several_runs_have_the_mean_of_their_clocks() {
    let (fast, slow) = (run_with_first_row_at(10), run_with_first_row_at(9));
    let both = group("both", &[&fast, &slow]);
    let clock_hz = both.clock_hz(0).expect("a clock").centre;
    assert!((clock_hz / (3e9 * 0.9_f64.sqrt()) - 1.0).abs() < 0.01, "{clock_hz}");
}

#[test]
fn what_something_else_measured_has_no_clock() {
    let rows: &[_] = &[("a/x", ThreadSpec::Count(1), 1, &[100.0, 101.0][..])];
    let import = record::fixture::imported("m", &catalog::Unit::Ops, rows);
    let comparison = compare(&import, &import, &[]);
    assert_eq!(
        (comparison.rows[0].baseline_clock_hz, comparison.rows[0].clock_ratio),
        (None, None)
    );
}
