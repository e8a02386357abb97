//! The scores of every group against every other.

use super::round::{Numbers, numbers};
use catalog::OVERALL;
use judge::answer::{depends, on_threads};
use judge::compare::{Allow, Group, Left, Pairs, ScoreLine, Weightings};
use rayon::prelude::*;
use serde::Serialize;

/// Of more groups than this, only the scores against the first say how robust they are: drawing weights takes time.
const MOST_ROBUST: usize = 24;

/// What a line of scores is of.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LineHead {
    /// The category, or `overall`.
    category: String,
    /// As it was asked for.
    threads: String,
}

/// A group's lines against a baseline.
pub(super) type PairScore = Vec<PairLine>;

/// In this order: the place of its head; how many rows; centre, low, high and degrees of freedom; robustness.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("minItems" = 3)))]
pub(super) struct PairLine(
    #[cfg_attr(test, schemars(title = "head"))] usize,
    #[cfg_attr(test, schemars(title = "rows"))] usize,
    #[cfg_attr(test, schemars(title = "score"))] Option<Numbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(title = "robustness"))]
    Option<PairRobustness>,
);

/// How much of a score hangs on single rows and their weights.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Robustness"))]
struct PairRobustness {
    ahead: Option<f64>,
    least: Option<Left>,
    greatest: Option<Left>,
    /// What the order of the two depends on, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    depends: Option<String>,
}

/// The lines that any group's scores have.
pub(super) fn line_heads(groups: &[Group]) -> Vec<LineHead> {
    let nothing = Weightings::of(0);
    let mut heads = Vec::new();
    for line in groups
        .iter()
        .flat_map(|group| Pairs::of(group, group, &Allow::ALL).score(None, &nothing).lines)
    {
        let head = LineHead::of(&line);
        if !heads.contains(&head) {
            heads.push(head);
        }
    }
    heads
}

impl LineHead {
    fn of(line: &ScoreLine) -> Self {
        Self { category: line.category.clone(), threads: line.threads.to_string() }
    }
}

impl PairLine {
    /// `None` of what no head is of.
    pub fn of(
        line: ScoreLine,
        heads: &[LineHead],
        is_robust: bool,
        depends: Option<String>,
    ) -> Option<Self> {
        let head = heads.iter().position(|head| *head == LineHead::of(&line))?;
        let numbers = line.score.as_ref().map(numbers);
        let robustness = line.robustness.filter(|_| is_robust);
        let robustness = robustness.filter(|of| of.ahead.is_some() || of.least.is_some());
        let robustness = robustness.map(|of| PairRobustness {
            ahead: of.ahead,
            least: of.least,
            greatest: of.greatest,
            depends,
        });
        Some(Self(head, line.rows, numbers, robustness))
    }
}

/// Of each group as the baseline, each other.
pub(super) fn scores(
    groups: &[Group],
    allow: &[Allow],
    heads: &[LineHead],
    weightings: &Weightings,
) -> Vec<Vec<Option<PairScore>>> {
    let are_few = groups.len() <= MOST_ROBUST;
    let nothing = Weightings::of(0);
    let pair = |b: usize, o: usize| {
        let is_robust = are_few || b == 0;
        let weightings = if is_robust { weightings } else { &nothing };
        let score = Pairs::of(&groups[b], &groups[o], allow).score(None, weightings);
        let both = [&groups[b], &groups[o]];
        let line = |line: ScoreLine| {
            let mut on = on_threads(&both, line.threads);
            if line.category != OVERALL {
                on.push_str(&format!(" at {}", line.category));
            }
            let depends = depends(&line, &groups[o].label, &groups[b].label, &on);
            PairLine::of(line, heads, is_robust, depends)
        };
        score.lines.into_iter().filter_map(line).collect()
    };
    (0..groups.len())
        .into_par_iter()
        .map(|b| (0..groups.len()).map(|o| (o != b).then(|| pair(b, o))).collect())
        .collect()
}
