//! Rows whose ratio is far from that of the others, and what makes them so.

use super::evidence::evidence;
use super::factor::FactorKind;
use super::row::ExplainedRow;
use super::side::Side;
use crate::compare::Group;
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, median};
use std::collections::BTreeMap;

/// A row within this factor of the others is none.
const LEAST_APART: f64 = 1.1;

/// A row whose ratio is far from that of the other rows on as many threads.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Outlier {
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// The other over the baseline.
    pub ratio: Interval,
    /// The median of this factor over rows on as many threads.
    pub expected: f64,
    /// The factor that is furthest from its median.
    pub kind: FactorKind,
    /// That factor over its median.
    pub apart: f64,
    /// Evidence for the cause; `None` leaves it unexplained.
    pub evidence: Option<String>,
}

/// With fewer rows than this on a number of threads, what is usual among them is not known.
const LEAST_ROWS: usize = 8;

/// The rows that are certainly apart, the furthest first.
pub(super) fn outliers(baseline: &Group, other: &Group, rows: &[ExplainedRow]) -> Vec<Outlier> {
    let mut explained: BTreeMap<ThreadSpec, Vec<&ExplainedRow>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.is_explained()) {
        explained.entry(row.threads).or_default().push(row);
    }
    let outlier = |usual: &Usual, row: &ExplainedRow| {
        let kind = usual.kind_of(row)?;
        let side = |group| Side::of(group, &row.workload, row.threads);
        let sides = side(baseline).zip(side(other));
        Some(Outlier {
            workload: row.workload.clone(),
            threads: row.threads,
            ratio: row.ratio,
            expected: usual.ratio(),
            kind,
            apart: row.factor(kind) / usual.factor(kind),
            evidence: sides.and_then(|(baseline, other)| evidence(kind, baseline, other)),
        })
    };
    let mut found: Vec<Outlier> = explained
        .values()
        .flat_map(|alike| {
            let usual = Usual::of(alike);
            alike.iter().filter_map(move |row| outlier(&usual, row))
        })
        .collect();
    let far = |outlier: &Outlier| (outlier.ratio.centre / outlier.expected).ln().abs();
    found.sort_by(|a, b| far(b).total_cmp(&far(a)));
    found
}

/// Median factors of rows on as many threads.
struct Usual {
    factors: Vec<(FactorKind, f64)>,
}

impl Usual {
    /// The median of each factor; of few rows nothing is usual but what is the machine's.
    fn of(alike: &[&ExplainedRow]) -> Self {
        let of_kind = |kind: FactorKind| {
            let is_machines = matches!(kind, FactorKind::Cores | FactorKind::Clock);
            let factors: Vec<f64> = alike.iter().map(|row| row.factor(kind)).collect();
            let is_known = is_machines || factors.len() >= LEAST_ROWS;
            (kind, if is_known { median(&factors) } else { 1.0 })
        };
        Self { factors: FactorKind::ALL.into_iter().map(of_kind).collect() }
    }

    fn factor(&self, kind: FactorKind) -> f64 {
        self.factors.iter().find(|(each, _)| *each == kind).map_or(1.0, |(_, factor)| *factor)
    }

    fn ratio(&self) -> f64 {
        self.factors.iter().map(|(_, factor)| factor).product()
    }

    /// The factor that pulls a row furthest to the side on which it certainly is; `None` for a row that is not apart.
    fn kind_of(&self, row: &ExplainedRow) -> Option<FactorKind> {
        let apart = |end: f64| (end / self.ratio()).ln();
        let side = match (apart(row.ratio.low), apart(row.ratio.high)) {
            (low, _) if low > LEAST_APART.ln() => 1.0,
            (_, high) if high < -LEAST_APART.ln() => -1.0,
            _ => return None,
        };
        let pull = |kind: &FactorKind| side * (row.factor(*kind) / self.factor(*kind)).ln();
        FactorKind::ALL.into_iter().max_by(|a, b| pull(a).total_cmp(&pull(b)))
    }
}
