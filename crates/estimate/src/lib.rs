//! From samples to estimates with intervals and warnings.
//!
//! `docs/methodology.md` explains the choices to users.

#![allow(missing_docs)]

mod beside;
mod bound;
mod case;
mod clock;
mod clusters;
mod cores;
mod delivered;
mod disturbed;
mod events;
mod forecast;
mod imported;
mod look;
mod memory;
mod memory_neighbour;
mod others;
mod paired;
mod rolling;
mod run;
mod run_effect;
mod sanity;
mod sensor;
mod service;
mod share;
mod steadiness;
mod sustained;
mod together;
mod top_down;
mod usage;
mod view;
mod waiting;
mod warning;

pub use beside::{BesideEstimate, beside_estimates, left_beside, looks_beside};
pub use bound::Bound;
pub use case::CaseEstimate;
pub use cores::{Cores, LEAST_OWN_SAMPLES, OwnLook, least_own_width};
pub use delivered::delivered;
pub use disturbed::find_clocks_and_disturbances;
pub use events::HardwareEvents;
pub use forecast::{Forecast, RowForecast};
pub use look::{ClockKernel, Disturbance, Look, ThreadLook, mark_frequency_drops};
pub use memory::states_of_memory;
pub use memory_neighbour::MemoryNeighbour;
pub use others::Others;
pub use paired::{paired, paired_delivered};
pub use rolling::{Rolling, RollingPart};
pub use run::{COMMAND_WORKER, RunEstimate};
pub use run_effect::{
    Series, flicker_floor, run_effect_by_round, run_effect_of, run_effect_with_floor,
};
pub use sensor::{
    Sensor, SensorState, SensorValue, meter_state, rates_of_counter, sensor_values, sensors,
};
pub use service::{Latency, PartUse, Service};
pub use steadiness::Steadiness;
pub use sustained::{
    Heat, Sustained, SustainedPoint, is_steady, span_ns, sustained, sustained_cases,
    sustained_points,
};
pub use together::{Together, TogetherPart};
pub use top_down::TopDown;
pub use usage::{TimeShare, Usage};
pub use verdict::{RunEffect, View};
pub use view::{ViewKind, run_effect_of_rows};
pub use warning::Warning;

#[cfg(test)]
mod tests;
