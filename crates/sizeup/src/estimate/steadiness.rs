//! How steady the machine was during a run.

use super::flicker_floor;
use super::look::Look;
use crate::stats::{States, mean, two_states};
use serde::Serialize;

/// What the pulses of a run tell about the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steadiness {
    /// Windows that were looked at.
    pub windows: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Its spread from window to window, around each case's own mean: standard deviation over mean.
    pub clock_spread: f64,
    /// The two states of the cores' width, if there are two: a core shared with a neighbour, and an own one.
    pub width_states: Option<States>,
    /// Mean width per clock of windows with one thread; `None` without such windows.
    pub width: Option<f64>,
    /// What measuring for longer would not take away, as the half-width of an interval.
    pub flicker_floor: f64,
    /// Share of windows with any disturbance.
    pub disturbed_share: f64,
}

impl Steadiness {
    /// Of all windows of a run, case by case. `None` if there are none.
    ///
    /// The states are found from `single` threads: with a thread on every CPU the neighbour is our own.
    pub fn of(looks: &[Vec<Look>], single: impl Fn(usize) -> bool) -> Option<Self> {
        let all: Vec<&Look> = looks.iter().flatten().collect();
        if all.is_empty() {
            return None;
        }
        let clocks = |looks: &[Look]| looks.iter().map(|look| look.clock_hz).collect::<Vec<_>>();
        // Around each case's own mean: with all cores at work the clock is another than with one.
        let squares: Vec<f64> = looks
            .iter()
            .flat_map(|looks| {
                let centre = mean(&clocks(looks));
                looks.iter().map(move |look| (look.clock_hz / centre - 1.0).powi(2))
            })
            .collect();
        let alone = looks.iter().enumerate().filter(|(case, _)| single(*case));
        let widths: Vec<f64> = alone
            .flat_map(|(_, looks)| looks)
            .filter(|look| look.has_clock())
            .map(|look| look.width)
            .collect();
        let disturbed = all.iter().filter(|look| !look.disturbances.is_empty()).count();
        Some(Self {
            windows: all.len(),
            clock_hz: mean(&all.iter().map(|look| look.clock_hz).collect::<Vec<_>>()),
            clock_spread: mean(&squares).sqrt(),
            width_states: two_states(&widths),
            width: if widths.is_empty() { None } else { Some(mean(&widths)) },
            flicker_floor: flicker_floor(&speeds(looks)),
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
            None => {
                let width =
                    self.width.map_or_else(String::new, |w| format!(" (width {w:.1} per clock)"));
                format!("no neighbour told apart{width}")
            }
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

/// Each case's speeds, as [`flicker_floor`] takes them.
fn speeds(looks: &[Vec<Look>]) -> Vec<Vec<(u64, f64)>> {
    let of = |look: &Look| (look.round, look.speed.ln());
    looks.iter().map(|looks| looks.iter().map(of).collect()).collect()
}
