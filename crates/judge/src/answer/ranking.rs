//! Sentences on three groups or more: who leads, and by how much.

use super::depends::{depends, why_unsettled};
use super::pair::work;
use crate::compare::{CommonRows, Group, MustMatch, Pairs, Score, ScoreLine, Weightings};
use crate::numbers::counted;
use catalog::{Family, NamedMix, OVERALL};
use record::ThreadSpec;
use stats::Interval;
use std::collections::BTreeSet;
use verdict::{Lead, Order, Quantity, how_much_than, range};

/// Groups that are ranked by the work that they have in common, the one that they are compared with first.
pub struct RankedGroups<'a> {
    /// As they were given.
    pub groups: &'a [&'a Group],
    allow: &'a [MustMatch],
    weightings: &'a Weightings,
    mix: Option<&'a NamedMix>,
    /// Their common rows; `None` for two, which have all that both measured.
    common: Option<CommonRows>,
}

/// A group among others.
#[derive(Debug, Clone)]
pub struct RankedGroup {
    /// Which group.
    pub number: usize,
    /// Its score over that of the first group; `None` where it has too few of the common rows for a rank.
    pub ratio: Option<Interval>,
}

impl<'a> RankedGroups<'a> {
    /// Finds their common rows. `weightings` are for at least as many rows as one of them has.
    pub fn of(groups: &'a [&'a Group], allow: &'a [MustMatch], weightings: &'a Weightings) -> Self {
        let common = (groups.len() > 2).then(|| CommonRows::of(groups, allow));
        Self { groups, allow, weightings, mix: None, common }
    }

    /// Scores a mix as well.
    #[must_use]
    pub fn with_mix(mut self, mix: Option<&'a NamedMix>) -> Self {
        self.mix = mix;
        self
    }

    /// Scores of each but the first against it, of their common rows.
    pub fn scores(&self) -> Vec<Score> {
        (1..self.groups.len()).map(|other| self.score([0, other])).collect()
    }

    /// The score of a group against a baseline, given by number, the baseline first.
    pub fn score(&self, [baseline, other]: [usize; 2]) -> Score {
        let pairs = Pairs::of(self.groups[baseline], self.groups[other], self.allow);
        let pairs = match &self.common {
            Some(common) => pairs.within(common, [baseline, other]),
            None => pairs,
        };
        pairs.score(self.mix, self.weightings)
    }

    /// Over all categories, on a number of threads.
    fn line(&self, baseline: usize, other: usize, threads: ThreadSpec) -> Option<ScoreLine> {
        line(&self.score([baseline, other]), threads).cloned()
    }

    /// By how many rows the groups are ranked where some have more, which categories no row is of, and who is not ranked.
    pub fn work_notes(
        &self,
        ranking: &[RankedGroup],
        threads: ThreadSpec,
        on: &str,
    ) -> Vec<String> {
        let Some(common) = &self.common else { return Vec::new() };
        let count = common.count(threads);
        let (ranked, left): (Vec<&RankedGroup>, Vec<&RankedGroup>) =
            ranking.iter().partition(|group| group.ratio.is_some());
        if ranked.len() < 2 {
            return Vec::new();
        }
        let rows = |group: &&RankedGroup| {
            let rows = self.groups[group.number].rows.iter();
            rows.filter(|row| row.key.threads == threads && row.view.is_some()).count()
        };
        let mut notes = Vec::new();
        let most = ranked.iter().map(rows).max().unwrap_or_default();
        if most > count {
            notes.push(format!(
                "Machines are ranked by the {} {on} that all of them did; some did up to {most}.",
                counted(count, "workload")
            ));
        }
        notes.extend(self.score([ranked[1].number, ranked[0].number]).lacking(threads));
        if !left.is_empty() {
            let in_words = |group: &RankedGroup| {
                format!("{} ({})", self.label(group), common.count_of(threads, group.number))
            };
            let left: Vec<String> = left.into_iter().map(in_words).collect();
            notes.push(format!(
                "Not ranked, having too few of these {count} workloads: {}.",
                left.join(", ")
            ));
        }
        notes
    }

    fn label(&self, group: &RankedGroup) -> &'a str {
        &self.groups[group.number].label
    }

    /// Whether a ranking leaves out a kind of work that one of the groups did on whatever number of threads.
    fn lacks_work(&self, line: &ScoreLine) -> bool {
        let ranked = line.sides.as_ref().map(|sides| &sides.families[..]).unwrap_or_default();
        let runs = self.groups.iter().flat_map(|group| &group.runs);
        let families: BTreeSet<String> = runs
            .flat_map(|run| &run.rows)
            .filter_map(|row| row.family.as_ref())
            .filter(|family| **family != Family::Unknown)
            .map(ToString::to_string)
            .collect();
        families.iter().any(|family| !ranked.contains(family))
    }

    /// Who leads, of how many that are ranked, how far ahead of the next, and of the last. `None` for fewer than two with a score.
    pub fn answer(&self, ranking: &[RankedGroup], threads: ThreadSpec, on: &str) -> Option<String> {
        let ranked: Vec<&RankedGroup> =
            ranking.iter().filter(|group| group.ratio.is_some()).collect();
        let [first, second, ..] = ranked[..] else { return None };
        let last = ranked[ranked.len() - 1];
        let (name, next) = (self.label(first), self.label(second));
        let to_second = self.line(second.number, first.number, threads)?;
        let on = match self.lacks_work(&to_second) {
            true => format!("{on} at {}", work(&to_second)),
            false => on.to_owned(),
        };
        let ratio = to_second.score?;
        let depends_on_work = depends(&to_second, name, next, &on);
        let is_led = depends_on_work.is_none()
            && !matches!(Order::of(&ratio), Order::Same | Order::Undecided);
        let lead = Lead {
            names: [name, next].map(str::to_owned),
            ratio: Some(ratio),
            quantity: Quantity::Speed,
            ranked: ranked.len(),
            all: ranking.len(),
            aside: String::new(),
            on,
            depends: depends_on_work,
        };
        let lead = lead.sentence();
        let behind = (ranked.len() > 2).then(|| self.line(last.number, first.number, threads));
        let Some(behind) = behind.flatten().and_then(|line| line.score) else { return Some(lead) };
        Some(format!(
            "{lead}; {}{} ({})",
            if is_led { String::new() } else { format!("{name} is ") },
            how_much_than(behind.centre, &format!("the last, {}", self.label(last))),
            range(&behind)
        ))
    }

    /// Neighbours behind the first two whose order depends on the work, each pair with the reason.
    pub fn unsettled_neighbours(
        &self,
        ranking: &[RankedGroup],
        threads: ThreadSpec,
    ) -> Vec<String> {
        let ranked: Vec<&RankedGroup> =
            ranking.iter().filter(|group| group.ratio.is_some()).collect();
        let pairs = ranked.windows(2).skip(1);
        let unsettled = pairs.filter_map(|pair| {
            let [ahead, behind] = pair else { return None };
            let line = self.line(behind.number, ahead.number, threads)?;
            let (ahead, behind) = (self.label(ahead), self.label(behind));
            Some(format!("{ahead} or {behind}: {}", why_unsettled(&line, ahead, behind)?))
        });
        unsettled.collect()
    }
}

