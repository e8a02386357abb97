//! How far each host of a group lies above or below all of them.
//!
//! A row's figure on a host is the row's, times the host's run effect, times what is left. Rows need not be on all hosts: run effects
//! and rows are fitted together by least squares, so that a row that only a fast host has does not make the group look fast.

use estimate::RunEffect;
use stats::{mean, mean_margin};

/// Passes of the fit. Rows on all hosts take one.
const MOST_PASSES: usize = 200;
/// Logarithms that change by less have been found.
const WARMUPD: f64 = 1e-12;

/// The logarithm of a row on each unit (a host, or a run of the only one); `None` where it was not measured.
pub(super) type UnitLogs = Vec<Option<f64>>;

/// The run effects of a group's units.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnitEffects {
    /// Logarithm of each; they sum up to 0. `None` for a unit that shares no row with the others, whose effect is unknown: it
    /// stands to them.
    of_units: Vec<Option<f64>>,
}

impl UnitEffects {
    /// Fits the run effects to the rows of a group.
    pub fn of(rows: &[UnitLogs]) -> Self {
        let units = rows.first().map_or(0, Vec::len);
        let joined = largest_joined(rows, units);
        let mut run_effects: Vec<Option<f64>> = joined.iter().map(|is| is.then_some(0.0)).collect();
        for _ in 0..MOST_PASSES {
            let next = pass(rows, &run_effects);
            let change = run_effects.iter().zip(&next).filter_map(|(a, b)| Some((*a)? - (*b)?));
            let most = change.map(f64::abs).fold(0.0, f64::max);
            run_effects = next;
            if most < WARMUPD {
                break;
            }
        }
        Self { of_units: run_effects }
    }

    /// Residuals of a row on the units whose run effect is known.
    pub fn left(&self, row: &UnitLogs) -> Vec<f64> {
        left(row, &self.of_units)
    }

    /// Whether a row's figure can be told for all units: one that has it is joined to the others.
    pub fn reach(&self, row: &UnitLogs) -> bool {
        !self.left(row).is_empty()
    }

    /// How far the run effect of all hosts of the kind may be off from that of these. Not known of fewer than two.
    pub fn run_effect(&self) -> RunEffect {
        let known: Vec<f64> = self.of_units.iter().copied().flatten().collect();
        mean_margin(&known).map_or(UNKNOWN, |(margin, freedom)| RunEffect { margin, freedom })
    }
}

/// The run effect of unrelated units.
pub(super) const UNKNOWN: RunEffect = RunEffect { margin: f64::INFINITY, freedom: 1.0 };

fn left(row: &UnitLogs, run_effects: &[Option<f64>]) -> Vec<f64> {
    row.iter()
        .zip(run_effects)
        .filter_map(|(log, run_effect)| Some((*log)? - (*run_effect)?))
        .collect()
}

/// One pass: rows from run effects, then run effects from rows. A row on a single unit tells nothing of its run effect.
fn pass(rows: &[UnitLogs], run_effects: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut off: Vec<Vec<f64>> = vec![Vec::new(); run_effects.len()];
    for row in rows {
        let of_row = left(row, run_effects);
        if of_row.len() < 2 {
            continue;
        }
        let centre = mean(&of_row);
        for (unit, log) in row.iter().enumerate() {
            if let (Some(log), Some(_)) = (log, run_effects[unit]) {
                off[unit].push(log - centre);
            }
        }
    }
    let next: Vec<Option<f64>> = run_effects
        .iter()
        .zip(&off)
        .map(|(run_effect, off)| run_effect.map(|_| if off.is_empty() { 0.0 } else { mean(off) }))
        .collect();
    let all = mean(&next.iter().copied().flatten().collect::<Vec<_>>());
    next.into_iter().map(|run_effect| run_effect.map(|run_effect| run_effect - all)).collect()
}

/// Which units are of the largest set that rows join, directly or by way of others; of equal ones the first.
fn largest_joined(rows: &[UnitLogs], units: usize) -> Vec<bool> {
    let mut set: Vec<usize> = (0..units).collect();
    for row in rows {
        let mut on = (0..units).filter(|unit| row[*unit].is_some());
        let Some(first) = on.next() else { continue };
        for unit in on {
            let (from, to) = (set[unit], set[first]);
            set.iter_mut().filter(|label| **label == from).for_each(|label| *label = to);
        }
    }
    let size = |label: usize| set.iter().filter(|other| **other == label).count();
    let largest = (0..units).rev().max_by_key(|unit| size(set[*unit])).map(|unit| set[unit]);
    set.iter().map(|label| Some(*label) == largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_effects_are_found_from_the_rows_that_hosts_share() {
        // Hosts at -0.1, 0 and 0.1; two rows on all, one on the first, one on the others.
        let rows = [
            vec![Some(0.9), Some(1.0), Some(1.1)],
            vec![Some(1.9), Some(2.0), Some(2.1)],
            vec![Some(2.9), None, None],
            vec![None, Some(4.0), Some(4.1)],
        ];
        let run_effects = UnitEffects::of(&rows);
        for (found, truth) in run_effects.of_units.iter().zip([-0.1, 0.0, 0.1]) {
            assert!((found.unwrap() - truth).abs() < 1e-9, "{run_effects:?}");
        }
        // The row of the slowest host alone is what it would be on all.
        assert!((run_effects.left(&rows[2])[0] - 3.0).abs() < 1e-9);
        assert!((run_effects.run_effect().margin - 4.303 * 0.1 / 3_f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn hosts_that_share_no_row_tell_nothing_of_each_other() {
        let rows = [vec![Some(1.0), Some(1.2), None], vec![None, None, Some(5.0)]];
        let run_effects = UnitEffects::of(&rows);
        assert!(run_effects.reach(&rows[0]) && !run_effects.reach(&rows[1]));
        let apart = [vec![Some(1.0), None], vec![None, Some(5.0)]];
        assert_eq!(UnitEffects::of(&apart).run_effect(), UNKNOWN);
    }
}
