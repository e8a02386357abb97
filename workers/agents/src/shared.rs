//! State that the threads of a launch have in common: the project, the programs, the folder.

use crate::clone;
use crate::execution::{Desk, no_folder};
use crate::folder;
use crate::project::Project;
use crate::tools::{Found, GIT, Tool};
use sizeup_kit::{Setting, WorkerError};
use std::path::PathBuf;
use std::sync::Arc;

/// Files, objects and what programs write, of one clone.
const BYTES_OF_CLONE: u64 = 16 << 20;

pub struct Shared {
    pub project: Project,
    pub found: Found,
    folder: PathBuf,
    origin: Option<Desk>,
}

impl Shared {
    /// Those of the setting's launch, with so many clones a thread, for which the project is made. The first of the tools is git if clones are
    /// repositories.
    pub fn of(setting: &Setting, tools: &[&Tool], clones: usize) -> Result<Arc<Self>, WorkerError> {
        setting.shared(|| {
            let found = Found::all(tools)?;
            let folders = (setting.cpus.len() * clones.max(1) + 1) as u64;
            let folder = folder::make(folders * BYTES_OF_CLONE)?;
            let project = if clones > 0 { Project::make() } else { Project::default() };
            let mut shared = Self { project, found, folder, origin: None };
            if tools[0].name == GIT.name {
                let origin = shared.desk("origin")?;
                clone::make_origin(&origin, &shared.found.programs[0], &mut shared.project)?;
                shared.origin = Some(origin);
            }
            Ok(shared)
        })
    }

    /// A folder for a thread.
    pub fn desk(&self, name: &str) -> Result<Desk, WorkerError> {
        Desk::new(self.folder.join(name)).map_err(no_folder)
    }

    /// A folder with the project's files, which is a repository if git is there.
    pub fn clone_for(&self, name: &str) -> Result<Desk, WorkerError> {
        let desk = self.desk(name)?;
        match &self.origin {
            Some(origin) => clone::make(&desk, origin, &self.found.programs[0], &self.project)?,
            None => clone::write_files(&desk, &self.project).map_err(no_folder)?,
        }
        Ok(desk)
    }
}

#[cfg(test)]
impl Drop for Shared {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
