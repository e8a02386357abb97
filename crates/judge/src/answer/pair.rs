//! Sentences on two groups: who is ahead on all threads, on one, and in how many rows.

use super::depends::depends;
use crate::compare::{AcrossThreads, Group, Score, ScoreLine};
use crate::numbers::counted;
use catalog::OVERALL;
use record::ThreadSpec;
use std::collections::BTreeSet;
use verdict::{Order, anything, how_much, range, same, stands, times};

/// More families of work than this are not named.
const MOST_NAMED: usize = 2;

/// How a scored group stands to what it is scored against: most threads first, then one. Where these are of other work, each with
/// what it is of. `None` where no row of both has a ratio.
pub fn answer_of_pair(score: &Score, most: ThreadSpec, on_most: &str) -> Option<String> {
    let overall = |threads: ThreadSpec| {
        let is_it = |line: &&ScoreLine| line.category == OVERALL && line.threads == threads;
        score.lines.iter().find(is_it).filter(|line| line.score.is_some())
    };
    let (one, other) = (&score.label, &score.baseline);
    let of_work = |line: &ScoreLine, on: &str| match score.across {
        Some(_) => format!("{on} at {}", work(line)),
        None => on.to_owned(),
    };
    let whole = |line: &ScoreLine, on: &str| {
        let ratio = line.score?;
        let depends =
            depends(line, one, other, on).map(|rest| format!("Which of {one} and {other} {rest}"));
        Some(depends.unwrap_or_else(|| stands(one, other, &ratio, &of_work(line, on))))
    };
    let on_one = overall(ThreadSpec::Count(1));
    let Some(main) = overall(most) else { return whole(on_one?, "on 1 thread") };
    let sentence = whole(main, on_most)?;
    let Some(line) = on_one.filter(|_| most != ThreadSpec::Count(1)) else {
        return Some(sentence);
    };
    let (ratio, on) = (line.score?, of_work(line, "on 1 thread"));
    let rest = match Order::of(&ratio) {
        _ if depends(line, one, other, &on).is_some() => {
            format!("{on} which is faster depends on the work")
        }
        Order::Same => format!("{on} they are {} ({})", same(), range(&ratio)),
        Order::Undecided => format!("{on} can't tell: {} ({})", anything(&ratio), range(&ratio)),
        _ if sentence.starts_with(&format!("{one} is ")) => {
            format!("{} {on} ({})", how_much(ratio.centre), range(&ratio))
        }
        _ => format!("{on} {one} is {} ({})", how_much(ratio.centre), range(&ratio)),
    };
    // One subject and one kind of verdict make one clause.
    let link = if rest.starts_with("on ") { ";" } else { "," };
    // A caveat that applies to both is stated once.
    let unknown = " (no error bars)";
    let both = match (sentence.strip_suffix(unknown), rest.strip_suffix(unknown)) {
        (Some(sentence), Some(rest)) => format!("{sentence}{link} {rest}{unknown}"),
        _ => format!("{sentence}{link} {rest}"),
    };
    Some(match score.across {
        Some(across) => format!("{both}; {}", shared(&across)),
        None => both,
    })
}

/// `cipher and hash (67 workloads)`.
pub(super) fn work(line: &ScoreLine) -> String {
    let families = line.sides.as_ref().map(|sides| &sides.families[..]).unwrap_or_default();
    let named: Vec<&str> = families.iter().take(MOST_NAMED).map(String::as_str).collect();
    let named = match families.len() > MOST_NAMED {
        true => format!("{} and more", named.join(", ")),
        false => named.join(" and "),
    };
    format!("{named} ({})", counted(line.rows, "workload"))
}

/// `only 1 workload was measured on both numbers of threads: 1.58× and 0.809×`.
fn shared(across: &AcrossThreads) -> String {
    match (across.workloads, across.on_most, across.on_one) {
        (1, Some(most), Some(one)) => {
            format!(
                "only 1 workload was measured on both numbers of threads: {} and {}",
                times(most),
                times(one)
            )
        }
        (count, Some(most), Some(one)) => format!(
            "only {count} workloads were measured on both numbers of threads: {} and {}",
            times(most),
            times(one)
        ),
        _ => "no workload was measured on both numbers of threads".to_owned(),
    }
}

/// `on all 64 threads` where all groups have as many, else `on all threads`; `on 8 threads`. A group whose `all` is only a part of
/// its machine is named: `on all threads, c7g on 4 of its 16 CPUs`.
pub fn on_threads(groups: &[&Group], threads: ThreadSpec) -> String {
    if threads != ThreadSpec::All {
        return format!("on {}", threads.in_words());
    }
    let counts: BTreeSet<usize> = groups.iter().flat_map(|group| counts_of_all(group)).collect();
    let on = match counts.first() {
        Some(count) if counts.len() == 1 && *count > 1 => format!("on all {count} threads"),
        _ => format!("on {}", threads.in_words()),
    };
    // Three or more would say nothing but their parts.
    let parts =
        groups.iter().filter(|_| groups.len() == 2).filter_map(|group| part_of_machine(group));
    parts.fold(on, |on, part| format!("{on}, {part}"))
}

/// How many threads the group's rows on all threads have.
fn counts_of_all(group: &Group) -> BTreeSet<usize> {
    let rows = group.rows.iter().enumerate().filter(|(_, row)| row.key.threads == ThreadSpec::All);
    rows.filter_map(|(place, _)| Some(group.first_figure(place)?.threads)).collect()
}

/// `c7g on 4 of its 16 CPUs`, where a limit or `--cpus` kept a run from using the others.
fn part_of_machine(group: &Group) -> Option<String> {
    let most = counts_of_all(group).last().copied()?;
    let cpus = group.cpu_count()?;
    ((most as u32) < cpus).then(|| format!("{} on {most} of its {cpus} CPUs", group.label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Sheet;
    use estimate::ViewKind;
    use machine::Fact;
    use record::fixture::run;

    #[test]
    fn a_group_that_used_a_part_of_its_machine_is_named() {
        let group = |label: &str, cpus: u32| {
            let mut run = run(&[("a/x", &[100; 20])]);
            run.header.plan.cases[0].thread_spec = ThreadSpec::All;
            run.header.machine.topology.threads = Fact::Known(cpus);
            let sheet = Sheet::of(&run, ViewKind::Uncontended);
            Group::of(label.to_owned(), ViewKind::Uncontended, vec![sheet]).unwrap()
        };
        let (whole, part) = (group("c7g", 1), group("c8g", 16));
        assert_eq!(on_threads(&[&whole, &whole], ThreadSpec::All), "on all threads");
        let on = on_threads(&[&whole, &part], ThreadSpec::All);
        assert_eq!(on, "on all threads, c8g on 1 of its 16 CPUs");
        assert_eq!(on_threads(&[&whole, &part], ThreadSpec::Count(1)), "on 1 thread");
    }
}
