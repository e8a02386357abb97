//! Which workloads represent a suite best: those are measured if time is too short for all.

use catalog::Category;
use record::Plan;
use std::collections::BTreeSet;
use std::time::Duration;

/// The cases of a plan, the most representative workloads first: the first workload of each category, then the second of
/// each, and so on, so that the first few cover as many kinds of work as possible. Cases of a workload are adjacent;
/// controls and co-runners come last.
pub fn most_telling(plan: &Plan, categories: &[Category]) -> Vec<usize> {
    let deepest =
        categories.iter().map(|category| category.workloads.len()).max().unwrap_or_default();
    let in_turn = (0..deepest).flat_map(|place| {
        categories.iter().filter_map(move |category| category.workloads.get(place))
    });
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for workload in in_turn.filter(|workload| seen.insert(workload.as_str())) {
        let is_of = |i: &usize| plan.cases[*i].workload == *workload && plan.cases[*i].is_row();
        order.extend((0..plan.cases.len()).filter(is_of));
    }
    let known: BTreeSet<usize> = order.iter().copied().collect();
    order.extend((0..plan.cases.len()).filter(|i| !known.contains(i)));
    order
}

/// The cases of an order to skip because the budget is too short, given the time that a number of cases takes: those after the last
/// workload of the order that can be measured in full, and then the controls as well. The first workload is always
/// measured. A mix is measured as a whole, so nothing of it is skipped.
pub fn left_out(
    plan: &Plan,
    order: &[usize],
    time: Duration,
    takes: impl Fn(usize) -> Duration,
) -> Vec<usize> {
    if plan.has_whole() || takes(order.len()) <= time {
        return Vec::new();
    }
    let cases = |i: usize| &plan.cases[order[i]];
    let has_more = |i: usize| {
        i + 1 < order.len() && cases(i + 1).is_row() && cases(i).workload == cases(i + 1).workload
    };
    let ends = (0..order.len()).filter(|i| cases(*i).is_row() && !has_more(*i)).map(|i| i + 1);
    let mut ends = ends.peekable();
    let first = ends.peek().copied().unwrap_or_default();
    let measured = ends.take_while(|count| takes(*count) <= time).last().unwrap_or(first);
    let mut left_out = order[measured..].to_vec();
    left_out.sort_unstable();
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Mix;
    use record::{Case, ThreadSpec, fixture};

    /// Workloads on 1 and 2 threads, and a control.
    fn plan(workloads: &[&str]) -> Plan {
        let mut plan = fixture::header().plan;
        let case = plan.cases.remove(0);
        for (workload, threads) in workloads.iter().flat_map(|w| [(w, 1), (w, 2)]) {
            let thread_spec = ThreadSpec::Count(threads);
            let workload = (*workload).to_owned();
            plan.cases.push(Case { workload, thread_spec, ..case.clone() });
        }
        plan.cases.push(Case {
            workload: "control".to_owned(),
            control: true,
            co_runner: false,
            ..case
        });
        plan
    }

    fn category(workloads: &[&str]) -> Category {
        let workloads = workloads.iter().map(|&id| id.to_owned()).collect();
        Category { name: "c".to_owned(), threads: Vec::new(), is_flat: false, workloads }
    }

    fn seconds(cases: usize) -> Duration {
        Duration::from_secs(cases as u64)
    }

    #[test]
    fn each_category_comes_once_before_any_comes_twice() {
        let plan = plan(&["a", "b", "c", "d"]);
        let categories = [category(&["a", "b", "c"]), category(&["d", "a"])];
        let order = most_telling(&plan, &categories);
        assert_eq!(order, [0, 1, 6, 7, 2, 3, 4, 5, 8]);
    }

    #[test]
    fn a_workload_is_measured_on_all_its_thread_counts_or_skipped_with_the_controls() {
        let plan = plan(&["a", "b", "c"]);
        let order = most_telling(&plan, &[category(&["a", "b"]), category(&["c"])]);
        let left_out = |time: u64| super::left_out(&plan, &order, seconds(time as usize), seconds);
        assert_eq!(left_out(7), Vec::<usize>::new());
        assert_eq!(left_out(6), [6], "the control");
        assert_eq!(left_out(5), [2, 3, 6]);
        assert_eq!(left_out(4), [2, 3, 6]);
        assert_eq!(left_out(3), [2, 3, 4, 5, 6]);
        assert_eq!(left_out(0), [2, 3, 4, 5, 6], "the first is always measured");
    }

    #[test]
    fn nothing_of_a_mix_is_skipped() {
        let mut plan = plan(&["a", "b"]);
        plan.mix = Some(Mix { utilisation: 1.0, spares: 0, demands: Vec::new() });
        let order = most_telling(&plan, &[category(&["a", "b"])]);
        assert!(left_out(&plan, &order, seconds(0), seconds).is_empty());
    }
}
