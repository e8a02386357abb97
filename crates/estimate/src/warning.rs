//! What must be said about an estimate.

use super::bound::Bound;
use super::cores::LEAST_OWN_WINDOWS;
use super::look::Disturbance;
use serde::Serialize;
use std::fmt;

/// What must be said about an estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// One figure was imported: nothing tells how far it may be off.
    OneFigure,
    /// All samples are the same to the last digit: nothing measured is.
    NoSpread {
        /// How many there are.
        windows: usize,
    },
    /// The work makes the core clock down.
    LowClock {
        /// Share of the clock that the run's rows have.
        share: f64,
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
        self.is_about_figure()
            && !matches!(self, Self::StartsThreads | Self::OneFigure | Self::NoSpread { .. })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewWindows { windows } => match windows {
                1 => f.write_str("1 sample: no error bar"),
                _ => write!(f, "only {windows} samples: too few for an error bar"),
            },
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
            Self::OneFigure => f.write_str("1 sample: no error bar"),
            Self::NoSpread { windows } => {
                write!(f, "{windows} samples without any spread: no error bar")
            }
            Self::LowClock { share } => {
                write!(f, "clocks {:.0} % lower than the other rows", (1.0 - share) * 100.0)
            }
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
