//! Where an installation keeps its parts.

use super::CatalogError;
use std::path::{Path, PathBuf};

/// A release folder: `bin/sizeup`, `libexec/sizeup/*`, `share/sizeup/{workloads,suites,mixes,inputs,reference,kits,contract}`,
/// `share/sizeup/ansible_collections`.
/// It runs from wherever it lies.
#[derive(Debug, Clone)]
pub struct Home(PathBuf);

impl Home {
    /// The folder that `SIZEUP_HOME` names, or else the one that the running program lies in.
    ///
    /// # Errors
    /// When that is not a release folder.
    pub fn find() -> Result<Self, CatalogError> {
        let folder = match std::env::var_os("SIZEUP_HOME") {
            // Workers are started in other folders: a relative path would not lead there.
            Some(folder) => Path::new(&folder).canonicalize().unwrap_or_else(|_| folder.into()),
            None => {
                let program = std::env::current_exe().and_then(|program| program.canonicalize());
                let program = program.map_err(|e| CatalogError::unlocated(&e))?;
                program.parent().and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
            }
        };
        let home = Self(folder);
        if home.workloads().is_dir() {
            return Ok(home);
        }
        Err(CatalogError::unreadable(
            &home.workloads(),
            "no such folder; run sizeup from its release folder (`make build` creates one in \
             dist/) or set SIZEUP_HOME",
        ))
    }

    pub fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// The kits for workers in several languages, a folder each.
    pub fn kits(&self) -> PathBuf {
        self.0.join("share/sizeup/kits")
    }

    /// The transcripts that every worker must pass.
    pub fn contract(&self) -> PathBuf {
        self.0.join("share/sizeup/contract")
    }

    /// The tables of workloads.
    pub fn workloads(&self) -> PathBuf {
        self.0.join("share/sizeup/workloads")
    }

    /// The tables of suites.
    pub fn suites(&self) -> PathBuf {
        self.0.join("share/sizeup/suites")
    }

    /// The tables of mixes.
    pub fn mixes(&self) -> PathBuf {
        self.0.join("share/sizeup/mixes")
    }

    /// The input files and their table.
    pub fn inputs(&self) -> PathBuf {
        self.0.join("share/sizeup/inputs")
    }

    /// The folder of the run that others are compared with.
    pub fn reference(&self) -> PathBuf {
        self.0.join("share/sizeup/reference")
    }

    /// The folder in which Ansible finds the collection `sizeup.fleet`.
    pub fn collections(&self) -> PathBuf {
        self.0.join("share/sizeup")
    }

    /// The release folder itself.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The program of a worker that belongs to sizeup.
    pub fn worker(&self, name: &str) -> PathBuf {
        self.0.join("libexec/sizeup").join(name)
    }
}
