//! Numbers in as few digits as a picture needs.

use serde::{Serialize, Serializer};
use stats::Interval;

/// A number in eight significant digits. One that is not finite is `null`: the shape of a field says where that may be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Rounded(pub f64);

impl Serialize for Rounded {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.value())
    }
}

impl Rounded {
    /// With no more digits than are written.
    pub fn value(self) -> f64 {
        format!("{:.7e}", self.0).parse().unwrap_or(self.0)
    }
}

/// A positive quantity and how far off it may be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Numbers(
    #[cfg_attr(test, schemars(title = "centre"))] Rounded,
    #[cfg_attr(test, schemars(title = "low", with = "Option<f64>"))] Rounded,
    #[cfg_attr(test, schemars(title = "high", with = "Option<f64>"))] Rounded,
    #[cfg_attr(test, schemars(title = "freedom", with = "Option<f64>"))] Rounded,
);

/// An interval's numbers.
pub(super) fn numbers(interval: &Interval) -> Numbers {
    Numbers(
        Rounded(interval.centre),
        Rounded(interval.low),
        Rounded(interval.high),
        Rounded(interval.freedom),
    )
}
