//! Many groups: a ranking, and each row on each machine.

use super::enough::enough_line;
use super::figures::{main_threads, margin, ratio_cell, shown_threads, view_in_words};
use super::pair::{coverage_note, row_notes, shared_streams_note, tone_of};
use crate::briefing::Briefing;
use catalog::OVERALL;
use estimate::ViewKind;
use judge::answer::{RankedGroup, RankedGroups, Tally, on_threads, ranking, times};
use judge::compare::{Comparison, Row, Score};
use judge::numbers::dash;
use record::ThreadSpec;
use stats::Interval;
use std::collections::BTreeMap;
use terminal::table::{Entry, Heading, Table};

/// Many machines, ranked on a number of threads.
pub struct Ranking<'a> {
    ranked_groups: &'a RankedGroups<'a>,
    scores: &'a [Score],
    threads: ThreadSpec,
    /// The fastest first.
    pub groups: Vec<RankedGroup>,
}

impl<'a> Ranking<'a> {
    /// Ranks groups by their scores against the first.
    pub fn of(ranked_groups: &'a RankedGroups<'a>, scores: &'a [Score]) -> Self {
        let lines = scores.iter().flat_map(|score| &score.lines);
        let scored = lines.filter(|line| line.category == OVERALL && line.score.is_some());
        let mut counts: BTreeMap<ThreadSpec, usize> = BTreeMap::new();
        scored.for_each(|line| *counts.entry(line.threads).or_default() += 1);
        // The most threads of those that at least half as many machines as on any are ranked on.
        let most = counts.values().copied().max().unwrap_or_default();
        let threads = main_threads(
            counts.into_iter().filter(|(_, n)| 2 * n >= most).map(|(threads, _)| threads),
        );
        Self { ranked_groups, scores, threads, groups: ranking(scores, threads) }
    }

    /// Who leads, in a sentence or two.
    pub fn say(&self, answer: &mut Briefing) {
        let on = on_threads(self.ranked_groups.groups, self.threads);
        match self.ranked_groups.answer(&self.groups, self.threads, &on) {
            Some(sentence) => answer.say(format!("{sentence}.")),
            None => answer.warn(format!(
                "No machine can be ranked against {}: too few of its workloads {on} can be compared with another's. Name \
                 another --baseline.",
                self.ranked_groups.groups[0].label
            )),
        }
        let unsettled = self.ranked_groups.unsettled_neighbours(&self.groups, self.threads);
        if !unsettled.is_empty() {
            answer.note(format!(
                "For these neighbours, too, which is ahead {on} depends on the work: {}.",
                unsettled.join("; ")
            ));
        }
        let ranked = self.ranked_groups.work_notes(&self.groups, self.threads, &on);
        ranked.into_iter().for_each(|note| answer.note(note));
    }

    fn label(&self, group: &RankedGroup) -> &str {
        &self.ranked_groups.groups[group.number].label
    }

    /// The line of a category of a group; `None` for the first.
    fn score(&self, group: &RankedGroup, category: &str, threads: ThreadSpec) -> Option<Interval> {
        let lines = &self.scores[group.number.checked_sub(1)?].lines;
        lines.iter().find(|line| line.category == category && line.threads == threads)?.score
    }

    /// A cell of a ratio to the first group, whose own is 1.
    fn ratio(&self, group: &RankedGroup, category: &str, threads: ThreadSpec) -> [Entry; 2] {
        match (group.number, self.score(group, category, threads)) {
            (0, _) => ["1".into(), "".into()],
            (_, Some(ratio)) => [ratio_cell(&ratio), margin(&ratio).into()],
            (_, None) => [dash().into(), "".into()],
        }
    }

    /// A line a machine: its score on each number of threads, and how many rows stand how.
    pub fn machines(&self, comparisons: &[Comparison]) -> Table {
        let lines = self.scores.iter().flat_map(|score| &score.lines);
        let specs = shown_threads(lines.map(|line| line.threads), false);
        let mut columns = vec![Heading::left("machine").shrinks()];
        for (index, threads) in specs.iter().enumerate() {
            let rank = u8::try_from(index).unwrap_or(u8::MAX);
            columns.push(Heading::right(threads.in_words()).rank(rank));
            columns.push(Heading::right("±").rank(rank));
        }
        let most = u8::try_from(specs.len()).unwrap_or(u8::MAX);
        columns.extend(
            ["faster", "slower", "no difference", "no error bars", "not compared"]
                .map(|head| Heading::right(head).rank(most.saturating_add(1))),
        );
        let mut table = Table::new(columns);
        for group in &self.groups {
            let mut cells: Vec<Entry> = vec![self.label(group).into()];
            for threads in &specs {
                cells.extend(self.ratio(group, OVERALL, *threads));
            }
            let rows = group.number.checked_sub(1).map(|number| &comparisons[number].rows);
            let on_main = |rows: &Vec<Row>| {
                let rows = rows.iter().filter(|row| row.threads == self.threads);
                Tally::of(rows.map(|row| row.verdict))
            };
            let tally = rows.map(on_main);
            let counts = |tally: Tally| {
                let Tally { faster, slower, alike, unknown, not_compared, .. } = tally;
                [faster, slower, alike, unknown, not_compared]
            };
            let some = |count: usize| if count == 0 { String::new() } else { count.to_string() };
            cells.extend(tally.map(counts).into_iter().flatten().map(|count| some(count).into()));
            table.row(cells);
        }
        table
    }

