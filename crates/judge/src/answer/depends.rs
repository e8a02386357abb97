//! Scores that don't tell who is faster, for the rows disagree.

use crate::compare::{Robustness, ScoreLine, Sides};
use crate::numbers::counted;
use verdict::{Order, how_much, times};

/// Explains why the order of two machines depends on the work, where their score turns without one operation or category, or
/// most rows contradict it. Goes on from `which of c8g and c7g` or `which of them`: `is faster on all 64 threads depends on the work:
/// c8g is ahead on 61 of 67 workloads, median 15 % faster; c7g only on sm4-cbc/openssl (9.60×)`.
pub fn depends(line: &ScoreLine, one: &str, other: &str, on: &str) -> Option<String> {
    let why = why_unsettled(line, one, other)?;
    Some(format!("is faster {on} depends on the work: {why}"))
}

/// The reason alone: `c8g is ahead on 61 of 67 workloads …`.
pub(super) fn why_unsettled(line: &ScoreLine, one: &str, other: &str) -> Option<String> {
    let score = line.score?;
    let sides = line.sides.as_ref()?;
    if matches!(Order::of(&score), Order::Same | Order::Undecided) || score.centre == 1.0 {
        return None;
    }
    let is_ahead = score.centre > 1.0;
    let without = line.robustness.as_ref().and_then(|robustness| turning(robustness, is_ahead));
    let has_most = if is_ahead { sides.ahead >= sides.behind } else { sides.behind >= sides.ahead };
    if has_most && without.is_none() {
        return None;
    }
    let behind = if is_ahead { other } else { one };
    let turned = without.map(|left| format!("; without {left} {behind} would lead"));
    Some(format!(
        "{}{}",
        in_words(sides, line.rows, one, other),
        turned.filter(|_| has_most).unwrap_or_default()
    ))
}

/// The workload or category whose omission turns the order.
fn turning(robustness: &Robustness, is_ahead: bool) -> Option<String> {
    let left = if is_ahead { robustness.least.as_ref() } else { robustness.greatest.as_ref() };
    let left = left.filter(|left| (left.score > 1.0) != is_ahead)?;
    let rows = if left.rows == 1 { String::new() } else { format!(" ({} rows)", left.rows) };
    Some(format!("{}{rows}", left.without))
}

/// `c8g is ahead on 61 of 67 workloads, median 15 % faster; c7g only on sm4-cbc/openssl (9.60×)`.
fn in_words(sides: &Sides, rows: usize, one: &str, other: &str) -> String {
    let has_most = sides.ahead >= sides.behind;
    let (most, few) = if has_most { (one, other) } else { (other, one) };
    let (of_most, of_few) = (sides.ahead.max(sides.behind), sides.ahead.min(sides.behind));
    let turn = |ratio: f64| if has_most { ratio } else { 1.0 / ratio };
    let middle = how_much(turn(sides.middle));
    let all = counted(rows, "workload");
    let head = format!("{most} is ahead on {of_most} of {all} (median {middle})");
    match &sides.exception {
        Some(exception) if exception.is_only => {
            format!(
                "{head}; {few} only on {} ({})",
                exception.workload,
                times(1.0 / turn(exception.ratio))
            )
        }
        Some(exception) => format!(
            "{head}; {few} on {of_few}, most of all {} ({})",
            exception.workload,
            times(1.0 / turn(exception.ratio))
        ),
        None => head,
    }
}

/// The workload without which the order would turn, if one does that, of a lead that is the score times a factor (of prices, say):
/// `without sm4-cbc/openssl (6 rows) c8g would lead`.
pub fn deciding_workload_at(
    robustness: Option<&Robustness>,
    factor: f64,
    behind: &str,
) -> Option<String> {
    let least = robustness?.least.as_ref().filter(|least| least.score * factor < 1.0)?;
    let rows = if least.rows == 1 { String::new() } else { format!(" ({} rows)", least.rows) };
    Some(format!("without {}{rows} {behind} would lead", least.without))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Exception, Left};
    use record::ThreadSpec;
    use stats::Interval;

    fn line(score: f64, sides: (usize, usize, f64), least: f64, ratio: f64) -> ScoreLine {
        let exception = Exception { workload: "sm4/x".to_owned(), is_only: true, ratio };
        let left = |score| Left { without: "sm4/x".to_owned(), rows: 6, score };
        ScoreLine {
            category: "overall".to_owned(),
            threads: ThreadSpec::All,
            rows: sides.0 + sides.1,
            score: Some(Interval::around(score, 0.01, 9.0)),
            sides: Some(Sides {
                ahead: sides.0,
                behind: sides.1,
                middle: sides.2,
                exception: Some(exception),
                families: Vec::new(),
            }),
            robustness: Some(Robustness {
                least: Some(left(least)),
                greatest: Some(left(score.max(1.1))),
                ahead: None,
            }),
        }
    }

    #[test]
    fn a_score_that_most_rows_contradict_is_no_order() {
        let text = depends(&line(1.06, (6, 61, 0.87), 0.9, 9.6), "c7g", "c8g", "on all threads");
        assert_eq!(
            text.unwrap(),
            "is faster on all threads depends on the work: c8g is ahead on 61 of 67 workloads \
             (median 15 % faster); c7g only on sm4/x (9.60×)"
        );
    }

    #[test]
    fn a_score_that_one_operation_makes_is_no_order_either() {
        let text = depends(&line(1.06, (40, 6, 1.02), 0.98, 0.5), "a", "b", "on 1 thread");
        assert_eq!(
            text.unwrap(),
            "is faster on 1 thread depends on the work: a is ahead on 40 of 46 workloads \
             (median 2.0 % faster); b only on sm4/x (2.00×); without sm4/x (6 rows) b would lead"
        );
    }

    #[test]
    fn a_score_that_holds_and_one_that_tells_nothing_depend_on_nothing() {
        assert_eq!(depends(&line(1.2, (40, 6, 1.2), 1.1, 0.5), "a", "b", "on 1 thread"), None);
        assert_eq!(depends(&line(1.002, (6, 40, 0.9), 0.9, 2.0), "a", "b", "on 1 thread"), None);
    }
}
