//! Warnings about an estimate.

use super::bound::Bound;
use super::cores::LEAST_OWN_SAMPLES;
use super::look::Disturbance;
use serde::Serialize;
use std::fmt;

/// A warning about an estimate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// Too few samples for an interval.
    TooFewSamples {
        /// Their number.
        samples: usize,
    },
    /// Too few uncontended samples for the figure by which rows are judged.
    FewUncontended {
        /// All samples, contended or not.
        samples: usize,
    },
    /// Too few launches: the variation between processes is unknown.
    FewLaunches {
        /// Their number.
        launches: usize,
    },
    /// A single imported figure: its error is unknown.
    OneFigure,
    /// All samples are identical to the last digit, which no measurement is.
    NoSpread {
        /// Their number.
        samples: usize,
    },
    /// The work lowers the clock of its core.
    LowClock {
        /// Clock over that of the run's other rows.
        share: f64,
    },
    /// The interval is wider than requested.
    NotConverged {
        /// Margin of the estimate, relative.
        margin: f64,
        /// Requested margin, relative.
        requested: f64,
    },
    /// Most samples were disturbed.
    Disturbed {
        /// Share of the samples.
        share: f64,
        /// The most frequent cause.
        cause: Disturbance,
    },
    /// Others kept the memory busy in some samples.
    MemoryNeighbour {
        /// Share of the samples on uncontended cores.
        share: f64,
        /// Relative loss of throughput in them. `None` if unknown: the figure includes these samples.
        loss: Option<f64>,
    },
    /// Some samples were excluded from the estimate.
    LeftOut {
        /// Their number.
        samples: usize,
    },
    /// More threads than CPUs.
    Oversubscribed {
        /// Threads.
        threads: usize,
        /// CPUs.
        cpus: usize,
    },
    /// The library starts threads of its own, which share the case's CPUs.
    StartsThreads,
    /// The figure exceeds a sanity bound.
    OutOfBounds(Bound),
    /// The client was saturated and the server was not: the figure is the client's.
    ClientBound {
        /// Share of its CPUs that the client used.
        client: f64,
        /// Share of its CPUs that the server used.
        server: f64,
    },
    /// Neither side was busy: the network or other work limited the rate.
    NeitherBusy {
        /// Share of its CPUs that the client used.
        client: f64,
        /// Share of its CPUs that the server used.
        server: f64,
    },
    /// Server and client share a CPU.
    SharedWithClient,
    /// The server answered requests slower than they were due.
    RateNotKept {
        /// Answered requests over due requests.
        kept: f64,
    },
    /// Some launches ended without passing their final verification.
    NotVerifiedAtEnd {
        /// Their number.
        launches: usize,
    },
}

impl Warning {
    /// False for warnings that the row shows anyway: not converged, or no estimate.
    pub fn is_about_figure(&self) -> bool {
        !matches!(self, Self::NotConverged { .. } | Self::FewUncontended { .. })
    }

    /// Whether it is about the samples that the figure is of, as opposed to a property of the work that two machines
    /// share.
    pub fn is_about_samples(&self) -> bool {
        let is_of_the_work = matches!(
            self,
            Self::StartsThreads
                | Self::OneFigure
                | Self::NoSpread { .. }
                | Self::MemoryNeighbour { loss: Some(_), .. }
        );
        self.is_about_figure() && !is_of_the_work
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooFewSamples { samples } => match samples {
                1 => f.write_str("1 sample: no error bar"),
                _ => write!(f, "{samples} samples: too few for an error bar"),
            },
            Self::FewUncontended { samples } if *samples < LEAST_OWN_SAMPLES => {
                write!(f, "too few samples ({samples}; {LEAST_OWN_SAMPLES} needed)")
            }
            Self::FewUncontended { samples } => {
                write!(f, "fewer than {LEAST_OWN_SAMPLES} of {samples} samples were uncontended")
            }
            Self::MemoryNeighbour { share, loss: None } => {
                write!(f, "includes a neighbour on the memory, {:.0} % of the time", share * 100.0)
            }
            Self::MemoryNeighbour { share, loss: Some(loss) } => write!(
                f,
                "{:.0} % slower beside a neighbour on the memory, which was there {:.0} % of the time",
                loss * 100.0,
                share * 100.0
            ),
            Self::LeftOut { samples } => {
                write!(f, "samples with impossible times excluded: {samples}")
            }
            Self::FewLaunches { launches } => {
                write!(f, "too few launches ({launches}): excludes variation between processes")
            }
            Self::OneFigure => f.write_str("1 sample: no error bar"),
            Self::NoSpread { samples } => {
                write!(f, "{samples} samples without any spread: no error bar")
            }
            Self::LowClock { share } => {
                write!(f, "clocks {:.0} % lower than the other rows", (1.0 - share) * 100.0)
            }
            Self::NotConverged { margin, requested } => write!(
                f,
                "not converged: ±{:.1} %, requested ±{:.1} %",
                margin * 100.0,
                requested * 100.0
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
                "client-bound: client used {:.0} % of its CPUs, server {:.0} %",
                client * 100.0,
                server * 100.0
            ),
            Self::NeitherBusy { client, server } => write!(
                f,
                "neither side busy: client used {:.0} % of its CPUs, server {:.0} %; the network or other work \
                 limits them",
                client * 100.0,
                server * 100.0
            ),
            Self::SharedWithClient => write!(f, "server and client share a CPU"),
            Self::RateNotKept { kept } => {
                write!(f, "rate not kept: {:.0} % of due requests answered in time", kept * 100.0)
            }
            Self::NotVerifiedAtEnd { launches } => {
                write!(f, "launches without final verification: {launches}")
            }
        }
    }
}
