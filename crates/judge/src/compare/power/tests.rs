use super::*;
use record::{Reading, fixture};

const MS: u64 = 1_000_000;

/// A run whose rows have samples of this length, one row after the other in each of its rounds, with a pause behind each.
fn run(rows: &[&str], rounds: usize, sample_ms: u64, pause_ms: u64) -> Run {
    let ops = vec![100; rounds];
    let all: Vec<(&str, &[u64])> = rows.iter().map(|row| (*row, &ops[..])).collect();
    let mut run = fixture::run(&all);
    run.header.plan.timing.warmup_ns = 0;
    run.samples.sort_by_key(|sample| (sample.round, sample.case));
    for (number, sample) in run.samples.iter_mut().enumerate() {
        let start_ns = 1_000 * MS + (sample_ms + pause_ms) * MS * number as u64;
        (sample.measured.start_ns, sample.measured.end_ns) = (start_ns, start_ns + sample_ms * MS);
    }
    run
}

/// A meter is read from the first sample on.
fn read(run: &mut Run, meter: &str, every_ms: u64, watts: impl Fn(usize) -> f64) {
    let last_ns = run.samples.last().map_or(0, |sample| sample.end_ns);
    let moments = (0..).map(|number| (number, 1_000 * MS + every_ms * MS * number as u64));
    let readings = moments.take_while(|(_, at_ns)| *at_ns <= last_ns).map(|(number, at_ns)| {
        Reading { at_ns, source: format!("power_w.{meter}"), value: watts(number) }
    });
    run.readings.extend(readings);
}

/// Around 100 W.
fn about_100(number: usize) -> f64 {
    if number.is_multiple_of(2) { 99.0 } else { 101.0 }
}

#[test]
fn a_row_has_the_watts_of_readings_whose_neighbours_are_in_its_sample_too() {
    // Row a takes 100 W, row b 300 W, in samples of 5 s; the meter needs a second for each reading.
    let mut run = run(&["a/x", "b/x"], 4, 5_000, 0);
    let of_row = |number: usize| if (number / 5).is_multiple_of(2) { 100.0 } else { 300.0 };
    let averaged = |number: usize| {
        (of_row(number.saturating_sub(1)) + of_row(number)) / 2.0 + (number % 2) as f64
    };
    read(&mut run, "wall", 1_000, averaged);
    let powers = powers(&run);
    for (case, watts) in [(0, 100.5), (1, 300.5)] {
        let power = &powers.of_cases[&case][0];
        assert!((power.watts.centre - watts).abs() < 0.3, "{power:?}");
        assert!(power.watts.margin() < 0.02, "{power:?}");
        assert_eq!(power.source.to_string(), "measured by wall");
    }
    assert!(!powers.of_run[0].lacks_rows(), "{powers:?}");
}

#[test]
fn of_rows_whose_samples_take_turns_faster_than_a_meter_only_the_whole_runs_power_is_known() {
    let mut run = run(&["a/x", "b/x"], 200, 50, 5);
    read(&mut run, "wall", 1_000, about_100);
    let powers = powers(&run);
    assert!(powers.of_cases.is_empty(), "{powers:?}");
    let whole = &powers.of_run[0];
    assert!((whole.watts - 100.0).abs() < 0.1, "{whole:?}");
    assert_eq!((whole.rows_with_watts, whole.rows, whole.least_share), (0, 2, None));
    let text = whole.to_string();
    assert!(
        text.starts_with("wall: 100.0 W on average over the whole run (22 readings, "),
        "{text}"
    );
    assert!(text.contains("; 2 of 2 rows have no watts of their own, "), "{text}");
    assert!(whole.lacks_rows() && text.ends_with("--sample-time 3s"), "{text}");
}

#[test]
fn what_pauses_may_hide_is_in_the_interval_of_a_row_that_was_measured_alone() {
    let with_pauses = |pause_ms: u64| {
        let mut run = run(&["a/x"], 300, 80, pause_ms);
        read(&mut run, "wall", 1_000, about_100);
        powers(&run)
    };
    let some = with_pauses(20);
    let power = &some.of_cases[&0][0].watts;
    // In a fifth of the time nothing may have been taken: then work took 125 W.
    assert!((power.centre - 100.0).abs() < 0.5 && power.high > 125.0, "{power:?}");
    let text = some.of_run[0].to_string();
    assert!(text.contains("1 of 1 rows have their own watts, with samples in 80 %"), "{text}");
    assert!(with_pauses(0).of_cases[&0][0].watts.margin() < 0.03);
    let many = with_pauses(40);
    assert!(many.of_cases.is_empty(), "a third of the time is too much: {many:?}");
    assert!(many.of_run[0].lacks_rows());
}

#[test]
fn a_meter_is_no_finer_than_its_step() {
    let mut run = run(&["a/x"], 1, 30_000, 0);
    read(&mut run, "bmc", 1_000, |number| if number == 0 { 90.0 } else { 100.0 });
    let power = &powers(&run).of_cases[&0][0];
    assert!((power.watts.margin() - 0.05).abs() < 1e-9, "{power:?}");
}

