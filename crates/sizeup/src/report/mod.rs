//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod comparisons;
mod doctor;
mod forecast;
mod gap;
mod grid;
mod numbers;
mod service;
mod show;
mod table;
mod tables;

pub use crate::machine::printable;
pub use comparisons::{compare_table, score_table, variant_table};
pub use doctor::{DoctorView, doctor_table, finding_line};
pub use forecast::{ForecastRow, ForecastView, forecast_table};
pub use gap::gap_table;
pub use grid::grid_table;
pub use numbers::{interval_width, quantity};
pub use show::{ShowRow, ShowView};
pub use table::Table;
pub use tables::{machine_table, show_table};
