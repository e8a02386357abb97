//! Everything that can be measured: workloads, suites and inputs, read from TOML tables; and users' statements about machines
//! and work: mixes, prices.
//!
//! Architecture invariant: workloads, suites and inputs are data. The code names none of them, except the default of
//! `--suite` and the workload with which `doctor` probes cores.

#![allow(missing_docs)]

mod braces;
mod client;
mod entry;
mod family;
mod home;
mod input;
mod mix;
mod named_mix;
mod near;
mod plain_command;
mod price;
mod program;
mod rate;
pub mod schema;
mod search;
mod source;
mod suite;
mod sweep;
mod text;
mod unit;
mod workload;
mod workload_table;

pub use client::{ANOTHER_MACHINE, ClientHost};
pub use family::{Family, FamilyName, ONE_STREAM};
pub use home::Home;
pub use input::Input;
pub use mix::{Demand, Mix};
pub use named_mix::{Lacking, MixSource, NamedMix};
pub use near::near;
pub use price::{
    ON_DEMAND, Price, PriceArg, PriceError, PriceKey, RESERVED, SPOT, check_currencies, prices_in,
    prices_toml, read_prices, reserved,
};
pub use program::{NATIVE_WORKERS, OWN_WORKER, Program, in_path, program_digest};
pub use rate::Rate;
pub use search::{is_said, near_said};
pub use source::CatalogError;
pub use suite::{Category, OVERALL, Suite};
pub use text::read_text;
pub use unit::{MIB, Unit};
pub use workload::{Definition, Needs, Workload};

use source::TableText;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All known workloads, suites and inputs.
#[derive(Debug)]
pub struct Catalog {
    pub workloads: BTreeMap<String, Workload>,
    pub suites: BTreeMap<String, Suite>,
    pub inputs: BTreeMap<String, Input>,
}

impl Catalog {
    /// With another workload.
    pub fn with(mut self, workload: Workload) -> Self {
        self.workloads.insert(workload.id.clone(), workload);
        self
    }

    /// Reads the installation's tables and those of the user's folders.
    ///
    /// # Errors
    /// The first table that can't be read, with file and line.
    pub fn load(home: &Home, folders: &[PathBuf]) -> Result<Self, CatalogError> {
        let mut catalog = Self {
            workloads: BTreeMap::new(),
            suites: BTreeMap::new(),
            inputs: input::read(
                &TableText::read(&home.inputs().join("inputs.toml"))?,
                &home.inputs(),
            )?,
        };
        for path in tables(&home.workloads())? {
            catalog.add_workloads(&TableText::read(&path)?, home)?;
        }
        let mut suites = Vec::new();
        for folder in folders {
            for path in tables(folder)? {
                let source = TableText::read(&path)?;
                if source.has_key("category") || source.has_key("include") {
                    suites.push(source);
                } else {
                    catalog.add_workloads(&source, home)?;
                }
            }
        }
        for path in tables(&home.suites())? {
            suites.push(TableText::read(&path)?);
        }
        let names: Vec<String> =
            suites.iter().map(|source| catalog.add_suite(source)).collect::<Result<_, _>>()?;
        let plain = catalog.suites.clone();
        for (name, source) in names.iter().zip(&suites) {
            if let Some(suite) = catalog.suites.get_mut(name) {
                suite::include(source, suite, &plain)?;
            }
        }
        Ok(catalog)
    }

    fn add_workloads(&mut self, source: &TableText, home: &Home) -> Result<(), CatalogError> {
        for (workload, at) in workload_table::read(source, home, &self.inputs)? {
            let id = workload.id.clone();
            let program = &workload.program;
            let same_name = self.workloads.values().find(|w| w.program.name == program.name);
            if same_name.is_some_and(|other| other.program.run != program.run) {
                let what = format!("two workers are named {:?}: rename one", program.name);
                return Err(source.error(at, what));
            }
            if self.workloads.insert(id.clone(), workload).is_some() {
                return Err(source.error(at, format!("the workload {id:?} is defined twice")));
            }
        }
        Ok(())
    }

    /// Adds a suite and gives its name.
    fn add_suite(&mut self, source: &TableText) -> Result<String, CatalogError> {
        let suite = suite::read(source, &self.workloads)?;
        let name = suite.name.clone();
        if self.suites.insert(name.clone(), suite).is_some() {
            return Err(source.error(0..0, format!("the suite {name:?} is defined twice")));
        }
        Ok(name)
    }
}

/// The `*.toml` files of a folder, sorted by name.
fn tables(folder: &Path) -> Result<Vec<PathBuf>, CatalogError> {
    let entries =
        std::fs::read_dir(folder).map_err(|e| CatalogError::unreadable(folder, &e.to_string()))?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests;
