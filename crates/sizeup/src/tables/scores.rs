//! Scores: geometric means per category and overall.

use super::figures::{
    main_threads, margin, ratio_cell, shown_threads, strength_line, view_in_words,
};
use super::many::Ranking;
use crate::briefing::Briefing;
use estimate::ViewKind;
use judge::answer::{
    RankedGroups, answer_by_mix, answer_of_pair, ends, mix_notes, on_threads, times, unscored_mix,
};
use judge::compare::{Robustness, RollingScore, Score, ScoreLine, Spread};
use judge::numbers::{counted, dash};
use stats::Interval;
use terminal::table::{Columns, Heading, Table};

/// One group against another, or many against the first.
pub fn score_briefing(ranked_groups: &RankedGroups, scores: &[Score], all: bool) -> Briefing {
    let mut answer = Briefing::default();
    let groups = ranked_groups.groups;
    if let ([_, _], [score]) = (groups, scores) {
        let threads = main_threads(score.lines.iter().map(|line| line.threads));
        match answer_of_pair(score, threads, &on_threads(groups, threads)) {
            Some(sentence) => answer.say(format!("{sentence}.")),
            None => answer.warn("They have no comparable row with a figure."),
        }
        let of_mix = score.lines.iter().filter(|line| line.is_of_mix());
        let threads = main_threads(of_mix.map(|line| line.threads));
        let by_mix = answer_by_mix(score, threads, &on_threads(groups, threads));
        let by_mix = by_mix.or_else(|| unscored_mix(score));
        by_mix.into_iter().for_each(|sentence| answer.say(format!("{sentence}.")));
        score.rolling.iter().for_each(|rolling| answer.say(rolling_sentence(score, rolling)));
    } else if groups.len() > 2 {
        let ranked = Ranking::of(ranked_groups, scores);
        ranked.say(&mut answer);
        let title = format!("Throughput against {} (geometric means)", groups[0].label);
        answer.table(title, ranked.categories(), "machines");
    }
    if scores.len() == 1 {
        answer.table("", lines(scores, all), "scores");
    }
    notes(&mut answer, scores);
    answer
}

/// `The rolling mix: b does 1.60× the lists of a on all threads (95 % CI 1.58–1.62); their rows alone promise 2.00×.`
fn rolling_sentence(score: &Score, rolling: &RollingScore) -> String {
    format!(
        "The rolling mix: {} does {} the lists of {} on all threads ({}); their rows alone promise {}.",
        score.label,
        times(rolling.ratio.centre),
        score.baseline,
        ends(&rolling.ratio),
        times(rolling.computed),
    )
}

/// A line a score, with how much hangs on single rows and on their weights.
fn lines(scores: &[Score], is_all: bool) -> Table {
    let all = || scores.iter().flat_map(|score| &score.lines);
    let shown = shown_threads(all().map(|line| line.threads), is_all);
    let scored = all().filter(|line| shown.contains(&line.threads));
    let scored = scored.filter_map(|line| Some((line, line.score?)));
    Columns::<(&ScoreLine, Interval)>::new()
        .with(Heading::left("category"), |(line, _)| line.category.clone())
        .with(Heading::right("threads"), |(line, _)| line.threads.to_string())
        .with(Heading::right("score"), |(_, ratio)| ratio_cell(ratio))
        .with(Heading::right("±"), |(_, ratio)| margin(ratio))
        .with(Heading::right("rows"), |(line, _)| line.rows.to_string())
        .with(Heading::right("without one workload").rank(2), |(line, _)| {
            line.robustness.as_ref().and_then(without_one).unwrap_or_else(dash)
        })
        .with(Heading::right("ahead in mixes").rank(1), |(line, _)| {
            let ahead = line.robustness.as_ref().and_then(|robustness| robustness.ahead);
            ahead.map_or_else(String::new, |ahead| format!("{:.0} %", ahead * 100.0))
        })
        .table(scored.filter(|(_, ratio)| ratio.centre.is_finite()))
}

/// The least and the greatest score that leaving one row out gives.
fn without_one(robustness: &Robustness) -> Option<String> {
    let (least, greatest) = (robustness.least.as_ref()?, robustness.greatest.as_ref()?);
    Some(format!("{}–{}", times(least.score).trim_end_matches('×'), times(greatest.score)))
}

fn notes(answer: &mut Briefing, scores: &[Score]) {
    for score in scores {
        let label = &score.label;
        answer.contention(score.contention.as_ref());
        // A ranking has one note for all.
        if scores.len() == 1 {
            let main = main_threads(score.lines.iter().map(|line| line.threads));
            score.lacking(main).into_iter().for_each(|note| answer.note(note));
        }
        let of_mix = score.mix.as_ref().map(mix_notes).unwrap_or_default();
        of_mix.into_iter().for_each(|note| answer.note_of(&[score.label.as_str()], &note));
        if !score.missing.is_empty() {
            let (count, rows) = (counted(score.missing.len(), "row"), score.missing.join("; "));
            answer.note(format!("{label}: {count} are in no score: {rows}"));
        }
        let labels = [score.label.as_str(), score.baseline.as_str()];
        score.notes.iter().for_each(|note| answer.note_of(&labels, note));
        let mixes = |line: &ScoreLine| line.robustness.as_ref()?.ahead;
        if scores.len() == 1 && score.lines.iter().filter_map(mixes).next().is_some() {
            answer.note(format!(
                "Ahead in mixes: share of 10,000 random mixes that {label} leads. Without one workload: range of the \
                 score when one is left out, at all its sizes and levels."
            ));
        }
        score
            .spreads
            .iter()
            .for_each(|spread| answer.note(format!("{label}: {}", spread_line(spread))));
        if let Some(strength) = &score.cores_times_clock {
            answer.note(format!("{label}: {}", strength_line(strength)));
        }
        if !score.allowed.is_empty() {
            let (count, rows) = (counted(score.allowed.len(), "row"), score.allowed.join("; "));
            answer.note(format!("{label}: {count} compared in spite of a difference: {rows}"));
        }
    }
    let view = scores.first().map(|score| score.view);
    if let Some(view) = view.filter(|view| *view != ViewKind::Uncontended) {
        answer.note(format!("Figures are {}.", view_in_words(view)));
    }
}

/// How runs differ, as standard deviations.
fn spread_line(spread: &Spread) -> String {
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let or = |share: Option<f64>, why: &str| share.map_or_else(|| why.to_owned(), percent);
    let apart = spread.apart;
    format!(
        "spread of {} on {}, {}, over {}: {} within a run, {} between runs, {} between hosts",
        counted(apart.runs, "run"),
        counted(apart.hosts, "host"),
        spread.threads.in_words(),
        counted(spread.rows, "row"),
        or(apart.within_run, "unknown"),
        or(apart.between_runs, "none detected"),
        or(apart.between_hosts, "none detected")
    )
}
