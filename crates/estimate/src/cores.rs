//! What the pulses tell of the cores: when they were the workload's own, and their clock.

use super::clock::RowClocks;
use super::level::{Level, Series, level_by_round, level_with_floor};
use super::look::{Look, undisturbed};
use stats::{States, is_one_state, median, two_states};
use std::collections::BTreeSet;

/// A view on own-core windows needs this many of them: of 6 values the median lies between the least and the
/// greatest 31 times in 32, of 5 only 15 times in 16.
pub const LEAST_OWN_WINDOWS: usize = 6;
/// A core counts as own if its width is within 7 % of what own cores have: pulses of own cores spread by
/// some 4 %, and below lie windows that were shared in part (see `docs/methodology.md`).
const OWN_WIDTH_SHARE: f64 = 0.93;
/// A window of several threads counts if at least this share of them had their core to themselves.
const LEAST_OWN_THREADS: f64 = 0.5;

/// What the pulses tell of the cores in all windows with one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Cores {
    /// The two states of a core's width, if there are two: shared with a neighbour, and own.
    pub states: Option<States>,
    /// Median clock in Hz of own cores, as the median row has it.
    pub clock_hz: f64,
    /// What each row makes of it.
    pub clocks: RowClocks,
    /// How far work at the clock of own cores may be off: what all rows share, the clock above all.
    pub level: Level,
}

/// A window on cores that were its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnLook {
    /// Ops per second and GHz, of all threads as of those whose core was their own.
    pub per_ghz: f64,
    /// Mean clock of these in Hz.
    pub clock_hz: f64,
}

impl OwnLook {
    /// Ops per second at the clock that it had.
    pub fn speed(&self) -> f64 {
        self.per_ghz * self.clock_hz / 1e9
    }
}

/// A window on own cores.
struct OwnSample {
    round: u64,
    /// Ops per second.
    speed: f64,
    /// The clock in Hz, without what the row makes of it.
    clock_hz: f64,
}

/// Each window of a row on own cores, in order.
type OwnSeries = Vec<OwnSample>;

/// A core whose width is above this is own.
pub fn least_own_width(states: States) -> f64 {
    OWN_WIDTH_SHARE * states.high
}

impl Cores {
    /// Of the windows of several rows that have the same number of threads. If these threads share cores with
    /// each other, their widths tell nothing of neighbours. `None` without windows, and if widths are all over the
    /// place so that nothing tells which cores were own.
    pub fn of(rows: &[&[Look]], share_cores: bool) -> Option<Self> {
        let looks =
            rows.iter().flat_map(|looks| undisturbed(looks)).filter(|look| look.has_clock());
        let widths: Vec<f64> =
            looks.flat_map(|look| look.threads.iter().flat_map(|thread| thread.widths)).collect();
        let states = if share_cores { None } else { two_states(&widths) };
        if !share_cores && states.is_none() && !is_one_state(&widths) {
            return None;
        }
        let clocks = RowClocks::of(rows);
        let mut cores = Self { states, clock_hz: 0.0, clocks, level: Level::NONE };
        let of_row = |(row, looks): (usize, &&[Look])| -> OwnSeries {
            let own = |look: &Look| {
                let own = cores.own(look)?;
                let clock_hz = cores.clocks.without_effect(row, own.clock_hz);
                Some(OwnSample { round: look.round, speed: own.speed(), clock_hz })
            };
            undisturbed(looks).filter_map(own).collect()
        };
        let own: Vec<OwnSeries> = rows.iter().enumerate().map(of_row).collect();
        let clocks: Vec<f64> = own.iter().flatten().map(|own| own.clock_hz).collect();
        if clocks.is_empty() {
            return None;
        }
        cores.clock_hz = median(&clocks);
        cores.level = level(&own);
        Some(cores)
    }

    /// What drift of the clock adds to a look of a row, by factor: what the run's clock was around it over the clock of
    /// the run. `None` if the look was disturbed.
    pub fn drift(&self, row: usize, look: usize) -> Option<f64> {
        Some(self.clocks.around_hz(row, look)? / self.clock_hz)
    }

    /// What a window says of its work on cores that were its own; `None` if they were not. Where no two
    /// states can be told apart every window counts.
    pub fn own(&self, look: &Look) -> Option<OwnLook> {
        let least_width = self.states.map_or(0.0, least_own_width);
        let own: Vec<_> =
            look.threads.iter().filter(|thread| thread.width() > least_width).collect();
        let count = own.len() as f64;
        if !look.has_clock()
            || own.is_empty()
            || count < LEAST_OWN_THREADS * look.threads.len() as f64
        {
            return None;
        }
        let per_cycle: f64 = own.iter().map(|thread| thread.throughput / thread.clock_hz).sum();
        Some(OwnLook {
            per_ghz: per_cycle / count * look.threads.len() as f64 * 1e9,
            clock_hz: own.iter().map(|thread| thread.clock_hz).sum::<f64>() / count,
        })
    }
}

/// How far work at the run's clock may be off. Rows against their own centres tell it, if all were measured
/// throughout. What changed between stretches in which other rows were measured, only the clock knows.
fn level(own: &[OwnSeries]) -> Level {
    let series = |of: fn(&OwnSample) -> f64| -> Vec<Series> {
        own.iter().map(|row| row.iter().map(|own| (own.round, of(own).ln())).collect()).collect()
    };
    let of = |series: &[Series]| level_with_floor(&level_by_round(series, median));
    let level = of(&series(|own| own.speed));
    if were_throughout(own) {
        return level;
    }
    level.max(of(&[series(|own| own.clock_hz).concat()]))
}

/// Whether every row that has windows has some in each quarter of the rounds.
fn were_throughout(own: &[OwnSeries]) -> bool {
    let rounds = || own.iter().flatten().map(|own| own.round);
    let (Some(first), Some(last)) = (rounds().min(), rounds().max()) else { return true };
    let quarter = |round: u64| (round - first) * 4 / (last - first + 1);
    let has_all = |row: &&OwnSeries| {
        row.iter().map(|own| quarter(own.round)).collect::<BTreeSet<_>>().len() == 4
    };
    last - first < 4 || own.iter().filter(|row| !row.is_empty()).all(|row| has_all(&row))
}
