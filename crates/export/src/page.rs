//! Data of the report's page: everything that it shows, judged here as far as it does not depend on its reader's choices. The
//! page itself (`report/` at the top) draws it, chooses a baseline, and multiplies by prices.

mod beside;
mod cell;
mod columns;
mod curves;
mod energy;
mod events;
mod findings;
mod head;
mod headless;
mod html;
mod implementations;
mod png;
mod round;
mod run;
mod scores;
mod site;
mod slowed;
mod telemetry;
mod texts;
mod variants;

use catalog::Price;
use cell::{Cell, Identities};
use columns::{PageColumn, columns};
use estimate::ViewKind;
use head::RowHead;
use jiff::{Timestamp, tz::TimeZone};
use judge::compare::{
    Difference, EXPECTED_FAMILIES, Group, MustMatch, Slowdown, disturbed_note, implementations,
    pair_notes as notes_of_pair,
};
use judge::cost::price_notes;
use scores::{LineHead, PairScore, Scores};
use serde::Serialize;
use std::collections::BTreeMap;
use texts::Texts;

pub use headless::{Chart, SHARE_CARD, charts, markdown};
pub use html::html;
pub use png::png;
pub use run::PageRun;
pub use site::{Site, SitePage, site};

/// Everything that a report shows.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Data"))]
pub struct Page {
    /// The version of sizeup that made it.
    pub sizeup: &'static str,
    /// When, in UTC.
    pub made: String,
    /// In which view.
    pub view: ViewKind,
    /// How many runs are not on it because they are invalid.
    left_out: usize,
    /// Whether nothing invalid was judged or left out.
    #[serde(skip)]
    is_fit: bool,
    /// Which rows lack an uncontended figure and what is shown for that, in a sentence; `None` if none does.
    contention: Option<String>,
    /// The label of the run whose variants the groups are; `None` for runs.
    variants_of: Option<String>,
    /// The first is the baseline until the reader chooses another.
    pub groups: Vec<PageGroup>,
    /// Every row that a group has.
    rows: Vec<RowHead>,
    /// The numbers of threads that were asked for, the one to show first at the front; empty: as the page chooses.
    threads: Vec<String>,
    /// Which workloads it is of, in words, where only some were asked for.
    pub selection: Option<String>,
    /// The values of each figure are in these.
    columns: Vec<PageColumn>,
    /// For each group, a cell per row.
    cells: Vec<Vec<Cell>>,
    /// With each variant as the baseline, the ratios of each other variant, row by row; empty for runs, whose ratios are
    /// computed from their figures.
    pairs: Vec<Vec<variants::PairCells>>,
    /// With each group as the baseline, the score of each other; `None` for itself.
    scores: Vec<Vec<Option<PairScore>>>,
    /// Lines of a ranking of all groups that rest on other rows than `scores` do; empty where the rows are the same.
    ranked: Vec<Vec<PairScore>>,
    /// Categories and numbers of threads that the lines of scores are of.
    lines: Vec<LineHead>,
    /// Workloads over numbers of threads.
    scaling: Vec<curves::PageScaling>,
    /// For each group, its rows that have watts.
    energy: Vec<Vec<energy::PageEnergy>>,
    /// For each group, its rows that were measured beside co-runners.
    beside: Vec<Vec<beside::PageBeside>>,
    /// For each group, its slowed rows.
    slowed: Vec<Vec<slowed::PageSlowed>>,
    /// Implementations beside the fastest of each machine.
    implementations: Vec<implementations::PageImplementation>,
    /// Implementations that lose more on one machine than the others do, against the first group.
    slowdowns: Vec<Slowdown>,
    /// Texts of cells and reasons, by number.
    texts: Texts,
    /// Two identities, `SMALLER-GREATER` → place of their differences in `differences`.
    unlike: BTreeMap<String, usize>,
    /// Lists of what differs.
    differences: Vec<Vec<Difference>>,
    /// Families of work that servers do most, each with its name: that a page has none of one is said.
    expected_families: Vec<(String, &'static str)>,
    /// Two groups, `BASELINE-OTHER` → caveats about them together.
    pair_notes: BTreeMap<String, String>,
    /// Caveats about the prices.
    price_notes: Vec<String>,
    /// Kinds of differences that the user allowed.
    allow: Vec<MustMatch>,
}

/// One group on the page.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Group"))]
pub struct PageGroup {
    /// Its name.
    pub label: String,
    /// Logical CPUs, where that is known.
    pub cpu_count: Option<u32>,
    /// Prices of an hour under each commitment; groups are judged by the first.
    pub prices: Vec<Price>,
    /// How many hosts its runs were on.
    pub hosts: usize,
    /// Caveats about all its runs together.
    notes: Vec<String>,
    /// Its runs.
    #[serde(rename = "sheets")]
    pub runs: Vec<PageRun>,
}

/// A group with what else its page shows of it.
pub struct PageInput {
    /// The group.
    pub group: Group,
    /// Its runs, in the same order.
    pub runs: Vec<PageRun>,
    /// Prices of an hour under each commitment; groups are judged by the first.
    pub prices: Vec<Price>,
    /// Rated watts.
    pub watts: Option<f64>,
}

impl Page {
    /// Takes groups, the baseline first, and the time at which the page is made.
    pub fn of(inputs: Vec<PageInput>, allow: &[MustMatch], made: Timestamp) -> Self {
        let scores = |groups: &[Group], lines: &mut [LineHead], rows: &[RowHead]| {
            scores::scores(groups, allow, lines, rows)
        };
        Self::scored(inputs, allow, made, scores)
    }

