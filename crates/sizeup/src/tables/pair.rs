//! Two groups: who is ahead, by how much, where, and what could not be compared.

use super::beside::beside_pair;
use super::enough::say_enough;
use super::figures::{
    main_threads, margin, ratio_cell, shown_threads, strength_line, view_in_words,
};
use crate::briefing::Briefing;
use catalog::OVERALL;
use estimate::{View, ViewKind};
use judge::answer::{Tally, answer_of_pair, few_rows, on_threads, times};
use judge::compare::{
    Comparison, Group, Row, Score, ScoreLine, Verdict, missing_families, pair_notes,
};
use judge::numbers::{counted, dash, share};
use judge::units::figure;
use record::ThreadSpec;
use std::collections::BTreeMap;
use terminal::table::{Columns, Entry, Heading, Table, Tone};

/// With no more rows than this, all are shown at once.
const FEW_ROWS: usize = 12;
/// So many of the largest wins and losses are shown.
const LARGEST: usize = 5;
/// So many names of rows stand in a note.
const MOST_NAMED: usize = 3;

/// Who is ahead, then the numbers behind it.
pub fn pair_briefing(
    groups: (&Group, &Group),
    comparison: &Comparison,
    score: &Score,
    all: bool,
) -> Briefing {
    let mut answer = Briefing::default();
    let most = main_threads(comparison.rows.iter().map(|row| row.threads));
    match answer_of_pair(score, most, &on_threads(&[groups.0, groups.1], most)) {
        Some(sentence) => answer.say(of_these(comparison, most, &sentence)),
        None => answer.warn(match &comparison.contention {
            Some(lack) => format!("No answer: {lack}"),
            None => format!(
                "{} and {} can't be compared: they have no comparable row with a figure.",
                comparison.other, comparison.baseline
            ),
        }),
    }
    say_enough(&mut answer, comparison, most);
    for threads in shown_threads(comparison.rows.iter().map(|row| row.threads), false) {
        few_rows(comparison, threads).into_iter().for_each(|text| answer.warn(text));
    }
    answer.table("", summary(comparison, score, all), "thread counts");
    if all || comparison.rows.len() <= FEW_ROWS {
        answer.table("", rows(comparison, comparison.rows.iter()), "rows");
    } else {
        answer.table("By category", categories(score), "categories");
        for (verdict, what) in [(Verdict::Faster, "wins"), (Verdict::Slower, "losses")] {
            let found = largest(comparison, verdict);
            let title = format!("Largest {what} of {}", comparison.other);
            answer.table(title, rows(comparison, found.into_iter()), "rows");
        }
    }
    beside_pair(&mut answer, comparison, all);
    notes(&mut answer, comparison, &pair_notes(groups.0, groups.1));
    let both = [groups.0, groups.1];
    let work = coverage_note(&both).into_iter().chain(shared_streams_note(&both));
    work.for_each(|note| answer.note(note));
    score.lacking(most).into_iter().for_each(|note| answer.note(note));
    if let Some(strength) = &score.cores_times_clock {
        answer.note(strength_line(strength));
    }
    answer
}

/// The sentence of an answer. Few rows make no winner: behind the warning on them it is of these.
pub(super) fn of_these(comparison: &Comparison, threads: ThreadSpec, sentence: &str) -> String {
    match few_rows(comparison, threads) {
        Some(_) => format!("On these, {}.", sentence.replacen("Which of", "which of", 1)),
        None => format!("{sentence}."),
    }
}

