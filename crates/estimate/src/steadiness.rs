//! How steady the machine was during a run.

use super::cores::Cores;
use super::look::Look;
use super::run_effect::{Series, run_effect_by_round, run_effect_with_floor};
use serde::Serialize;
use stats::{States, mean};
use verdict::RunEffect;

/// Summary of the pulses of a run.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Steadiness {
    /// Evaluated samples.
    pub samples: usize,
    /// Mean clock in Hz.
    pub clock_hz: f64,
    /// Spread of the clock between samples around each case's own mean: standard deviation over mean. `None` if no
    /// case has two samples.
    pub clock_spread: Option<f64>,
    /// The two states of the cores' width, contended and uncontended; `null` if there are not two.
    pub width_states: Option<States>,
    /// The two states of the memory's bandwidth in GB/s, with and without a neighbour; `null` if there are not two.
    pub memory_states: Option<States>,
    /// Mean width of single-thread samples in instructions per cycle; `None` without such samples.
    pub width: Option<f64>,
    /// Uncertainty common to all rows, in the delivered view. `None` after a single round: unknown.
    pub run_effect: Option<RunEffect>,
    /// Share of samples with any disturbance.
    pub disturbed_share: f64,
}

impl Steadiness {
    /// `None` without samples.
    ///
    /// `single` describes the cores in single-thread samples: with a thread on every CPU, the neighbour may be
    /// a thread of the run.
    pub fn of(looks: &[Vec<Look>], single: Option<&Cores>) -> Option<Self> {
        let all: Vec<&Look> = looks.iter().flatten().collect();
        if all.is_empty() {
            return None;
        }
        let clocks = |looks: &[Look]| looks.iter().map(|look| look.clock_hz).collect::<Vec<_>>();
        // Around each case's own mean: the clock differs between one and all busy cores.
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
        let by_round = run_effect_by_round(&throughputs(looks), mean);
        Some(Self {
            samples: all.len(),
            clock_hz: mean(&all.iter().map(|look| look.clock_hz).collect::<Vec<_>>()),
            clock_spread: (!squares.is_empty()).then(|| mean(&squares).sqrt()),
            width_states: single.and_then(|cores| cores.states),
            memory_states: single.and_then(|cores| cores.memory),
            width: if widths.is_empty() { None } else { Some(mean(&widths)) },
            run_effect: (by_round.len() > 1).then(|| run_effect_with_floor(&by_round)),
            disturbed_share: disturbed as f64 / all.len() as f64,
        })
    }

    pub fn sentence(&self) -> String {
        let neighbours = match &self.width_states {
            Some(states) => format!(
                "a neighbour on the core {:.0} % of the time",
                (1.0 - states.high_share) * 100.0
            ),
            None => {
                let width = self
                    .width
                    .map_or_else(String::new, |w| format!(" ({w:.1} instructions/cycle)"));
                format!("no neighbour detected{width}")
            }
        };
        let memory = self.memory_states.map_or_else(String::new, |states| {
            format!(
                ", a neighbour on the memory {:.0} % of the time",
                (1.0 - states.high_share) * 100.0
            )
        });
        let spread = self
            .clock_spread
            .map_or_else(String::new, |spread| format!(" ± {:.1} %", spread * 100.0));
        let run_effect = self.run_effect.map_or_else(
            || "unknown (1 round)".to_owned(),
            |run_effect| format!("±{:.1} %", run_effect.margin * 100.0),
        );
        format!(
            "clock {:.2} GHz{spread}, {neighbours}{memory}, uncertainty common to all rows: {run_effect}, {:.0} % of samples \
             disturbed",
            self.clock_hz / 1e9,
            self.disturbed_share * 100.0
        )
    }
}

fn throughputs(looks: &[Vec<Look>]) -> Vec<Series> {
    let point = |look: &Look| (look.round, look.throughput.ln());
    looks.iter().map(|looks| looks.iter().map(point).collect()).collect()
}
