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

/// Puts the rows of a comparison at watts. A row's own readings count before rated watts, which are for all threads.
pub fn energy(
    (baseline, other): (&Group, &Group),
    comparison: &Comparison,
    rated: (Option<f64>, Option<f64>),
) -> Vec<EnergyRow> {
    let rows = comparison.rows.iter().filter(|row| row.ratio.is_some());
    rows.filter_map(|row| {
        let meters = [baseline, other].map(|group| group.meters(&row.workload, row.threads));
        // A meter that both were read from, else each its own.
        let both = meters[0].iter().find(|meter| meters[1].contains(meter));
        let of = |group: &Group, own: &[PowerSource], rated: Option<f64>, view: Option<View>| {
            let power = power(group, row, both.or(own.first()), rated)?;
            Some((view?.interval.ratio_to(&power.watts), power.source))
        };
        let left = of(baseline, &meters[0], rated.0, row.baseline);
        let right = of(other, &meters[1], rated.1, row.other);
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
        let split = |of: Option<(Interval, PowerSource)>| of.unzip();
        let ((baseline_per_joule, baseline_source), (other_per_joule, other_source)) =
            (split(left), split(right));
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

/// Watts of a row of a group: read from a meter while it was measured, or rated for the whole machine.
fn power(
    group: &Group,
    row: &Row,
    meter: Option<&PowerSource>,
    rated: Option<f64>,
) -> Option<Power> {
    let measured = meter.and_then(|meter| group.power(&row.workload, row.threads, meter));
    if measured.is_some() {
        return measured;
    }
    let is_whole = row.threads == ThreadSpec::All;
    let watts = rated.filter(|_| is_whole)?;
    let watts = Interval::around(watts, 0.0, f64::INFINITY);
    Some(Power { watts, source: PowerSource::Rated })
}
