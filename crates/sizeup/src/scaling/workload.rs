//! How a workload scales on each group.

use super::crossover::Crossover;
use super::curve::Curve;
use crate::compare::{Allow, Difference, Group, differences};
use crate::estimate::ViewKind;
use serde::Serialize;

/// How a workload scales on each group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scaling {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// In which view.
    pub view: ViewKind,
    /// A curve a group that has the workload, the baseline's first.
    pub curves: Vec<Curve>,
    /// Each other group against the baseline.
    pub crossovers: Vec<Against>,
}

/// A group against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Against {
    /// The baseline.
    pub baseline: String,
    /// The other.
    pub other: String,
    /// From how many threads on it is ahead.
    #[serde(flatten)]
    pub crossover: Crossover,
    /// What differs and was allowed to.
    pub allowed: Vec<Difference>,
}

/// The curves of every workload that a group has on two numbers of threads or more; the first group is the baseline.
pub fn scaling(groups: &[Group], allow: &[Allow]) -> Vec<Scaling> {
    let Some(baseline) = groups.first() else { return Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for row in groups.iter().flat_map(|group| &group.rows) {
        if !names.contains(&row.key.name.as_str()) {
            names.push(&row.key.name);
        }
    }
    let of = |name: &str| {
        let curves: Vec<Curve> = groups.iter().filter_map(|group| Curve::of(group, name)).collect();
        let crossovers =
            groups[1..].iter().map(|other| against(baseline, other, name, &curves, allow));
        let (workload, view) = (name.to_owned(), baseline.view);
        Scaling { workload, view, crossovers: crossovers.collect(), curves }
    };
    let all = names.into_iter().map(of);
    all.filter(|scaling| scaling.curves.iter().any(|curve| curve.points.len() > 1)).collect()
}

fn against(
    baseline: &Group,
    other: &Group,
    workload: &str,
    curves: &[Curve],
    allow: &[Allow],
) -> Against {
    let mut found: Vec<Difference> = Vec::new();
    for row in (0..baseline.rows.len()).filter(|row| baseline.rows[*row].key.name == workload) {
        if let Some(of_other) = other.find(&baseline.rows[row].key) {
            for difference in differences((baseline, row), (other, of_other)) {
                if !found.contains(&difference) {
                    found.push(difference);
                }
            }
        }
    }
    let refused = found.iter().find(|difference| !allow.contains(&difference.kind));
    let curve = |group: &Group| curves.iter().find(|curve| curve.group == group.label);
    let unknown = |reason: String| Crossover::Unknown { reason };
    let crossover = match (refused, curve(baseline), curve(other)) {
        (Some(difference), ..) => unknown(format!("not comparable: {difference}")),
        (None, Some(base), Some(of_other)) => Crossover::of(base, of_other),
        (None, None, _) => unknown(format!("{} has no figure of it", baseline.label)),
        (None, _, None) => unknown(format!("{} has no figure of it", other.label)),
    };
    let allowed = if refused.is_some() { Vec::new() } else { found };
    Against { baseline: baseline.label.clone(), other: other.label.clone(), crossover, allowed }
}
