//! Numbers in as few digits as a picture needs.

use serde::{Serialize, Serializer};
use stats::Interval;

/// A number in eight significant digits; what is not finite is `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rounded(pub f64);

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(format!("{:.7e}", self.0).parse().unwrap_or(self.0))
    }
}

/// Centre, low, high and degrees of freedom.
pub(super) type Numbers = (Rounded, Rounded, Rounded, Rounded);

/// An interval's numbers.
pub(super) fn numbers(of: &Interval) -> Numbers {
    (Rounded(of.centre), Rounded(of.low), Rounded(of.high), Rounded(of.freedom))
}
