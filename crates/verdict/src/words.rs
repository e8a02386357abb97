//! How two machines stand to each other, in the words of a colleague: "c7g is 1.58× faster than c6i".

use crate::numbers::{four_digits, three_digits};
use serde::{Deserialize, Serialize};
use stats::Interval;

/// Machines whose throughput differs by no more than this are the same: the precision that a run has by default.
pub const EQUIVALENT: f64 = 0.01;
/// From this ratio on a lead is a factor, below it a percentage.
const FROM_FACTOR: f64 = 1.5;

/// A quantity of which one machine has more than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Work a second: a machine is faster or slower.
    Speed,
    /// Work for a price, a CPU or a watt, where that is the subject: `12 % more`.
    Amount,
    /// An amount in a sentence: a machine does more work or less.
    Work,
}

impl Quantity {
    /// Words for more, for less and for a ratio that is 1 in all digits that are shown.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Speed => ["faster", "slower", "as fast"],
            Self::Amount => ["more", "less", "the same"],
            Self::Work => ["more work", "less work", "the same"],
        }
    }

    /// With its subject.
    pub(crate) fn in_a_sentence(self) -> Self {
        if self == Self::Amount { Self::Work } else { self }
    }
}

/// How a ratio stands to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Above 1 with its whole interval.
    Ahead,
    /// Below 1 with its whole interval.
    Behind,
    /// Its whole interval is within a margin of 1 in which two machines are the same.
    Same,
    /// Its interval holds 1, and more than machines that are the same differ by.
    Undecided,
    /// It has no interval.
    NoErrorBars,
}

impl Order {
    /// Judges a ratio by its 95 % interval.
    pub fn of(ratio: &Interval) -> Self {
        match ratio {
            _ if !ratio.is_known() => Self::NoErrorBars,
            _ if ratio.low > 1.0 => Self::Ahead,
            _ if ratio.high < 1.0 => Self::Behind,
            _ if ratio.low.ln().abs().max(ratio.high.ln().abs()) <= EQUIVALENT.ln_1p() => {
                Self::Same
            }
            _ => Self::Undecided,
        }
    }
}

/// `2.25×`, `0.953×`, `38.7×`.
pub fn times(ratio: f64) -> String {
    format!("{}×", three_digits(ratio))
}

/// `2.25× faster`, `12 % faster`, `5.1 % slower`, `4.2× slower`, `as fast`.
pub fn how_much(ratio: f64) -> String {
    how_much_by(ratio, Quantity::Speed)
}

/// As [`how_much`], of any quantity: `18 % more`.
pub(crate) fn how_much_by(ratio: f64, quantity: Quantity) -> String {
    let [more, less, same] = quantity.words();
    let word = if ratio < 1.0 { less } else { more };
    match ratio {
        _ if ratio >= FROM_FACTOR => format!("{} {word}", times(ratio)),
        _ if ratio <= 1.0 / (2.0 * FROM_FACTOR) => format!("{} {word}", times(1.0 / ratio)),
        _ if (ratio - 1.0).abs() < 0.0005 => same.to_owned(),
        _ => format!("{} {word}", percent((ratio - 1.0).abs())),
    }
}

/// `2.25× faster than c6i`, `as fast as c6i`.
pub fn how_much_than(ratio: f64, other: &str) -> String {
    how_much_than_by(ratio, other, Quantity::Speed)
}

/// As [`how_much_than`], of any quantity: `18 % more than c6i`.
pub(crate) fn how_much_than_by(ratio: f64, other: &str, quantity: Quantity) -> String {
    let how = how_much_by(ratio, quantity);
    let than = if how == quantity.words()[2] { "as" } else { "than" };
    format!("{how} {than} {other}")
}

/// Two significant digits: `0.42 %`, `5.1 %`, `29 %`.
fn percent(share: f64) -> String {
    format!("{} %", percent_digits(share))
}

fn percent_digits(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        _ if percent < 0.995 => format!("{percent:.2}"),
        _ if percent < 9.95 => format!("{percent:.1}"),
        _ => format!("{percent:.0}"),
    }
}

/// The ends of an interval in the terms of [`how_much`] of its centre: `95 % CI 2.20–2.31`, `95 % CI 3.1–7.4 %`.
pub fn range(ratio: &Interval) -> String {
    let (low, high) = (ratio.low, ratio.high);
    match ratio.centre {
        _ if !matches!(Order::of(ratio), Order::Ahead | Order::Behind) => ends(ratio),
        centre if centre >= FROM_FACTOR => ends(ratio),
        centre if centre <= 1.0 / (2.0 * FROM_FACTOR) => {
            format!("95 % CI {}–{}", three_digits(1.0 / high), three_digits(1.0 / low))
        }
        centre if centre >= 1.0 => {
            format!("95 % CI {}–{} %", percent_digits(low - 1.0), percent_digits(high - 1.0))
        }
        _ => format!("95 % CI {}–{} %", percent_digits(1.0 - high), percent_digits(1.0 - low)),
    }
}

/// The ends of a ratio's interval as ratios: `95 % CI 0.90–0.94`.
pub fn ends(ratio: &Interval) -> String {
    match ratio.is_known() {
        true => format!("95 % CI {}–{}", three_digits(ratio.low), three_digits(ratio.high)),
        false => "no error bars".to_owned(),
    }
}

/// `the same within 1 %`: what [`Order::Same`] is called.
pub fn same() -> String {
    format!("the same within {:.0} %", EQUIVALENT * 100.0)
}

/// `anything from 38 % slower to 69 % faster`: a ratio of which nobody knows on which side of 1 it is.
pub fn anything(ratio: &Interval) -> String {
    anything_by(ratio, Quantity::Speed)
}

