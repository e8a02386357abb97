//! How steady the machine was during a run.

use super::look::Look;
use crate::stats::{States, mean, two_states};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the pulses of a run tell about the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steadiness {
    /// Windows that were looked at.
    pub windows: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Its spread from window to window: standard deviation over mean.
    pub clock_spread: f64,
    /// The two states of the cores' width, if there are two: a core shared with a neighbour, and an own one.
    pub width_states: Option<States>,
    /// Mean width per clock.
    pub width: f64,
    /// What measuring for longer would not take away, as the half-width of an interval.
    pub flicker_floor: f64,
    /// Share of windows with any disturbance.
    pub disturbed_share: f64,
}

impl Steadiness {
    /// Of all windows of a run. `None` if there are none.
    ///
    /// The states are found from single threads: with a thread on every CPU the neighbour is our own.
    pub fn of(all: &[Look], single: &[Look]) -> Option<Self> {
        if all.is_empty() {
            return None;
        }
        let clocks: Vec<f64> = all.iter().map(|look| look.clock_hz).collect();
        let clock_hz = mean(&clocks);
        let squares: Vec<f64> = clocks.iter().map(|clock| (clock - clock_hz).powi(2)).collect();
        let widths = |looks: &[Look]| looks.iter().map(|look| look.width).collect::<Vec<_>>();
        let disturbed = all.iter().filter(|look| !look.disturbances.is_empty()).count();
        Some(Self {
            windows: all.len(),
            clock_hz,
            clock_spread: mean(&squares).sqrt() / clock_hz,
            width_states: two_states(&widths(single)),
            width: mean(&widths(if single.is_empty() { all } else { single })),
            flicker_floor: super::flicker_floor(&speed_by_round(all)),
            disturbed_share: disturbed as f64 / all.len() as f64,
        })
    }

    /// One sentence for people.
    pub fn sentence(&self) -> String {
        let neighbours = match &self.width_states {
            Some(states) => format!(
                "a neighbour on the core {:.0} % of the time",
                (1.0 - states.high_share) * 100.0
            ),
            None => format!("no neighbour told apart (width {:.1} per clock)", self.width),
        };
        format!(
            "clock {:.2} GHz ± {:.1} %, {neighbours}, flicker floor ±{:.1} %, {:.0} % of windows disturbed",
            self.clock_hz / 1e9,
            self.clock_spread * 100.0,
            self.flicker_floor * 100.0,
            self.disturbed_share * 100.0
        )
    }
}

/// The mean speed of each round, in order.
pub fn speed_by_round<'a>(looks: impl IntoIterator<Item = &'a Look>) -> Vec<f64> {
    let mut rounds: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for look in looks {
        rounds.entry(look.round).or_default().push(look.speed);
    }
    rounds.values().map(|speeds| mean(speeds)).collect()
}
