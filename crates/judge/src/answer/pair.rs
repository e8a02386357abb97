//! Of two groups: who is ahead on all threads, on one, and in how many rows.

use super::words::{Order, how_much, range, stands};
use crate::compare::{Group, Score, ScoreLine};
use catalog::OVERALL;
use record::ThreadSpec;

/// One sentence on how a scored group stands to what it is scored against: most threads first, then one. `None` where no
/// row of both has a ratio.
pub fn answer_of_pair(score: &Score, most: ThreadSpec, on_most: &str) -> Option<String> {
    let overall = |threads: ThreadSpec| {
        let is_it = |line: &&ScoreLine| line.category == OVERALL && line.threads == threads;
        score.lines.iter().find(is_it)?.score
    };
    let (one, other) = (&score.label, &score.baseline);
    let on_one = overall(ThreadSpec::Count(1));
    let Some(main) = overall(most) else {
        return on_one.map(|ratio| stands(one, other, &ratio, "on 1 thread"));
    };
    let sentence = stands(one, other, &main, on_most);
    let Some(ratio) = on_one.filter(|_| most != ThreadSpec::Count(1)) else {
        return Some(sentence);
    };
    let rest = match Order::of(&ratio) {
        Order::Tied => format!("tied within error on 1 thread ({})", range(&ratio)),
        _ => format!("{} on 1 thread ({})", how_much(ratio.centre), range(&ratio)),
    };
    // What holds of both is said once.
    let unknown = " (no error bars)";
    Some(match (sentence.strip_suffix(unknown), rest.strip_suffix(unknown)) {
        (Some(sentence), Some(rest)) => format!("{sentence}, {rest}{unknown}"),
        _ => format!("{sentence}, {rest}"),
    })
}

/// `on all 64 threads` where all groups have as many, else `on all threads`; `on 8 threads`.
pub fn on_threads(groups: &[&Group], threads: ThreadSpec) -> String {
    let counts = groups.iter().flat_map(|group| {
        let rows = group.rows.iter().enumerate().filter(|(_, row)| row.key.threads == threads);
        rows.filter_map(|(place, _)| Some(group.first_figure(place)?.threads))
    });
    let mut counts: Vec<usize> = counts.collect();
    counts.sort_unstable();
    counts.dedup();
    match (threads, &counts[..]) {
        (ThreadSpec::All, [count]) if *count > 1 => format!("on all {count} threads"),
        _ => format!("on {}", threads.in_words()),
    }
}
