//! Runners without a worker, for tests of what is decided by them.

use super::Runner;
use crate::execute::progress::CaseProgress;
use crate::execute::task::Task;
use estimate::{ClockKernel, Look};
use record::{Record, fixture};
use std::time::Duration;

/// A runner of a workload on one thread.
pub fn runner(number: usize, workload: &str) -> Runner {
    let mut case = fixture::header().plan.cases.remove(0);
    workload.clone_into(&mut case.workload);
    Runner::new(Task::sample(number, case), CaseProgress::default())
}

impl Runner {
    pub fn with_samples(mut self, samples: usize) -> Self {
        let (Record::Launch(launch), Record::Sample(sample)) =
            (fixture::launch(), fixture::sample(3_000))
        else {
            unreachable!()
        };
        let kernel = ClockKernel::of(&launch.ready);
        let look = Look::at(&sample.measured, (0, 0), None, kernel, false);
        self.progress.looks = vec![look; samples];
        self
    }

    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin: Some(margin), ..self }
    }

    pub fn with_pace(self, turn_took: Duration) -> Self {
        Self { turn_took, ..self }
    }

    pub fn in_variant(mut self, name: &str) -> Self {
        self.task.case.variant = Some(name.to_owned());
        self
    }

    pub fn for_co_runners(mut self) -> Self {
        self.task.case.co_runner = true;
        self
    }

    pub fn ended(mut self) -> Self {
        self.progress.ended = true;
        self
    }

    pub fn for_control(mut self) -> Self {
        self.task.case.control = true;
        self
    }
}
