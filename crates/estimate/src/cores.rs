//! Finds from the pulses which cores were uncontended, and their clock.

use super::clock::RowClocks;
use super::look::{Look, undisturbed};
use super::memory::{is_quiet, memory_states};
use super::run_effect::{Series, run_effect_by_round, run_effect_with_floor};
use stats::{States, is_one_state, median, two_states};
use std::collections::BTreeSet;
use verdict::RunEffect;

/// Views on uncontended samples need this many: the true median lies between the least and the greatest of 6 values
/// 31 times in 32, of 5 values only 15 times in 16.
pub const LEAST_OWN_SAMPLES: usize = 6;
/// A core counts as uncontended if its width is within 7 % of the uncontended width: pulses of uncontended cores spread
/// by some 4 %, and below lie samples that were contended in part (see `docs/methodology.md`).
const OWN_WIDTH_SHARE: f64 = 0.93;
/// A sample of several threads counts if at least this share of them were uncontended.
const LEAST_OWN_THREADS: f64 = 0.5;

/// The cores in all samples with one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct Cores {
    /// The two states of a core's width, contended and uncontended, if there are two.
    pub states: Option<States>,
    /// The two states of the memory's bandwidth, with and without a neighbour, if there are two.
    pub memory: Option<States>,
    /// Median clock in Hz of uncontended cores in the median row.
    pub clock_hz: f64,
    /// Each row's effect on the clock.
    pub clocks: RowClocks,
    /// Uncertainty common to all rows at the clock of uncontended cores; mostly that of the clock.
    pub run_effect: RunEffect,
}

/// An uncontended sample of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OwnLook {
    pub round: u64,
    /// Ops per second and GHz of all threads, extrapolated from those on uncontended cores.
    pub per_ghz: f64,
    /// Mean clock of the latter in Hz.
    pub clock_hz: f64,
}

impl OwnLook {
    /// Ops per second at the clock of the sample.
    pub fn speed(&self) -> f64 {
        self.per_ghz * self.clock_hz / 1e9
    }
}

/// Uncontended samples of a row, with their places among all of it.
pub type OwnLooks = Vec<(usize, OwnLook)>;

/// A core with a width above this is uncontended.
pub fn least_own_width(states: States) -> f64 {
    OWN_WIDTH_SHARE * states.high
}

impl Cores {
    /// Takes samples of rows with the same number of threads. If these threads share cores with each other, their widths do not
    /// show neighbours. `None` without samples, and if widths are too scattered to find uncontended cores.
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
        let memory = memory_states(rows);
        let mut cores = Self { states, memory, clock_hz: 0.0, clocks, run_effect: RunEffect::NONE };
        let own: Vec<OwnLooks> = rows.iter().map(|looks| cores.uncontended(looks)).collect();
        let clocks =
            series(&own, |row, own| cores.clocks.without_effect(row, own.clock_hz)).concat();
        if clocks.is_empty() {
            return None;
        }
        cores.clock_hz = median(&clocks.iter().map(|(_, clock_hz)| *clock_hz).collect::<Vec<_>>());
        cores.run_effect = run_effect(&own, clocks);
        Some(cores)
    }

    /// The clock's drift at a sample of a row: the run's clock around it over the run's median clock. `None` if the
    /// sample was disturbed.
    pub fn drift(&self, row: usize, look: usize) -> Option<f64> {
        Some(self.clocks.around_hz(row, look)? / self.clock_hz)
    }

    /// Which of a row's samples were uncontended: on uncontended cores and, if there are enough of these, without a
    /// neighbour on the memory.
    pub fn uncontended(&self, looks: &[Look]) -> OwnLooks {
        let (quiet, beside) = self.by_memory(looks);
        if quiet.len() >= LEAST_OWN_SAMPLES {
            return quiet;
        }
        let mut all = [quiet, beside].concat();
        all.sort_by_key(|(number, _)| *number);
        all
    }

    /// A row's samples on uncontended cores: those without a neighbour on the memory, and those beside one.
    pub fn by_memory(&self, looks: &[Look]) -> (OwnLooks, OwnLooks) {
        let undisturbed = looks.iter().enumerate().filter(|(_, look)| look.is_undisturbed());
        let own = undisturbed.filter_map(|(number, look)| Some((number, self.own(look)?)));
        own.partition(|(number, _)| is_quiet(&looks[*number], self.memory))
    }

    /// The part of a sample on uncontended cores; `None` if there is too little. Without two states, every sample
    /// counts.
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
            round: look.round,
            per_ghz: per_cycle / count * look.threads.len() as f64 * 1e9,
            clock_hz: own.iter().map(|thread| thread.clock_hz).sum::<f64>() / count,
        })
    }
}

/// A figure of the uncontended samples of each row.
fn series(own: &[OwnLooks], figure: impl Fn(usize, OwnLook) -> f64) -> Vec<Series> {
    let of_row = |(row, own): (usize, &OwnLooks)| {
        own.iter().map(|(_, own)| (own.round, figure(row, *own))).collect()
    };
    own.iter().enumerate().map(of_row).collect()
}

/// Uncertainty of work at the run's clock: from rows against their own centres, if all were measured throughout.
/// Otherwise only the clock shows changes between stretches in which different rows were measured. `clocks` are in Hz,
/// without the rows' effects.
fn run_effect(own: &[OwnLooks], clocks: Series) -> RunEffect {
    let effect = |series: &[Series]| run_effect_with_floor(&run_effect_by_round(series, median));
    let run_effect = effect(&series(own, |_, own| own.speed().ln()));
    if were_throughout(own) {
        return run_effect;
    }
    run_effect.max(effect(&[clocks.into_iter().map(|(round, hz)| (round, hz.ln())).collect()]))
}

/// Whether every row that has samples has some in each quarter of the rounds.
fn were_throughout(own: &[OwnLooks]) -> bool {
    let rounds = || own.iter().flatten().map(|(_, own)| own.round);
    let (Some(first), Some(last)) = (rounds().min(), rounds().max()) else { return true };
    let quarter = |round: u64| (round - first) * 4 / (last - first + 1);
    let has_all = |row: &&OwnLooks| {
        row.iter().map(|(_, own)| quarter(own.round)).collect::<BTreeSet<_>>().len() == 4
    };
    last - first < 4 || own.iter().filter(|row| !row.is_empty()).all(|row| has_all(&row))
}
