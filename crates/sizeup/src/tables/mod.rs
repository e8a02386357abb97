//! What people see: view models that `--json` prints as they are, and the tables made of them.

mod capacity;
mod cost;
mod doctor;
mod energy;
mod figures;
mod forecast;
mod grid;
mod implementations;
mod machine;
mod many;
mod pair;
mod plot;
mod row_words;
mod run;
mod scaling;
mod scores;
mod service;
mod show;
mod together;
mod variants;

pub use capacity::capacity_answer;
pub use cost::say_cost;
pub use doctor::{DoctorView, doctor_answer, finding_line};
pub use energy::{alone_answer, say_energy};
pub use forecast::{ForecastView, forecast_answer};
pub use grid::grid_answer;
pub use implementations::implementations_answer;
pub use machine::machine_answer;
pub use many::many_answer;
pub use pair::pair_answer;
pub use run::run_answer;
pub use scaling::scaling_answer;
pub use scores::score_answer;
pub use show::{ShowRow, ShowView};
pub use variants::variant_answer;
