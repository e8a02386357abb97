//! A row of two groups: its ratio and verdict, or the reason why it has none.

use super::figure::View;
use super::ratio::{Ratio, Verdict, judge_ratios};

/// A row of one of the two.
#[derive(Debug, Clone)]
pub enum Measured {
    /// It has none.
    Not,
    /// A row without a figure, and why.
    WithoutFigure(String),
    /// A figure, and which runs of its group measured it.
    Figure(View, usize),
}

/// A verdict on a row, with its ratio or the reason why there is none.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Missing until all rows are judged.
    pub verdict: Verdict,
    /// The other over the baseline.
    pub ratio: Option<Ratio>,
    /// Which of the two has no figure, or no error bar, and why.
    pub reason: Option<String>,
}

impl Outcome {
    /// Compares a row, not judged yet: that takes all rows. `is_refused` where what must match differs.
    pub fn of(labels: [&str; 2], sides: &[Measured; 2], is_refused: bool) -> Self {
        let missing =
            |reason: String| Self { verdict: Verdict::Missing, ratio: None, reason: Some(reason) };
        match sides {
            [Measured::Not, _] => missing(format!("{} did not measure it", labels[0])),
            [_, Measured::Not] => missing(format!("{} did not measure it", labels[1])),
            _ if is_refused => Self { verdict: Verdict::NotComparable, ratio: None, reason: None },
            [Measured::WithoutFigure(why), _] => missing(format!("{}: {why}", labels[0])),
            [_, Measured::WithoutFigure(why)] => missing(format!("{}: {why}", labels[1])),
            [Measured::Figure(baseline, run_set), Measured::Figure(other, run_set_of_other)] => {
                let run_sets = (*run_set_of_other, *run_set);
                Self::of_ratio(Ratio::of(other, baseline, run_sets))
            }
        }
    }

    /// With a ratio, not judged yet.
    pub fn of_ratio(ratio: Ratio) -> Self {
        Self { verdict: Verdict::Missing, ratio: Some(ratio), reason: None }
    }
}

/// Judges all rows of two groups, each on its number of threads.
pub fn judge_outcomes<'a, T: Ord>(rows: impl Iterator<Item = (T, &'a mut Outcome)>) {
    judge_ratios(
        rows.filter_map(|(threads, row)| Some((threads, row.ratio.as_mut()?, &mut row.verdict))),
    );
}

/// Which of the two has no error bar, and why.
pub fn why_unknown(labels: [&str; 2], figures: [Option<&View>; 2]) -> Option<String> {
    match figures.map(|figure| figure?.why_unknown()) {
        [Some(ours), Some(theirs)] if ours == theirs => Some(format!("both: {theirs}")),
        [Some(why), _] => Some(format!("{}: {why}", labels[0])),
        [None, why] => Some(format!("{}: {}", labels[1], why?)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure::RunEffect;
    use super::*;
    use stats::Interval;

    fn figure(centre: f64, margin: f64) -> Measured {
        Measured::Figure(View::of(Interval::around(centre, margin, 9.0), RunEffect::NONE, 20), 0)
    }

    #[test]
    fn a_row_without_a_ratio_says_whose_figure_is_missing() {
        let without = || Measured::WithoutFigure("it was killed".to_owned());
        let reason = |sides: [Measured; 2], is_refused| {
            let row = Outcome::of(["a", "b"], &sides, is_refused);
            (row.verdict, row.reason.unwrap_or_default())
        };
        let missing = |reason: &str| (Verdict::Missing, reason.to_owned());
        assert_eq!(
            reason([Measured::Not, figure(1.0, 0.1)], false),
            missing("a did not measure it")
        );
        assert_eq!(reason([without(), Measured::Not], true), missing("b did not measure it"));
        assert_eq!(reason([figure(1.0, 0.1), without()], false), missing("b: it was killed"));
        assert_eq!(
            reason([figure(1.0, 0.1), without()], true),
            (Verdict::NotComparable, String::new())
        );
    }

    #[test]
    fn a_ratio_is_judged_among_the_others() {
        let mut rows: Vec<Outcome> = [(2.0, 0.01), (1.001, 0.01), (0.5, f64::INFINITY)]
            .map(|(centre, margin)| [figure(1.0, 0.01), figure(centre, margin)])
            .iter()
            .map(|sides| Outcome::of(["a", "b"], sides, false))
            .collect();
        judge_outcomes(rows.iter_mut().map(|row| ("all", row)));
        let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, [Verdict::Faster, Verdict::NoDetectableDifference, Verdict::Unknown]);
    }
}
