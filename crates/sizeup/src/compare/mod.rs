//! Judgements over two runs: row by row, and as scores.

mod comparable;
mod row;
mod score;

pub use comparable::{Allow, Difference, differences};
pub use row::{Comparison, Row, RowVerdict, compare};
pub use score::{Score, ScoreLine, score};

#[cfg(test)]
mod tests;