/// Groups by their overall score on a number of threads, the fastest first; those without one last. `scores` are of each
/// group but the first, against it, all of the same rows.
pub fn ranking(scores: &[Score], threads: ThreadSpec) -> Vec<RankedGroup> {
    let others = scores.iter().enumerate().map(|(index, score)| RankedGroup {
        number: index + 1,
        ratio: line(score, threads).and_then(|line| line.score),
    });
    let first = RankedGroup { number: 0, ratio: Some(Interval::exact(1.0)) };
    let mut ranking: Vec<RankedGroup> = others.chain([first]).collect();
    let value = |group: &RankedGroup| group.ratio.map_or(f64::NEG_INFINITY, |ratio| ratio.centre);
    ranking.sort_by(|a, b| value(b).total_cmp(&value(a)));
    ranking
}

fn line(score: &Score, threads: ThreadSpec) -> Option<&ScoreLine> {
    score.lines.iter().find(|line| line.category == OVERALL && line.threads == threads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Sheet;
    use catalog::Category;
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
        let ranked = RankedGroups::of(groups, &[], &weightings);
        let ranking = ranking(&ranked.scores(), threads);
        let answer = ranked.answer(&ranking, threads, "on 1 thread");
        (ranking, answer.unwrap_or_default())
    }

    #[test]
    fn a_machine_with_few_comparable_rows_has_no_rank_whichever_comes_first() {
        let first = group("first", &[("a/x", 100), ("b/x", 100), ("c/x", 100)]);
        let like = group("like", &[("a/x", 120), ("b/x", 120), ("c/x", 120)]);
        // Three times as fast on the one row that the others have.
        let odd = group("odd", &[("a/x", 300), ("d/x", 100), ("e/x", 100)]);
        let (ranking, answer) = ranked(&[&first, &like, &odd]);
        let order: Vec<(usize, bool)> =
            ranking.iter().map(|group| (group.number, group.ratio.is_some())).collect();
        assert_eq!(order, [(1, true), (0, true), (2, false)]);
        let pair =
            "Only 2 of 3 machines can be ranked: like is 20 % faster than first on 1 thread (";
        assert!(answer.starts_with(pair), "{answer}");
        let (ranking, answer) = ranked(&[&odd, &like, &first]);
        assert!(ranking.iter().filter(|group| group.number > 0).all(|group| group.ratio.is_none()));
        assert_eq!(answer, "");
    }

    #[test]
    fn a_pages_lines_are_those_of_the_score_and_of_the_ranking_where_its_rows_are_others() {
        let a = noisy_group("A", &[("a/x", 100), ("b/x", 100), ("c/x", 100)]);
        let b = noisy_group("B", &[("a/x", 300), ("b/x", 300)]);
        let c = noisy_group("C", &[("a/x", 310), ("b/x", 310), ("c/x", 100)]);
        let (groups, weightings) = ([&a, &b, &c], Weightings::of(8));
        let ranked = RankedGroups::of(&groups, &[], &weightings);
        for (other, is_of_fewer_rows) in [(1, false), (2, true)] {
            let pairs = Pairs::of(groups[0], groups[other], &[]);
            let ranking = ranked.common.as_ref().map(|common| (common, [0, other]));
            let (all, in_ranking) = pairs.score_lines(ranking, Some(&weightings));
            assert_eq!(all, pairs.score(None, &weightings).lines);
            let expected =
                if is_of_fewer_rows { ranked.score([0, other]).lines } else { Vec::new() };
            assert_eq!(in_ranking, expected);
        }
    }

    #[test]
    fn machines_are_ranked_by_the_work_that_all_of_them_did() {
        // On all that each shares with A, B would do 3× as much and C only 2.1×: B lacks the row on which C is slow.
        let a = noisy_group("A", &[("a/x", 100), ("b/x", 100), ("c/x", 100)]);
        let b = noisy_group("B", &[("a/x", 300), ("b/x", 300)]);
        let c = noisy_group("C", &[("a/x", 310), ("b/x", 310), ("c/x", 100)]);
        let (ranking, answer) = ranked(&[&a, &b, &c]);
        let order: Vec<usize> = ranking.iter().map(|group| group.number).collect();
        assert_eq!(order, [2, 1, 0]);
        assert!(
            answer.starts_with("C leads 3 machines on 1 thread: 3.3 % faster than B ("),
            "{answer}"
        );
        // The sentence is of the same rows as the ranking.
        let ratio = |number: usize| ranking.iter().find(|group| group.number == number)?.ratio;
        let (to_b, to_c) = (ratio(1).unwrap().centre, ratio(2).unwrap().centre);
        assert!((to_c / to_b - 31.0 / 30.0).abs() < 1e-9, "{to_c} {to_b}");
    }

    #[test]
    fn who_is_ranked_by_what_does_not_depend_on_the_order_of_the_machines() {
        // Without A or without D the others have as much in common.
        let a = noisy_group("A", &[("a/x", 100), ("b/x", 100)]);
        let b = noisy_group("B", &[("a/x", 200), ("b/x", 200), ("c/x", 200), ("d/x", 200)]);
        let c = noisy_group("C", &[("a/x", 300), ("b/x", 300), ("c/x", 300), ("d/x", 300)]);
        let d = noisy_group("D", &[("c/x", 400), ("d/x", 400)]);
        let labels = |groups: [&Group; 4]| {
            let (ranking, _) = ranked(&groups);
            let with_rank = ranking.iter().filter(|group| group.ratio.is_some());
            with_rank.map(|group| groups[group.number].label.clone()).collect::<Vec<_>>()
        };
        assert_eq!(labels([&b, &a, &c, &d]), labels([&b, &d, &c, &a]));
        assert_eq!(labels([&b, &a, &c, &d]), labels([&c, &d, &b, &a]));
        assert_eq!(labels([&b, &a, &c, &d]).len(), 3);
    }

    #[test]
    fn a_ranking_of_a_part_of_the_work_says_of_which() {
        let group = |label: &str, ops: u64, lacks: &str| {
            let samples = [[ops; 20], [100; 20]];
            let all = [
                ("sha/x", &samples[0][..], Family::Hash),
                ("zip/x", &samples[1][..], Family::Compress),
                ("md/x", &samples[0][..], Family::Hash),
            ];
            let rows: Vec<_> = all.into_iter().filter(|(name, ..)| *name != lacks).collect();
            let named: Vec<(&str, &[u64])> =
                rows.iter().map(|(name, ops, _)| (*name, *ops)).collect();
            let mut run = run(&named);
            for (workload, _, family) in rows {
                run.header.workloads.get_mut(workload).unwrap().family = family;
            }
            let sheets = vec![Sheet::of(&run, ViewKind::Uncontended)];
            Group::of(label.to_owned(), ViewKind::Uncontended, sheets).unwrap()
        };
        let groups = [group("a", 100, ""), group("b", 200, ""), group("c", 400, "zip/x")];
        let (_, answer) = ranked(&groups.each_ref());
        assert!(
            answer
                .starts_with("c leads 3 machines on 1 thread at hash (2 workloads): 2.00× faster"),
            "{answer}"
        );
        let whole = [group("a", 100, ""), group("b", 200, ""), group("c", 400, "")];
        let (_, answer) = ranked(&whole.each_ref());
        assert!(answer.starts_with("c leads 3 machines on 1 thread: "), "{answer}");
    }

    #[test]
    fn a_ranking_says_which_categories_no_row_is_of() {
        let category = |name: &str, workloads: Vec<String>| Category {
            name: name.to_owned(),
            threads: Vec::new(),
            is_flat: false,
            workloads,
        };
        let group = |label: &str, ops: u64| {
            let mut run = run(&[("a/x", &[ops; 20])]);
            let rows = run.header.workloads.keys().cloned().collect();
            run.header.categories = vec![category("hash", rows), category("cache", Vec::new())];
            let sheets = vec![Sheet::of(&run, ViewKind::Uncontended)];
            Group::of(label.to_owned(), ViewKind::Uncontended, sheets).unwrap()
        };
        let groups = [group("a", 100), group("b", 200), group("c", 400)];
        let (groups, weightings) = (groups.each_ref(), Weightings::of(8));
        let ranked = RankedGroups::of(&groups, &[], &weightings);
        let threads = ThreadSpec::Count(1);
        let notes = ranked.work_notes(&ranking(&ranked.scores(), threads), threads, "on 1 thread");
        assert_eq!(notes, ["The score on 1 thread is of 1 of 2 categories: without cache"]);
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
        let (ranking, answer) = ranked(&groups);
        assert!(answer.starts_with("fast leads 4 machines"), "{answer}");
        let weightings = Weightings::of(8);
        let all = RankedGroups::of(&groups, &[], &weightings);
        let unsettled = all.unsettled_neighbours(&ranking, ThreadSpec::Count(1));
        assert_eq!(unsettled.len(), 1);
        assert!(
            unsettled[0].starts_with("narrow or broad: narrow is ahead on 2 of 4 workloads"),
            "{unsettled:?}"
        );
    }
}