/// A line for each number of threads.
fn summary(comparison: &Comparison, score: &Score, all: bool) -> Table {
    let is_judged = comparison.rows.iter().any(|row| row.verdict.is_known());
    // Without error bars there is no verdict, and only sides can be counted.
    let sides = if is_judged { ["faster", "slower"] } else { ["above 1×", "below 1×"] };
    let rows =
        |threads: ThreadSpec| comparison.rows.iter().filter(move |row| row.threads == threads);
    let tally = |threads| Tally::of(rows(threads).map(|row| row.verdict));
    let ratios =
        |threads| rows(threads).filter_map(|row| Some(row.ratio.as_ref()?.interval.centre));
    let ahead = |threads| match is_judged {
        true => tally(threads).faster,
        false => ratios(threads).filter(|ratio| *ratio > 1.0).count(),
    };
    let behind = |threads| match is_judged {
        true => tally(threads).slower,
        false => ratios(threads).filter(|ratio| *ratio < 1.0).count(),
    };
    let overall = |threads: ThreadSpec| {
        let is_it = |line: &&ScoreLine| line.category == OVERALL && line.threads == threads;
        score.lines.iter().find(is_it).and_then(|line| line.score)
    };
    let some = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    Columns::<ThreadSpec>::new()
        .with(Heading::left("threads"), ThreadSpec::to_string)
        .with(Heading::right("overall"), |threads| {
            overall(*threads).map_or_else(|| dash().into(), |ratio| ratio_cell(&ratio))
        })
        .with(Heading::right("±"), |threads| {
            overall(*threads).map_or_else(dash, |ratio| margin(&ratio))
        })
        .with(Heading::right("workloads"), |threads| tally(*threads).rows.to_string())
        .with(Heading::right(sides[0]), |threads| ahead(*threads).to_string())
        .with(Heading::right(sides[1]), |threads| behind(*threads).to_string())
        .with(Heading::right("no detectable difference").rank(1), |threads| {
            some(tally(*threads).alike)
        })
        .with(Heading::right("no error bars").rank(3), |threads| some(tally(*threads).unknown))
        .with(Heading::right("not compared").rank(2), |threads| some(tally(*threads).not_compared))
        .table(shown_threads(comparison.rows.iter().map(|row| row.threads), all))
}

/// A line for each category, a column for each number of threads.
fn categories(score: &Score) -> Table {
    let scored = || score.lines.iter().filter(|line| line.score.is_some());
    let specs = shown_threads(scored().map(|line| line.threads), false);
    let mut columns = vec![Heading::left("category")];
    for (place, threads) in specs.iter().enumerate() {
        let rank = u8::try_from(place).unwrap_or(u8::MAX);
        columns.push(Heading::right(threads.in_words()).rank(rank));
        columns.push(Heading::right("±").rank(rank));
    }
    let mut table = Table::new(columns);
    let mut names: Vec<&str> = Vec::new();
    for line in scored().filter(|line| line.category != OVERALL && specs.contains(&line.threads)) {
        if !names.contains(&line.category.as_str()) {
            names.push(&line.category);
        }
    }
    for name in names {
        let mut cells = vec![name.into()];
        for threads in &specs {
            let line =
                score.lines.iter().find(|line| line.category == name && line.threads == *threads);
            let ratio = line.and_then(|line| line.score);
            cells.push(ratio.map_or_else(|| "".into(), |ratio| ratio_cell(&ratio)));
            cells.push(ratio.map_or_else(String::new, |ratio| margin(&ratio)).into());
        }
        table.row(cells);
    }
    table
}

/// The rows of a verdict that are furthest from 1; where nothing has error bars, of all ratios on that side.
fn largest(comparison: &Comparison, verdict: Verdict) -> Vec<&Row> {
    let is_ahead = verdict == Verdict::Faster;
    let has_verdicts = comparison.rows.iter().any(|row| row.verdict.is_known());
    let ratio = |row: &Row| row.ratio.as_ref().map_or(f64::NAN, |ratio| ratio.interval.centre);
    let is_it = |row: &&Row| match has_verdicts {
        true => row.verdict == verdict,
        false => row.verdict == Verdict::Unknown && (ratio(row) > 1.0) == is_ahead,
    };
    let mut rows: Vec<&Row> = comparison.rows.iter().filter(is_it).collect();
    rows.sort_by(|a, b| ratio(b).ln().abs().total_cmp(&ratio(a).ln().abs()));
    rows.truncate(LARGEST);
    rows
}

/// A line a row.
fn rows<'a>(comparison: &Comparison, rows: impl Iterator<Item = &'a Row>) -> Table {
    let rows: Vec<&Row> = rows.collect();
    let is_judged = rows.iter().any(|row| row.verdict != Verdict::Unknown);
    let figure = |view: Option<View>, unit| {
        view.map_or_else(dash, |view| figure(unit, view.interval.centre, comparison.view))
    };
    Columns::<&Row>::new()
        .with(Heading::left("workload").shrinks(), |row| row.workload.clone())
        .with(Heading::right("threads"), |row| row.threads.to_string())
        .with(Heading::right(&comparison.baseline).shrinks().rank(1), |row| {
            figure(row.baseline, &row.unit)
        })
        .with(Heading::right(&comparison.other).shrinks().rank(1), |row| {
            figure(row.other, row.other_unit.as_ref().unwrap_or(&row.unit))
        })
        .with(Heading::right("ratio"), |row| match &row.ratio {
            Some(ratio) => Entry::of(times(ratio.interval.centre), tone_of(row.verdict)),
            None => dash().into(),
        })
        .with(Heading::right("±"), |row| {
            row.ratio.as_ref().map_or_else(dash, |ratio| margin(&ratio.interval))
        })
        .with(Heading::left("verdict").rank(2), |row| {
            if is_judged { row.verdict.to_string() } else { String::new() }
        })
        .with(Heading::right("clock").rank(4), |row| {
            row.clock_ratio.map_or_else(String::new, |ratio| times(ratio.centre))
        })
        .with(Heading::right("detectable").rank(5), |row| {
            row.ratio.as_ref().map_or_else(dash, |ratio| share(ratio.detectable))
        })
        .with(Heading::right("row effect").rank(6), |row| {
            row.ratio.as_ref().map_or_else(dash, |ratio| times(ratio.row_effect.centre))
        })
        .with(Heading::left("note").shrinks().rank(3), |row| note(row))
        .table(rows)
}

