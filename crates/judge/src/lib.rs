//! Judges machines by their run files: rows, scores, scaling, cost, capacity.

pub mod answer;
pub mod capacity;
pub mod columns;
pub mod compare;
pub mod cost;
pub mod explain;
pub mod gate;
pub mod scaling;
pub mod sensor_words;
pub mod units;

pub use verdict::numbers;
