use super::*;
use crate::briefing::Screen;
use crate::tables::ShowView;
use estimate::RunEffect;
use judge::compare::{Group, Pairs, Sheet};
use record::fixture::{run, run_beside};

fn left(count: usize, centre: f64, margin: f64) -> BesideEstimate {
    let view = |centre| View::of(Interval::around(centre, margin, 9.0), RunEffect::NONE, 20);
    BesideEstimate {
        workload: "fill/control".to_owned(),
        count,
        left: view(centre),
        view: ViewKind::Uncontended,
        per_ghz: Some(view(centre)),
        clock: None,
        bandwidth: Some(view(0.4)),
        co_runners_mib_per_s: Some(4000.0),
    }
}

/// Prints rows with the given shares kept.
fn text(rows: &[(&str, Vec<BesideEstimate>)], extent: Extent) -> String {
    let samples = [100; 20];
    let names: Vec<(&str, &[u64])> = rows.iter().map(|(name, _)| (*name, &samples[..])).collect();
    let mut view = ShowView::of(&run(&names));
    for (row, (_, beside)) in view.rows.iter_mut().zip(rows) {
        row.beside.clone_from(beside);
    }
    let mut answer = Briefing::default();
    beside_parts(&mut answer, &view.rows, extent);
    let screen = Screen::of_width(120);
    answer.text(&screen, extent)
}

#[test]
fn the_answer_names_the_largest_losses_that_are_certain_and_what_is_left_of_the_memory() {
    let rows = [
        ("rsa/x", vec![left(1, 0.999, 0.01), left(2, 0.998, 0.01)]),
        ("brotli/x", vec![left(1, 0.9, 0.01), left(2, 0.83, 0.01)]),
        ("noisy/x", vec![left(1, 0.95, 0.1), left(2, 0.9, 0.2)]),
    ];
    let text = text(&rows, Extent::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..2].join(" "),
        "Beside 2 co-runners (fill/control) brotli/x is 17 % slower; 1 of 3 rows certainly loses more than 2 %. \
         A thread is left 40 % of the memory's bandwidth."
    );
    let at = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(at("brotli/x") < at("noisy/x") && at("noisy/x") < at("rsa/x"), "{text}");
    assert!(lines[at("brotli/x")].contains("17 % slower (16–18 %)"), "{text}");
}

#[test]
fn if_no_row_certainly_loses_the_answer_says_so() {
    let text = text(&[("rsa/x", vec![left(1, 0.99, 0.02)])], Extent::default());
    assert!(text.contains("none of 1 row certainly loses more than 2 %"), "{text}");
}

#[test]
fn details_say_what_the_clock_and_the_co_runners_did() {
    let details = Extent { all: false, details: true };
    let text = text(&[("a/x", vec![left(1, 0.7, 0.01)])], details);
    assert!(text.contains("70.0 %") && text.contains("4,000"), "{text}");
}

#[test]
fn no_co_runners_no_words() {
    assert_eq!(text(&[("a/x", Vec::new())], Extent::default()).trim(), "");
}

#[test]
fn of_two_machines_the_one_that_keeps_more_is_named_with_both_shares() {
    let group = |label: &str, left: u64| {
        let mut run = run_beside(|round| left + round % 2);
        run.header.label = label.to_owned();
        let figures = Sheet::of(&run, ViewKind::Uncontended);
        Group::of(label.to_owned(), ViewKind::Uncontended, vec![figures]).unwrap()
    };
    let text = |one: &Group, other: &Group| {
        let mut answer = Briefing::default();
        beside_pair(&mut answer, &Pairs::of(one, other, &[]).comparison(), false);
        let screen = Screen::of_width(120);
        answer.text(&screen, Extent::default())
    };
    let [weak, strong] = [group("weak", 70), group("strong", 94)];
    for says in [text(&weak, &strong), text(&strong, &weak)] {
        let sentence = "Beside 1 co-runner (fill/x) strong keeps more of its throughput in 1 of 1 row, weak in none.";
        assert!(says.starts_with(sentence), "{says}");
        assert!(says.contains("70 % (70–71)") && says.contains("94 % (94–95)"), "{says}");
    }
    let same = text(&weak, &group("other", 70));
    assert!(
        same.contains("which of the two keeps more of its throughput is undetermined"),
        "{same}"
    );
}
