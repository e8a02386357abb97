//! Answers in sentences: who is ahead, by how much, how sure that is.

mod depends;
mod few;
mod mix;
mod pair;
mod qualify;
mod ranking;
mod tally;

pub use depends::{deciding_workload_at, depends};
pub use few::few_rows;
pub use mix::{answer_by_mix, mix_notes, unscored_mix};
pub use pair::{answer_of_pair, on_threads};
pub use qualify::{qualified, qualified_by};
pub use ranking::{RankedGroup, RankedGroups, ranking};
pub use tally::Tally;
pub use verdict::{Order, anything, break_even, ends, how_much, range, same, stands, times};
