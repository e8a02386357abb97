//! The estimate of one case in its views, with warnings attached.

use super::Bound;
use super::clusters::{LEAST_LAUNCHES, clusters};
use super::cores::{Cores, OwnLook};
use super::delivered::{LEAST_WINDOWS, delivered};
use super::level::Level;
use super::look::{Disturbance, Look, undisturbed};
use super::view::{View, ViewKind};
use crate::stats::{Interval, clustered_median, mean};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A view on own-core windows needs this many of them: of 6 values the median lies between the least and the
/// greatest 31 times in 32, of 5 only 15 times in 16.
pub const LEAST_OWN_WINDOWS: usize = 6;
/// Above this share of disturbed windows an estimate rests mostly on them.
const MOSTLY: f64 = 0.5;

/// What must be said about an estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// There are too few windows for an interval.
    TooFewWindows {
        /// How many there are.
        windows: usize,
    },
    /// There are too few windows on own cores for the figure that is judged by.
    FewOwnCore {
        /// How many windows there are in all.
        windows: usize,
    },
    /// There are too few launches to tell how processes differ.
    FewLaunches {
        /// How many there are.
        launches: usize,
    },
    /// One figure was imported: how far it may be off is not known.
    OneFigure,
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
    /// Of some windows no figure was made.
    LeftOut {
        /// How many.
        windows: usize,
    },
    /// There are more threads than CPUs.
    Oversubscribed {
        /// Threads.
        threads: usize,
        /// CPUs.
        cpus: usize,
    },
    /// The library starts threads of its own; they run on the case's CPUs as well.
    StartsThreads,
    /// The figure is beyond what can be.
    OutOfBounds(Bound),
    /// The client had nothing left, and the server had: the figure is the client's.
    ClientBound {
        /// Share of its CPUs that the client used.
        client: f64,
        /// And the server.
        server: f64,
    },
    /// Neither side was busy: the way between them, or others, set the pace.
    NeitherBusy {
        /// Share of its CPUs that the client used.
        client: f64,
        /// And the server.
        server: f64,
    },
    /// Server and client took turns on a CPU.
    SharedWithClient,
    /// The server did not answer as fast as requests were due.
    RateNotKept {
        /// What was answered of what was due.
        kept: f64,
    },
    /// Some launches have not passed their final verification.
    NotVerifiedAtEnd {
        /// How many.
        launches: usize,
    },
}

impl Warning {
    /// Whether it says more than that the estimate is wide or missing, which is seen beside it.
    pub fn is_about_figure(&self) -> bool {
        !matches!(self, Self::Wide { .. } | Self::FewOwnCore { .. })
    }

    /// Whether it is about the windows, and no property of the work that two machines share.
    pub fn is_about_windows(&self) -> bool {
        self.is_about_figure() && !matches!(self, Self::StartsThreads | Self::OneFigure)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewWindows { windows } => {
                write!(f, "only {windows} windows: too few for an interval")
            }
            Self::FewOwnCore { windows } => write!(
                f,
                "fewer than {LEAST_OWN_WINDOWS} of {windows} windows had their cores to themselves"
            ),
            Self::LeftOut { windows } => {
                write!(f, "{windows} samples left out: more CPU time in them than there was")
            }
            Self::FewLaunches { launches } => write!(
                f,
                "too few launches ({launches}): how processes differ is not in the interval"
            ),
            Self::OneFigure => f.write_str("one figure: how far it may be off is not known"),
            Self::Wide { half, asked } => write!(
                f,
                "±{:.1} % is wider than the ±{:.1} % asked for",
                half * 100.0,
                asked * 100.0
            ),
            Self::Disturbed { share, cause } => {
                write!(f, "{:.0} % disturbed: {cause}", share * 100.0)
            }
            Self::Oversubscribed { threads, cpus } => {
                write!(f, "oversubscribed: {threads} threads on {cpus} CPUs")
            }
            Self::StartsThreads => f.write_str("its library starts more threads, on the same CPUs"),
            Self::OutOfBounds(bound) => bound.fmt(f),
            Self::ClientBound { client, server } => write!(
                f,
                "client-bound: the client used {:.0} % of its CPUs, the server {:.0} %",
                client * 100.0,
                server * 100.0
            ),
            Self::NeitherBusy { client, server } => write!(
                f,
                "neither side was busy: the client used {:.0} % of its CPUs, the server {:.0} %; the network, or \
                 others, set the pace",
                client * 100.0,
                server * 100.0
            ),
            Self::SharedWithClient => write!(f, "server and client share a CPU"),
            Self::RateNotKept { kept } => {
                write!(f, "the rate was not kept: {:.0} % of what was due", kept * 100.0)
            }
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
    /// Windows whose cores were the workload's own, or all where no neighbour can be told apart: the
    /// median, at the clock that own cores had in the run.
    pub own_core: Option<View>,
    /// Ops per second and GHz of the same windows.
    pub per_clock: Option<View>,
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
    /// in windows of as many threads, `floor` what measuring for longer would not take away.
    pub fn of(looks: &[Look], cores: Option<&Cores>, floor: Level) -> Self {
        let all: Vec<f64> = looks.iter().map(|look| look.throughput).collect();
        let whole = |row: Interval| {
            let interval = row.at_least(floor.half, floor.freedom);
            View { interval, row, level: floor, windows: all.len() }
        };
        let (per_clock, own_core) = cores.map_or((None, None), |cores| own_core(looks, cores));
        Self {
            delivered: delivered(&all).map(whole),
            own_core,
            per_clock,
            mean: (!all.is_empty()).then(|| mean(&all)),
            windows: looks.len(),
            launches: launches(looks),
            warnings: warnings(looks),
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
}

fn launches(looks: &[Look]) -> usize {
    looks.iter().map(|look| look.launch).collect::<BTreeSet<_>>().len()
}

/// Per clock, and at the clock of the run.
fn own_core(looks: &[Look], cores: &Cores) -> (Option<View>, Option<View>) {
    let own: Vec<(&Look, OwnLook)> =
        undisturbed(looks).filter_map(|look| Some((look, cores.own(look)?))).collect();
    if own.len() < LEAST_OWN_WINDOWS {
        return (None, None);
    }
    let launches: Vec<u64> = own.iter().map(|(look, _)| look.launch).collect();
    let per_ghz = own.iter().map(|(_, own)| own.per_ghz);
    let clustered: Vec<(u64, f64)> = clusters(&launches).into_iter().zip(per_ghz).collect();
    let Some(per_ghz) = clustered_median(&clustered) else { return (None, None) };
    let at_clock = per_ghz.scaled(cores.clock_hz / 1e9);
    (
        Some(View::of(per_ghz, Level::NONE, own.len())),
        Some(View::of(at_clock, cores.level, own.len())),
    )
}

/// What the windows themselves give cause to say.
fn warnings(looks: &[Look]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if looks.len() < LEAST_WINDOWS {
        warnings.push(Warning::TooFewWindows { windows: looks.len() });
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
