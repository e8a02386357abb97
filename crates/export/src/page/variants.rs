//! The variants of a run as machines of a page, judged pair by pair.

use super::round::{Numbers, Rounded, numbers};
use super::scores::{LineHead, PairLine, Scores};
use super::texts::Texts;
use super::{Page, PageInput, PageRun, head::RowHead};
use estimate::{RunEstimate, ViewKind};
use jiff::Timestamp;
use judge::compare::{
    Group, MustMatch, Sheet, VariantComparison, VariantRow, Weightings, compare_with_variant,
    variant_lines,
};
use record::{Run, ThreadSpec};
use serde::Serialize;
use std::collections::BTreeMap;

/// A variant against another in a row: the ratio of pairs of samples, or the place of the text that says why there is none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum PairCell {
    Ratio(PairRatio),
    Why(usize),
}

/// In this order: the ratio; as uncertain as the row alone is; margin and degrees of freedom of what rows share.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PairRatio(
    #[cfg_attr(test, schemars(title = "interval"))] Numbers,
    #[cfg_attr(test, schemars(title = "own"))] Numbers,
    #[cfg_attr(test, schemars(title = "run_effect", with = "(Option<f64>, Option<f64>)"))]
    (Rounded, Rounded),
);

/// Each row; `None` where a variant did not measure it.
pub(super) type PairCells = Vec<Option<PairCell>>;

impl Page {
    /// Takes the variants of a run, the first as the baseline, and the time at which the page is made. `None` where it has
    /// none.
    pub fn of_variants(
        run: &Run,
        estimate: &RunEstimate,
        asked: Option<ViewKind>,
        is_wanted: &dyn Fn(&str) -> bool,
        made: Timestamp,
    ) -> Option<Self> {
        let names: Vec<&String> = run.header.variants.iter().map(|variant| &variant.name).collect();
        let comparisons: Vec<VariantComparison> = names
            .iter()
            .map(|name| compare_with_variant(run, estimate, name, asked, is_wanted))
            .collect();
        let contention = comparisons.first()?.contention.clone();
        let falls_back = contention.as_ref().is_some_and(|contention| contention.falls_back);
        let view = match asked {
            None if falls_back => ViewKind::Delivered,
            asked => asked.unwrap_or(ViewKind::Uncontended),
        };
        let inputs = names.iter().enumerate().filter_map(|(place, name)| {
            let mut figures = Sheet::of_estimate(run, estimate, &[view]).of_variant(name);
            figures.retain(is_wanted);
            let mut group = Group::of((*name).clone(), view, vec![figures])?;
            group.contention.clone_from(&contention);
            // The run is one, and is told once.
            let runs = if place == 0 {
                vec![PageRun::of(run, estimate).without_variants()]
            } else {
                Vec::new()
            };
            Some(PageInput { group, runs, prices: Vec::new(), watts: None })
        });
        let mut page =
            Self::scored(inputs.collect(), &MustMatch::ALLOWABLE, made, |_, lines, _| {
                scores(&comparisons, &names, lines, run)
            });
        page.variants_of = Some(run.header.label.clone());
        // That they are of one host is what they are for.
        page.pair_notes.clear();
        page.pairs = pairs(&comparisons, &names, &page.rows, &mut page.texts);
        Some(page)
    }
}

/// `[baseline][other][row]`, in the order of the variants.
fn pairs(
    comparisons: &[VariantComparison],
    names: &[&String],
    heads: &[RowHead],
    texts: &mut Texts,
) -> Vec<Vec<PairCells>> {
    let mut cells = |comparison: &VariantComparison, name: &String| -> PairCells {
        let of_name = comparison.rows.iter().filter(|row| row.variant == *name);
        let rows: BTreeMap<(&str, ThreadSpec), &VariantRow> =
            of_name.map(|row| ((row.workload.as_str(), row.threads), row)).collect();
        let of_head = |head: &RowHead| {
            let row = rows.get(&(head.key.name.as_str(), head.key.threads))?;
            Some(match &row.ratio {
                Some(ratio) => PairCell::Ratio(PairRatio(
                    numbers(&ratio.interval),
                    numbers(&ratio.own),
                    (Rounded(ratio.run_effect.margin), Rounded(ratio.run_effect.freedom)),
                )),
                None => PairCell::Why(texts.place(row.reason.clone().unwrap_or_default())),
            })
        };
        heads.iter().map(of_head).collect()
    };
    let of_comparison =
        |comparison: &VariantComparison| names.iter().map(|name| cells(comparison, name)).collect();
    comparisons.iter().map(of_comparison).collect()
}

fn scores(
    comparisons: &[VariantComparison],
    names: &[&String],
    heads: &[LineHead],
    run: &Run,
) -> Scores {
    let rows = comparisons.iter().map(|comparison| comparison.rows.len()).max().unwrap_or_default();
    let weightings = Weightings::of(rows);
    let score = |comparison: &VariantComparison, name: &String| {
        let lines = variant_lines(comparison, name, &run.header.categories, &weightings);
        let is_itself = *name == comparison.baseline;
        (!is_itself)
            .then(|| lines.into_iter().filter_map(|line| PairLine::of(line, heads, None)).collect())
    };
    let of_baseline = |baseline| names.iter().map(|name| score(baseline, name)).collect();
    // All variants have the same rows.
    Scores::of_all(comparisons.iter().map(of_baseline).collect())
}
