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
    /// No figure: indices of the reason in the texts, of what the figure would be of, and of what differs within the group.
    Why((usize, usize, Option<usize>)),
    /// The group doesn't have the row.
    Absent,
}

/// In this order: the estimate; the same as uncertain as the row alone is; how far what all rows share may be off, and its
/// degrees of freedom; samples; threads; identity; what differs within the group; warnings; what the figure counts, a place in the
/// texts, or `None` for ops; which runs of the group measured it: only rows of the same runs share how far they may be off; the
/// speed-up over one thread, where that was measured; values in the page's columns, as far as they are known.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CellFigure(
    #[cfg_attr(test, schemars(title = "interval"))] Numbers,
    #[cfg_attr(test, schemars(title = "row"))] Numbers,
    #[cfg_attr(test, schemars(title = "run_effect", with = "(Option<f64>, Option<f64>)"))]
    (Rounded, Rounded),
    #[cfg_attr(test, schemars(title = "samples"))] usize,
    #[cfg_attr(test, schemars(title = "threads"))] usize,
    #[cfg_attr(test, schemars(title = "identity"))] usize,
    #[cfg_attr(test, schemars(title = "differing"))] Option<usize>,
    #[cfg_attr(test, schemars(title = "warnings"))] Vec<usize>,
    #[cfg_attr(test, schemars(title = "unit"))] Option<usize>,
    #[cfg_attr(test, schemars(title = "runSet"))] usize,
    #[cfg_attr(test, schemars(title = "speedUp"))] Option<Numbers>,
    #[cfg_attr(test, schemars(title = "values", with = "Vec<Option<f64>>"))] Vec<Option<Number>>,
);

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
        let within = (!within.is_empty()).then(|| identities.list(within.clone()));
        let Some(View { interval, own, run_effect, samples }) = group.rows[row].view else {
            return Self::Why((texts.place(group.why_no_figure(row)), identity, within));
        };
        let warnings = group.warnings(row, Warning::is_about_figure);
        Self::Figure(Box::new(CellFigure(
            numbers(&interval),
            numbers(&own),
            (Rounded(run_effect.margin), Rounded(run_effect.freedom)),
            samples,
            figure.threads,
            identity,
            within,
            warnings.into_iter().map(|warning| texts.place(warning)).collect(),
            (!figure.unit.is_ops()).then(|| texts.place(figure.unit.to_string())),
            group.rows[row].run_set,
            speed_ups.get(&(head.key.name.clone(), figure.threads)).map(numbers),
            values(group, row, figure),
        )))
    }

    fn identity(&self) -> Option<usize> {
        match self {
            Self::Figure(figure) => Some(figure.5),
            Self::Why((_, identity, _)) => Some(*identity),
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
