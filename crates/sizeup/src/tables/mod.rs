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

pub use capacity::capacity_briefing;
pub use cost::say_cost;
pub use doctor::{DoctorView, doctor_briefing, finding_line};
pub use energy::{alone_briefing, say_energy};
pub use forecast::{ForecastView, forecast_briefing};
pub use grid::grid_briefing;
pub use implementations::implementations_briefing;
pub use machine::machine_briefing;
pub use many::many_briefing;
pub use pair::pair_briefing;
pub use run::run_briefing;
pub use scaling::scaling_briefing;
pub use scores::score_briefing;
pub use show::{ShowRow, ShowView};
pub use variants::variant_briefing;
