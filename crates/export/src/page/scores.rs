//! The scores of every group against every other.

use super::head::RowHead;
use super::round::{Numbers, Rounded, numbers};
use catalog::OVERALL;
use judge::answer::{depends, on_threads};
use judge::compare::{CommonRows, Group, Left, MustMatch, Pairs, ScoreLine, Weightings};
use judge::cost::{EnergyScore, energy, energy_scores};
use rayon::prelude::*;
use serde::Serialize;

/// With more groups than this, only the scores against the first state their robustness: drawing weights takes time.
const MOST_ROBUST: usize = 24;

/// The category and the number of threads of a line of scores.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LineHead {
    /// The category, or `overall`.
    category: String,
    /// As it was asked for.
    threads: String,
    /// The rows that a ranking is of, by number: those that all ranked groups have; `None` where scores are of all that two have.
    ranked_rows: Option<Vec<usize>>,
}

/// A group's lines against a baseline.
pub(super) type PairScore = Vec<PairLine>;

/// In this order: the place of its head; how many rows; centre, low, high and degrees of freedom; robustness; work per watt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("minItems" = 3)))]
pub(super) struct PairLine(
    #[cfg_attr(test, schemars(title = "head"))] usize,
    #[cfg_attr(test, schemars(title = "rows"))] usize,
    #[cfg_attr(test, schemars(title = "score"))] Option<Numbers>,
    #[cfg_attr(test, schemars(title = "robustness"))] Option<PairRobustness>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(title = "per_watt"))]
    Option<PairPerWatt>,
);

/// Work per watt over the rows of a score that both have watts of.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "PerWattScore"))]
struct PairPerWatt {
    rows: usize,
    score: Numbers,
    /// Where the watts come from.
    sources: String,
}

/// How much of a score hangs on single rows and their weights.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Robustness"))]
struct PairRobustness {
    ahead: Option<f64>,
    least: Option<Left>,
    greatest: Option<Left>,
    /// Where the order of the two depends on the work, what says so of `which of them`.
    #[serde(skip_serializing_if = "Option::is_none")]
    depends: Option<String>,
}

/// The lines that any group's scores have.
pub(super) fn line_heads(groups: &[Group]) -> Vec<LineHead> {
    let mut heads = Vec::new();
    for line in groups
        .iter()
        .flat_map(|group| Pairs::of(group, group, &MustMatch::ALLOWABLE).score_lines(None, None).0)
    {
        let head = LineHead::of(&line);
        if !heads.iter().any(|known: &LineHead| known.is_of(&line)) {
            heads.push(head);
        }
    }
    heads
}

impl LineHead {
    fn of(line: &ScoreLine) -> Self {
        let (category, threads) = (line.category.clone(), line.threads.to_string());
        Self { category, threads, ranked_rows: None }
    }

    fn is_of(&self, line: &ScoreLine) -> bool {
        self.category == line.category && self.threads == line.threads.to_string()
    }
}

impl PairLine {
    /// `None` without a matching head.
    pub fn of(line: ScoreLine, heads: &[LineHead], depends: Option<String>) -> Option<Self> {
        let head = heads.iter().position(|head| head.is_of(&line))?;
        let numbers = line.score.as_ref().map(numbers);
        let robustness = line
            .robustness
            .filter(|robustness| robustness.ahead.is_some() || robustness.least.is_some());
        let robustness = robustness.map(|robustness| PairRobustness {
            ahead: robustness.ahead,
            least: robustness.least.map(rounded),
            greatest: robustness.greatest.map(rounded),
            depends,
        });
        Some(Self(head, line.rows, numbers, robustness, None))
    }
}

fn rounded(left: Left) -> Left {
    Left { score: Rounded(left.score).value(), ..left }
}

/// Scores of groups against each other.
pub(super) struct Scores {
    /// With each group as the baseline, the score of each other, without lines that have no row; `None` for itself.
    pub all: Vec<Vec<Option<PairScore>>>,
    /// The lines that are others in a ranking, since that is of the rows that all ranked groups have; empty where none is.
    pub ranked: Vec<Vec<PairScore>>,
    /// The rows of a ranking, where there is one.
    common: Option<CommonRows>,
}

impl Scores {
    /// Scores over all rows that two have.
    pub fn of_all(all: Vec<Vec<Option<PairScore>>>) -> Self {
        Self { all, ranked: Vec::new(), common: None }
    }

