//! Which runs of a group measured a row. What all rows of a run share, rows of other runs do not: figures and intervals are
//! found from rows that the same runs measured, such as those of one suite.

use super::group_row::GroupRow;
use super::pooled::{HostRuns, pooled_run_effect, pooled_views};
use super::sheet::Sheet;
use super::unit_effects::UNKNOWN;
use estimate::{RunEffect, View};
use record::ThreadSpec;
use stats::student_quantile;
use std::collections::{BTreeMap, BTreeSet};

/// The runs of a group by host, and by the rows that they measured.
#[derive(Debug, Clone)]
pub(super) struct RunSets {
    /// Runs that count as one: those of a host, or each run of the only host.
    pub units: Vec<HostRuns>,
    sets: Vec<RunSet>,
    is_one_host: bool,
}

/// Runs that measured the same rows.
#[derive(Debug, Clone, PartialEq)]
struct RunSet {
    units: Vec<HostRuns>,
    /// All runs, for rows that some hosts lack and that no other rows stand for there: these are judged among all rows.
    is_last_resort: bool,
}

impl RunSet {
    fn runs(&self) -> BTreeSet<usize> {
        self.units.iter().flatten().copied().collect()
    }
}

impl RunSets {
    /// Gives each row the number of its set.
    pub fn of(runs: &[Sheet], rows: &mut [GroupRow]) -> Self {
        let hosts = hosts(runs);
        let is_one_host = hosts.len() == 1;
        let units =
            if is_one_host { hosts[0].iter().map(|run| vec![*run]).collect() } else { hosts };
        let mut sets: Vec<RunSet> = Vec::new();
        let mut lacking = Vec::new();
        for (number, row) in rows.iter_mut().enumerate() {
            let measured = measured(runs, row, is_one_host);
            let on_all: Vec<HostRuns> = only(&units, &measured);
            if is_one_host || on_all.len() == units.len() {
                row.run_set = index_of(&mut sets, RunSet { units: on_all, is_last_resort: false });
            } else {
                lacking.push((number, on_all));
            }
        }
        let full = sets.len();
        for (number, on_some) in lacking {
            let has_its_runs = |set: &RunSet| on_some.iter().all(|unit| set.units.contains(unit));
            rows[number].run_set = match sets[..full].iter().position(has_its_runs) {
                Some(index) => index,
                None => index_of(&mut sets, RunSet { units: units.clone(), is_last_resort: true }),
            };
        }
        Self { units, sets, is_one_host }
    }

