//! Runners without a worker, for tests of what is decided by them.

use super::Runner;
use crate::execute::progress::CaseProgress;
use crate::execute::task::Task;
use estimate::{ClockKernel, Look};
use record::{Record, samples};
use std::time::Duration;

/// Of a workload on one thread.
pub fn runner(number: usize, workload: &str) -> Runner {
    let mut case = samples::header().plan.cases.remove(0);
    workload.clone_into(&mut case.workload);
    Runner::new(Task::sample(number, case), CaseProgress::default())
}

impl Runner {
    pub fn with_windows(mut self, windows: usize) -> Self {
        let (Record::Launch(launch), Record::Window(window)) =
            (samples::launch(), samples::window(3_000))
        else {
            unreachable!()
        };
        let kernel = ClockKernel::of(&launch.ready);
        let look = Look::at(&window.measured, (0, 0), None, kernel, false);
        self.progress.looks = vec![look; windows];
        self
    }

    pub fn with_half(self, half: f64) -> Self {
        Self { half: Some(half), ..self }
    }

    pub fn with_pace(self, turn_took: Duration) -> Self {
        Self { turn_took, ..self }
    }

    pub fn in_variant(mut self, name: &str) -> Self {
        self.task.case.variant = Some(name.to_owned());
        self
    }

    pub fn for_reference(mut self) -> Self {
        self.task.case.reference = true;
        self
    }
}
