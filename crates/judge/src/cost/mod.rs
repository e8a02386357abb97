//! What work costs: prices and watts, and what they make of ratios.

mod alone;
mod commitment;
mod comparison;
mod energy;
mod price;
mod side_by_side;
mod table;

pub use alone::{Alone, AloneRow, alone};
pub use commitment::{ON_DEMAND, RESERVED, SPOT, reserved};
pub use comparison::{
    Cost, CostRow, CostScore, Stand, check_currencies, check_view, cost, price_notes,
};
pub use energy::{EnergyRow, PerWatt, energy, per_watt};
pub use price::{Price, PriceArg, PriceKey};
pub use side_by_side::{CommitmentPrice, Offered, pair_side_by_side, side_by_side};
pub use table::{PriceError, read, to_toml};

#[cfg(test)]
mod tests;
