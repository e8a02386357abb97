//! Starts and ends a case's worker.

use super::Runner;
use crate::execute::Event;
use crate::execute::context::RunContext;
use crate::execute::failure::Failure;
use crate::execute::launch::LiveLaunch;
use crate::telemetry::monotonic_ns;
use record::{Launch, Record, WriteError};
use std::time::Instant;

impl Runner {
    /// Starts a worker; false if that failed.
    pub fn start(&mut self, run: &mut RunContext) -> Result<bool, WriteError> {
        let start = Instant::now();
        match run.launch(&self.task) {
            Ok(launch) => {
                self.setup_took = start.elapsed();
                run.write(&Record::Launch(Box::new(Launch {
                    launch: launch.number,
                    case: self.number(),
                    at_ns: monotonic_ns(),
                    ready: launch.ready.clone(),
                })))?;
                run.keep_alive(&launch);
                self.launch = Some(launch);
                self.progress.launches += 1;
                Ok(true)
            }
            Err(failure) => self.fail(failure, run).map(|()| false),
        }
    }

    /// Runs the worker's final verification and ends it; false if that failed.
    pub fn finish(&mut self, run: &mut RunContext) -> Result<bool, WriteError> {
        let Some(launch) = self.let_go(run) else { return Ok(true) };
        match run.end(launch) {
            Ok(verified) => run.write(&Record::Verified(verified)).map(|()| true),
            Err(failure) => self.fail(failure, run).map(|()| false),
        }
    }

    /// Ends the case, its worker, and all processes the worker left behind.
    pub fn fail(&mut self, failure: Failure, run: &mut RunContext) -> Result<(), WriteError> {
        self.kill(run);
        run.end_orphans();
        // An interrupt is not the case's fault.
        if failure.kind == "interrupted" {
            return Ok(());
        }
        self.progress.ended = true;
        let outcome = failure.without(&self.task.workload.client_names()).outcome(self.number());
        run.see(&Event::Ended { case: self.case(), outcome: &outcome });
        run.write(&Record::Outcome(outcome))
    }

    /// Ends the worker without waiting for it.
    pub fn kill(&mut self, run: &mut RunContext) {
        drop(self.let_go(run));
    }

    fn let_go(&mut self, run: &mut RunContext) -> Option<LiveLaunch> {
        let launch = self.launch.take()?;
        run.let_go(&launch);
        Some(launch)
    }
}
