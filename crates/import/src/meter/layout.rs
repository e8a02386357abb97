//! How a meter's log is written.

/// How a log is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub delimiter: char,
    pub columns: usize,
    pub has_head: bool,
    /// The place of the times.
    pub time: usize,
    /// The place of the power.
    pub power: usize,
    /// By what values without a unit are multiplied to be watts.
    pub factor: f64,
    /// The places of names of what is measured: a log of several is none.
    pub names: Vec<(usize, String)>,
    /// Whether times have no zone and are in UTC.
    pub is_utc: bool,
}
