//! Of many groups: who leads, and by how much.

use super::depends::{depends, why_unsettled};
use super::few::are_few;
use super::words::{Order, anything, how_much, how_much_than, range, same};
use crate::compare::{Allow, Group, Pairs, Score, ScoreLine, Weightings};
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
        // Of fewer rows than others have, or than both machines have, a score is of other work.
        if are_few(place.rows, most.max(both)) {
            place.ratio = None;
        }
    }
    let ratio = Some(Interval::exact(1.0));
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
        let score =
            Pairs::of(groups[over.group], groups[first.group], allow).score(None, weightings);
        line(&score, threads).cloned()
    };
    let ratio = |over: &RankedGroup| of(over)?.score;
    let to_second = of(second);
    let machines = match (placed.len(), places.len()) {
        (ranked, all) if ranked < all => format!("{all} machines ({ranked} ranked)"),
        (all, _) => format!("{all} machines"),
    };
    let name = label(first);
    let next = label(second);
    let depends_on_work = to_second.as_ref().and_then(|line| depends(line, name, next, on));
    let has_two_leaders = depends_on_work.is_some();
    let lead = match to_second.as_ref().and_then(|line| line.score) {
        None => format!("{name} leads {machines} {on}"),
        Some(lead) if Order::of(&lead) == Order::Same => {
            format!("{name} and {} lead {machines} {on}: {} ({})", next, same(), range(&lead))
        }
        Some(lead) if Order::of(&lead) == Order::Undecided => format!(
            "{name} and {} lead {machines} {on}; which of them is undetermined: {name} is {} ({})",
            next,
            anything(&lead),
            range(&lead)
        ),
        Some(_) if depends_on_work.is_some() => format!(
            "{name} and {next} lead {machines}; {}",
            depends_on_work.unwrap_or_default().replacen(
                &format!("which of {name} and {next}"),
                "which of them",
                1
            )
        ),
        // A ranking is of scores against the first group, each of the rows that it has in common with that one.
        Some(lead) if Order::of(&lead) == Order::Behind => {
            let turned = lead.turned();
            format!(
                "{name} and {next} lead {machines} {on}; on the workloads that both ran, {next} is {} ({})",
                how_much(turned.centre),
                range(&turned)
            )
        }
        Some(lead) => {
            format!(
                "{name} leads {machines} {on}: {} ({})",
                how_much_than(lead.centre, next),
                range(&lead)
            )
        }
    };
    let subject = match to_second.as_ref().and_then(|line| line.score) {
        Some(lead)
            if has_two_leaders
                || !matches!(Order::of(&lead), Order::Ahead | Order::NoErrorBars) =>
        {
            format!("{name} is ")
        }
        _ => String::new(),
    };
    let behind = (placed.len() > 2).then(|| ratio(last)).flatten();
    Some(match behind {
        None => lead,
        Some(behind) => format!(
            "{lead}; {subject}{} ({})",
            how_much_than(behind.centre, &format!("the last, {}", label(last))),
            range(&behind)
        ),
    })
}

/// Neighbours behind the first two whose order depends on the work, each pair with the reason.
pub fn unsettled_neighbours(
    groups: &[&Group],
    places: &[RankedGroup],
    allow: &[Allow],
    weightings: &Weightings,
    threads: ThreadSpec,
) -> Vec<String> {
    let placed: Vec<&Group> = places
        .iter()
        .filter(|place| place.ratio.is_some())
        .map(|place| groups[place.group])
        .collect();
    let pairs = placed.windows(2).skip(1);
    let unsettled = pairs.filter_map(|pair| {
        let [ahead, behind] = pair else { return None };
        let score = Pairs::of(behind, ahead, allow).score(None, weightings);
        let (ahead, behind) = (&ahead.label, &behind.label);
        let why = why_unsettled(line(&score, threads)?, ahead, behind)?;
        Some(format!("{ahead} or {behind}: {why}"))
    });
    unsettled.collect()
}

#[cfg(test)]
mod tests {
    use super::super::has_place;
    use super::*;
    use crate::compare::{Pairs, Sheet};
    use estimate::ViewKind;
    use record::fixture::run;

    fn group(label: &str, rows: &[(&str, u64)]) -> Group {
        let samples: Vec<[u64; 20]> = rows.iter().map(|(_, ops)| [*ops; 20]).collect();
        group_of(label, rows.iter().map(|(name, _)| *name).zip(&samples))
    }

