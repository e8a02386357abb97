//! Runs that were never measured: a machine with noise of a known shape, doing work of a known speed.
//!
//! The shape is the one that idle shared virtual machines were seen to have (`docs/methodology.md`): a clock
//! that drifts on every time scale alike, a neighbour who comes to the core and goes in episodes, launches that
//! differ, single samples that are interrupted.

use crate::simulated::{ROUNDS_PER_LAUNCH, a_launch, a_sample, empty_run, row_name};
use estimate::{RunEstimate, ViewKind};
use judge::compare::Sheet;
use rand::distr::Distribution;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::{Pulse, Run, ThreadSample, Variant, fixture};
use statrs::distribution::Normal;
use std::collections::BTreeMap;

/// Time constants of the clock's drift. Equal parts on each make an Allan deviation that is flat from one
/// second to minutes.
const DRIFT_S: [f64; 4] = [1.0, 5.0, 25.0, 125.0];
const CLOCK_HZ: f64 = 3e9;
/// Instructions per cycle of an uncontended core, and of one with a neighbour who takes his full share.
const OWN_WIDTH: f64 = 3.8;
const SHARED_WIDTH: f64 = 1.9;
const SAMPLE_S: f64 = 0.05;
/// From one sample to the next, with pulses and warm-up.
const TURN_S: f64 = 0.065;
const STEP_S: f64 = 0.005;

/// Parameters of the noise.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Standard deviation of the logarithm of the clock, over all time scales.
    pub clock_sd: f64,
    /// Share of the time that a neighbour is on the core, drawn anew for each run between these.
    pub shared: (f64, f64),
    /// Mean length of an episode with the neighbour, in seconds.
    pub episode_s: f64,
    /// Width of the core beside the neighbour during an episode, in instructions per cycle: uniform between these.
    pub left_width: (f64, f64),
    /// Standard deviation of the width that a pulse shows, by factor.
    pub width_sd: f64,
    /// Standard deviation from sample to sample, by factor.
    pub sample_sd: f64,
    /// Standard deviation from launch to launch, by factor.
    pub launch_sd: f64,
    /// Share of the samples that lose up to a tenth to an interruption.
    pub interrupted: f64,
}

impl Shape {
    /// An idle shared virtual machine.
    pub const SHARED: Self = Self {
        clock_sd: 0.024,
        shared: (0.1, 0.9),
        episode_s: 3.0,
        left_width: (SHARED_WIDTH, SHARED_WIDTH),
        width_sd: 0.03,
        sample_sd: 0.01,
        launch_sd: 0.004,
        interrupted: 0.03,
    };
    /// A shared virtual machine with several neighbours, who come for moments and take more or less.
    pub const NOISY: Self = Self {
        shared: (0.4, 0.8),
        episode_s: 0.2,
        left_width: (SHARED_WIDTH, 3.4),
        width_sd: 0.04,
        ..Self::SHARED
    };
    /// A dedicated machine.
    pub const QUIET: Self = Self {
        clock_sd: 0.001,
        shared: (0.0, 0.0),
        episode_s: 1.0,
        left_width: (SHARED_WIDTH, SHARED_WIDTH),
        width_sd: 0.002,
        sample_sd: 0.001,
        launch_sd: 0.0005,
        interrupted: 0.002,
    };
}

/// Work of a known speed.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Ops per second on an uncontended core at the mean clock.
    pub ops_per_s: f64,
    /// Share of it that a neighbour on the core takes away who leaves half of the core's width.
    pub sharing_cost: f64,
    /// The clock that the core has with this work, over the one that it has with other work. `ops_per_s` is at this clock.
    pub clock_share: f64,
}

/// Rows of speeds and sharing costs that are drawn from a seed.
pub fn rows(count: usize, seed: u64) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let row = |_| Row {
        ops_per_s: 10_f64.powf(3.0 + 3.0 * rng.random::<f64>()),
        sharing_cost: 0.05 + 0.4 * rng.random::<f64>(),
        clock_share: 1.0,
    };
    (0..count).map(row).collect()
}

/// Like [`rows`], on a machine where every fourth row lowers the core's clock, by 5, 20 and 33 % in turn, and slows as much.
pub fn slowing_rows(count: usize, seed: u64) -> Vec<Row> {
    let clock_share = |place: usize| match place % 12 {
        3 => 0.95,
        7 => 0.8,
        11 => 0.67,
        _ => 1.0,
    };
    let slowed = |(place, row): (usize, Row)| {
        let clock_share = clock_share(place);
        Row { clock_share, ops_per_s: row.ops_per_s * clock_share, ..row }
    };
    rows(count, seed).into_iter().enumerate().map(slowed).collect()
}