    /// The runs of a set, by number.
    pub fn runs(&self, set: usize) -> Vec<usize> {
        self.sets[set].runs().into_iter().collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// Hosts by whose differences the intervals are found.
    pub fn host_count(&self) -> usize {
        if self.is_one_host { 1 } else { self.units.len() }
    }

    /// The views of a group's rows.
    pub fn views(&self, runs: &[Sheet], rows: &[GroupRow]) -> Vec<Option<View>> {
        let mut tables: BTreeMap<(ThreadSpec, usize), Vec<usize>> = BTreeMap::new();
        for (number, row) in rows.iter().enumerate() {
            tables.entry((row.key.threads, row.run_set)).or_default().push(number);
        }
        let mut views = vec![None; rows.len()];
        for ((threads, set), numbers) in tables {
            let set = &self.sets[set];
            let is_beside = |number: &usize| rows[*number].key.threads == threads;
            let table: Vec<usize> = match set.is_last_resort {
                true => (0..rows.len()).filter(is_beside).collect(),
                false => numbers.clone(),
            };
            let of_table: Vec<&GroupRow> = table.iter().map(|number| &rows[*number]).collect();
            for (number, view) in table.iter().zip(pooled_views(runs, &set.units, &of_table)) {
                if numbers.contains(number) {
                    views[*number] = view;
                }
            }
        }
        views
    }

    /// How far the mean of some rows may be off, all of the same number of threads.
    pub fn run_effect(&self, runs: &[Sheet], rows: &[&GroupRow]) -> RunEffect {
        if self.is_one_host {
            let parts = self.parts(runs, rows);
            return joint(&parts.iter().map(|part| (part.share, part)).collect::<Vec<_>>());
        }
        // Differences between hosts are in all their rows, whichever runs measured these.
        pooled_run_effect(runs, &self.units, rows)
    }

    /// How far the rows of a row's runs may be off from the mean of some rows, among which it is.
    pub fn run_effect_beside(
        &self,
        runs: &[Sheet],
        row: &GroupRow,
        rows: &[&GroupRow],
    ) -> RunEffect {
        let parts = self.parts(runs, rows);
        let off = |part: &SetPart| f64::from(part.set == row.run_set) - part.share;
        joint(&parts.iter().map(|part| (off(part), part)).collect::<Vec<_>>())
    }

    fn parts(&self, runs: &[Sheet], rows: &[&GroupRow]) -> Vec<SetPart> {
        let mut of_sets: BTreeMap<usize, Vec<&GroupRow>> = BTreeMap::new();
        for row in rows {
            of_sets.entry(row.run_set).or_default().push(row);
        }
        let part = |(set, of_set): (usize, Vec<&GroupRow>)| SetPart {
            set,
            runs: self.sets[set].runs(),
            share: of_set.len() as f64 / rows.len() as f64,
            run_effect: pooled_run_effect(runs, &self.sets[set].units, &of_set),
        };
        of_sets.into_iter().map(part).collect()
    }
}

/// The rows of a set among some.
struct SetPart {
    set: usize,
    runs: BTreeSet<usize>,
    share: f64,
    run_effect: RunEffect,
}

/// How far a sum may be off in which the means of parts count as given. Runs are off independently of each other: what two
/// sets have in common is the runs that are in both. Degrees of freedom as Satterthwaite and Welch have them.
fn joint(parts: &[(f64, &SetPart)]) -> RunEffect {
    if let [(1.0, only)] = parts {
        return only.run_effect;
    }
    let parts: Vec<_> = parts.iter().filter(|(factor, _)| *factor != 0.0).collect();
    if parts.iter().any(|(_, part)| part.run_effect.margin.is_infinite()) {
        return UNKNOWN;
    }
    let error = |(factor, part): &&(f64, &SetPart)| {
        factor * part.run_effect.margin / student_quantile(part.run_effect.freedom, 0.95)
    };
    let alike = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| {
        a.intersection(b).count() as f64 / ((a.len() * b.len()) as f64).sqrt()
    };
    let variances: Vec<f64> = parts
        .iter()
        .map(|one| {
            let with = parts.iter().map(|other| alike(&one.1.runs, &other.1.runs) * error(other));
            error(one) * with.sum::<f64>()
        })
        .collect();
    let variance: f64 = variances.iter().sum::<f64>().max(0.0);
    let squares =
        parts.iter().zip(&variances).map(|((_, part), v)| v * v / part.run_effect.freedom);
    let freedom = variance * variance / squares.sum::<f64>();
    if variance == 0.0 || freedom.is_nan() {
        return RunEffect::NONE;
    }
    RunEffect { margin: student_quantile(freedom, 0.95) * variance.sqrt(), freedom }
}

/// The runs of each host. Where the host of a run is not known it counts as one.
fn hosts(runs: &[Sheet]) -> Vec<HostRuns> {
    let mut hosts: BTreeMap<(Option<&String>, usize), HostRuns> = BTreeMap::new();
    for (number, run) in runs.iter().enumerate() {
        let host = run.host.as_ref();
        hosts.entry((host, if host.is_none() { number } else { 0 })).or_default().push(number);
    }
    hosts.into_values().collect()
}

/// The runs that were to measure a row. Of the runs of one host, if only one has a figure of it, that one: what the others
/// lack tells nothing of how runs differ.
fn measured(runs: &[Sheet], row: &GroupRow, is_one_host: bool) -> BTreeSet<usize> {
    let indices = row.indices.iter().enumerate();
    let planned = indices.filter_map(|(run, index)| Some((run, (*index)?)));
    let with_figure: BTreeSet<usize> = planned
        .clone()
        .filter(|(run, index)| runs[*run].figure(*index).is_some())
        .map(|(run, _)| run)
        .collect();
    if is_one_host && with_figure.len() == 1 {
        return with_figure;
    }
    planned.map(|(run, _)| run).collect()
}

/// Units as far as they are of some runs.
fn only(units: &[HostRuns], runs: &BTreeSet<usize>) -> Vec<HostRuns> {
    let of_unit = |unit: &HostRuns| -> HostRuns {
        unit.iter().copied().filter(|r| runs.contains(r)).collect()
    };
    units.iter().map(of_unit).filter(|unit| !unit.is_empty()).collect()
}

/// The index of a set among those that are known.
fn index_of(sets: &mut Vec<RunSet>, set: RunSet) -> usize {
    sets.iter().position(|known| *known == set).unwrap_or_else(|| {
        sets.push(set);
        sets.len() - 1
    })
}
