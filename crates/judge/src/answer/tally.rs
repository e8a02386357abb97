//! How many rows stand how.

use crate::compare::Verdict;

/// Rows of a comparison by verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// All rows.
    pub rows: usize,
    /// Significantly faster.
    pub faster: usize,
    /// Significantly slower.
    pub slower: usize,
    /// A difference, if there is one, is too small to be detected.
    pub alike: usize,
    /// With a ratio but no error bars.
    pub unknown: usize,
    /// Without a ratio.
    pub not_compared: usize,
}

impl Tally {
    /// Counts verdicts by kind.
    pub fn of(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            tally.rows += 1;
            *match verdict {
                Verdict::Faster => &mut tally.faster,
                Verdict::Slower => &mut tally.slower,
                Verdict::NoDetectableDifference => &mut tally.alike,
                Verdict::Unknown => &mut tally.unknown,
                Verdict::NotComparable | Verdict::Missing => &mut tally.not_compared,
            } += 1;
        }
        tally
    }
}
