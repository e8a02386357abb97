//! The table of scores.

use super::comparisons::view_in_words;
use judge::compare::{CoresTimesClock, Robustness, Score, Spread, Strength};
use judge::numbers::{counted, dash, quantity};
use stats::Interval;
use std::collections::BTreeSet;
use std::fmt::Write;
use table::Table;
use terminal::printable;

/// Scores of one group or more.
pub fn score_table(scores: &[Score]) -> String {
    let mut table = Table::new(&[
        "run",
        "category",
        ">threads",
        ">rows",
        ">score",
        ">95 % CI",
        ">without a row",
        ">ahead",
    ]);
    for score in scores {
        for line in &score.lines {
            let centre = line.score.map(|score| score.centre).filter(|centre| centre.is_finite());
            let ends = |of: &Interval| match of.is_known() {
                true => format!("{} – {}", quantity(of.low), quantity(of.high)),
                false => "unknown".to_owned(),
            };
            let robustness = line.robustness.as_ref();
            table.row([
                score.label.clone(),
                line.category.clone(),
                line.threads.to_string(),
                line.rows.to_string(),
                centre.map_or_else(dash, quantity),
                line.score.as_ref().map_or_else(dash, ends),
                robustness.and_then(range).unwrap_or_else(dash),
                robustness
                    .and_then(|of| of.ahead)
                    .map_or_else(dash, |ahead| format!("{:.0} %", ahead * 100.0)),
            ]);
        }
    }
    let Some(first) = scores.first() else { return table.to_string() };
    let (baseline, view) = (printable(&first.baseline), view_in_words(first.view));
    format!(
        "{table}\nscore: geometric mean of the ratios to {baseline}, {view}.\nwithout a row: the least and the \
         greatest score that leaving one row out gives; ahead: with so many of 10,000 random weightings of the rows \
         the score is above 1.\n{}",
        notes(scores)
    )
}

fn range(of: &Robustness) -> Option<String> {
    let (least, greatest) = (of.least.as_ref()?, of.greatest.as_ref()?);
    Some(format!("{} – {}", quantity(least.score), quantity(greatest.score)))
}

fn notes(scores: &[Score]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |line: String| {
        if seen.insert(line.clone()) {
            lines.push(line);
        }
    };
    for score in scores {
        let label = &score.label;
        score.spreads.iter().for_each(|spread| add(format!("{label}: {}", spread_line(spread))));
        if let Some(of) = &score.cores_times_clock {
            add(format!("{label}: {}", strength_line(of)));
        }
        score.notes.iter().for_each(|note| add(format!("note: {note}")));
        score.allowed.iter().for_each(|row| add(format!("allowed in {label}'s score: {row}")));
        score.missing.iter().for_each(|row| add(format!("not in {label}'s score: {row}")));
    }
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "{}", printable(&line));
    }
    text
}

/// What cores and clock alone would give.
fn strength_line(of: &CoresTimesClock) -> String {
    let machine = |of: &Strength| format!("{} cores × {:.2} GHz", of.cores, of.clock_hz / 1e9);
    let (other, baseline) = (machine(&of.other), machine(&of.baseline));
    format!("{other} against {baseline} is {:.3} by cores and clock alone", of.ratio)
}

/// How runs differ, as standard deviations.
fn spread_line(spread: &Spread) -> String {
    let percent = |of: f64| format!("{:.2} %", of * 100.0);
    let or = |of: Option<f64>, why: &str| of.map_or_else(|| why.to_owned(), percent);
    let apart = spread.apart;
    format!(
        "spread of {} on {}, {}, over {}: {} within a run, {} between runs, {} between hosts",
        counted(apart.runs, "run"),
        counted(apart.hosts, "host"),
        spread.threads.in_words(),
        counted(spread.rows, "row"),
        or(apart.within_run, "not known"),
        or(apart.between_runs, "not seen"),
        or(apart.between_hosts, "not seen")
    )
}
