//! A mix of work, as its user describes it: what a fleet must carry, or how much rows count in a score.

use super::rate::Rate;
use super::source::{CatalogError, TableText};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// What must be carried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Share of a machine's time that may be used, 0 … 1; the rest is for peaks.
    #[serde(default = "default_utilisation")]
    #[cfg_attr(feature = "schema", schemars(range(max = 1.0), extend("exclusiveMinimum" = 0)))]
    pub utilisation: f64,
    /// Machines beyond those that are needed, for when some fail.
    #[serde(default)]
    pub spares: u32,
    /// At least one.
    #[serde(rename = "demand")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub demands: Vec<Demand>,
}

/// One kind of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// `OPERATION/IMPLEMENTATION`.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::WorkloadId"))]
    pub workload: String,
    /// How much of it; all demands of a mix have one, or all have a weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// How much it counts in a score, beside the other demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// Who leaves a machine idle for more than 99 % of its time has another problem.
const LEAST_UTILISATION: f64 = 0.01;
/// Weights are beside each other: more says nothing, and sums must not overflow.
const MOST_WEIGHT: f64 = 1e12;

/// Rates that differ by less are the same.
const SAME: f64 = 0.01;

fn default_utilisation() -> f64 {
    1.0
}

impl Mix {
    /// Reads a mix in TOML.
    ///
    /// # Errors
    /// When it can't be read or holds what can't be, with the line.
    pub fn read(path: &Path) -> Result<Self, CatalogError> {
        let source = TableText::read(path)?;
        let mix: Self = source.parse()?;
        mix.check().map_err(|what| source.error_of_all(what))?;
        Ok(mix)
    }

    /// Whether it is this mix, or so many times all of it.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        let ratio = |demand: &Demand| {
            let same = other.demands.iter().find(|of| of.workload == demand.workload)?;
            demand.rate?.ratio_to(same.rate?)
        };
        let ratios: Option<Vec<f64>> = self.demands.iter().map(ratio).collect();
        let is_same = |ratio: &f64, first: f64| (ratio / first - 1.0).abs() < SAME;
        self.demands.len() == other.demands.len()
            && ratios.is_some_and(|all| all.iter().all(|ratio| is_same(ratio, all[0])))
    }

    /// Whether it says how much there is of each kind of work.
    pub fn has_rates(&self) -> bool {
        self.demands.iter().all(|demand| demand.rate.is_some())
    }

    /// Whether it says how much each kind of work counts.
    pub fn has_weights(&self) -> bool {
        self.demands.iter().all(|demand| demand.weight.is_some())
    }

    /// Whether it can be a mix: with what it can't.
    pub fn check(&self) -> Result<(), String> {
        if !(LEAST_UTILISATION..=1.0).contains(&self.utilisation) {
            let given = self.utilisation;
            return Err(format!(
                "a utilisation of {given}: it lies between {LEAST_UTILISATION} and 1"
            ));
        }
        if self.demands.is_empty() {
            return Err("it has no [[demand]]".to_owned());
        }
        let is_weight = |weight: f64| weight > 0.0 && weight <= MOST_WEIGHT;
        for Demand { workload, weight, .. } in &self.demands {
            if weight.is_some_and(|weight| !is_weight(weight)) {
                return Err(format!(
                    "the weight of {workload} is not above 0 and at most {MOST_WEIGHT}"
                ));
            }
        }
        if !self.has_rates() && !self.has_weights() {
            return Err("each [[demand]] needs a rate, or each a weight".to_owned());
        }
        let mut seen = BTreeSet::new();
        match self.demands.iter().find(|demand| !seen.insert(&demand.workload)) {
            Some(twice) => Err(format!("{} is demanded twice", twice.workload)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Mix, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mix.toml");
        std::fs::write(&path, text).unwrap();
        Mix::read(&path).map_err(|e| e.to_string())
    }

    #[test]
    fn what_is_no_mix_is_refused() {
        let demand = "[[demand]]\nworkload = \"a/x\"\nrate = \"1 ops/s\"\n";
        for (text, says) in [
            (String::new(), "missing field `demand`"),
            ("[[demand]]\nworkload = \"a/x\"\n".to_owned(), "a rate, or each a weight"),
            (demand.replace("rate = \"1 ops/s\"", "weight = 0"), "weight of a/x"),
            (demand.replace("rate = \"1 ops/s\"", "weight = nan"), "weight of a/x"),
            (
                format!("{demand}[[demand]]\nworkload = \"b/x\"\nweight = 1\n"),
                "a rate, or each a weight",
            ),
            ("demand = []\n".to_owned(), "no [[demand]]"),
            (format!("utilisation = 0\n{demand}"), "a utilisation of 0"),
            (format!("utilisation = nan\n{demand}"), "a utilisation of NaN"),
            (format!("utilisation = 1.5\n{demand}"), "between 0.01 and 1"),
            (format!("{demand}{demand}"), "a/x is demanded twice"),
            (demand.replace("1 ops/s", "1 furlong/s"), "is no rate"),
            (demand.replace("1 ops/s", "-1 ops/s"), "is no rate"),
            (demand.replace("1 ops/s", "fast"), "is no rate"),
            (format!("spares = -1\n{demand}"), "integer `-1`"),
        ] {
            let said = read(&text).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
    }
}
