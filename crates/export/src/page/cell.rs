//! One row of one group on the page.

use super::columns::{Number, values};
use super::curves::SpeedUps;
use super::head::RowHead;
use super::round::{Numbers, Rounded, numbers};
use super::texts::Texts;
use estimate::{View, Warning};
use judge::compare::{Difference, Group, Identity};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A figure, why there is none, or nothing where the group doesn't have the row.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum Cell {
    Figure(Box<CellFigure>),
    /// No figure: an index in the texts says why; the others are those that the figure would have.
    Lacking {
        why: usize,
        identity: usize,
        differing: Option<usize>,
    },
    /// The group doesn't have the row.
    Absent,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CellFigure {
    interval: Numbers,
    /// As uncertain as the row alone is.
    own: Numbers,
    /// How far what all rows share may be off, and its degrees of freedom.
    #[cfg_attr(test, schemars(with = "(Option<f64>, Option<f64>)"))]
    run_effect: (Rounded, Rounded),
    samples: usize,
    threads: usize,
    identity: usize,
    /// An index in the differences; `None` where nothing differs within the group.
    #[serde(skip_serializing_if = "Option::is_none")]
    differing: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<usize>,
    /// An index in the texts; `None` for ops.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<usize>,
    /// Which runs of the group measured it: only rows of the same runs share `run_effect`.
    run_set: usize,
    /// Over one thread, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_up: Option<Numbers>,
    /// In the page's columns, as far as they are known.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    values: Vec<Option<Number>>,
}

impl Cell {
    pub fn of(
        group: &Group,
        head: &RowHead,
        texts: &mut Texts,
        identities: &mut Identities,
        speed_ups: &SpeedUps,
    ) -> Self {
        let Some((row, figure)) =
            group.find(&head.key).and_then(|row| Some((row, group.first_figure(row)?)))
        else {
            return Self::Absent;
        };
        let identity = identities.place(&figure.identity);
        let within = &group.rows[row].differences;
        let differing = (!within.is_empty()).then(|| identities.list(within.clone()));
        let Some(View { interval, own, run_effect, samples }) = group.rows[row].view else {
            let why = texts.place(group.why_no_figure(row));
            return Self::Lacking { why, identity, differing };
        };
        let warnings = group.warnings(row, Warning::is_about_figure);
        Self::Figure(Box::new(CellFigure {
            interval: numbers(&interval),
            own: numbers(&own),
            run_effect: (Rounded(run_effect.margin), Rounded(run_effect.freedom)),
            samples,
            threads: figure.threads,
            identity,
            differing,
            warnings: warnings.into_iter().map(|warning| texts.place(warning)).collect(),
            unit: (!figure.unit.is_ops()).then(|| texts.place(figure.unit.to_string())),
            run_set: group.rows[row].run_set,
            speed_up: speed_ups.get(&(head.key.name.clone(), figure.threads)).map(numbers),
            values: values(group, row, figure),
        }))
    }

    fn identity(&self) -> Option<usize> {
        match self {
            Self::Figure(figure) => Some(figure.identity),
            Self::Lacking { identity, .. } => Some(*identity),
            Self::Absent => None,
        }
    }
}

/// Identities of rows, each once.
#[derive(Default)]
pub(super) struct Identities {
    places: BTreeMap<Arc<Identity>, usize>,
    lists: Vec<Vec<Difference>>,
}

impl Identities {
    fn place(&mut self, identity: &Arc<Identity>) -> usize {
        let next = self.places.len();
        *self.places.entry(Arc::clone(identity)).or_insert(next)
    }

    /// The place of a list of what differs.
    fn list(&mut self, list: Vec<Difference>) -> usize {
        match self.lists.iter().position(|known| *known == list) {
            Some(place) => place,
            None => {
                self.lists.push(list);
                self.lists.len() - 1
            }
        }
    }

    /// Differences between any two identities within one row, the smaller as the baseline; and all lists.
    pub fn unlike(
        mut self,
        cells: &[Vec<Cell>],
    ) -> (BTreeMap<String, usize>, Vec<Vec<Difference>>) {
        let mut known: Vec<Option<Arc<Identity>>> = vec![None; self.places.len()];
        for (identity, place) in &self.places {
            known[*place] = Some(Arc::clone(identity));
        }
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for row in 0..cells.first().map_or(0, Vec::len) {
            let of_row: BTreeSet<usize> =
                cells.iter().filter_map(|cells| cells[row].identity()).collect();
            for a in &of_row {
                pairs.extend(of_row.range(a + 1..).map(|b| (*a, *b)));
            }
        }
        let mut unlike = BTreeMap::new();
        for (a, b) in pairs {
            let (Some(left), Some(right)) = (&known[a], &known[b]) else { continue };
            let found = left.differences(right);
            if !found.is_empty() {
                unlike.insert(format!("{a}-{b}"), self.list(found));
            }
        }
        (unlike, self.lists)
    }
}