/// A colour for a verdict.
pub(super) fn tone_of(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Faster => Tone::Good,
        Verdict::Slower => Tone::Bad,
        Verdict::NoDetectableDifference => Tone::Dim,
        _ => Tone::Plain,
    }
}

/// Which kinds of work no row is of.
pub(super) fn coverage_note(groups: &[&Group]) -> Option<String> {
    let missing = missing_families(groups);
    (!missing.is_empty()).then(|| format!("Not covered: {}", missing.join(", ")))
}

/// That rows of one stream on many threads are in no score, of whichever group has most of them.
pub fn shared_streams_note(groups: &[&Group]) -> Option<String> {
    let count = |group: &&Group| group.rows.iter().filter(|row| row.key.shares_a_stream()).count();
    let most = groups.iter().map(count).max().filter(|most| *most > 0)?;
    Some(format!(
        "In no score: {} in which many threads share one stream; a machine can carry a stream on each thread.",
        counted(most, "row")
    ))
}

/// Why a row has no ratio, or what must be known of it.
pub(super) fn note(row: &Row) -> String {
    let allowed = if row.verdict == Verdict::NotComparable { "" } else { "allowed: " };
    let differences = row.differences.iter().map(|difference| format!("{allowed}{difference}"));
    let all = differences.chain(row.reason.clone()).chain(row.warnings.iter().cloned());
    all.collect::<Vec<_>>().join("; ")
}

/// Caveats: those of both groups, then those of rows, each once with the number of rows.
fn notes(answer: &mut Briefing, comparison: &Comparison, of_both: &[String]) {
    answer.contention(comparison.contention.as_ref());
    of_both.iter().for_each(|note| answer.warn(format!("{note}.")));
    row_notes(answer, &comparison.rows, "");
    let labels = [comparison.baseline.as_str(), comparison.other.as_str()];
    let unsaid = comparison.notes.iter().filter(|note| !of_both.contains(note));
    unsaid.for_each(|note| answer.note_of(&labels, note));
    if comparison.view != ViewKind::Uncontended {
        let view = view_in_words(comparison.view);
        answer.note(format!("Figures are {view}."));
    }
    if comparison.rows.iter().any(|row| row.verdict.is_known()) {
        answer.note(
            "Verdicts: significance level 5 %, Holm-corrected over all rows. Intervals are 95 % confidence intervals.",
        );
    }
}

/// A note for each reason for which rows have no verdict, with the rows.
pub(super) fn row_notes(answer: &mut Briefing, rows: &[Row], start: &str) {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.verdict.is_known()) {
        let differences = row.differences.iter().map(ToString::to_string);
        let (what, reason) = match row.verdict {
            Verdict::Unknown => ("without error bars", row.reason.clone().unwrap_or_default()),
            _ => {
                let all = differences.chain(row.reason.clone()).collect::<Vec<_>>();
                ("not compared", all.join("; "))
            }
        };
        let name = format!("{} on {}", row.workload, row.threads.in_words());
        reasons.entry(format!("{what}: {reason}")).or_default().push(name);
    }
    let allowed = rows.iter().filter(|row| row.ratio.is_some());
    for (row, difference) in
        allowed.flat_map(|row| row.differences.iter().map(move |difference| (row, difference)))
    {
        let name = format!("{} on {}", row.workload, row.threads.in_words());
        reasons
            .entry(format!("compared in spite of a difference: {difference}"))
            .or_default()
            .push(name);
    }
    let mut reasons: Vec<(String, Vec<String>)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    for (reason, names) in reasons {
        let shown = names.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = if names.len() > MOST_NAMED { ", …" } else { "" };
        answer.note(format!("{start}{} {reason} ({shown}{more})", counted(names.len(), "row")));
    }
}
