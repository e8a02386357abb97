//! What the report's page is made of: everything that it shows, judged here as far as it does not depend on what its
//! reader chooses. The page itself (`report/` at the top) draws it, chooses a baseline, and multiplies by prices.

mod cell;
mod curves;
mod energy;
mod events;
mod head;
mod headless;
mod html;
mod png;
mod round;
mod scores;
mod sheet;
mod telemetry;
mod texts;

use crate::compare::{Allow, Difference, Group, Lag, Weightings, gap};
use crate::cost::Price;
use crate::estimate::ViewKind;
use cell::{Cell, Identities};
use head::RowHead;
use scores::PairScore;
use serde::Serialize;
use std::collections::BTreeMap;
use texts::Texts;

pub use headless::{Chart, charts, markdown, site};
pub use html::html;
pub use png::png;
pub use sheet::Sheet;

/// Everything that a report shows.
#[derive(Debug, Serialize)]
pub struct Page {
    /// The version of sizeup that made it.
    pub sizeup: &'static str,
    /// When, in UTC.
    pub made: String,
    /// In which view.
    pub view: ViewKind,
    /// The first is the baseline until the reader chooses another.
    pub groups: Vec<PageGroup>,
    /// Every row that a group has.
    rows: Vec<RowHead>,
    /// Of each group, each row.
    cells: Vec<Vec<Cell>>,
    /// Of each group as the baseline, the score of each other; `None` of itself.
    scores: Vec<Vec<Option<PairScore>>>,
    /// Categories and numbers of threads that the lines of scores are of.
    lines: Vec<scores::LineHead>,
    /// Workloads over numbers of threads.
    scaling: Vec<curves::PageScaling>,
    /// Of each group, its rows that have watts.
    energy: Vec<Vec<energy::PageEnergy>>,
    /// Implementations that lag more on one machine than the others do, against the first group.
    lags: Vec<Lag>,
    /// What cells and reasons say, by number.
    texts: Texts,
    /// What differs between rows of these two identities, `SMALLER-GREATER`: a place in `differences`.
    unlike: BTreeMap<String, usize>,
    /// Lists of what differs.
    differences: Vec<Vec<Difference>>,
    /// What may differ.
    allow: Vec<Allow>,
}

/// One group on the page.
#[derive(Debug, Serialize)]
pub struct PageGroup {
    /// Its name.
    pub label: String,
    /// Logical CPUs, where that is known.
    pub cpu_count: Option<u32>,
    /// What an hour costs.
    pub price: Option<Price>,
    /// Rated watts.
    pub watts: Option<f64>,
    /// How many hosts its runs were on.
    pub hosts: usize,
    /// Whether any run must not be used.
    pub is_unfit: bool,
    /// Its runs.
    pub sheets: Vec<Sheet>,
}

/// A group with what else its page shows of it.
pub struct PageInput {
    /// The group.
    pub group: Group,
    /// Its runs, in the same order.
    pub sheets: Vec<Sheet>,
    /// What an hour costs.
    pub price: Option<Price>,
    /// Rated watts.
    pub watts: Option<f64>,
}

impl Page {
    /// Of groups, the baseline first.
    pub fn of(inputs: Vec<PageInput>, allow: &[Allow], made: String) -> Self {
        let (mut groups, mut shown) = (Vec::new(), Vec::new());
        for PageInput { group, sheets, price, watts } in inputs {
            shown.push(PageGroup {
                label: group.label.clone(),
                cpu_count: group.cpu_count(),
                price,
                watts,
                hosts: group.host_count(),
                is_unfit: group.is_unfit(),
                sheets,
            });
            groups.push(group);
        }
        let mut families = BTreeMap::new();
        for sheet in shown.iter().flat_map(|group| &group.sheets) {
            families.extend(sheet.families.clone());
        }
        let rows = head::rows(&groups, &families);
        let mut texts = Texts::default();
        let mut identities = Identities::default();
        let cells: Vec<Vec<Cell>> = groups
            .iter()
            .map(|group| {
                rows.iter().map(|row| Cell::of(group, row, &mut texts, &mut identities)).collect()
            })
            .collect();
        let (unlike, differences) = identities.unlike(&cells);
        let most_rows = groups.iter().map(|group| group.rows.len()).max().unwrap_or_default();
        let lines = scores::line_heads(&groups);
        let scores = scores::scores(&groups, allow, &lines, &Weightings::of(most_rows));
        let view = groups.first().map_or(ViewKind::OwnCore, |group| group.view);
        let watts: Vec<Option<f64>> = shown.iter().map(|group| group.watts).collect();
        Self {
            sizeup: env!("CARGO_PKG_VERSION"),
            made,
            view,
            groups: shown,
            energy: energy::energies(&groups, &rows, &watts),
            lags: gap(&groups, view, allow).lags,
            scaling: curves::curves(&mut groups, allow),
            rows,
            cells,
            scores,
            lines,
            texts,
            unlike,
            differences,
            allow: allow.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests;
