//! How many machines carry a mix of work.

mod machines_needed;

pub use machines_needed::{MachinesNeeded, Need, check_same_work, machines_needed};

#[cfg(test)]
mod tests;
