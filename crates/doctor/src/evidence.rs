//! The input of rules. Collecting it is separate from judging it, so that the same rules judge a machine, a run
//! and a test.

use super::Pulses;
use machine::{Fact, LoadAverage, Machine, Swap, emulation};
use record::{Activity, Run};
use serde::Serialize;
use std::path::Path;

/// Parts that were not collected are `None`: their rules give no finding.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub machine: Machine,
    pub moment: Option<Moment>,
    pub activity: Option<Activity>,
    /// The pulses, or why none could be taken.
    pub pulses: Option<Result<Pulses, String>>,
}

/// A machine's momentary state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Moment {
    pub load: Fact<LoadAverage>,
    pub swap: Fact<Swap>,
    /// The emulator that runs this program, if any.
    pub emulation: Fact<String>,
}

impl Moment {
    pub fn read(root: &Path, machine: &Machine) -> Self {
        Self {
            load: LoadAverage::read(root),
            swap: Swap::read(root),
            emulation: emulation(root, machine),
        }
    }
}

impl Evidence {
    /// Covers the time in which a run measured. The machine's setup was judged at its start.
    pub fn of_run(run: &Run, pulses: Option<Pulses>) -> Self {
        Self {
            machine: run.header.machine.clone(),
            moment: None,
            activity: Activity::sum(&run.activity),
            pulses: pulses.map(Ok),
        }
    }
}