    fn group_of<'a>(label: &str, rows: impl Iterator<Item = (&'a str, &'a [u64; 20])>) -> Group {
        let rows: Vec<(&str, &[u64])> = rows.map(|(name, samples)| (name, &samples[..])).collect();
        let figures = vec![Sheet::of(&run(&rows), ViewKind::Uncontended)];
        Group::of(label.to_owned(), ViewKind::Uncontended, figures).unwrap()
    }

    /// With error bars: samples vary by a thousandth.
    fn noisy_group(label: &str, rows: &[(&str, u64)]) -> Group {
        let of_row = |ops: u64| std::array::from_fn::<u64, 20, _>(|i| ops * (1000 + i as u64 % 3));
        let samples: Vec<[u64; 20]> = rows.iter().map(|(_, ops)| of_row(*ops)).collect();
        group_of(label, rows.iter().map(|(name, _)| *name).zip(&samples))
    }

    fn ranked(groups: &[&Group]) -> (Vec<RankedGroup>, String) {
        let (threads, weightings) = (ThreadSpec::Count(1), Weightings::of(8));
        let scores: Vec<Score> = groups[1..]
            .iter()
            .map(|group| Pairs::of(groups[0], group, &[]).score(None, &weightings))
            .collect();
        let places = ranking(groups, &scores, threads);
        let answer = answer_of_ranking(groups, &places, &[], &weightings, threads, "on 1 thread");
        (places, answer.unwrap_or_default())
    }

    #[test]
    fn a_machine_with_few_comparable_rows_has_no_place_whichever_comes_first() {
        let first = group("first", &[("a/x", 100), ("b/x", 100), ("c/x", 100)]);
        let like = group("like", &[("a/x", 120), ("b/x", 120), ("c/x", 120)]);
        // Three times as fast on the one row that the others have.
        let odd = group("odd", &[("a/x", 300), ("d/x", 100), ("e/x", 100)]);
        let (places, answer) = ranked(&[&first, &like, &odd]);
        let order: Vec<(usize, bool)> =
            places.iter().map(|place| (place.group, place.ratio.is_some())).collect();
        assert_eq!(order, [(1, true), (0, true), (2, false)]);
        assert!(answer.starts_with("like leads 3 machines (2 ranked) on 1 thread"), "{answer}");
        let (places, answer) = ranked(&[&odd, &like, &first]);
        assert!(places.iter().filter(|place| place.group > 0).all(|place| place.ratio.is_none()));
        assert_eq!(answer, "");
        let threads = ThreadSpec::Count(1);
        let places = [(&first, &like), (&first, &odd), (&odd, &like)]
            .map(|(one, other)| has_place(&Pairs::of(one, other, &[]).comparison(), threads));
        assert_eq!(places, [true, false, false]);
    }

    #[test]
    fn a_leader_that_is_behind_the_next_directly_is_not_called_tied() {
        // B does most beside A, for it lacks the row on which C is slow; C does more on the rows that both have.
        let a = noisy_group("A", &[("a/x", 100), ("b/x", 100), ("c/x", 100)]);
        let b = noisy_group("B", &[("a/x", 300), ("b/x", 300)]);
        let c = noisy_group("C", &[("a/x", 310), ("b/x", 310), ("c/x", 100)]);
        let (places, answer) = ranked(&[&a, &b, &c]);
        let order: Vec<usize> = places.iter().map(|place| place.group).collect();
        assert_eq!(order, [1, 2, 0]);
        assert!(
            answer.starts_with(
                "B and C lead 3 machines on 1 thread; on the workloads that both ran, C is 3.3 % faster ("
            ),
            "{answer}"
        );
    }

    #[test]
    fn a_lead_that_one_workload_makes_names_it() {
        let rows = |ops: [u64; 4]| {
            let names = ["sm4-16B/x", "sm4-8KiB/x", "aes-8KiB/x", "sha-8KiB/x"];
            names.into_iter().zip(ops).collect::<Vec<_>>()
        };
        let slow = group("slow", &rows([50; 4]));
        let broad = group("broad", &rows([100; 4]));
        let narrow = group("narrow", &rows([900, 900, 90, 90]));
        let (_, answer) = ranked(&[&slow, &broad, &narrow]);
        assert!(
            answer.contains("depends on the work: narrow is ahead on 2 of 4 workloads"),
            "{answer}"
        );
        let (_, answer) = ranked(&[&slow, &broad]);
        assert!(!answer.contains("depends"), "{answer}");

        // Behind a leader that nobody doubts, they are named.
        let fast = group("fast", &rows([9000; 4]));
        let groups = [&slow, &broad, &narrow, &fast];
        let (places, answer) = ranked(&groups);
        assert!(answer.starts_with("fast leads 4 machines"), "{answer}");
        let weightings = Weightings::of(8);
        let unsettled =
            unsettled_neighbours(&groups, &places, &[], &weightings, ThreadSpec::Count(1));
        assert_eq!(unsettled.len(), 1);
        assert!(
            unsettled[0].starts_with("narrow or broad: narrow is ahead on 2 of 4 workloads"),
            "{unsettled:?}"
        );
    }
}
