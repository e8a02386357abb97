//! Work per joule, with the source of the watts named.

use crate::compare::{Comparison, Group, Power, PowerSource, Row};
use crate::estimate::View;
use crate::record::ThreadSpec;
use crate::stats::Interval;
use serde::Serialize;

/// A row with its watts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Ops per joule, which is ops/s per watt: the baseline's.
    pub baseline_per_joule: Option<Interval>,
    /// The other's.
    pub other_per_joule: Option<Interval>,
    /// The baseline's source.
    pub baseline_source: Option<PowerSource>,
    /// The other's.
    pub other_source: Option<PowerSource>,
    /// The other's ops per joule over the baseline's.
    pub ratio: Option<Interval>,
    /// Why there is no ratio.
    pub reason: Option<String>,
}

/// Ops per joule, and where the watts come from.
pub type PerJoule = (Interval, PowerSource);

/// Puts the rows of a comparison at watts, from the first source that both have.
pub fn energy(
    (baseline, other): (&Group, &Group),
    comparison: &Comparison,
    rated: (Option<f64>, Option<f64>),
) -> Vec<EnergyRow> {
    let rows = comparison.rows.iter().filter(|row| row.ratio.is_some());
    rows.filter_map(|row| {
        let of = |group, view: Option<View>, rated| {
            view.map_or_else(Vec::new, |view| per_joule(group, row, &view.interval, rated))
        };
        let lefts = of(baseline, row.baseline, rated.0);
        let rights = of(other, row.other, rated.1);
        let is_of_both = |source: &PowerSource| rights.iter().any(|(_, other)| other == source);
        let both = lefts.iter().map(|(_, source)| source).find(|source| is_of_both(source));
        let pick = |all: &[PerJoule]| {
            let is_it = |(_, source): &&PerJoule| both.is_none_or(|both| both == source);
            all.iter().find(is_it).cloned()
        };
        let (left, right) = (pick(&lefts), pick(&rights));
        if left.is_none() && right.is_none() {
            return None;
        }
        let (ratio, reason) = match (&left, &right) {
            (Some((_, ours)), Some((_, theirs))) if ours != theirs => {
                (None, Some(format!("the watts of one are {ours}, of the other {theirs}")))
            }
            (Some((ours, _)), Some((theirs, _))) => (Some(theirs.ratio_to(ours)), None),
            (None, _) => (None, Some(format!("no watts of {}", baseline.label))),
            (_, None) => (None, Some(format!("no watts of {}", other.label))),
        };
        let (baseline_per_joule, baseline_source) = left.unzip();
        let (other_per_joule, other_source) = right.unzip();
        Some(EnergyRow {
            workload: row.workload.clone(),
            threads: row.threads,
            baseline_per_joule,
            other_per_joule,
            baseline_source,
            other_source,
            ratio,
            reason,
        })
    })
    .collect()
}

/// What a row of a group does per joule, by each meter that was read while it was measured, the one that sees most first. With
/// no reading, by rated watts, which are for all threads.
pub fn per_joule(
    group: &Group,
    row: &Row,
    ops_per_s: &Interval,
    rated: Option<f64>,
) -> Vec<PerJoule> {
    let meters = group.meters(&row.workload, row.threads);
    let read = meters.iter().filter_map(|meter| group.power(&row.workload, row.threads, meter));
    let mut powers: Vec<Power> = read.collect();
    if let Some(watts) = rated.filter(|_| powers.is_empty() && row.threads == ThreadSpec::All) {
        let watts = Interval::around(watts, 0.0, f64::INFINITY);
        powers.push(Power { watts, source: PowerSource::Rated });
    }
    powers.into_iter().map(|of| (ops_per_s.ratio_to(&of.watts), of.source)).collect()
}