    /// Uses `scores` to score these groups on the page's lines.
    fn scored(
        inputs: Vec<PageInput>,
        allow: &[MustMatch],
        made: Timestamp,
        scores: impl FnOnce(&[Group], &mut [LineHead], &[RowHead]) -> Scores,
    ) -> Self {
        let (mut groups, mut shown, mut rated) = (Vec::new(), Vec::new(), Vec::new());
        for PageInput { group, runs, prices, watts } in inputs {
            shown.push(PageGroup {
                label: group.label.clone(),
                cpu_count: group.cpu_count(),
                prices,
                hosts: group.host_count(),
                notes: notes(&group),
                runs,
            });
            rated.push(watts);
            groups.push(group);
        }
        let mut families = BTreeMap::new();
        for run in shown.iter().flat_map(|group| &group.runs) {
            families.extend(run.families.clone());
        }
        let rows = head::rows(&groups, &families);
        let mut texts = Texts::default();
        let mut identities = Identities::default();
        let (scaling, speed_ups) = curves::curves(&mut groups, allow);
        let cells: Vec<Vec<Cell>> = groups
            .iter()
            .zip(&speed_ups)
            .map(|(group, speed_ups)| {
                let cell = |row| Cell::of(group, row, &mut texts, &mut identities, speed_ups);
                rows.iter().map(cell).collect()
            })
            .collect();
        let (unlike, differences) = identities.unlike(&cells);
        let mut lines = scores::line_heads(&groups);
        let mut scores = scores(&groups, &mut lines, &rows);
        let view = groups.first().map_or(ViewKind::Uncontended, |group| group.view);
        let selection = groups.first().and_then(|group| group.selection.clone());
        let contention = groups.first().and_then(|group| group.contention.as_ref());
        let contention = contention.map(|contention| {
            // The page's reader can't measure again, so the remedy is omitted.
            let lack = || {
                format!(
                    "{} of {} rows lack uncontended figures and have no result.",
                    contention.lacking, contention.rows
                )
            };
            contention.warning().unwrap_or_else(lack)
        });
        let implementations = implementations(&groups, allow);
        let energy = match view {
            // It is per GHz, so throughput per watt does not follow from it.
            ViewKind::PerGhz => groups.iter().map(|_| Vec::new()).collect(),
            _ => {
                let energy = energy::energies(&groups, &rows, &rated);
                let has_watts: Vec<bool> = energy.iter().map(|rows| !rows.is_empty()).collect();
                scores.add_watts(&groups, allow, &lines, &rated, &has_watts);
                energy
            }
        };
        let prices = shown.iter().filter_map(|group: &PageGroup| group.prices.first());
        let price_notes = price_notes(prices, made.to_zoned(TimeZone::UTC).date());
        Self {
            sizeup: env!("CARGO_PKG_VERSION"),
            made: made.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            view,
            left_out: groups.first().map_or(0, |group| group.left_out.len()),
            is_fit: groups.iter().all(Group::is_fit),
            contention,
            groups: shown,
            variants_of: None,
            pairs: Vec::new(),
            energy,
            beside: beside::beside(&groups, &rows),
            slowed: slowed::slowed(&groups, &rows, &mut texts),
            implementations: implementations::implementation_rows(
                &implementations.operations,
                &rows,
                &mut texts,
            ),
            slowdowns: implementations.slowdowns,
            expected_families: EXPECTED_FAMILIES
                .map(|(family, name)| (family.to_string(), name))
                .to_vec(),
            pair_notes: pair_notes(&groups),
            price_notes,
            scaling,
            threads: Vec::new(),
            selection,
            rows,
            columns: columns(),
            cells,
            scores: scores.all,
            ranked: scores.ranked,
            lines,
            texts,
            unlike,
            differences,
            allow: allow.to_vec(),
        }
    }
}

impl Page {
    /// Whether nothing invalid was judged or left out.
    pub fn is_fit(&self) -> bool {
        self.is_fit
    }

    /// Chooses the numbers of threads that it shows.
    ///
    /// # Errors
    /// When no row has one of them.
    pub fn show_threads(&mut self, threads: Vec<String>) -> Result<(), String> {
        let mut known: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !known.contains(&row.threads.as_str()) {
                known.push(&row.threads);
            }
        }
        if let Some(missing) = threads.iter().find(|asked| !known.contains(&asked.as_str())) {
            return Err(format!("no row has --threads {missing}; there are {}", known.join(", ")));
        }
        self.threads = threads;
        Ok(())
    }
}

/// Caveats about a group's runs together; those about one run are in its sheet.
fn notes(group: &Group) -> Vec<String> {
    group.hosts_note().into_iter().chain(disturbed_note(group, 0..group.rows.len())).collect()
}

/// Caveats about any two groups together.
fn pair_notes(groups: &[Group]) -> BTreeMap<String, String> {
    let pairs = (0..groups.len()).flat_map(|a| (0..groups.len()).map(move |b| (a, b)));
    pairs
        .filter(|(a, b)| a != b)
        .map(|(a, b)| (format!("{a}-{b}"), notes_of_pair(&groups[a], &groups[b]).join("; ")))
        .filter(|(_, notes)| !notes.is_empty())
        .collect()
}

#[cfg(test)]
mod tests;
