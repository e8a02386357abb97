//! Whether sizeup's figures agree with those of its peers.

use super::raw::{Pair, Raw};
use stats::{Interval, mean, ratio_interval};

/// A row is judged by at least so many pairs.
pub const LEAST_PAIRS: usize = 20;
/// A row agrees when its ratio lies here…
const NEAR: std::ops::RangeInclusive<f64> = 0.96..=1.04;
/// …or when its interval holds 1 and is narrower than this on either side.
const NARROW: f64 = 0.04;
/// All rows together agree when the geometric mean of their ratios lies here.
const NEAR_TOGETHER: std::ops::RangeInclusive<f64> = 0.99..=1.01;

/// The verdict on a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// The figures agree.
    Agrees,
    /// They don't.
    Off,
    /// Too few pairs to say.
    TooFew,
}

/// A row, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub id: String,
    pub pairs: usize,
    pub sizeup_median: f64,
    pub peer_median: f64,
    /// How much of the CPU sizeup's samples had, on average.
    pub cpu_share: f64,
    /// sizeup ÷ peer, over pairs; `None` for fewer than two.
    pub ratio: Option<Interval>,
    /// The middle one of the pairs' ratios, which a few bad pairs don't move.
    pub median_ratio: f64,
    pub agreement: Agreement,
}

/// All rows of a file.
#[derive(Debug)]
pub struct Verdict {
    pub rows: Vec<Judged>,
    /// The geometric mean of the rows' ratios.
    pub together: Option<Interval>,
    /// Rows that the suite has.
    pub suite_rows: usize,
}

impl Verdict {
    /// Judges all rows of a file, in the order of the suite.
    pub fn of(raw: &Raw, suite: &[String]) -> Self {
        let rows: Vec<Judged> = suite
            .iter()
            .filter(|id| raw.rows.contains_key(*id))
            .map(|id| judge(id, &raw.of(id)))
            .collect();
        let ratios: Vec<Interval> = rows.iter().filter_map(|row| row.ratio).collect();
        Self { together: together(&ratios), suite_rows: suite.len(), rows }
    }

    /// Rows that do not agree.
    pub fn off(&self) -> Vec<&Judged> {
        self.rows.iter().filter(|row| row.agreement != Agreement::Agrees).collect()
    }

    /// Whether all rows of the suite are there.
    pub fn is_whole(&self) -> bool {
        self.rows.len() == self.suite_rows
    }

    /// Whether the rows agree together; only the whole suite is judged so.
    pub fn agrees_together(&self) -> bool {
        !self.is_whole() || self.together.is_some_and(|mean| NEAR_TOGETHER.contains(&mean.centre))
    }
}

fn judge(id: &str, pairs: &[&Pair]) -> Judged {
    let ratios: Vec<f64> = pairs.iter().map(|pair| pair.ratio()).collect();
    let ratio = ratio_interval(&ratios);
    let agreement = match ratio {
        Some(ratio) if pairs.len() >= LEAST_PAIRS => agreement(&ratio),
        _ => Agreement::TooFew,
    };
    Judged {
        id: id.to_owned(),
        pairs: pairs.len(),
        sizeup_median: median(pairs.iter().map(|pair| pair.sizeup_ops_per_s())),
        peer_median: median(pairs.iter().map(|pair| pair.peer_ops_per_s)),
        cpu_share: mean(&pairs.iter().map(|pair| pair.cpu_share()).collect::<Vec<_>>()),
        ratio,
        median_ratio: median(ratios),
        agreement,
    }
}

fn agreement(ratio: &Interval) -> Agreement {
    let holds_one = (ratio.low..=ratio.high).contains(&1.0);
    if NEAR.contains(&ratio.centre) || holds_one && ratio.margin() < NARROW {
        Agreement::Agrees
    } else {
        Agreement::Off
    }
}

/// The geometric mean of independent ratios.
fn together(ratios: &[Interval]) -> Option<Interval> {
    let product = ratios.iter().copied().reduce(|product, ratio| product.times(&ratio))?;
    let n = ratios.len() as f64;
    Some(Interval::around((product.centre.ln() / n).exp(), product.margin() / n, product.freedom))
}

/// The middle value, or the mean of the two in the middle; not a number for none.
fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::peer::Libraries;
    use super::super::raw::tests::pair;
    use super::*;

    fn raw(rows: &[(&str, &[f64])]) -> Raw {
        let mut raw = Raw::new();
        for (id, ratios) in rows {
            raw.add_row(id, &Libraries::new()).unwrap();
            raw.pairs.extend(ratios.iter().map(|ratio| pair(id, *ratio)));
        }
        raw
    }

    #[test]
    fn a_row_agrees_near_one_or_when_a_narrow_interval_holds_one() {
        for (centre, margin, expected) in [
            (1.0, 0.001, Agreement::Agrees),
            (1.039, 0.001, Agreement::Agrees),
            (0.961, 0.2, Agreement::Agrees),
            (1.041, 0.001, Agreement::Off),
            (0.959, 0.001, Agreement::Off),
            (1.2, 0.3, Agreement::Off),
        ] {
            assert_eq!(
                agreement(&Interval::around(centre, margin, 19.0)),
                expected,
                "{centre} ±{margin}"
            );
        }
        // Only just: 1.0405 is beyond, but ±3.99 % around it holds 1.
        assert_eq!(agreement(&Interval::around(0.0398_f64.exp(), 0.0399, 19.0)), Agreement::Agrees);
        assert_eq!(
            agreement(&Interval::around(0.0398_f64.exp() + 0.001, 0.041, 19.0)),
            Agreement::Off
        );
    }

    #[test]
    fn nineteen_pairs_are_too_few() {
        let ids = ["a".to_owned()];
        let verdict = |n| Verdict::of(&raw(&[("a", &vec![1.0; n])]), &ids).rows[0].agreement;
        assert_eq!(verdict(19), Agreement::TooFew);
        assert_eq!(verdict(20), Agreement::Agrees);
    }

    #[test]
    fn rows_together_are_judged_when_all_are_there() {
        let ids = ["a".to_owned(), "b".to_owned()];
        let (low, high) = ([0.98; 20], [1.02; 20]);
        let half = Verdict::of(&raw(&[("b", &high)]), &ids);
        assert!(!half.is_whole() && half.agrees_together() && half.off().is_empty());
        let both = Verdict::of(&raw(&[("a", &low), ("b", &high)]), &ids);
        assert!(both.is_whole() && both.agrees_together());
        let high = Verdict::of(&raw(&[("a", &high), ("b", &high)]), &ids);
        assert!(!high.agrees_together() && high.off().is_empty());
    }

    #[test]
    fn the_mean_of_rows_is_geometric_and_narrower_than_each() {
        let mean = together(&[
            Interval::around(2.0, 0.03, f64::INFINITY),
            Interval::around(0.5, 0.04, f64::INFINITY),
        ])
        .unwrap();
        assert!((mean.centre - 1.0).abs() < 1e-12);
        assert!((mean.margin() - 0.025).abs() < 1e-12);
        assert_eq!(together(&[]), None);
    }

    #[test]
    fn a_few_bad_pairs_do_not_move_the_median() {
        assert_eq!(median([1.0, 1.1, 50.0]), 1.1);
        assert_eq!(median([1.0, 1.2]), 1.1);
        assert!(median([]).is_nan());
    }
}
