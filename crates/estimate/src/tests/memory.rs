//! Neighbours on the memory: which samples count, and what a row loses in the others.

use super::*;
use record::MemoryPulse;

/// A quiet memory takes so long for a line.
const QUIET_NS: f64 = 1.6;

/// Single-thread samples in launches of 5, some of them beside a neighbour, whose lines take twice as long and which
/// leaves the row `left` of its speed. Everything spreads a little.
fn looks(count: u64, is_beside: impl Fn(u64) -> bool, left: f64) -> Vec<Look> {
    let looks = (0..count).map(|i| {
        let (beside, noise) = (is_beside(i), 1.0 + 0.004 * ((i * 7 % 11) as f64 - 5.0));
        let speed = if beside { left } else { 1.0 };
        let mut measured = sample(vec![thread(0, (10_000.0 * speed * noise) as u64)]);
        let line_ns = if beside { 2.0 * QUIET_NS } else { QUIET_NS } * noise;
        let pulse = |line_ns: f64| {
            let (loads, lines) = (2_048, 16_384);
            let lines_ns = (lines as f64 * line_ns) as u64;
            Some(MemoryPulse { loads, loads_ns: 300_000, lines, lines_ns })
        };
        measured.threads[0].memory_before = pulse(QUIET_NS * noise);
        measured.threads[0].memory_after = pulse(line_ns);
        Look::at(&measured, (i / 5, i), Some(0), KERNEL, false)
    });
    looks.collect()
}

fn case(looks: Vec<Look>) -> CaseEstimate {
    RunEstimate::of_looks(vec![looks], &BTreeSet::new()).cases.remove(0).unwrap()
}

/// The warning of a neighbour on the memory, in words.
fn warning(case: &CaseEstimate) -> Option<String> {
    let is_it = |w: &&Warning| matches!(w, Warning::MemoryNeighbour { .. });
    case.warnings.iter().find(is_it).map(ToString::to_string)
}

#[test]
fn samples_beside_a_neighbour_on_the_memory_do_not_count_and_its_cost_is_reported() {
    let case = case(looks(80, |i| i % 2 == 0, 0.8));
    let own = case.uncontended.unwrap();
    assert_eq!(own.samples, 40);
    assert!(own.interval.low < 200_000.0 && 200_000.0 < own.interval.high, "{own:?}");
    assert!(own.interval.margin() < 0.02, "{own:?}");
    let neighbour = case.memory_neighbour.unwrap();
    let left = neighbour.left.unwrap();
    assert!(neighbour.is_left_out && (neighbour.share - 0.5).abs() < 1e-9);
    assert!(left.low < 0.8 && 0.8 < left.high && left.margin() < 0.02, "{left:?}");
    let note = "20 % slower beside a neighbour on the memory, which was there 50 % of the time";
    assert_eq!(warning(&case).as_deref(), Some(note));
}

#[test]
fn a_row_that_loses_nothing_beside_a_neighbour_is_not_warned_of() {
    let case = case(looks(80, |i| i % 2 == 0, 1.0));
    let left = case.memory_neighbour.unwrap().left.unwrap();
    assert!(left.low < 1.0 && 1.0 < left.high, "{left:?}");
    assert_eq!(warning(&case), None);
}

#[test]
fn where_a_neighbour_hardly_ever_goes_its_samples_count_and_the_row_says_so() {
    // Only 5 of this row's 80 samples are without the neighbour; the run has enough to detect two states.
    let rows = vec![looks(80, |i| i % 16 != 0, 0.8), looks(80, |i| i % 2 == 0, 0.8)];
    let case = RunEstimate::of_looks(rows, &BTreeSet::new()).cases.remove(0).unwrap();
    assert_eq!(case.uncontended.unwrap().samples, 80);
    let note = "includes a neighbour on the memory, 94 % of the time";
    assert_eq!(warning(&case).as_deref(), Some(note));
}

#[test]
fn without_a_neighbour_or_without_memory_pulses_nothing_is_left_out() {
    let quiet = case(looks(80, |_| false, 1.0));
    assert_eq!((quiet.uncontended.unwrap().samples, quiet.memory_neighbour), (80, None));
    let mut unknown = looks(80, |i| i % 2 == 0, 0.8);
    unknown.iter_mut().for_each(|look| look.memory_gb_s = None);
    let unknown = case(unknown);
    assert_eq!((unknown.uncontended.unwrap().samples, unknown.memory_neighbour), (80, None));
}

#[test]
fn neighbours_that_leave_a_tenth_of_the_bandwidth_are_found() {
    let mut looks = looks(80, |i| i % 2 == 0, 0.8);
    for look in looks.iter_mut().step_by(2) {
        look.memory_gb_s = look.memory_gb_s.map(|gb_s| gb_s / 5.0);
    }
    assert_eq!(case(looks).uncontended.unwrap().samples, 40);
}

#[test]
fn a_stolen_sample_without_a_neighbour_does_not_stand_for_an_uncontended_one() {
    // 6 of 80 are without one, and one of these is stolen: too few.
    let mut row = looks(80, |i| i % 15 != 0, 0.8);
    row[15].disturbances = vec![Disturbance::Steal];
    let rows = vec![row, looks(80, |i| i % 2 == 0, 0.8)];
    let case = RunEstimate::of_looks(rows, &BTreeSet::new()).cases.remove(0).unwrap();
    assert_eq!(case.uncontended.unwrap().samples, 79);
    assert!(!case.memory_neighbour.unwrap().is_left_out);
}

#[test]
fn several_threads_compete_with_each_other_for_the_memory_and_all_their_samples_count() {
    let both = |look: &Look| {
        let mut look = look.clone();
        look.threads.push(look.threads[0]);
        look
    };
    let looks: Vec<Look> = looks(80, |i| i % 2 == 0, 0.8).iter().map(both).collect();
    let case = case(looks);
    assert_eq!((case.uncontended.unwrap().samples, case.memory_neighbour), (80, None));
}

#[test]
fn pairs_of_variants_beside_a_neighbour_do_not_count_where_others_are_enough() {
    let rows = |is_beside: fn(u64) -> bool| {
        let rows = vec![looks(80, is_beside, 1.0), looks(80, is_beside, 0.5)];
        RunEstimate::of_looks(rows, &BTreeSet::new())
    };
    let ratio = |run: &RunEstimate| paired(&run.looks[0], &run.looks[1], &run.cores[&1]).unwrap();
    let half = ratio(&rows(|i| i % 3 != 0));
    assert_eq!(half.samples, 27);
    assert!((half.interval.centre - 1.0).abs() < 0.01, "{half:?}");
}

#[test]
fn a_run_says_how_much_of_the_time_the_memory_had_a_neighbour() {
    let run = RunEstimate::of_looks(vec![looks(80, |i| i % 4 == 0, 0.8)], &BTreeSet::new());
    let sentence = run.steadiness.unwrap().sentence();
    assert!(sentence.contains(", a neighbour on the memory 25 % of the time, "), "{sentence}");
}
