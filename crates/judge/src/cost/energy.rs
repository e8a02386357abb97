//! Work per watt, with the source of the watts named.

use crate::answer::on_threads;
use crate::compare::{CommonRows, Comparison, Group, Pairs, Power, PowerSource};
use catalog::Unit;
use estimate::View;
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// A row with its watts.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EnergyRow {
    /// The workload, with its variant if there is one.
    pub workload: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Unit counted per second.
    pub unit: Unit,
    /// The baseline's.
    pub baseline: Option<PerWatt>,
    /// The other's.
    pub other: Option<PerWatt>,
    /// The other's ops/s per watt over the baseline's.
    pub ratio: Option<Interval>,
    /// The ratio above idle, where both have idle watts by one meter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_ratio: Option<Interval>,
    /// Why there is no ratio.
    pub reason: Option<String>,
}

/// Work per watt over several rows.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct EnergyScore {
    /// The category, or `overall`.
    pub category: String,
    /// On how many threads.
    pub threads: ThreadSpec,
    /// `on all 64 threads`.
    #[serde(skip)]
    pub on: String,
    /// Rows that are in it.
    pub rows: usize,
    /// The mean of the rows' ratios, weighed as in the score. As certain as the score where watts are rated; of readings it has no
    /// error bar, since how far these are off together is not known.
    pub score: Interval,
    /// Where the watts come from.
    pub sources: String,
}

/// Throughput of a row per watt.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct PerWatt {
    /// In the row's unit per watt: ops/s per watt are ops per joule.
    pub per_s_per_watt: Interval,
    /// Mean power of the machine.
    pub watts: Interval,
    /// Power of the idle machine before the run, by the same meter; `None` if it was not read then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<Interval>,
    /// The row's work per watt above idle; `None` where the two are equal within error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net_per_s_per_watt: Option<Interval>,
    /// Where the watts come from.
    pub source: PowerSource,
}

/// Puts the rows of a comparison at watts, from the first source that both have.
pub fn energy(
    Pairs { baseline, other, .. }: &Pairs,
    comparison: &Comparison,
    rated: (Option<f64>, Option<f64>),
) -> Vec<EnergyRow> {
    let rows = comparison.rows.iter().filter(|row| row.ratio.is_some());
    rows.filter_map(|row| {
        let per_watts = |group, view: Option<View>, rated| {
            let of_view =
                |view: View| per_watt(group, (&row.workload, row.threads), &view.interval, rated);
            view.map_or_else(Vec::new, of_view)
        };
        let lefts = per_watts(baseline, row.baseline, rated.0);
        let rights = per_watts(other, row.other, rated.1);
        let is_of_both = |source: &PowerSource| rights.iter().any(|right| right.source == *source);
        let both = lefts.iter().map(|left| &left.source).find(|source| is_of_both(source));
        let pick = |all: &[PerWatt]| {
            all.iter().find(|each| both.is_none_or(|both| *both == each.source)).cloned()
        };
        let (left, right) = (pick(&lefts), pick(&rights));
        if left.is_none() && right.is_none() {
            return None;
        }
        let (ratio, reason) = match (&left, &right) {
            (Some(ours), Some(theirs)) if ours.source != theirs.source => {
                let (ours, theirs) = (&ours.source, &theirs.source);
                (None, Some(format!("watts are not comparable: {ours} and {theirs}")))
            }
            (Some(ours), Some(theirs)) => {
                (Some(theirs.per_s_per_watt.ratio_to(&ours.per_s_per_watt)), None)
            }
            (None, _) => (None, Some(format!("no watts for {}", baseline.label))),
            (_, None) => (None, Some(format!("no watts for {}", other.label))),
        };
        let net = |side: &Option<PerWatt>| side.as_ref()?.net_per_s_per_watt;
        let nets = net(&left).zip(net(&right)).filter(|_| ratio.is_some());
        Some(EnergyRow {
            net_ratio: nets.map(|(left, right)| right.ratio_to(&left)),
            workload: row.workload.clone(),
            threads: row.threads,
            unit: row.unit.clone(),
            baseline: left,
            other: right,
            ratio,
            reason,
        })
    })
    .collect()
}

/// Scores work per watt: the score's weights, over the rows that both have watts of. In a ranking, in which the two are given by
/// number, over its rows.
pub fn energy_scores(
    pairs: &Pairs,
    rows: &[EnergyRow],
    ranking: Option<(&CommonRows, [usize; 2])>,
) -> Vec<EnergyScore> {
    let mut ratios = BTreeMap::new();
    let mut sources: BTreeMap<ThreadSpec, BTreeSet<String>> = BTreeMap::new();
    for row in rows {
        if let (Some(ratio), Some(side)) = (row.ratio, &row.baseline) {
            ratios.insert((row.workload.as_str(), row.threads), ratio.centre);
            sources.entry(row.threads).or_default().insert(side.source.to_string());
        }
    }
    let lines = pairs.lines_of(ranking, |name, threads| ratios.get(&(name, threads)).copied());
    let scored = lines.into_iter().filter_map(|line| {
        let sources: Vec<&str> = sources.get(&line.threads)?.iter().map(String::as_str).collect();
        let sources = sources.join(", ");
        let score = line.score?;
        let are_rated = sources == PowerSource::Rated.to_string();
        Some(EnergyScore {
            category: line.category,
            threads: line.threads,
            on: on_threads(&[pairs.baseline, pairs.other], line.threads),
            rows: line.rows,
            score: if are_rated {
                score
            } else {
                Interval::around(score.centre, f64::INFINITY, 1.0)
            },
            sources,
        })
    });
    scored.collect()
}

/// Throughput per watt by each meter that was read while the row was measured; the meter that covers most of the machine first.
/// Without a reading, by rated watts, which apply to all threads.
pub fn per_watt(
    group: &Group,
    (workload, threads): (&str, ThreadSpec),
    ops_per_s: &Interval,
    rated: Option<f64>,
) -> Vec<PerWatt> {
    let meters = group.meters(workload, threads);
    let read = meters.iter().filter_map(|meter| group.power(workload, threads, meter));
    let mut powers: Vec<Power> = read.collect();
    if let Some(watts) = rated.filter(|_| powers.is_empty() && threads == ThreadSpec::All) {
        let watts = Interval::exact(watts);
        powers.push(Power { watts, idle: None, source: PowerSource::Rated });
    }
    let per_watt = |Power { watts, idle, source }| PerWatt {
        per_s_per_watt: ops_per_s.ratio_to(&watts),
        net_per_s_per_watt: idle.and_then(|idle| Some(ops_per_s.ratio_to(&above(&watts, &idle)?))),
        watts,
        idle,
        source,
    };
    powers.into_iter().map(per_watt).collect()
}

/// Watts above idle, if they are more than either's error: the errors of both add up as independent ones do, in watts.
fn above(watts: &Interval, idle: &Interval) -> Option<Interval> {
    let net = watts.centre - idle.centre;
    let error = (watts.margin() * watts.centre).hypot(idle.margin() * idle.centre);
    let freedom = watts.freedom.min(idle.freedom);
    (net > error).then(|| Interval::around(net, error / net, freedom))
}
