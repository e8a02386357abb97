//! What rules look at. It is gathered first and judged then, so that a machine, a run and a test are judged
//! by the same rules.

use super::Pulses;
use machine::{Fact, LoadAverage, Machine, Swap, emulation};
use record::{Activity, Run};
use serde::Serialize;
use std::path::Path;

/// Everything that is known of a machine. What was not looked at is `None`: its rules say nothing.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// What it says of itself.
    pub machine: Machine,
    /// How it is at this moment.
    pub moment: Option<Moment>,
    /// What happened on it for a while.
    pub activity: Option<Activity>,
    /// What pulses show, or why none could be taken.
    pub pulses: Option<Result<Pulses, String>>,
}

/// How a machine is at a moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment {
    /// How many tasks wanted to run lately.
    pub load: Fact<LoadAverage>,
    /// How much swap is taken.
    pub swap: Fact<Swap>,
    /// Who translates instructions.
    pub emulation: Fact<String>,
}

impl Moment {
    /// Reads it under a root.
    pub fn read(root: &Path, machine: &Machine) -> Self {
        Self {
            load: LoadAverage::read(root),
            swap: Swap::read(root),
            emulation: emulation(root, machine),
        }
    }
}

impl Evidence {
    /// What a run's file tells of the time in which it measured. How the machine was set up was judged
    /// at its start.
    pub fn of_run(run: &Run, pulses: Option<Pulses>) -> Self {
        Self {
            machine: run.header.machine.clone(),
            moment: None,
            activity: Activity::sum(&run.activity),
            pulses: pulses.map(Ok),
        }
    }
}
