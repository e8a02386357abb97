//! The estimate of one case in its views, with warnings attached.

use super::clusters::{LEAST_LAUNCHES, clusters};
use super::cores::{Cores, LEAST_OWN_SAMPLES, OwnLook};
use super::delivered::{LEAST_SAMPLES, delivered};
use super::look::{Disturbance, Look};
use super::memory_neighbour::MemoryNeighbour;
use super::usage::Usage;
use super::view::ViewKind;
use super::warning::Warning;
use serde::Serialize;
use stats::{Interval, clustered_median, mean};
use std::collections::{BTreeMap, BTreeSet};
use verdict::RunEffect;
use verdict::View;

/// A row whose clock is certainly below this share of the run's clock clocks down.
const MOST_LOW_CLOCK: f64 = 0.98;
/// Above this share, disturbed samples dominate an estimate.
const MOSTLY: f64 = 0.5;

/// One case's estimates, in ops per second.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CaseEstimate {
    /// All samples: what the machine delivered.
    pub delivered: Option<View>,
    /// Median of the uncontended samples, or of all samples where no neighbour is detected, at this work's clock
    /// without the run's drift.
    pub uncontended: Option<View>,
    /// Ops per second and GHz in the same samples.
    pub per_ghz: Option<View>,
    /// The clock in Hz during this work, without the run's drift.
    pub clock_hz: Option<Interval>,
    /// Mean throughput, for a case with too few samples for an interval.
    pub mean: Option<f64>,
    pub samples: usize,
    pub launches: usize,
    /// `None` where no neighbour was detected.
    pub memory_neighbour: Option<MemoryNeighbour>,
    /// CPU time, page faults, memory and other resources; `None` for samples without their run, and for imported figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    pub warnings: Vec<Warning>,
}

impl CaseEstimate {
    /// Takes samples in the order in which they were taken. `cores` describes the cores in samples with as many threads, with
    /// the case's row there; `floor` is the uncertainty that longer measuring does not remove.
    pub fn of(looks: &[Look], cores: Option<(&Cores, usize)>, floor: RunEffect) -> Self {
        let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
        let whole = |own: Interval| {
            let interval = own.at_least(floor.margin, floor.freedom);
            View { interval, own, run_effect: floor, samples: all.len() }
        };
        let mut case = Self {
            delivered: delivered(&all).map(whole),
            uncontended: None,
            per_ghz: None,
            clock_hz: None,
            mean: (!all.is_empty()).then(|| mean(&all)),
            samples: looks.len(),
            launches: launches(looks),
            memory_neighbour: cores.and_then(|(cores, _)| MemoryNeighbour::of(looks, cores)),
            usage: None,
            warnings: warnings(looks),
        };
        if let Some((cores, row)) = cores {
            case.add_uncontended(looks, cores, row);
        }
        case.warnings.extend(case.memory_neighbour.and_then(MemoryNeighbour::warning));
        if !has_spread(&all) {
            case.hide_error_bars();
        }
        case
    }

    /// Adds the views on uncontended samples, unless these are too few.
    fn add_uncontended(&mut self, looks: &[Look], cores: &Cores, row: usize) {
        let own = |(number, own): (usize, OwnLook)| {
            let drift = cores.drift(row, number)?;
            Some((looks[number].launch, [own.speed() / drift, own.per_ghz, own.clock_hz / drift]))
        };
        let own: Vec<(u64, [f64; 3])> =
            cores.uncontended(looks).into_iter().filter_map(own).collect();
        let launches: Vec<u64> = own.iter().map(|(launch, _)| *launch).collect();
        let clusters = clusters(&launches);
        let median = |figure: usize| {
            let figures = own.iter().map(|(_, figures)| figures[figure]);
            clustered_median(&clusters.iter().copied().zip(figures).collect::<Vec<_>>())
        };
        if own.len() >= LEAST_OWN_SAMPLES
            && let [Some(speed), Some(per_ghz), Some(clock_hz)] = [0, 1, 2].map(median)
        {
            self.uncontended = Some(View::of(speed, cores.run_effect, own.len()));
            self.per_ghz = Some(View::of(per_ghz, RunEffect::NONE, own.len()));
            self.clock_hz = Some(clock_hz);
            let share = clock_hz.scaled(1.0 / cores.clock_hz);
            let is_low = share.high < MOST_LOW_CLOCK;
            self.warnings.extend(is_low.then_some(Warning::LowClock { share: share.centre }));
        }
    }

    /// The estimate in one of its views.
    pub fn view(&self, kind: ViewKind) -> Option<View> {
        match kind {
            ViewKind::Uncontended => self.uncontended,
            ViewKind::Delivered | ViewKind::Imported => self.delivered,
            ViewKind::PerGhz => self.per_ghz,
        }
    }

    /// Makes its error unknown, for its samples repeat each other.
    pub(super) fn forget_error_bars(&mut self) {
        self.hide_error_bars();
        let warning = Warning::NoSpread { samples: self.samples };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn hide_error_bars(&mut self) {
        for view in [&mut self.delivered, &mut self.uncontended, &mut self.per_ghz] {
            *view = view.map(View::without_error_bar);
        }
    }

    /// Whether there is a delivered figure and no uncontended one.
    pub fn lacks_uncontended(&self) -> bool {
        self.uncontended.is_none() && self.delivered.is_some()
    }
}

fn has_spread(series: &[f64]) -> bool {
    series.iter().any(|value| *value != series[0])
}

fn launches(looks: &[Look]) -> usize {
    looks.iter().map(|look| look.launch).collect::<BTreeSet<_>>().len()
}

/// Warnings that follow from the samples alone.
fn warnings(looks: &[Look]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if looks.len() < LEAST_SAMPLES {
        warnings.push(Warning::TooFewSamples { samples: looks.len() });
    }
    let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
    if looks.len() >= LEAST_SAMPLES && !has_spread(&all) {
        warnings.push(Warning::NoSpread { samples: looks.len() });
    }
    let launches = launches(looks);
    if looks.len() >= LEAST_SAMPLES && launches < LEAST_LAUNCHES {
        warnings.push(Warning::FewLaunches { launches });
    }
    let mut causes: BTreeMap<Disturbance, usize> = BTreeMap::new();
    for cause in looks.iter().flat_map(|look| &look.disturbances) {
        *causes.entry(*cause).or_default() += 1;
    }
    let disturbed = looks.iter().filter(|look| !look.disturbances.is_empty()).count();
    let share = disturbed as f64 / looks.len().max(1) as f64;
    if share > MOSTLY
        && let Some((cause, _)) = causes.into_iter().max_by_key(|(_, count)| *count)
    {
        warnings.push(Warning::Disturbed { share, cause });
    }
    warnings
}
