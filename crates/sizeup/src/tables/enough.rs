//! How many more hosts would settle a comparison, in a sentence.

use super::figures::main_threads;
use crate::briefing::Briefing;
use judge::answer::times;
use judge::compare::{Comparison, EQUIVALENT, HostsToDecide, MOST_HOSTS, MoreHosts};
use judge::numbers::{counted, four_digits};
use record::ThreadSpec;

/// Adds it to the answer of a pair; that nothing is needed is no more than a note.
pub(super) fn say_enough(answer: &mut Briefing, comparison: &Comparison, threads: ThreadSpec) {
    let common = comparison.common.iter().find(|common| common.threads == threads);
    let is_done = common.is_some_and(|common| {
        matches!(common.enough, Some(HostsToDecide::Settled | HostsToDecide::Same))
    });
    match enough_line(comparison, threads) {
        Some(line) if is_done => answer.note(line),
        Some(line) => answer.say(line),
        None => {}
    }
}

/// A sentence per comparison, with the names of its two groups, on the number of threads that answers lead with.
pub fn enough_sentences(comparisons: &[Comparison]) -> Vec<String> {
    let sentence = |comparison: &Comparison| {
        let threads = main_threads(comparison.rows.iter().map(|row| row.threads));
        let (one, other) = (&comparison.baseline, &comparison.other);
        let line = enough_line(comparison, threads)?;
        Some(format!("{other} and {one} on {}: {line}", threads.in_words()))
    };
    comparisons.iter().filter_map(sentence).collect()
}

/// How many more hosts decide which of two groups is faster on a number of threads. `None` if each has a single run.
pub(super) fn enough_line(comparison: &Comparison, threads: ThreadSpec) -> Option<String> {
    let common = comparison.common.iter().find(|common| common.threads == threads)?;
    let (one, other) = (comparison.baseline.as_str(), comparison.other.as_str());
    let ratio = times(common.ratio.centre);
    let same = format!("the same within {} %", EQUIVALENT * 100.0);
    Some(match common.enough.as_ref()? {
        HostsToDecide::Settled => "More hosts are not needed: the 95 % CI excludes 1.".to_owned(),
        HostsToDecide::Same => format!("More hosts are not needed: {one} and {other} are {same}."),
        HostsToDecide::Hosts(more) => {
            let hosts = hosts(more, (one, other));
            let longer = more.minutes_each.map(|minutes| {
                format!(
                    "; so would runs of {} min on the hosts measured so far",
                    four_digits(minutes.ceil())
                )
            });
            let longer = longer.unwrap_or_default();
            format!("{hosts} would settle it if the ratio stays {ratio}{longer}.")
        }
        HostsToDecide::SameWithHosts(more) => format!(
            "No number of hosts would show a winner if the ratio stays {ratio}; {} would show that they are {same}.",
            hosts(more, (one, other))
        ),
        HostsToDecide::TooMany => {
            format!(
                "More than {MOST_HOSTS} hosts of each type would be needed to settle it at {ratio}."
            )
        }
        HostsToDecide::OneHost { labels } => format!(
            "How many hosts would settle it is unknown: {} {} one host. Measure at least two hosts of each type first.",
            labels.join(" and "),
            if labels.len() == 1 { "has" } else { "have" }
        ),
    })
}

/// `3 more hosts of m6i and 1 more of m7g (5 of each)`, `1 more host of m7g (5 in all)`.
fn hosts(more: &MoreHosts, (baseline, other): (&str, &str)) -> String {
    let each = more.hosts_each;
    let first = |count: usize, label: &str| format!("{} of {label}", counted(count, "more host"));
    match (more.baseline_more, more.other_more) {
        (count, 0) => format!("{} ({each} in all)", first(count, baseline)),
        (0, count) => format!("{} ({each} in all)", first(count, other)),
        (one, two) => {
            format!("{} and {two} more of {other} ({each} of each)", first(one, baseline))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_by_type_and_only_where_more_are_needed() {
        let more = |baseline_more, other_more| MoreHosts {
            hosts_each: 5,
            baseline_more,
            other_more,
            margin: 0.01,
            minutes_each: None,
        };
        let in_words =
            |baseline_more, other_more| hosts(&more(baseline_more, other_more), ("m6i", "m7g"));
        assert_eq!(in_words(3, 1), "3 more hosts of m6i and 1 more of m7g (5 of each)");
        assert_eq!(in_words(0, 1), "1 more host of m7g (5 in all)");
    }
}
