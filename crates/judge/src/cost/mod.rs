//! What work costs: prices and watts, and what they make of ratios.

mod alone;
mod comparison;
mod energy;
mod price;
mod table;

pub use alone::{Alone, AloneRow, alone};
pub use comparison::{
    Cost, CostRow, CostScore, Stand, check_currencies, check_view, cost, price_notes,
};
pub use energy::{EnergyRow, PerWatt, energy, per_watt};
pub use price::{Price, PriceArg};
pub use table::{PriceError, read};

#[cfg(test)]
mod tests;
