//! The release folder under test, and what a worker is asked to do.

use catalog::{Catalog, Home, Program, Workload};
use measure::execute::{Interrupt, manifest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The folder `workers/contract` of the project.
pub fn contract() -> PathBuf {
    workspace().join("workers/contract")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether the machine has what a worker runs in, whatever architecture the release is for.
pub fn is_interpreted(worker: &str) -> bool {
    ["jvm", "node", "python"].contains(&worker)
}

const PATIENCE: Duration = Duration::from_secs(120);

/// A release folder with its tables read.
pub struct Installation {
    folder: PathBuf,
    /// Its workloads, and the contract's own for workers that have none in the tables.
    pub catalog: Catalog,
}

impl Installation {
    /// The folder that `SIZEUP_HOME` names, or else `dist/` of the project.
    pub fn find() -> Result<Self, String> {
        let folder = match std::env::var_os("SIZEUP_HOME") {
            Some(folder) => PathBuf::from(folder),
            None => workspace().join("dist"),
        };
        Self::at(&folder)
    }

    /// This release folder.
    pub fn at(folder: &Path) -> Result<Self, String> {
        let folder = folder.canonicalize().map_err(|e| not_built(folder, &e.to_string()))?;
        let catalog = Catalog::load(&Home::at(&folder), &[contract().join("workloads")])
            .map_err(|e| not_built(&folder, &e.to_string()))?;
        Ok(Self { folder, catalog })
    }

    /// The names of all workers that are built, in order.
    pub fn workers(&self) -> Result<Vec<String>, String> {
        let folder = self.folder.join("libexec/sizeup");
        let mut names: Vec<String> = folder
            .read_dir()
            .map_err(|e| not_built(&folder, &e.to_string()))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        Ok(names)
    }

    /// The program of a worker.
    pub fn worker(&self, name: &str) -> Result<Program, String> {
        let program = self.folder.join("libexec/sizeup").join(name);
        if program.is_file() {
            let run = vec![program.to_string_lossy().into_owned()];
            let folder = self.folder.clone();
            return Ok(Program {
                name: name.to_owned(),
                run,
                folder,
                environment: BTreeMap::new(),
            });
        }
        Err(not_built(&program, "there is no such program"))
    }

    /// Why a worker can't run here, as it says itself: one in a language whose interpreter this machine may lack.
    pub fn why_not_here(&self, worker: &str) -> Result<Option<String>, String> {
        if !is_interpreted(worker) {
            return Ok(None);
        }
        match manifest(&self.worker(worker)?, PATIENCE, &Interrupt::default()) {
            Err(failure) if failure.kind == "unavailable" => Ok(Some(failure.to_string())),
            _ => Ok(None),
        }
    }

    /// The workloads that a worker performs, by ID.
    pub fn workloads_of<'a>(&'a self, worker: &'a str) -> impl Iterator<Item = &'a Workload> {
        self.catalog.workloads.values().filter(move |workload| workload.program.name == worker)
    }
}

fn not_built(path: &Path, why: &str) -> String {
    format!(
        "{} can't be used: {why}\nrun `make build`, or name a release folder by SIZEUP_HOME",
        path.display()
    )
}
