//! Judgements: over two runs row by row and as scores, over the variants of one run, over the implementations of
//! one operation.

mod comparable;
mod gap;
mod label;
mod row;
mod score;
mod variants;
mod verdict;

pub use comparable::{Allow, Difference, differences};
pub use gap::{Cell, Gap, GapRow, Lag, Operation, gap};
pub use label::distinct;
pub use row::{Comparison, LevelRatio, Row, compare};
pub use score::{Score, ScoreLine, score};
pub use variants::{VariantComparison, VariantRow, compare_variants, judged_views};
pub use verdict::{Ratio, Verdict};

#[cfg(test)]
mod tests;