/// A machine at a moment.
struct World {
    rng: ChaCha8Rng,
    shape: Shape,
    /// The logarithm of the clock, in its parts.
    drift: [f64; DRIFT_S.len()],
    is_shared: bool,
    /// Width beside the neighbour, while there is one.
    left_width: f64,
    shared: f64,
    step: Passage,
    pause: Passage,
}

/// How much so many seconds change.
struct Passage {
    /// Share of each part of the drift that remains, and the standard deviation of its change, in standard deviations of the
    /// part.
    drift: [(f64, f64); DRIFT_S.len()],
    /// How likely it stays without a neighbour, and with one.
    stays: [f64; 2],
}

impl Passage {
    fn of(seconds: f64, shape: &Shape, shared: f64) -> Self {
        let part = |time_s: f64| {
            let keep = (-seconds / time_s).exp();
            (keep, (1.0 - keep * keep).sqrt())
        };
        let episode_s = shape.episode_s;
        let stays = [episode_s * (1.0 - shared) / shared, episode_s];
        Self { drift: DRIFT_S.map(part), stays: stays.map(|stay_s| (-seconds / stay_s).exp()) }
    }
}

impl World {
    fn new(shape: Shape, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (least, most) = shape.shared;
        let shared = least + (most - least) * rng.random::<f64>();
        let is_shared = rng.random::<f64>() < shared;
        let drift = [0.0; DRIFT_S.len()];
        let [step, pause] =
            [STEP_S, TURN_S - SAMPLE_S].map(|seconds| Passage::of(seconds, &shape, shared));
        let left_width = SHARED_WIDTH;
        let mut world = Self { rng, shape, drift, is_shared, left_width, shared, step, pause };
        world.left_width = world.any_left_width();
        let part_sd = shape.clock_sd / (DRIFT_S.len() as f64).sqrt();
        world.drift = std::array::from_fn(|_| world.normal() * part_sd);
        world
    }

    /// A draw from the standard normal distribution.
    fn normal(&mut self) -> f64 {
        Normal::standard().sample(&mut self.rng)
    }

    fn any_left_width(&mut self) -> f64 {
        let (least, most) = self.shape.left_width;
        // No draw where there is nothing to choose.
        if least < most { least + (most - least) * self.rng.random::<f64>() } else { least }
    }

    /// Share of a row's speed that is left now.
    fn left_speed(&self, row: &Row) -> f64 {
        if self.is_shared { 1.0 - row.sharing_cost * taken(self.left_width) } else { 1.0 }
    }

    /// Lets a step of time pass.
    fn step(&mut self) {
        self.pass(|world| &world.step);
    }

    /// Lets the time pass that is between two samples.
    fn pause(&mut self) {
        self.pass(|world| &world.pause);
    }

    /// Lets time pass: the clock drifts (Ornstein and Uhlenbeck 1930), the neighbour comes and goes.
    fn pass(&mut self, passage: fn(&Self) -> &Passage) {
        let part_sd = self.shape.clock_sd / (DRIFT_S.len() as f64).sqrt();
        for part in 0..DRIFT_S.len() {
            let (keep, new_sd) = passage(self).drift[part];
            let new = self.normal() * part_sd * new_sd;
            self.drift[part] = self.drift[part] * keep + new;
        }
        if self.shared <= 0.0 {
            return;
        }
        if self.rng.random::<f64>() > passage(self).stays[usize::from(self.is_shared)] {
            self.is_shared = !self.is_shared;
            self.left_width = self.any_left_width();
        }
    }

    fn clock_hz(&self) -> f64 {
        CLOCK_HZ * self.drift.iter().sum::<f64>().exp()
    }

    /// A pulse on a core that has this share of its clock.
    fn pulse(&mut self, clock_share: f64) -> Pulse {
        let (clock_ops, width_ops) = (600_000_u64, 6_000_000_u64);
        let clock_hz = self.clock_hz() * clock_share;
        let width = if self.is_shared { self.left_width } else { OWN_WIDTH }
            * (self.shape.width_sd * self.normal()).exp();
        let ns = |cycles: f64| (cycles / clock_hz * 1e9).round() as u64;
        Pulse {
            clock_ops,
            clock_ns: ns(clock_ops as f64 * 3.0),
            width_ops,
            width_ns: ns(width_ops as f64 / width),
        }
    }

    /// One sample of a row on one thread, from pulse to pulse. The core has slept before the first.
    fn sample(&mut self, row: &Row, launch_factor: f64) -> ThreadSample {
        let pulse_before = self.pulse(1.0);
        let steps = (SAMPLE_S / STEP_S).round() as usize;
        let mut rate = 0.0;
        for _ in 0..steps {
            self.step();
            rate += self.left_speed(row) * self.clock_hz() / CLOCK_HZ / steps as f64;
        }
        rate *= row.ops_per_s * launch_factor * (self.shape.sample_sd * self.normal()).exp();
        if self.rng.random::<f64>() < self.shape.interrupted {
            rate *= 1.0 - 0.1 * self.rng.random::<f64>();
        }
        let pulse_after = self.pulse(row.clock_share);
        self.pause();
        // Whole ops, and the time that they took.
        let ops = (rate * SAMPLE_S).ceil();
        let elapsed_ns = (ops / rate * 1e9).round() as u64;
        fixture::thread(0, (ops as u64, elapsed_ns), [pulse_before, pulse_after])
    }
}

