//! What a figure can be beyond.

use serde::Serialize;
use std::fmt;

/// A bound that a figure is beyond.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "bound", rename_all = "kebab-case")]
pub enum Bound {
    /// Threads together do more than as many times one thread.
    SpeedUp {
        /// Throughput over that of one thread.
        speed_up: f64,
        /// What can be: threads, or CPUs if these are fewer.
        most: usize,
    },
    /// Each core reads more than a core can.
    BytesPerCycle {
        /// Input bytes per cycle and CPU.
        bytes: f64,
        /// What can be.
        most: f64,
    },
    /// Ops take less than a cycle each.
    OpsPerCycle {
        /// Ops per cycle and CPU.
        ops: f64,
        /// What can be.
        most: f64,
    },
    /// Too much of the time goes to reading the clock.
    ClockReading {
        /// Share of the windows' time.
        share: f64,
        /// What may be.
        most: f64,
    },
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::SpeedUp { speed_up, most } => {
                write!(f, "can't be: {speed_up:.2} times one thread, on {most}")
            }
            Self::BytesPerCycle { bytes, most } => {
                write!(f, "can't be: {bytes:.0} bytes per cycle, no core reads more than {most:.0}")
            }
            Self::OpsPerCycle { ops, most } => {
                write!(
                    f,
                    "can't be: {ops:.1} ops per cycle, not {most:.0} at most; is there work in an op?"
                )
            }
            Self::ClockReading { share, most } => write!(
                f,
                "reading the clock costs {:.2} %, more than {:.1} %",
                share * 100.0,
                most * 100.0
            ),
        }
    }
}
