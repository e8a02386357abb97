//! How a workload scales on each group.

use super::crossover::{Crossover, Standing, Stretch};
use super::curve::Curve;
use crate::compare::{Contention, Difference, Group, MustMatch, differences_of_workload};
use estimate::ViewKind;
use serde::Serialize;
use std::collections::BTreeSet;

/// How a workload scales on each group.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Scaling {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// In which view.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// A curve a group that has the workload, the baseline's first.
    pub curves: Vec<Curve>,
    /// Each other group against the baseline.
    pub crossovers: Vec<Against>,
}

/// A group against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Against {
    /// The baseline.
    pub baseline: String,
    /// The other.
    pub other: String,
    /// From how many threads on it is ahead.
    #[serde(flatten)]
    pub crossover: Crossover,
    /// Thread counts where neither is ahead beyond its error, except around crossovers.
    pub undecided: Vec<Stretch>,
    /// Whether the figures have intervals: without, the order is what single figures look like.
    pub has_error_bars: bool,
    /// Differences that were allowed.
    pub allowed: Vec<Difference>,
}

/// The curves of every workload that a group has on two numbers of threads or more; the first group is the baseline.
pub fn scaling(groups: &[Group], allow: &[MustMatch]) -> Vec<Scaling> {
    scaling_from(groups, allow, 2)
}

/// Only the workloads that a group has on at least `least_points` numbers of threads.
pub fn scaling_from(groups: &[Group], allow: &[MustMatch], least_points: usize) -> Vec<Scaling> {
    let Some(baseline) = groups.first() else { return Vec::new() };
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let names = groups.iter().flat_map(|group| &group.rows).map(|row| row.key.name.as_str());
    // Most workloads were measured on one number of threads, and comparing them costs more than looking.
    let may_have =
        |name: &&str| groups.iter().any(|group| group.rows_named(name).len() >= least_points);
    let scaling = |name: &str| {
        let curves: Vec<Curve> =
            groups.iter().filter_map(|group| Curve::of(group, name, allow)).collect();
        let crossovers =
            groups[1..].iter().map(|other| against(baseline, other, name, &curves, allow));
        let (workload, view) = (name.to_owned(), baseline.view);
        let contention = baseline.contention.clone();
        Scaling { workload, view, contention, crossovers: crossovers.collect(), curves }
    };
    let all = names.filter(|name| seen.insert(name)).filter(may_have).map(scaling);
    let has =
        |scaling: &Scaling| scaling.curves.iter().any(|curve| curve.points.len() >= least_points);
    all.filter(has).collect()
}

fn against(
    baseline: &Group,
    other: &Group,
    workload: &str,
    curves: &[Curve],
    allow: &[MustMatch],
) -> Against {
    let found = differences_of_workload(baseline, other, workload);
    let refused = found.iter().find(|difference| !allow.contains(&difference.kind));
    let curve = |group: &Group| curves.iter().find(|curve| curve.group == group.label);
    let no_figure =
        |group: &Group| Standing::unknown(format!("{} has no figure for it", group.label));
    let standing = match (refused, curve(baseline), curve(other)) {
        (Some(difference), ..) => Standing::unknown(format!("not comparable: {difference}")),
        (None, Some(base), Some(of_other)) => Crossover::of(base, of_other),
        (None, None, _) => no_figure(baseline),
        (None, _, None) => no_figure(other),
    };
    let Standing { crossover, undecided, has_error_bars } = standing;
    let allowed = if refused.is_some() { Vec::new() } else { found };
    let (baseline, other) = (baseline.label.clone(), other.label.clone());
    Against { baseline, other, crossover, undecided, has_error_bars, allowed }
}

impl Scaling {
    /// Whether the curves are comparable and all crossovers determined. Whoever is ahead wherever that is determined may
    /// have overtaken the other where it is not.
    pub fn is_decided(&self) -> bool {
        let is_decided = |against: &Against| match against.crossover {
            Crossover::Once(_) | Crossover::Several { .. } => true,
            Crossover::Always { .. } | Crossover::Never { .. } => against.undecided.is_empty(),
            Crossover::Unknown { .. } => false,
        };
        self.curves.iter().all(|curve| curve.refused.is_none())
            && self.crossovers.iter().all(|against| against.has_error_bars && is_decided(against))
    }
}
