//! Suites: which workloads, on how many threads, in which categories, for how long.

use super::braces::expanded;
use super::source::TableText;
use super::{CatalogError, Workload, near};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// The score over all categories is called so.
pub const OVERALL: &str = "overall";

/// A named list of workloads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    pub name: String,
    /// Incremented whenever a figure changes its meaning.
    pub version: u64,
    /// A sentence on its purpose.
    pub about: String,
    /// The publication or program that it is based on.
    pub study: String,
    /// Thread counts as `--threads` takes them.
    pub threads: Vec<String>,
    /// As `--precision` takes it.
    pub precision: String,
    /// As `--budget` takes it.
    pub budget: String,
    /// Control workloads: measured once a minute to track the machine's state, not scored.
    #[serde(default)]
    pub controls: Vec<String>,
    /// Suites whose categories this one includes, with their thread counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// In the order in which scores are listed.
    #[serde(default, rename = "category")]
    pub categories: Vec<Category>,
}

/// Workloads that are scored together. Run files allow unknown fields here; in a table, [`CategorySpans`] refuses them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Category {
    #[schemars(length(min = 1))]
    pub name: String,
    /// Thread counts as `--threads` takes them; empty for the suite's. In a run file: as measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<String>,
    /// Whether its rows count the same in its score, as in the study that it is of. Otherwise operations do, with all their sizes
    /// and levels.
    #[serde(default, rename = "flat", skip_serializing_if = "std::ops::Not::not")]
    pub is_flat: bool,
    /// Workload IDs; tables allow braces as in shells, `gzip-{1..9}/zlib`.
    #[schemars(with = "Vec<crate::schema::WorkloadId>")]
    pub workloads: Vec<String>,
}

impl Category {
    /// Its workloads, to look up those of many rows.
    pub fn members(&self) -> BTreeSet<&str> {
        self.workloads.iter().map(String::as_str).collect()
    }

    /// Whether it is measured on this thread count.
    pub fn is_on(&self, threads: &str) -> bool {
        self.threads.is_empty() || self.threads.iter().any(|own| own == threads)
    }
}

#[derive(Deserialize)]
struct Spans {
    #[serde(default)]
    include: Vec<Spanned<String>>,
    #[serde(default)]
    category: Vec<CategorySpans>,
    #[serde(default)]
    controls: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CategorySpans {
    name: Spanned<String>,
    #[serde(default)]
    #[allow(dead_code)] // so that it is no unknown field
    threads: Vec<String>,
    #[serde(default)]
    #[allow(dead_code)] // so that it is no unknown field
    flat: bool,
    workloads: Vec<Spanned<String>>,
}

/// Reads a suite, whose workloads must be known.
pub(super) fn read(
    source: &TableText,
    workloads: &BTreeMap<String, Workload>,
) -> Result<Suite, CatalogError> {
    let mut suite: Suite = source.parse()?;
    let mut seen = BTreeSet::new();
    let Spans { category, controls, include } = source.parse()?;
    if category.is_empty() && include.is_empty() {
        return Err(source.error(0..0, "the suite needs a category or an include".to_owned()));
    }
    if let Some(taken) = category.iter().find(|c| c.name.get_ref() == OVERALL) {
        let what = format!("{OVERALL:?} is reserved for the score over all categories");
        return Err(source.error(taken.name.span(), what));
    }
    let mut named = |patterns: Vec<Spanned<String>>| {
        let mut ids = Vec::new();
        for pattern in patterns {
            let at = pattern.span();
            let of_pattern = expanded(pattern.get_ref());
            for id in of_pattern.map_err(|what| source.error(at.clone(), what))? {
                if !workloads.contains_key(&id) {
                    let near = near(&id, workloads.keys());
                    return Err(source.error(at, format!("unknown workload {id:?}{near}")));
                }
                if !seen.insert(id.clone()) {
                    let what = format!("the workload {id:?} is listed twice in the suite");
                    return Err(source.error(at, what));
                }
                ids.push(id);
            }
        }
        Ok(ids)
    };
    for (category, spans) in suite.categories.iter_mut().zip(category) {
        category.workloads = named(spans.workloads)?;
    }
    suite.controls = named(controls)?;
    Ok(suite)
}

/// Gives a suite the categories of those that it includes, each named SUITE/CATEGORY. A workload may stand in
/// several of them.
pub(super) fn include(
    source: &TableText,
    suite: &mut Suite,
    suites: &BTreeMap<String, Suite>,
) -> Result<(), CatalogError> {
    let Spans { include, .. } = source.parse()?;
    let mut categories = Vec::new();
    for name in include {
        let found = suites.get(name.get_ref()).filter(|found| found.include.is_empty());
        let included = found.ok_or_else(|| {
            let wanted = name.get_ref();
            let plain = suites.values().filter(|suite| suite.include.is_empty());
            let near = near(wanted, plain.map(|suite| &suite.name));
            let what = format!("{wanted:?} is not a suite without includes{near}");
            source.error(name.span(), what)
        })?;
        categories.extend(included.categories.iter().map(|category| Category {
            name: format!("{}/{}", included.name, category.name),
            threads: match &category.threads[..] {
                [] => included.threads.clone(),
                own => own.to_vec(),
            },
            is_flat: category.is_flat,
            workloads: category.workloads.clone(),
        }));
    }
    categories.append(&mut suite.categories);
    suite.categories = categories;
    Ok(())
}
