//! Bounds that a plausible figure stays within.

use serde::Serialize;
use std::fmt;

/// A bound that a figure exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(tag = "bound", rename_all = "kebab-case")]
pub enum Bound {
    /// The speed-up over one thread exceeds the number of threads.
    SpeedUp {
        /// Throughput over that of one thread.
        speed_up: f64,
        /// The bound: threads, or CPUs if these are fewer.
        most: usize,
    },
    /// Each core reads more bytes than a core can.
    BytesPerCycle {
        /// Input bytes per cycle and CPU.
        bytes: f64,
        /// The bound.
        most: f64,
    },
    /// Ops take less than a cycle each.
    OpsPerCycle {
        /// Ops per cycle and CPU.
        ops: f64,
        /// The bound.
        most: f64,
    },
    /// Reading the clock takes too much of the time.
    ClockReading {
        /// Share of the samples' time.
        share: f64,
        /// The limit.
        most: f64,
    },
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::SpeedUp { speed_up, most } => {
                write!(f, "impossible: {speed_up:.2}× one thread (at most {most}×)")
            }
            Self::BytesPerCycle { bytes, most } => {
                write!(f, "impossible: {bytes:.0} bytes/cycle (cores read at most {most:.0})")
            }
            Self::OpsPerCycle { ops, most } => {
                write!(
                    f,
                    "impossible: {ops:.1} ops/cycle (at most {most:.0}): check that an op does work"
                )
            }
            Self::ClockReading { share, most } => write!(
                f,
                "reading the clock takes {:.2} % of the time, more than {:.1} %",
                share * 100.0,
                most * 100.0
            ),
        }
    }
}
