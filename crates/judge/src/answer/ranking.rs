//! Of many groups: who leads, and by how much.

use super::words::{Order, hinge, how_much_than, range};
use crate::compare::{Allow, Group, Score, ScoreLine, Weightings, score};
use catalog::OVERALL;
use record::ThreadSpec;
use stats::Interval;

/// A group among others.
#[derive(Debug, Clone)]
pub struct RankedGroup {
    /// The group, by number.
    pub group: usize,
    /// Its score over that of the first group; `None` where they have too few comparable rows for a place.
    pub ratio: Option<Interval>,
    /// Rows of the score.
    pub rows: usize,
}

/// A score over fewer than this part of the rows that others have, or that both machines have, is of other work.
const LEAST_ROWS: f64 = 0.5;

/// Groups by their overall score on a number of threads, the fastest first; those without one last. `scores` are of each
/// group but the first, against it.
pub fn ranking(groups: &[&Group], scores: &[Score], threads: ThreadSpec) -> Vec<RankedGroup> {
    let others = scores.iter().enumerate().map(|(place, score)| {
        let line = line(score, threads);
        let (ratio, rows) = (line.and_then(|line| line.score), line.map_or(0, |line| line.rows));
        RankedGroup { group: place + 1, ratio, rows }
    });
    let mut places: Vec<RankedGroup> = others.collect();
    let most = places.iter().map(|place| place.rows).max().unwrap_or_default();
    for place in &mut places {
        let both = measured(groups[place.group], threads).min(measured(groups[0], threads));
        if (place.rows as f64) < LEAST_ROWS * most.max(both) as f64 {
            place.ratio = None;
        }
    }
    let ratio = Some(Interval::around(1.0, 0.0, f64::INFINITY));
    places.push(RankedGroup { group: 0, ratio, rows: most });
    let value = |place: &RankedGroup| place.ratio.map_or(f64::NEG_INFINITY, |ratio| ratio.centre);
    places.sort_by(|a, b| value(b).total_cmp(&value(a)));
    places
}

/// How many rows of a group have a figure on a number of threads.
fn measured(group: &Group, threads: ThreadSpec) -> usize {
    let rows = group.rows.iter().filter(|row| row.key.threads == threads);
    rows.filter(|row| row.view.is_some()).count()
}

fn line(score: &Score, threads: ThreadSpec) -> Option<&ScoreLine> {
    score.lines.iter().find(|line| line.category == OVERALL && line.threads == threads)
}

/// Who leads, of how many that are ranked, how far ahead of the next, and of the last. `None` of fewer than two places with a
/// score.
pub fn answer_of_ranking(
    groups: &[&Group],
    places: &[RankedGroup],
    allow: &[Allow],
    weightings: &Weightings,
    threads: ThreadSpec,
    on: &str,
) -> Option<String> {
    let placed: Vec<&RankedGroup> = places.iter().filter(|place| place.ratio.is_some()).collect();
    let [first, second, ..] = placed[..] else { return None };
    let last = placed[placed.len() - 1];
    let label = |place: &RankedGroup| &groups[place.group].label;
    let of = |over: &RankedGroup| {
        let score = score(groups[first.group], groups[over.group], allow, None, weightings);
        line(&score, threads).cloned()
    };
    let ratio = |over: &RankedGroup| of(over)?.score;
    let to_second = of(second);
    let machines = match (placed.len(), places.len()) {
        (ranked, all) if ranked < all => format!("{all} machines ({ranked} ranked)"),
        (all, _) => format!("{all} machines"),
    };
    let name = label(first);
    let lead = match to_second.as_ref().and_then(|line| line.score) {
        None => format!("{name} leads {machines} {on}"),
        Some(lead) if matches!(Order::of(&lead), Order::Tied | Order::Behind) => {
            format!("{name} and {} lead {machines} {on}, tied within error", label(second))
        }
        Some(lead) => {
            let robustness = to_second.as_ref().and_then(|line| line.robustness.as_ref());
            let hinge = hinge(robustness, label(second));
            format!(
                "{name} leads {machines} {on}: {} ({}){}",
                how_much_than(lead.centre, label(second)),
                range(&lead),
                hinge.map(|hinge| format!("; {hinge}")).unwrap_or_default()
            )
        }
    };
    let behind = (placed.len() > 2).then(|| ratio(last)).flatten();
    Some(match behind {
        None => lead,
        Some(behind) => format!(
            "{lead}; {} ({})",
            how_much_than(behind.centre, &format!("the last, {}", label(last))),
            range(&behind)
        ),
    })
}