pub(crate) fn anything_by(ratio: &Interval, quantity: Quantity) -> String {
    let [low, high] = [ratio.low, ratio.high].map(|end| how_much_by(end, quantity));
    format!("anything from {low} to {high}")
}

/// `c7g is 2.25× faster than c6i on all threads (95 % CI 2.20–2.31)`, `c7g and c6i are the same within 1 % on 1 thread (…)`,
/// `c7g may be anything from 4.1 % slower to 1.9 % faster than c6i on 1 thread: can't tell (…)`.
pub fn stands(one: &str, other: &str, ratio: &Interval, on: &str) -> String {
    stands_by(one, other, ratio, on, Quantity::Speed)
}

/// As [`stands`], of any quantity: `c7g does 12 % more work than c6i per dollar on all threads (…)`.
pub fn stands_by(one: &str, other: &str, ratio: &Interval, on: &str, quantity: Quantity) -> String {
    let [is, are, be] = match quantity {
        Quantity::Speed => ["is", "are", "be"],
        Quantity::Amount | Quantity::Work => ["does", "do", "do"],
    };
    let interval = range(ratio);
    match Order::of(ratio) {
        Order::Same => format!("{one} and {other} {are} {} {on} ({interval})", same()),
        Order::Undecided => {
            let anything = anything_by(ratio, quantity);
            format!("{one} may {be} {anything} than {other} {on}: can't tell ({interval})")
        }
        _ => {
            let how = how_much_than_by(ratio.centre, other, quantity);
            format!("{one} {is} {how} {on} ({interval})")
        }
    }
}

/// `break-even price of c7g: 2.950 $/h (95 % CI 2.900–3.010)`: up to which price of an hour a machine is the better buy.
pub fn break_even(name: &str, price: &Interval, unit: &str) -> String {
    let centre = four_digits(price.centre);
    if !price.is_known() {
        return format!("break-even price of {name} ≈ {centre} {unit}/h (no error estimate)");
    }
    let [low, high] = [price.low, price.high].map(four_digits);
    format!("break-even price of {name}: {centre} {unit}/h (95 % CI {low}–{high})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(centre: f64, margin: f64) -> Interval {
        Interval::around(centre, margin, 9.0)
    }

    #[test]
    fn leads_are_factors_or_percentages_as_people_say_them() {
        for (ratio, words) in [
            (2.249, "2.25× faster"),
            (1.58, "1.58× faster"),
            (38.66, "38.7× faster"),
            (1.124, "12 % faster"),
            (1.0042, "0.42 % faster"),
            (1.0001, "as fast"),
            (0.949, "5.1 % slower"),
            (0.71, "29 % slower"),
            (0.2, "5.00× slower"),
        ] {
            assert_eq!(how_much(ratio), words);
        }
    }

    #[test]
    fn of_work_there_is_more_or_less() {
        let ratio = around(1.12, 0.01);
        assert_eq!(how_much_by(1.18, Quantity::Amount), "18 % more");
        assert_eq!(how_much_than_by(1.0, "c6i", Quantity::Amount), "the same as c6i");
        assert_eq!(
            stands_by("c7g", "c6i", &ratio, "per dollar", Quantity::Work),
            "c7g does 12 % more work than c6i per dollar (95 % CI 11–13 %)"
        );
        assert_eq!(
            stands_by("a", "b", &around(1.001, 0.006), "per watt", Quantity::Work),
            "a and b do the same within 1 % per watt (95 % CI 0.995–1.01)"
        );
        assert_eq!(
            stands_by("a", "b", &around(0.99, 0.03), "per watt", Quantity::Work),
            "a may do anything from 3.9 % less work to 2.0 % more work than b per watt: can't tell (95 % CI 0.961–1.02)"
        );
    }

    #[test]
    fn a_sentence_has_the_interval_in_the_terms_of_its_figure() {
        let sentence = |ratio: Interval| stands("c7g", "c6i", &ratio, "on all threads");
        assert_eq!(
            sentence(around(2.25, 0.025)),
            "c7g is 2.25× faster than c6i on all threads (95 % CI 2.19–2.31)"
        );
        assert_eq!(
            sentence(around(0.71, 0.1)),
            "c7g is 29 % slower than c6i on all threads (95 % CI 22–36 %)"
        );
        assert_eq!(
            sentence(around(1.12, 0.01)),
            "c7g is 12 % faster than c6i on all threads (95 % CI 11–13 %)"
        );
        assert_eq!(
            sentence(around(0.2, 0.1)),
            "c7g is 5.00× slower than c6i on all threads (95 % CI 4.52–5.53)"
        );
    }

    #[test]
    fn what_is_undetermined_is_not_called_the_same_and_what_has_no_error_bars_is_marked() {
        assert_eq!(
            stands("a", "b", &around(0.99, 0.03), "on 1 thread"),
            "a may be anything from 3.9 % slower to 2.0 % faster than b on 1 thread: can't tell (95 % CI 0.961–1.02)"
        );
        assert_eq!(
            stands("a", "b", &around(1.001, 0.006), "on 1 thread"),
            "a and b are the same within 1 % on 1 thread (95 % CI 0.995–1.01)"
        );
        let alike = Interval::around(1.0, f64::INFINITY, 1.0);
        assert_eq!(
            stands("a", "b", &alike, "on 1 thread"),
            "a is as fast as b on 1 thread (no error bars)"
        );
        let once = Interval::around(2.0, f64::INFINITY, 1.0);
        assert_eq!(
            stands("a", "b", &once, "on 1 thread"),
            "a is 2.00× faster than b on 1 thread (no error bars)"
        );
    }
}