/// Throughput taken by a neighbour who leaves this width, relative to one who leaves half.
fn taken(left_width: f64) -> f64 {
    (OWN_WIDTH - left_width) / (OWN_WIDTH - SHARED_WIDTH)
}

/// Share of the time that the neighbour is on the core, on the average of all runs with this seed's share.
pub fn shared_share(shape: Shape, seed: u64) -> f64 {
    World::new(shape, seed).shared
}

/// Ops per second of all samples of such runs together, over ops per second on an uncontended core at the mean
/// clock.
pub fn delivered_share(shape: Shape, row: &Row, seed: u64) -> f64 {
    let clock = (shape.clock_sd.powi(2) / 2.0).exp();
    let noise = ((shape.sample_sd.powi(2) + shape.launch_sd.powi(2)) / 2.0).exp();
    let interruptions = 1.0 - shape.interrupted * 0.05;
    let (least, most) = shape.left_width;
    let taken = taken(f64::midpoint(least, most));
    (1.0 - row.sharing_cost * taken * shared_share(shape, seed)) * clock * noise * interruptions
}

/// Samples in a minute that lie wholly between two neighbours: one after the other, or, if one `looks_first`,
/// each when a pulse has shown that the core is its own.
pub fn own_samples(shape: Shape, seed: u64, looks_first: bool) -> usize {
    let mut world = World::new(shape, seed);
    let (mut time_s, mut own) = (0.0, 0);
    while time_s < 60.0 {
        if looks_first && world.is_shared {
            world.step();
            time_s += STEP_S;
            continue;
        }
        let mut is_own = !world.is_shared;
        for _ in 0..(SAMPLE_S / STEP_S).round() as usize {
            world.step();
            is_own &= !world.is_shared;
        }
        world.pause();
        time_s += TURN_S;
        own += usize::from(is_own);
    }
    own
}

/// A run of rows on one thread each, `rounds` samples of each in random order.
pub fn run(shape: Shape, rows: &[Row], rounds: u64, seed: u64) -> Run {
    measure(shape, rows, 1, rounds, seed)
}

/// A run of rows in two settings that do not matter, next to each other in every round.
pub fn variants_run(shape: Shape, rows: &[Row], rounds: u64, seed: u64) -> Run {
    let twice: Vec<Row> = rows.iter().flat_map(|row| [*row; 2]).collect();
    let mut run = measure(shape, &twice, 2, rounds, seed);
    let names = ["base", "other"];
    for (number, case) in run.header.plan.cases.iter_mut().enumerate() {
        case.workload = row_name(number / 2);
        case.variant = Some(names[number % 2].to_owned());
    }
    run.header.variants =
        names.map(|name| Variant { name: name.to_owned(), ..Variant::default() }).to_vec();
    run
}

/// Rows that stand next to each other, `group` at a time, are measured so, too, and their launches are
/// replaced together.
fn measure(shape: Shape, rows: &[Row], group: usize, rounds: u64, seed: u64) -> Run {
    let mut world = World::new(shape, seed);
    let mut run = empty_run(rows.len());
    let mut factors: BTreeMap<(usize, u64), f64> = BTreeMap::new();
    let mut now_ns = 0;
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..rows.len() / group).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, world.rng.random_range(0..=last));
        }
        for case in order.iter().flat_map(|first| group * first..group * (first + 1)) {
            // Launches are replaced at staggered times.
            let stagger = (case / group) as u64 % ROUNDS_PER_LAUNCH;
            let turn = (round + stagger) / ROUNDS_PER_LAUNCH;
            let factor = world.normal() * shape.launch_sd;
            let factor = factors.entry((case, turn)).or_insert(factor.exp());
            let thread = world.sample(&rows[case], *factor);
            let launch = case as u64 * (rounds + 1) + turn;
            if run.verified.insert(launch) {
                run.launches.push(a_launch(launch, case, now_ns));
            }
            let sample = a_sample((launch, case), round, now_ns, thread);
            now_ns = sample.end_ns + ((TURN_S - SAMPLE_S) * 1e9) as u64;
            run.samples.push(sample);
        }
    }
    run
}

/// A simulated run as it is judged. Its noise has no part that is slower than the run: nothing is to be added for how runs differ.
pub fn sheet(run: &Run, estimate: &RunEstimate, view: ViewKind) -> Sheet {
    let mut sheet = Sheet::of_estimate(run, estimate, &[view]);
    sheet.spent_s = None;
    sheet
}
