//! Suites: which workloads, on how many threads, in which categories, for how long.

use super::source::Source;
use super::{CatalogError, Workload};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// The score over all categories is called so.
pub const OVERALL: &str = "overall";

/// A named list of workloads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// Raised whenever a figure changes its meaning.
    pub version: u64,
    /// What it measures.
    pub about: String,
    /// The publication or program that it comes from.
    pub study: String,
    /// Thread counts as `--threads` takes them.
    pub threads: Vec<String>,
    /// As `--precision` takes it.
    pub precision: String,
    /// As `--budget` takes it.
    pub budget: String,
    /// Workloads that tell what the machine was like meanwhile: measured once a minute, not scored.
    #[serde(default)]
    pub references: Vec<String>,
    /// In the order in which scores are shown.
    #[serde(rename = "category")]
    pub categories: Vec<Category>,
}

/// Workloads that are scored together. Run files hold it, too, so that unknown fields pass here; in a
/// table [`CategorySpans`] refuses them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// IDs.
    pub workloads: Vec<String>,
}

#[derive(Deserialize)]
struct Spans {
    category: Vec<CategorySpans>,
    #[serde(default)]
    references: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CategorySpans {
    name: Spanned<String>,
    workloads: Vec<Spanned<String>>,
}

/// Reads a suite, whose workloads must be known.
pub(super) fn read(
    source: &Source,
    workloads: &BTreeMap<String, Workload>,
) -> Result<Suite, CatalogError> {
    let suite: Suite = source.parse()?;
    let mut seen = BTreeSet::new();
    let Spans { category, references } = source.parse()?;
    if let Some(taken) = category.iter().find(|c| c.name.get_ref() == OVERALL) {
        let what = format!("{OVERALL:?} is the name of the score over all categories");
        return Err(source.error(taken.name.span(), what));
    }
    for id in category.into_iter().flat_map(|c| c.workloads).chain(references) {
        let at = id.span();
        let id = id.into_inner();
        if !workloads.contains_key(&id) {
            return Err(source.error(at, format!("no workload is named {id:?}")));
        }
        if !seen.insert(id.clone()) {
            return Err(source.error(at, format!("the workload {id:?} stands twice in the suite")));
        }
    }
    Ok(suite)
}
