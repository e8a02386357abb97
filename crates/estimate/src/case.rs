//! The estimate of one case in its views, with warnings attached.

use super::clusters::{LEAST_LAUNCHES, clusters};
use super::cores::{Cores, LEAST_OWN_WINDOWS};
use super::delivered::{LEAST_WINDOWS, delivered};
use super::level::Level;
use super::look::{Disturbance, Look};
use super::view::{View, ViewKind};
use super::warning::Warning;
use serde::Serialize;
use stats::{Interval, clustered_median, mean};
use std::collections::{BTreeMap, BTreeSet};

/// A row whose clock is surely below this share of what the run's rows have clocks down.
const MOST_LOW_CLOCK: f64 = 0.98;
/// Above this share of disturbed windows an estimate rests mostly on them.
const MOSTLY: f64 = 0.5;

/// One case's estimates, in ops per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseEstimate {
    /// All windows: what this machine gave.
    pub delivered: Option<View>,
    /// Windows whose cores were the workload's own, or all where no neighbour can be told apart: the
    /// median, at the clock that this work had, without the run's drift.
    pub own_core: Option<View>,
    /// Ops per second and GHz of the same windows.
    pub per_clock: Option<View>,
    /// The clock in Hz that this work had, without the run's drift.
    pub clock_hz: Option<Interval>,
    /// Mean throughput, for a case with too few windows for an interval.
    pub mean: Option<f64>,
    /// Windows.
    pub windows: usize,
    /// Launches.
    pub launches: usize,
    /// What must be said.
    pub warnings: Vec<Warning>,
}

impl CaseEstimate {
    /// Of a case's windows in the order in which they were taken. `cores` is what is known of the cores
    /// in windows of as many threads, with the case's row there; `floor` what measuring for longer would not take away.
    pub fn of(looks: &[Look], cores: Option<(&Cores, usize)>, floor: Level) -> Self {
        let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
        let whole = |row: Interval| {
            let interval = row.at_least(floor.half, floor.freedom);
            View { interval, row, level: floor, windows: all.len() }
        };
        let own = cores.and_then(|(cores, row)| OwnViews::of(looks, cores, row));
        let known = |view: View| if has_spread(&all) { view } else { view.without_error_bar() };
        let clock_hz = own.map(|own| own.clock_hz);
        let run_clock_hz = cores.map(|(cores, _)| cores.clock_hz);
        let low_clock = clock_hz.zip(run_clock_hz).and_then(|(of_row, of_run)| {
            let share = of_row.scaled(1.0 / of_run);
            (share.high < MOST_LOW_CLOCK).then_some(Warning::LowClock { share: share.centre })
        });
        Self {
            delivered: delivered(&all).map(whole).map(known),
            own_core: own.map(|own| known(own.own_core)),
            per_clock: own.map(|own| known(own.per_clock)),
            clock_hz,
            mean: (!all.is_empty()).then(|| mean(&all)),
            windows: looks.len(),
            launches: launches(looks),
            warnings: warnings(looks).into_iter().chain(low_clock).collect(),
        }
    }

    /// The estimate in one of its views.
    pub fn view(&self, kind: ViewKind) -> Option<View> {
        match kind {
            ViewKind::OwnCore => self.own_core,
            ViewKind::Delivered | ViewKind::Imported => self.delivered,
            ViewKind::PerClock => self.per_clock,
        }
    }

    /// Whether there is a figure as delivered and none on own cores.
    pub fn lacks_uncontended(&self) -> bool {
        self.own_core.is_none() && self.delivered.is_some()
    }
}

/// Whether a series of samples differs at all.
fn has_spread(series: &[f64]) -> bool {
    series.iter().any(|value| *value != series[0])
}

fn launches(looks: &[Look]) -> usize {
    looks.iter().map(|look| look.launch).collect::<BTreeSet<_>>().len()
}

/// What windows on own cores say.
#[derive(Clone, Copy)]
struct OwnViews {
    own_core: View,
    per_clock: View,
    clock_hz: Interval,
}

impl OwnViews {
    /// Of a row's windows; `None` if too few are on own cores.
    fn of(looks: &[Look], cores: &Cores, row: usize) -> Option<Self> {
        let own = |(number, look): (usize, &Look)| {
            let (own, drift) = (cores.own(look)?, cores.drift(row, number)?);
            Some((look.launch, [own.speed() / drift, own.per_ghz, own.clock_hz / drift]))
        };
        let own: Vec<(u64, [f64; 3])> = looks.iter().enumerate().filter_map(own).collect();
        if own.len() < LEAST_OWN_WINDOWS {
            return None;
        }
        let launches: Vec<u64> = own.iter().map(|(launch, _)| *launch).collect();
        let clusters = clusters(&launches);
        let median = |figure: usize| {
            let figures = own.iter().map(|(_, figures)| figures[figure]);
            clustered_median(&clusters.iter().copied().zip(figures).collect::<Vec<_>>())
        };
        Some(Self {
            own_core: View::of(median(0)?, cores.level, own.len()),
            per_clock: View::of(median(1)?, Level::NONE, own.len()),
            clock_hz: median(2)?,
        })
    }
}

/// What the windows themselves give cause to say.
fn warnings(looks: &[Look]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if looks.len() < LEAST_WINDOWS {
        warnings.push(Warning::TooFewWindows { windows: looks.len() });
    }
    let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
    if looks.len() >= LEAST_WINDOWS && !has_spread(&all) {
        warnings.push(Warning::NoSpread { windows: looks.len() });
    }
    let launches = launches(looks);
    if looks.len() >= LEAST_WINDOWS && launches < LEAST_LAUNCHES {
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
