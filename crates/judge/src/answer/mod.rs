//! Answers in sentences: who is ahead, by how much, how sure that is.

mod pair;
mod ranking;
mod tally;
mod words;

pub use pair::{answer_of_pair, few_rows, on_threads};
pub use ranking::{RankedGroup, answer_of_ranking, ranking};
pub use tally::Tally;
pub use words::{Order, ends, how_much, range, stands, times};
