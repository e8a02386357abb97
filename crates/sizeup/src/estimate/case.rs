//! The estimate of one case in its views, with warnings attached.

use super::delivered::LEAST_WINDOWS;
use super::look::{Disturbance, Look};
use super::{Bound, Steadiness, delivered};
use crate::stats::{Interval, mean};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A view on part of the windows needs this many of them.
const LEAST_WINDOWS_OF_A_PART: usize = 8;
/// Above this share of disturbed windows an estimate rests mostly on them.
const MOSTLY: f64 = 0.5;

/// An estimate from some of the windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct View {
    /// The estimate.
    #[serde(flatten)]
    pub interval: Interval,
    /// How many windows it rests on.
    pub windows: usize,
}

/// What must be said about an estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// There are too few windows for an interval.
    TooFewWindows {
        /// How many there are.
        windows: usize,
    },
    /// The interval is wider than was asked for.
    Wide {
        /// Its half-width.
        half: f64,
        /// What was asked for.
        asked: f64,
    },
    /// Most windows were disturbed.
    Disturbed {
        /// Share of the windows.
        share: f64,
        /// The most frequent cause.
        cause: Disturbance,
    },
    /// There are more threads than CPUs.
    Oversubscribed {
        /// Threads.
        threads: usize,
        /// CPUs.
        cpus: usize,
    },
    /// The figure is beyond what can be.
    OutOfBounds(Bound),
    /// Some launches have not passed their final verification.
    NotVerifiedAtEnd {
        /// How many.
        launches: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewWindows { windows } => {
                write!(f, "only {windows} windows: too few for an interval")
            }
            Self::Wide { half, asked } => write!(
                f,
                "±{:.1} % is wider than the ±{:.1} % asked for",
                half * 100.0,
                asked * 100.0
            ),
            Self::Disturbed { share, cause } => {
                let cause = match cause {
                    Disturbance::Steal => "steal",
                    Disturbance::CpuTaken => "CPU time taken by others",
                    Disturbance::Switches => "many interruptions",
                    Disturbance::MajorFaults => "major page faults",
                    Disturbance::FrequencyDrop => "the clock dropped",
                };
                write!(f, "{:.0} % disturbed: {cause}", share * 100.0)
            }
            Self::Oversubscribed { threads, cpus } => {
                write!(f, "oversubscribed: {threads} threads on {cpus} CPUs")
            }
            Self::OutOfBounds(bound) => bound.fmt(f),
            Self::NotVerifiedAtEnd { launches } => {
                write!(f, "{launches} launches ended without their final verification")
            }
        }
    }
}

/// One case's estimates, in ops per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseEstimate {
    /// All windows: what this machine gave.
    pub delivered: Option<View>,
    /// Windows whose core was the workload's own, where that can be told and there are enough.
    pub own_core: Option<View>,
    /// Ops per second and GHz: own-core windows where they can be told apart, else all, divided by
    /// the clock.
    pub per_clock: Option<View>,
    /// Mean throughput where there are too few windows for an interval.
    pub mean: Option<f64>,
    /// Windows.
    pub windows: usize,
    /// Launches.
    pub launches: usize,
    /// What must be said.
    pub warnings: Vec<Warning>,
}

impl CaseEstimate {
    /// Of a case's windows in the order in which they were taken.
    pub fn of(looks: &[Look], launches: usize, steadiness: &Steadiness) -> Self {
        let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
        let threshold = steadiness.width_states.map(|states| states.threshold);
        let is_own = |look: &&Look| look.has_clock() && threshold.is_some_and(|t| look.width > t);
        let has_clock = |look: &&Look| look.has_clock() && (threshold.is_none() || is_own(look));
        let own_core: Vec<f64> = looks.iter().filter(is_own).map(|look| look.throughput).collect();
        let per_clock: Vec<f64> = looks
            .iter()
            .filter(has_clock)
            .map(|look| look.throughput / look.clock_hz * 1e9)
            .collect();
        let view = |series: &[f64], least: usize, floor: f64| {
            let interval = (series.len() >= least).then(|| delivered(series, floor))??;
            Some(View { interval, windows: series.len() })
        };
        Self {
            delivered: view(&all, 1, steadiness.flicker_floor),
            own_core: view(&own_core, LEAST_WINDOWS_OF_A_PART, 0.0),
            per_clock: view(&per_clock, LEAST_WINDOWS_OF_A_PART, 0.0),
            mean: (!all.is_empty()).then(|| mean(&all)),
            windows: looks.len(),
            launches,
            warnings: warnings(looks),
        }
    }
}

/// What the windows themselves give cause to say.
fn warnings(looks: &[Look]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if looks.len() < LEAST_WINDOWS {
        warnings.push(Warning::TooFewWindows { windows: looks.len() });
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
