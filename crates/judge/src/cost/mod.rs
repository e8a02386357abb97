//! Price-performance and energy: ratios at the prices and watts of machines.

mod alone;
mod comparison;
mod energy;
mod money;
mod price_ranking;
mod side_by_side;

pub use alone::{Alone, AloneRow, alone};
pub use comparison::{Cost, CostRow, CostScore, check_view, cost, price_notes};
pub use energy::{EnergyRow, EnergyScore, PerWatt, energy, energy_scores, per_watt};
pub use money::{PriceAdjusted, per_currency_unit, price_factor, share_of_machine};
pub use price_ranking::{PricedMachine, price_ranking};
pub use side_by_side::{CommitmentPrice, GroupWithPrices, pair_side_by_side, side_by_side};

#[cfg(test)]
mod tests;