    /// Adds work per watt, at the rated watts of each group where none were read.
    pub fn add_watts(
        &mut self,
        groups: &[Group],
        allow: &[MustMatch],
        heads: &[LineHead],
        rated: &[Option<f64>],
        has_watts: &[bool],
    ) {
        let add = |lines: &mut PairScore, scores: Vec<EnergyScore>| {
            for EnergyScore { category, threads, rows, score, sources, .. } in scores {
                let threads = threads.to_string();
                let is_of = |head: &LineHead| head.category == category && head.threads == threads;
                let line = lines.iter_mut().find(|line| is_of(&heads[line.0]));
                if let Some(line) = line {
                    line.4 = Some(PairPerWatt { rows, score: numbers(&score), sources });
                }
            }
        };
        let both = |b: usize| (0..groups.len()).map(move |o| (b, o)).filter(move |(b, o)| b != o);
        let both = (0..groups.len()).flat_map(both).filter(|(b, o)| has_watts[*b] && has_watts[*o]);
        let both: Vec<(usize, usize)> = both.collect();
        let common = self.common.as_ref().filter(|_| !self.ranked.is_empty());
        let scored = |(b, o)| {
            let pairs = Pairs::of(&groups[b], &groups[o], allow);
            let rows = energy(&pairs, &pairs.comparison(), (rated[b], rated[o]));
            let of_ranked =
                common.map(|common| energy_scores(&pairs, &rows, Some((common, [b, o]))));
            ((b, o), energy_scores(&pairs, &rows, None), of_ranked)
        };
        let scored: Vec<_> = both.into_par_iter().map(scored).collect();
        for ((b, o), of_all, of_ranked) in scored {
            if let Some(lines) = &mut self.all[b][o] {
                add(lines, of_all);
            }
            if let Some(of_ranked) = of_ranked {
                add(&mut self.ranked[b][o], of_ranked);
            }
        }
    }
}

/// Scores each other group against each group as the baseline.
pub(super) fn scores(
    groups: &[Group],
    allow: &[MustMatch],
    heads: &mut [LineHead],
    rows: &[RowHead],
) -> Scores {
    let of_groups: Vec<&Group> = groups.iter().collect();
    let common = (groups.len() > 2).then(|| CommonRows::of(&of_groups, allow));
    if let Some(common) = &common {
        for head in &mut *heads {
            let is_in = |row: &RowHead| {
                row.threads == head.threads && common.contains(&head.category, &row.key)
            };
            head.ranked_rows = Some((0..rows.len()).filter(|row| is_in(&rows[*row])).collect());
        }
    }
    let heads = &*heads;
    let most_rows = groups.iter().map(|group| group.rows.len()).max().unwrap_or_default();
    let drawn = Weightings::of(most_rows);
    let are_few = groups.len() <= MOST_ROBUST;
    let pair = |b: usize, o: usize| {
        let is_robust = are_few || b == 0;
        let both = [&groups[b], &groups[o]];
        let line = |line: ScoreLine| {
            let mut on = on_threads(&both, line.threads);
            if line.category != OVERALL {
                on.push_str(&format!(" at {}", line.category));
            }
            let depends = depends(&line, &groups[o].label, &groups[b].label, &on);
            PairLine::of(line, heads, depends)
        };
        let ranking = common.as_ref().map(|common| (common, [b, o]));
        let (of_all, of_ranked) =
            Pairs::of(both[0], both[1], allow).score_lines(ranking, is_robust.then_some(&drawn));
        let of_ranked = of_ranked.into_iter().filter_map(line).collect();
        let of_all = of_all.into_iter().filter(|line| line.rows > 0);
        (Some(of_all.filter_map(line).collect()), of_ranked)
    };
    let of_baseline = |b: usize| -> (Vec<Option<PairScore>>, Vec<PairScore>) {
        let against = |o: usize| if o == b { (None, Vec::new()) } else { pair(b, o) };
        (0..groups.len()).map(against).unzip()
    };
    let (all, ranked): (Vec<_>, Vec<_>) =
        (0..groups.len()).into_par_iter().map(of_baseline).unzip();
    let is_other = |scores: &Vec<PairScore>| scores.iter().any(|lines| !lines.is_empty());
    let ranked = if ranked.iter().any(is_other) { ranked } else { Vec::new() };
    Scores { all, ranked, common }
}
