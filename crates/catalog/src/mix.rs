//! A mix of work as its user describes it: the load of a fleet, or the weights of rows in a score.

use super::rate::Rate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A mix of workloads with rates or weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Share of a machine's time that may be used, 0 … 1; the rest is for peaks.
    #[serde(default = "default_utilisation")]
    #[schemars(range(max = 1.0), extend("exclusiveMinimum" = 0))]
    pub utilisation: f64,
    /// Spare machines in addition to those needed, in case some fail.
    #[serde(default)]
    pub spares: u32,
    /// The workloads of the mix.
    #[serde(rename = "demand")]
    #[schemars(length(min = 1))]
    pub demands: Vec<Demand>,
}

/// One workload of a mix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Demand {
    /// `OPERATION/IMPLEMENTATION`.
    #[schemars(with = "crate::schema::WorkloadId")]
    pub workload: String,
    /// Required rate. Either all demands of a mix have a rate, or all have a weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Weight in a score, relative to the other demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
}

/// A fleet that is idle for more than 99 % of its time needs no capacity planning.
const LEAST_UTILISATION: f64 = 0.01;
/// Only ratios of weights matter, and sums must not overflow.
const MOST_WEIGHT: f64 = 1e12;

/// Rates that differ by less are the same.
const SAME: f64 = 0.01;

/// More than all workloads of sizeup: a list of so many is no description of work, and each row is looked up among all.
const MOST_DEMANDS: usize = 10_000;

/// Whether a number can be a weight.
pub(super) fn is_weight(weight: f64) -> bool {
    weight > 0.0 && weight <= MOST_WEIGHT
}

pub(super) fn default_utilisation() -> f64 {
    1.0
}

impl Mix {
    /// Whether all its rates are the same multiple of the other's.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        let ratio = |demand: &Demand| {
            let same = other.demands.iter().find(|theirs| theirs.workload == demand.workload)?;
            demand.rate?.ratio_to(same.rate?)
        };
        let ratios: Option<Vec<f64>> = self.demands.iter().map(ratio).collect();
        let is_same = |ratio: &f64, first: f64| (ratio / first - 1.0).abs() < SAME;
        self.demands.len() == other.demands.len()
            && ratios.is_some_and(|all| all.iter().all(|ratio| is_same(ratio, all[0])))
    }

    /// Whether every demand has a rate.
    pub fn has_rates(&self) -> bool {
        self.demands.iter().all(|demand| demand.rate.is_some())
    }

    /// Whether every demand has a weight.
    pub fn has_weights(&self) -> bool {
        self.demands.iter().all(|demand| demand.weight.is_some())
    }

    /// Checks that it is valid; the error says why not.
    pub fn check(&self) -> Result<(), String> {
        if !(LEAST_UTILISATION..=1.0).contains(&self.utilisation) {
            let given = self.utilisation;
            return Err(format!("utilisation {given} is not between {LEAST_UTILISATION} and 1"));
        }
        if self.demands.is_empty() {
            return Err("no [[demand]]".to_owned());
        }
        if self.demands.len() > MOST_DEMANDS {
            return Err(format!(
                "{} demands, but a mix has at most {MOST_DEMANDS}",
                self.demands.len()
            ));
        }
        for Demand { workload, weight, .. } in &self.demands {
            if weight.is_some_and(|weight| !is_weight(weight)) {
                return Err(format!(
                    "the weight of {workload} must be above 0 and at most {MOST_WEIGHT:e}"
                ));
            }
        }
        if !self.has_rates() && !self.has_weights() {
            return Err("every [[demand]] needs a rate, or every one a weight".to_owned());
        }
        let mut seen = BTreeSet::new();
        match self.demands.iter().find(|demand| !seen.insert(&demand.workload)) {
            Some(twice) => Err(format!("{} has two demands", twice.workload)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Mix, String> {
        let mix: Mix = toml::from_str(text).map_err(|e| e.to_string())?;
        mix.check().map(|()| mix)
    }

    #[test]
    fn what_is_no_mix_is_refused() {
        let demand = "[[demand]]\nworkload = \"a/x\"\nrate = \"1 ops/s\"\n";
        for (text, says) in [
            (String::new(), "missing field `demand`"),
            ("[[demand]]\nworkload = \"a/x\"\n".to_owned(), "a rate, or every one a weight"),
            (demand.replace("rate = \"1 ops/s\"", "weight = 0"), "weight of a/x"),
            (demand.replace("rate = \"1 ops/s\"", "weight = nan"), "weight of a/x"),
            (
                format!("{demand}[[demand]]\nworkload = \"b/x\"\nweight = 1\n"),
                "a rate, or every one a weight",
            ),
            ("demand = []\n".to_owned(), "no [[demand]]"),
            (format!("utilisation = 0\n{demand}"), "utilisation 0 is not"),
            (format!("utilisation = nan\n{demand}"), "utilisation NaN is not"),
            (format!("utilisation = 1.5\n{demand}"), "between 0.01 and 1"),
            (format!("{demand}{demand}"), "a/x has two demands"),
            (demand.replace("1 ops/s", "1 furlong/s"), "is not a rate"),
            (demand.replace("1 ops/s", "-1 ops/s"), "is not a rate"),
            (demand.replace("1 ops/s", "fast"), "is not a rate"),
            (format!("spares = -1\n{demand}"), "integer `-1`"),
            (demand.replace("rate = \"1 ops/s\"", "weight = inf"), "weight of a/x"),
            (demand.replace("rate = \"1 ops/s\"", "weight = -1"), "weight of a/x"),
            (demand.replace("rate = \"1 ops/s\"", "weight = 1e300"), "weight of a/x"),
        ] {
            let said = read(&text).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
    }

    #[test]
    fn a_mix_of_more_demands_than_there_can_be_workloads_is_refused() {
        let read_demands = |count: usize| {
            let demand = |i| format!("[[demand]]\nworkload = \"{i}/x\"\nweight = 1\n");
            read(&(0..count).map(demand).collect::<String>())
        };
        assert_eq!(read_demands(MOST_DEMANDS).unwrap().demands.len(), MOST_DEMANDS);
        assert_eq!(
            read_demands(MOST_DEMANDS + 1).unwrap_err(),
            "10001 demands, but a mix has at most 10000"
        );
    }
}
