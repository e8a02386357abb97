use super::*;
use proptest::prelude::*;

fn lines(table: &Table, width: usize) -> String {
    let lines = table.lines(width, false);
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn columns_are_aligned_and_lines_have_no_trailing_spaces() {
    let mut table = Table::new([Heading::left("name"), Heading::right("n"), Heading::left("note")]);
    table.row(["a", "1", ""]);
    table.row(["bcd", "1,000", "x"]);
    assert_eq!(lines(&table, 80), "name      n  note\na         1\nbcd   1,000  x");
}

#[test]
fn harmful_characters_are_replaced_in_heads_and_cells() {
    let mut table = Table::new([Heading::left("a\u{1b}[2J\n")]);
    table.row(["b\u{202e}\u{9b}\u{200b}\u{61c}é"]);
    assert_eq!(lines(&table, 80), "a\u{fffd}[2J\u{fffd}\nb\u{fffd}\u{fffd}\u{fffd}\u{fffd}é");
}

#[test]
fn a_very_long_text_is_truncated() {
    let mut table = Table::new([Heading::left("name")]);
    table.row(["é".repeat(10_000)]);
    assert_eq!(table.lines(20_000, false)[1].chars().count(), 301);
}

#[test]
fn where_room_is_short_columns_of_the_highest_rank_go_first_then_texts_lose_their_middle() {
    let mut table = Table::new([
        Heading::left("workload").shrinks(),
        Heading::right("ratio"),
        Heading::right("clock").rank(1),
        Heading::right("detectable").rank(2),
    ]);
    table.row(["pipeline-BLAKE2B-256+CHACHA20/kopia-libs", "1.000", "0.990", "2.0 %"]);
    let heads = |width| {
        table.lines(width, false)[0].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(heads(80), ["workload", "ratio", "clock", "detectable"]);
    assert_eq!(heads(45), ["workload", "ratio", "clock"]);
    assert_eq!(heads(32), ["workload", "ratio"]);
    assert_eq!([80, 45, 32].map(|width| table.columns_left_out(width)), [0, 1, 2]);
    assert_eq!(*table.lines(32, false)[1], *"pipeline-BLA…0/kopia-libs  1.000");
    assert!(table.lines(32, false)[1].width() <= 33);
}

#[test]
fn a_column_with_nothing_in_it_is_left_out() {
    let mut table = Table::new([Heading::left("name"), Heading::right("±"), Heading::left("note")]);
    table.row(["a", "", "x"]);
    table.row(["b", "", ""]);
    assert_eq!(lines(&table, 80), "name  note\na     x\nb");
}

#[test]
fn colours_stand_only_where_they_are_wanted() {
    let mut table = Table::new([Heading::left("verdict")]);
    table.row([Entry::of("faster", Tone::Good)]);
    assert!(
        table.lines(80, true)[1].contains("\u{1b}[38;5;10mfaster"),
        "{:?}",
        table.lines(80, true)
    );
    assert_eq!(*table.lines(80, false)[1], *"faster");
    assert!(
        table.lines(80, true).iter().all(|line| !line.contains("  ")),
        "{:?}",
        table.lines(80, true)
    );
}

#[test]
fn prose_goes_on_in_the_next_line() {
    let mut table = Table::new([Heading::left("check"), Heading::left("seen").wraps()]);
    table.row(["others", "other processes used a third of a CPU, mostly rustc"]);
    let lines = table.lines(40, false);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines.iter().all(|line| line.width() <= 40), "{lines:?}");
}

proptest! {
    #[test]
    fn no_line_is_wider_than_asked_where_columns_may_go(
        names in prop::collection::vec("[a-z0-9é☃-]{1,60}", 1..6), width in 30usize..120
    ) {
        let mut table = Table::new([
            Heading::left("workload").shrinks(),
            Heading::right("ratio"),
            Heading::right("detectable").rank(1),
        ]);
        for name in &names {
            table.row([name.as_str(), "1.000", "2.0 %"]);
        }
        for line in table.lines(width, false) {
            prop_assert!(line.width() <= width, "{line:?} of {width}");
        }
    }
}
