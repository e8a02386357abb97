//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod capacity;
mod comparisons;
mod cost;
mod doctor;
mod energy;
mod forecast;
mod grid;
mod implementations;
mod imported;
mod machine;
mod row_words;
mod run;
mod scaling;
mod scores;
mod service;
mod show;
mod together;

pub use capacity::fleet_table;
pub use comparisons::{compare_table, comparisons_table, variant_table};
pub use cost::cost_table;
pub use doctor::{DoctorView, doctor_table, finding_line};
pub use energy::{alone_table, energy_table};
pub use forecast::{ForecastView, forecast_table};
pub use grid::grid_table;
pub use implementations::implementations_table;
pub use machine::machine_table;
pub use run::show_table;
pub use scaling::scaling_table;
pub use scores::score_table;
pub use show::{ShowRow, ShowView};