#[test]
fn packages_count_together_and_the_wall_before_them() {
    let mut run = run(&["a/x"], 1, 5_000, 0);
    read(&mut run, "rapl-package-0", 1_000, |number| 50.0 + number as f64);
    read(&mut run, "rapl-package-1", 1_000, |_| 30.0);
    let power = &powers(&run).of_cases[&0][0];
    assert!((power.watts.centre - 82.5).abs() < 1e-9, "{power:?}");
    assert_eq!(power.source.to_string(), "measured by rapl-packages");
    read(&mut run, "wall", 1_000, |number| 200.0 + number as f64);
    let all = &powers(&run).of_cases[&0];
    assert_eq!(all[0].source.to_string(), "measured by wall");
    // A moment in which one of the packages was not read says nothing of the machine.
    run.readings.retain(|reading| reading.at_ns != 3_000 * MS || !reading.source.ends_with('1'));
    assert_eq!(powers(&run).of_cases[&0].len(), 1, "three readings of both are too few");
}

#[test]
fn a_meter_that_tells_nothing_or_always_the_same_is_absent() {
    let powers_of = |watts: fn(usize) -> f64, source: &str, sample_ms: u64| {
        let mut run = run(&["a/x"], 1, sample_ms, 0);
        read(&mut run, source, 1_000, watts);
        powers(&run)
    };
    let absent: [fn(usize) -> f64; 4] = [
        |_| 0.0,
        |_| 100.0,
        |number| if number == 2 { f64::NAN } else { about_100(number) },
        |number| if number == 2 { -1.0 } else { about_100(number) },
    ];
    for watts in absent {
        let powers = powers_of(watts, "bmc", 9_000);
        assert!(powers.of_cases.is_empty() && powers.of_run.is_empty(), "{powers:?}");
    }
    assert!(powers_of(about_100, "bmc", 9_000).of_cases.contains_key(&0));
    let few = powers_of(about_100, "bmc", 4_000);
    assert!(few.of_cases.is_empty(), "three readings with neighbours: {few:?}");
}

#[test]
fn times_that_can_not_be_make_no_watts_and_no_panic() {
    let mut run = run(&["a/x", "b/x"], 3, 5_000, 0);
    for sample in &mut run.samples {
        (sample.measured.start_ns, sample.measured.end_ns) = (0, u64::MAX);
    }
    for at_ns in [0, 1, u64::MAX - 1, u64::MAX, 7, 9] {
        let value = about_100(at_ns as usize % 7);
        run.readings.push(Reading { at_ns, source: "power_w.wall".to_owned(), value });
    }
    assert!(powers(&run).of_cases.is_empty(), "two rows at once");
    run.samples.retain(|sample| sample.case == 0);
    assert!(powers(&run).of_cases[&0][0].watts.margin() > 0.0);
}

/// An energy counter is read before and after each sample, and every 200 ms of an idle time before them.
fn count(run: &mut Run, watts: impl Fn(usize) -> f64, idle_watts: f64) {
    let mut joules = 0.0;
    let at = |at_ns: u64, value: f64| Reading {
        at_ns,
        source: "energy_j.rapl-package-0".to_owned(),
        value,
    };
    let mut readings = Vec::new();
    for step in 0..20 {
        joules += idle_watts * 0.01 * (1.0 + f64::from(step % 2) / 100.0);
        readings.push(at(500 * MS + 10 * MS * step as u64, joules));
    }
    run.idles.push(record::Idle { start_ns: 500 * MS, end_ns: 690 * MS });
    for sample in &run.samples {
        let busy_ns = sample.end_ns - sample.start_ns;
        readings.push(at(sample.start_ns, joules));
        joules +=
            watts(sample.case) * busy_ns as f64 / 1e9 * (1.0 + (sample.round % 2) as f64 / 100.0);
        readings.push(at(sample.end_ns, joules));
    }
    run.readings.extend(readings);
}

#[test]
fn a_counter_read_around_each_sample_gives_rows_of_50_ms_their_watts_and_those_above_idle() {
    let mut run = run(&["a/x", "b/x"], 40, 50, 5);
    count(&mut run, |case| if case == 0 { 100.0 } else { 300.0 }, 60.0);
    let powers = powers(&run);
    for (case, watts) in [(0, 100.5), (1, 301.5)] {
        let power = &powers.of_cases[&case][0];
        assert!((power.watts.centre / watts - 1.0).abs() < 0.01, "{power:?}");
        let idle = power.idle.expect("idle power");
        assert!((idle.centre / 60.3 - 1.0).abs() < 0.02, "{idle:?}");
        assert_eq!(power.source.to_string(), "measured by rapl-packages");
    }
    let whole = powers.of_run[0].to_string();
    assert!(whole.contains(", 60.3 W idle"), "{whole}");
    assert!(!powers.of_run[0].lacks_rows(), "{powers:?}");
}

#[test]
fn a_counter_that_sticks_or_counts_nothing_gives_no_watts() {
    for (busy, idle) in [(0.0, 60.0), (0.0, 0.0)] {
        let mut run = run(&["a/x"], 40, 50, 5);
        count(&mut run, |_| busy, idle);
        assert!(powers(&run).of_run.is_empty(), "{busy} {idle}");
    }
}

#[test]
fn a_reading_counts_for_as_long_as_it_stands_for() {
    // A second of 100 W, in pieces, and a millisecond of a ramp.
    let all: Vec<(f64, f64)> =
        (0..40).map(|n| if n % 2 == 0 { (100.0, 1e9) } else { (20.0, 1e6) }).collect();
    let blocks = weighted_block_means(&all);
    assert_eq!(blocks.len(), BLOCKS);
    assert!(blocks.iter().all(|watts| (watts - 99.92).abs() < 0.01), "{blocks:?}");
}
