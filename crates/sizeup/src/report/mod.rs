//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod capacity;
mod comparisons;
mod cost;
mod doctor;
mod energy;
pub mod export;
mod forecast;
mod gap;
mod grid;
mod imported;
mod numbers;
pub mod page;
mod scaling;
mod scores;
mod service;
mod show;
mod table;
mod tables;
mod together;
mod unit;

pub use crate::machine::printable;
pub use capacity::fleet_table;
pub use comparisons::{compare_table, comparisons_table, variant_table};
pub use cost::cost_table;
pub use doctor::{DoctorView, doctor_table, finding_line};
pub use energy::{alone_table, energy_table};
pub use forecast::{ForecastRow, ForecastView, forecast_table};
pub use gap::gap_table;
pub use grid::grid_table;
pub use numbers::{interval_width, quantity};
pub use scaling::scaling_table;
pub use scores::score_table;
pub use show::{ShowRow, ShowView};
pub use table::Table;
pub use tables::{machine_table, show_table};
