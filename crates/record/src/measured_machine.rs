//! Measurements of the machine itself.

use super::Activity;
use machine::{ClockStep, CoreToCore, Fact, Ladder};
use serde::{Deserialize, Serialize};

/// A machine's measured properties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MeasuredMachine {
    /// How long a cache line takes from core to core.
    pub core_to_core: Fact<CoreToCore>,
    /// How long a load takes from each cache and from memory.
    pub ladder: Fact<Ladder>,
    /// The clock by the number of cores at work.
    pub clocks: Fact<Vec<ClockStep>>,
    /// The emulator, or `none seen`.
    pub emulation: Fact<String>,
    /// Who else used the machine meanwhile.
    pub activity: Activity,
}

impl MeasuredMachine {
    /// Whether every part has figures.
    pub fn is_whole(&self) -> bool {
        let Self { core_to_core, ladder, clocks, .. } = self;
        core_to_core.known().is_some() && ladder.known().is_some() && clocks.known().is_some()
    }

    /// # Errors
    /// When a figure can't be one of any machine.
    pub(super) fn check(&self) -> Result<(), String> {
        let impossible = |what| Err(format!("{what} that no machine has"));
        if !self.core_to_core.known().is_none_or(CoreToCore::is_possible) {
            return impossible("times from core to core");
        }
        if !self.ladder.known().is_none_or(Ladder::is_possible) {
            return impossible("times of loads");
        }
        let clocks = self.clocks.known().into_iter().flatten();
        if !clocks.into_iter().all(ClockStep::is_possible) {
            return impossible("clocks");
        }
        Ok(())
    }
}
