//! How the runs of a group differ: within a run, between runs of a host, between hosts.

use super::group_row::GroupRow;
use super::sheet::Sheet;
use record::ThreadSpec;
use serde::Serialize;
use stats::{mean, student_quantile};
use std::collections::BTreeMap;

/// How the runs of a group differ in the geometric mean over its rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Spread {
    /// On how many threads.
    pub threads: ThreadSpec,
    /// Rows that all these runs have.
    pub rows: usize,
    /// How they differ.
    #[serde(flatten)]
    pub apart: RunToRunSpread,
}

/// Standard deviations, by factor, of what runs measured: components of variance by the method of moments (S. R. Searle,
/// G. Casella and C. E. McCulloch, Variance Components, 1992, for the nested design).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RunToRunSpread {
    /// Runs.
    pub runs: usize,
    /// Computers that they are known to be of.
    pub hosts: usize,
    /// Uncertainty of a single run's figure; `None` for figures that were measured once: then the others include it.
    pub within_run: Option<f64>,
    /// Between runs of a host, beyond that; `None` where no host has two.
    pub between_runs: Option<f64>,
    /// Between hosts, beyond that; `None` for one host.
    pub between_hosts: Option<f64>,
}

impl Spread {
    /// Over rows on so many threads that all of the given runs (numbers of `all`) have. `None` without such rows, and for a
    /// single run.
    pub(super) fn of(
        all: &[Sheet],
        rows: &[GroupRow],
        threads: ThreadSpec,
        runs: &[usize],
    ) -> Option<Self> {
        let is_whole = |row: &&GroupRow| {
            let has_view = |run: &usize| {
                row.indices[*run].is_some_and(|index| all[*run].figure(index).is_some())
            };
            row.key.threads == threads && runs.iter().all(has_view)
        };
        let rows: Vec<_> = rows.iter().filter(is_whole).collect();
        if rows.is_empty() || runs.len() < 2 {
            return None;
        }
        let of_run = |number: &usize| {
            let run = &all[*number];
            let indices: Vec<usize> = rows.iter().filter_map(|row| row.indices[*number]).collect();
            let logs =
                indices.iter().filter_map(|index| Some(run.figure(*index)?.interval.centre.ln()));
            let run_effect = run.run_effect(&indices);
            let within = run_effect.margin / student_quantile(run_effect.freedom, 0.95);
            (run.host.clone(), mean(&logs.collect::<Vec<_>>()), within.powi(2))
        };
        let apart = RunToRunSpread::of(runs.iter().map(of_run).collect())?;
        Some(Self { threads, rows: rows.len(), apart })
    }
}

impl RunToRunSpread {
    /// The spread of one row, over the runs that have it.
    pub(super) fn of_row(runs: &[Sheet], row: &GroupRow) -> Option<Self> {
        let of_run = |(run, index): (&Sheet, &Option<usize>)| {
            let interval = run.figure((*index)?)?.interval;
            let within = interval.margin() / student_quantile(interval.freedom, 0.95);
            Some((run.host.clone(), interval.centre.ln(), within.powi(2)))
        };
        let runs = runs.iter().zip(&row.indices);
        Self::of(runs.filter_map(of_run).collect())
    }

    /// Takes each run's host, the logarithm of its figure, and the variance of that within the run. `None` for fewer than two
    /// runs.
    fn of(runs: Vec<(Option<String>, f64, f64)>) -> Option<Self> {
        if runs.len() < 2 {
            return None;
        }
        let within = mean(&runs.iter().map(|(_, _, within)| *within).collect::<Vec<_>>());
        let mut hosts: BTreeMap<Option<String>, Vec<f64>> = BTreeMap::new();
        let count = runs.len();
        for (host, log, _) in runs {
            hosts.entry(host).or_default().push(log);
        }
        let hosts: Vec<Vec<f64>> = hosts.into_values().collect();
        let within = Some(within).filter(|within| within.is_finite());
        let (of_runs, of_hosts) = components(&hosts, within.unwrap_or_default());
        Some(Self {
            runs: count,
            hosts: hosts.len(),
            within_run: within.map(f64::sqrt),
            between_runs: of_runs.map(f64::sqrt),
            between_hosts: of_hosts.map(f64::sqrt),
        })
    }
}

/// Variances between runs and between hosts, beyond what each run does not know of itself.
fn components(hosts: &[Vec<f64>], within: f64) -> (Option<f64>, Option<f64>) {
    let (runs, count) = (hosts.iter().map(Vec::len).sum::<usize>() as f64, hosts.len() as f64);
    let squares = |values: &[f64]| values.iter().map(|v| (v - mean(values)).powi(2)).sum::<f64>();
    let within_hosts = (runs > count)
        .then(|| hosts.iter().map(|host| squares(host)).sum::<f64>() / (runs - count));
    let of_runs = within_hosts.map(|variance| (variance - within).max(0.0));
    let means: Vec<f64> = hosts.iter().map(|host| mean(host)).collect();
    // Runs of a host as they weigh in its mean.
    let share = mean(&hosts.iter().map(|host| 1.0 / host.len() as f64).collect::<Vec<_>>());
    let of_hosts = (count > 1.0).then(|| {
        let in_means = within_hosts.unwrap_or(within) * share;
        (squares(&means) / (count - 1.0) - in_means).max(0.0)
    });
    (of_runs, of_hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_worked_example() {
        // Within hosts ±1 around 10 and 20: variance 2 each; means differ by 10: variance 50, of which 2/2 are of runs.
        let (runs, hosts) = components(&[vec![9.0, 11.0], vec![19.0, 21.0]], 0.5);
        assert!((runs.unwrap() - 1.5).abs() < 1e-12 && (hosts.unwrap() - 49.0).abs() < 1e-12);
    }

    #[test]
    fn what_was_not_seen_is_not_told() {
        assert_eq!(components(&[vec![1.0], vec![2.0]], 0.1).0, None);
        assert_eq!(components(&[vec![1.0, 2.0]], 0.1).1, None);
        assert_eq!(components(&[vec![1.0, 1.0]], 0.1).0, Some(0.0));
    }
}
