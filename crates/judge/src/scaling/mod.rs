//! Throughput against the number of threads, and where one machine overtakes another.

mod crossover;
mod curve;
mod words;
mod workload;

pub use crossover::{Crossover, Overtaking, Stretch};
pub use curve::{Curve, Misfit, Point, SmtYield, SocketEffect};
pub use words::{curve_lines, gains_until, sentence};
pub use workload::{Against, Scaling, scaling, scaling_from};

#[cfg(test)]
mod tests;
