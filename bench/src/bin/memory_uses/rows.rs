//! Rows whose samples are known to have had a neighbour on the memory or not.

use estimate::{Look, RunEstimate, ThreadLook, looks_beside};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::Run;
use std::collections::BTreeMap;

/// A row: in each round a sample alone and one beside a neighbour.
pub struct Row {
    pub rounds: Vec<[Look; 2]>,
    /// Its throughput alone.
    pub truth: f64,
}

/// Rounds that a neighbour stays, or stays away.
const EPISODE: usize = 3;
const ROUNDS: usize = 60;
const ROUNDS_PER_LAUNCH: u64 = 6;

/// A run of half of the rounds in which the neighbour is there for a share of the time, and one of the other half without
/// it.
pub fn drawn(rows: &[Row], share: f64, rng: &mut ChaCha8Rng) -> (Vec<Vec<Look>>, Vec<Vec<Look>>) {
    let half = |place: usize, row: &Row, is_there: &mut dyn FnMut(usize) -> bool| -> Vec<Look> {
        let of_half = row.rounds.iter().enumerate().filter(|(round, _)| round % 2 == place);
        of_half.map(|(round, both)| both[usize::from(is_there(round))].clone()).collect()
    };
    // The neighbour comes to all rows at once.
    let longest = rows.iter().map(|row| row.rounds.len()).max().unwrap_or_default();
    let episodes: Vec<bool> =
        (0..longest / EPISODE + 1).map(|_| rng.random::<f64>() < share).collect();
    let beside =
        rows.iter().map(|row| half(0, row, &mut |round| episodes[round / EPISODE])).collect();
    (beside, rows.iter().map(|row| half(1, row, &mut |_| false)).collect())
}

/// Takes a run beside co-runners of one workload, at their largest number. Keeps rows with enough samples for two halves.
pub fn recorded(run: &Run) -> Vec<Row> {
    let estimate = RunEstimate::of(run);
    let beside = looks_beside(run);
    let of_case = |(case, alone): (usize, &Vec<Look>)| {
        let others = beside.get(&case)?.values().next_back()?;
        let by_round: BTreeMap<u64, &Look> = others.iter().map(|look| (look.round, look)).collect();
        let pair = |look: &Look| Some([look.clone(), (*by_round.get(&look.round)?).clone()]);
        let rounds: Vec<[Look; 2]> = alone.iter().filter_map(pair).collect();
        let truth = estimate.cases[case].as_ref()?.uncontended?.interval.centre;
        (rounds.len() >= 16).then_some(Row { rounds, truth })
    };
    estimate.looks.iter().enumerate().filter_map(of_case).collect()
}

/// How well pulses tell of the neighbour.
#[derive(Clone, Copy)]
pub struct Pulses {
    /// Share of the samples whose pulses show the other state.
    wrong: f64,
    /// Bandwidth beside the neighbour over that without.
    left: f64,
}

impl Pulses {
    pub const RIGHT: Self = Self { wrong: 0.01, left: 0.5 };
    pub const OFTEN_WRONG: Self = Self { wrong: 0.125, left: 0.5 };
    pub const BLIND: Self = Self { wrong: 0.0, left: 1.0 };
}

/// Rows that lose from nothing to 40 %, with a sample's noise of 1 % and a launch's of 0.4 %.
pub fn synthetic(count: usize, pulses: Pulses) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let row = |number: usize| {
        let loss = 0.4 * number as f64 / (count - 1) as f64;
        let mut launch_log = 0.0;
        let rounds = (0..ROUNDS as u64).map(|round| {
            if round % ROUNDS_PER_LAUNCH == 0 {
                launch_log = 0.004 * normal(&mut rng);
            }
            [false, true].map(|is_beside| {
                let shows = is_beside != (rng.random::<f64>() < pulses.wrong);
                let gb_s = if shows { 10.0 * pulses.left } else { 10.0 };
                let speed = 1e6 * if is_beside { 1.0 - loss } else { 1.0 };
                let throughput = speed * (launch_log + 0.01 * normal(&mut rng)).exp();
                look(round, throughput, gb_s * (0.02 * normal(&mut rng)).exp())
            })
        });
        Row { rounds: rounds.collect(), truth: 1e6 }
    };
    (0..count).map(row).collect()
}

/// Box and Muller's normal numbers.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (a, b): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

fn look(round: u64, throughput: f64, gb_s: f64) -> Look {
    let clock_hz = 3e9;
    Look {
        launch: round / ROUNDS_PER_LAUNCH,
        round,
        at_ns: round * 1_000_000_000,
        threads: vec![ThreadLook {
            throughput,
            clock_hz,
            inner_clock_hz: None,
            pulse_clocks_hz: [clock_hz; 2],
            widths: [4.0; 2],
        }],
        throughput,
        clock_hz,
        disturbances: Vec::new(),
        memory_gb_s: Some(gb_s),
        others: None,
    }
}
