//! How steady the machine was during a run.

use super::cores::Cores;
use super::level::{Level, Series, level_by_round, level_with_floor};
use super::look::Look;
use serde::Serialize;
use stats::{States, mean};

/// What the pulses of a run tell about the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Steadiness {
    /// Windows that were looked at.
    pub windows: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Its spread from window to window, around each case's own mean: standard deviation over mean. `None` if no case
    /// has two windows.
    pub clock_spread: Option<f64>,
    /// The two states of the cores' width, if there are two: a core shared with a neighbour, and an own one.
    pub width_states: Option<States>,
    /// Mean width per clock of windows with one thread; `None` without such windows.
    pub width: Option<f64>,
    /// How far what all rows share may be off, as delivered. `None` after a single round, which tells nothing of it.
    pub level: Option<Level>,
    /// Share of windows with any disturbance.
    pub disturbed_share: f64,
}

impl Steadiness {
    /// Of all windows of a run, case by case. `None` if there are none.
    ///
    /// `single` is what is known of the cores in windows of one thread: with a thread on every CPU the
    /// neighbour may be our own.
    pub fn of(looks: &[Vec<Look>], single: Option<&Cores>) -> Option<Self> {
        let all: Vec<&Look> = looks.iter().flatten().collect();
        if all.is_empty() {
            return None;
        }
        let clocks = |looks: &[Look]| looks.iter().map(|look| look.clock_hz).collect::<Vec<_>>();
        // Around each case's own mean: with all cores at work the clock is another than with one.
        let squares: Vec<f64> = looks
            .iter()
            .filter(|looks| looks.len() > 1)
            .flat_map(|looks| {
                let centre = mean(&clocks(looks));
                looks.iter().map(move |look| (look.clock_hz / centre - 1.0).powi(2))
            })
            .collect();
        let widths: Vec<f64> = all
            .iter()
            .filter(|look| look.threads.len() == 1 && look.has_clock())
            .map(|look| look.threads[0].width())
            .collect();
        let disturbed = all.iter().filter(|look| !look.disturbances.is_empty()).count();
        let by_round = level_by_round(&throughputs(looks), mean);
        Some(Self {
            windows: all.len(),
            clock_hz: mean(&all.iter().map(|look| look.clock_hz).collect::<Vec<_>>()),
            clock_spread: (!squares.is_empty()).then(|| mean(&squares).sqrt()),
            width_states: single.and_then(|cores| cores.states),
            width: if widths.is_empty() { None } else { Some(mean(&widths)) },
            level: (by_round.len() > 1).then(|| level_with_floor(&by_round)),
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
        let spread =
            self.clock_spread.map_or_else(String::new, |of| format!(" ± {:.1} %", of * 100.0));
        let level = self.level.map_or_else(
            || "unknown (1 round)".to_owned(),
            |level| format!("±{:.1} %", level.half * 100.0),
        );
        format!(
            "clock {:.2} GHz{spread}, {neighbours}, uncertainty common to all rows: {level}, {:.0} % of samples disturbed",
            self.clock_hz / 1e9,
            self.disturbed_share * 100.0
        )
    }
}

/// Each case's throughput.
fn throughputs(looks: &[Vec<Look>]) -> Vec<Series> {
    let of = |look: &Look| (look.round, look.throughput.ln());
    looks.iter().map(|looks| looks.iter().map(of).collect()).collect()
}
