//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod doctor;
mod forecast;
mod numbers;
mod show;
mod table;
mod tables;

pub use crate::machine::printable;
pub use doctor::{DoctorView, doctor_table, finding_line};
pub use forecast::{ForecastRow, ForecastView, forecast_table};
pub use numbers::{interval_width, quantity};
pub use show::{ShowRow, ShowView};
pub use table::Table;
pub use tables::{compare_table, machine_table, score_table, show_table, variant_table};
