//! Rows whose ratio is far from that of the others, and what makes them so.

use super::evidence::evidence;
use super::factor::FactorKind;
use super::row::{ExplainedRow, Side};
use crate::compare::{Comparison, Group, RowKey};
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, median};

/// A row within this factor of the others is none.
const LEAST_APART: f64 = 1.1;

/// A row whose ratio is far from that of the other rows on as many threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outlier {
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// The other over the baseline.
    pub ratio: Interval,
    /// The median ratio of all rows on as many threads.
    pub expected: f64,
    /// The factor that is furthest from its median.
    pub kind: FactorKind,
    /// That factor over its median.
    pub apart: f64,
    /// What is known of why; `None` if nothing is: then it is unexplained.
    pub evidence: Option<String>,
}

/// The rows that are certainly apart, the furthest first.
pub(super) fn outliers(
    comparison: &Comparison,
    baseline: &Group,
    other: &Group,
    rows: &[ExplainedRow],
) -> Vec<Outlier> {
    let mut found: Vec<Outlier> = rows
        .iter()
        .filter(|row| row.is_explained())
        .filter_map(|row| {
            let alike: Vec<&ExplainedRow> =
                rows.iter().filter(|of| of.threads == row.threads && of.is_explained()).collect();
            let middle = |of: &dyn Fn(&ExplainedRow) -> f64| {
                median(&alike.iter().map(|row| of(row)).collect::<Vec<_>>())
            };
            let expected = middle(&|row| row.ratio.centre);
            let apart = |ends: f64| (ends / expected).ln();
            let (low, high) = (apart(row.ratio.low), apart(row.ratio.high));
            let is_apart = low > LEAST_APART.ln() || high < -LEAST_APART.ln();
            if !is_apart {
                return None;
            }
            let of_kind = |kind| (kind, row.factor(kind) / middle(&|row| row.factor(kind)));
            let is_up = low > 0.0;
            // Of the factors that pull the row to its side.
            let towards = |apart: f64| if is_up { apart.ln() } else { -apart.ln() };
            let (kind, apart) = FactorKind::ALL
                .into_iter()
                .map(of_kind)
                .max_by(|(_, a), (_, b)| towards(*a).total_cmp(&towards(*b)))?;
            let key = RowKey { name: row.workload.clone(), threads: row.threads };
            let is_it =
                |of: &&crate::compare::Row| of.workload == key.name && of.threads == key.threads;
            let compared = comparison.rows.iter().find(is_it)?;
            let sides = Side::of(baseline, compared).zip(Side::of(other, compared));
            Some(Outlier {
                workload: row.workload.clone(),
                threads: row.threads,
                ratio: row.ratio,
                expected,
                kind,
                apart,
                evidence: sides.and_then(|(baseline, other)| evidence(kind, baseline, other)),
            })
        })
        .collect();
    let far = |of: &Outlier| (of.ratio.centre / of.expected).ln().abs();
    found.sort_by(|a, b| far(b).total_cmp(&far(a)));
    found
}
