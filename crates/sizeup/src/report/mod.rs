//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod forecast;
mod numbers;
mod show;
mod table;
mod tables;

pub use forecast::{ForecastRow, ForecastView, forecast_table};
pub use numbers::{interval_width, quantity};
pub use show::{ShowRow, ShowView};
pub use table::{Table, printable};
pub use tables::{compare_table, machine_table, score_table, show_table, variant_table};
