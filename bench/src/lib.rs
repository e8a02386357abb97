//! Shared by the benchmarks: live workers outside of a run.
//!
//! Each benchmark is a program of its own in `src/bin`; `bench/README.md` says what each shows.

pub mod calibration;
pub mod hosts;
pub mod neighbour;
pub mod noise;
pub mod pairs;
pub mod program;
pub mod simulated;
pub mod suites;

#[cfg(test)]
extern crate self as sizeup_bench;

use anyhow::{Context, anyhow};
use catalog::{Catalog, Home, Workload};
use machine::Placement;
use measure::execute::{Interrupt, LiveLaunch, Patience, Task, manifest};
use record::{Case, Measured, ThreadSample, ThreadSpec, WorkerBuild};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// Starts workers of an installation.
pub struct Workers {
    /// The installation's tables.
    pub catalog: Catalog,
    interrupt: Interrupt,
    /// Program → its manifest.
    builds: RefCell<BTreeMap<Vec<String>, WorkerBuild>>,
}

impl Workers {
    /// Reads the tables of the installation that `SIZEUP_HOME` names.
    ///
    /// # Errors
    /// When sizeup is not installed, or its tables are broken.
    pub fn find() -> anyhow::Result<Self> {
        Self::at(&Home::find()?, Interrupt::catch()?)
    }

    /// Reads the tables of an installation.
    ///
    /// # Errors
    /// When its tables are broken.
    pub fn at(home: &Home, interrupt: Interrupt) -> anyhow::Result<Self> {
        let catalog = Catalog::load(home, &[])?;
        Ok(Self { catalog, interrupt, builds: RefCell::default() })
    }

    /// The build that the manifest of a workload's worker reports.
    ///
    /// # Errors
    /// When the workload is unknown, or its worker can't be started.
    pub fn build(&self, workload: &str) -> anyhow::Result<WorkerBuild> {
        let program = &self.workload(workload)?.program;
        if let Some(build) = self.builds.borrow().get(&program.run) {
            return Ok(build.clone());
        }
        let listed = manifest(program, PATIENCE, &self.interrupt).map_err(|e| anyhow!("{e}"))?;
        let manifest = listed.manifest;
        self.builds.borrow_mut().insert(program.run.clone(), manifest.build.clone());
        Ok(manifest.build)
    }

    /// A live worker of a workload, ready for samples, a thread on each of the CPUs.
    ///
    /// # Errors
    /// When the workload is unknown, or its worker can't do it here.
    pub fn launch(&self, workload: &str, cpus: &[u32]) -> anyhow::Result<LiveLaunch> {
        let case = Case {
            workload: workload.to_owned(),
            thread_spec: ThreadSpec::Count(cpus.len()),
            threads: cpus.len(),
            placement: Placement::Cores,
            cpus: cpus.to_vec(),
            variant: None,
            control: false,
            co_runner: false,
        };
        let task = Task::new(0, &case, self.workload(workload)?, &self.catalog, false);
        let build = self.build(workload)?;
        LiveLaunch::start(&task, 0, 1, &build, Patience(PATIENCE), &self.interrupt)
            .map_err(|e| anyhow!("{workload}: {e}"))
    }

    /// A workload's definition.
    ///
    /// # Errors
    /// When the workload is unknown.
    pub fn workload(&self, id: &str) -> anyhow::Result<&Workload> {
        self.catalog.workloads.get(id).with_context(|| format!("no workload is named {id:?}"))
    }
}

/// Ops per second of a sample, summed over its threads.
pub fn throughput(sample: &Measured) -> f64 {
    sample.threads.iter().map(ThreadSample::ops_per_s).sum()
}

/// The tests of the programs, built here only: for tests of its own a program is compiled once more, with all optimisation.
#[cfg(test)]
#[expect(dead_code, reason = "what only the programs use")]
#[path = "bin"]
mod programs {
    #[path = "fidelity/main.rs"]
    mod fidelity;
    #[path = "pulse/main.rs"]
    mod pulse;
    #[path = "quick/main.rs"]
    mod quick;
    #[path = "sample/main.rs"]
    mod sample;
}