    /// A line a machine, a column for each category on the first number of threads.
    pub fn categories(&self) -> Table {
        let mut names: Vec<&str> = Vec::new();
        for line in self.scores.iter().flat_map(|score| &score.lines) {
            let is_new = !names.contains(&line.category.as_str()) && line.category != OVERALL;
            if is_new && line.threads == self.threads && line.score.is_some() {
                names.push(&line.category);
            }
        }
        let head = ["machine".to_owned(), self.threads.in_words()];
        let columns = head.iter().enumerate().map(|(index, head)| match index {
            0 => Heading::left(head).shrinks(),
            _ => Heading::right(head),
        });
        let of_names = names.iter().enumerate().map(|(index, name)| {
            Heading::right(*name).rank(u8::try_from(index + 1).unwrap_or(u8::MAX))
        });
        let mut table = Table::new(columns.chain(of_names));
        for group in &self.groups {
            let mut cells: Vec<Entry> = vec![self.label(group).into()];
            for name in [OVERALL].iter().chain(&names) {
                let [ratio, _] = self.ratio(group, name, self.threads);
                cells.push(ratio);
            }
            table.row(cells);
        }
        table
    }
}

/// A ranking of groups against the first, then their rows where all are wanted.
pub fn many_briefing(
    ranked_groups: &RankedGroups,
    comparisons: &[Comparison],
    scores: &[Score],
    all: bool,
) -> Briefing {
    let mut answer = Briefing::default();
    let groups = ranked_groups.groups;
    let ranked = Ranking::of(ranked_groups, scores);
    ranked.say(&mut answer);
    let title = format!("Throughput against {} (geometric means)", groups[0].label);
    answer.table(title, ranked.machines(comparisons), "machines");
    if all {
        let title = format!("Each row against {}", groups[0].label);
        answer.table(title, rows(&ranked, comparisons), "rows");
    }
    let notes = coverage_note(groups).into_iter().chain(shared_streams_note(groups));
    notes.for_each(|note| answer.note(note));
    comparisons.iter().for_each(|comparison| answer.contention(comparison.contention.as_ref()));
    let labels: Vec<&str> = groups.iter().map(|group| group.label.as_str()).collect();
    comparisons
        .iter()
        .flat_map(|comparison| &comparison.notes)
        .for_each(|note| answer.note_of(&labels, note));
    for comparison in comparisons {
        let line = enough_line(comparison, ranked.threads);
        line.into_iter().for_each(|line| answer.note(format!("{}: {line}", comparison.other)));
        row_notes(&mut answer, &comparison.rows, &format!("{}: ", comparison.other));
    }
    let view = comparisons.first().map(|comparison| comparison.view);
    if let Some(view) = view.filter(|view| *view != ViewKind::Uncontended) {
        answer.note(format!("Figures are {}.", view_in_words(view)));
    }
    answer
}

/// A line for each workload and number of threads, a column a machine, the fastest first.
fn rows(ranked: &Ranking, comparisons: &[Comparison]) -> Table {
    let others: Vec<&RankedGroup> = ranked.groups.iter().filter(|group| group.number > 0).collect();
    let mut columns = vec![Heading::left("workload").shrinks(), Heading::right("threads")];
    columns.extend(others.iter().enumerate().map(|(index, other)| {
        let rank = u8::try_from(index).unwrap_or(u8::MAX);
        Heading::right(ranked.label(other)).shrinks().rank(rank)
    }));
    let mut table = Table::new(columns);
    let mut keys: Vec<(&str, ThreadSpec)> = Vec::new();
    let of_key = |row: &'_ Row| (row.workload.clone(), row.threads);
    let found: Vec<BTreeMap<(String, ThreadSpec), &Row>> = comparisons
        .iter()
        .map(|comparison| comparison.rows.iter().map(|row| (of_key(row), row)).collect())
        .collect();
    for row in comparisons.iter().flat_map(|comparison| &comparison.rows) {
        let key = (row.workload.as_str(), row.threads);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    for (workload, threads) in keys {
        let mut cells: Vec<Entry> = vec![workload.into(), threads.to_string().into()];
        for other in &others {
            let row = found[other.number - 1].get(&(workload.to_owned(), threads));
            let ratio = row.and_then(|row| Some((row.ratio.as_ref()?, tone_of(row.verdict))));
            cells.push(ratio.map_or_else(
                || dash().into(),
                |(ratio, tone)| Entry::of(times(ratio.interval.centre), tone),
            ));
        }
        table.row(cells);
    }
    table
}
