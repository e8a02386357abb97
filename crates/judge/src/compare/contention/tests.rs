use super::*;
use record::ThreadSpec;

fn key(name: &str, threads: usize) -> RowKey {
    RowKey { name: name.to_owned(), threads: ThreadSpec::Count(threads) }
}

/// A group whose rows lack an uncontended figure where it says so.
fn group(label: &str, others_cpus: f64, rows: &[(&str, usize, bool)]) -> MeasuredRows<'static> {
    let label = Box::leak(label.to_owned().into_boxed_str());
    let rows = rows.iter().map(|(name, threads, lacks)| (key(name, *threads), *lacks)).collect();
    MeasuredRows { label, others_cpus: Some(others_cpus), rows }
}

fn falls_back(rows: &[(&str, usize, bool)]) -> Option<bool> {
    Some(shown_view(&[group("g", 0.0, rows)], None).1?.falls_back)
}

#[test]
fn a_table_falls_back_where_most_rows_on_a_number_of_threads_lack_uncontended_figures() {
    let (lacks, has) = (true, false);
    assert_eq!(falls_back(&[("a", 1, has), ("b", 1, has)]), None);
    assert_eq!(falls_back(&[("a", 1, lacks), ("b", 1, has)]), Some(false), "half of them");
    assert_eq!(falls_back(&[("a", 1, lacks), ("b", 1, has), ("c", 1, lacks)]), Some(true));
    let mostly_on_one = [("a", 1, has), ("b", 1, has), ("c", 1, has), ("a", 2, lacks)];
    assert_eq!(falls_back(&mostly_on_one), Some(true), "nothing is known on 2 threads");
}

#[test]
fn a_view_that_is_asked_for_is_kept() {
    let groups = [group("g", 0.0, &[("a", 1, true)])];
    for view in [ViewKind::Uncontended, ViewKind::PerGhz] {
        let (shown, contention) = shown_view(&groups, Some(view));
        assert_eq!(
            (shown, contention.map(|contention| contention.falls_back)),
            (view, Some(false))
        );
    }
    assert_eq!(shown_view(&groups, Some(ViewKind::Delivered)), (ViewKind::Delivered, None));
}

#[test]
fn a_row_lacks_if_a_group_lacks_it_but_not_if_another_run_of_the_group_has_it() {
    let quiet = || group("quiet", 0.0, &[("a", 1, false), ("b", 1, false)]);
    let busy = || group("busy", 1.3, &[("a", 1, true), ("b", 1, false)]);
    let contention = Contention::of(&[quiet(), busy()], ViewKind::Uncontended).unwrap();
    assert_eq!((contention.rows, contention.lacking), (2, 1));
    assert_eq!(contention.others, [Busy { label: "busy".to_owned(), cpus: 1.3 }]);
    let both = group("both", 1.3, &[("a", 1, true), ("a", 1, false)]);
    assert_eq!(Contention::of(&[both], ViewKind::Uncontended), None);
}

#[test]
fn it_names_the_busiest_groups() {
    let rows = [("a", 1, true)];
    let groups = [0.01, 0.5, 2.0, 1.0, 3.0].map(|cpus| group(&format!("g{cpus}"), cpus, &rows));
    let text = shown_view(&groups, None).1.unwrap().to_string();
    let busy = "(g3: other processes used 3.0 CPUs; g2: other processes used 2.0 CPUs; g1: other processes used 1.0 CPUs)";
    assert!(text.starts_with(&format!("1 of 1 rows lack uncontended figures {busy}: ")), "{text}");
    assert!(text.contains("all figures are delivered throughput"), "{text}");
}
