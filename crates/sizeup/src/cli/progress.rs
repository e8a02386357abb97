//! How a command goes, on stderr: of a run a bar with the time left on a terminal, a line now and then elsewhere; of what takes seconds,
//! on a terminal only, what it is doing.

use super::diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::execute::{Event, Watch};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Without a terminal, a line comes at most this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Says on a terminal what takes a while, until it is dropped; elsewhere nothing.
pub(super) struct Stage {
    bar: Option<ProgressBar>,
}

impl Stage {
    pub fn of(text: String) -> Self {
        let bar = is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template("{msg} · {elapsed}");
            let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(text);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "asks, and writes nothing")]
fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// Shows the user how the run is going. It draws only on an event, never during a
/// sample.
pub(super) struct ProgressLine {
    bar: Option<ProgressBar>,
    budget: Duration,
    last_line: Option<Instant>,
    state: String,
}

impl ProgressLine {
    pub fn new(budget: Duration) -> Self {
        let bar = is_terminal().then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(Some(budget.as_millis() as u64), target);
            let style = ProgressStyle::with_template("{wide_bar} {prefix} left · {msg}");
            let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.with_prefix(minutes(budget)).with_message("starting")
        });
        Self { bar, budget, last_line: None, state: "starting".to_owned() }
    }

    /// Clears the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Says something that stays.
    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| diagnostic(text)),
            None => diagnostic(text),
        }
    }

    fn show(&mut self, left: Duration, is_worth_a_line: bool) {
        let left_text = minutes(left);
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.budget.saturating_sub(left).as_millis() as u64);
                bar.set_prefix(left_text);
                bar.set_message(self.state.clone());
            }
            None => {
                let is_due = self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY);
                if is_worth_a_line && is_due {
                    self.last_line = Some(Instant::now());
                    diagnostic(format_args!("{}, {left_text} left", self.state));
                }
            }
        }
    }
}

impl Watch for ProgressLine {
    fn see(&mut self, event: &Event, left: Duration) {
        let mut is_worth_a_line = true;
        match event {
            Event::Opening { live, cases } => {
                self.state = format!("starting workers, {live} of {cases}");
            }
            Event::Sample { round, place, count } => {
                let known = self.state.find(" · ").map_or("", |at| &self.state[at..]);
                self.state = format!("round {}, {place}/{count}{known}", round + 1);
                is_worth_a_line = false;
            }
            Event::Round { round, converged, median_margin } => {
                let margin = median_margin.map_or_else(String::new, |margin| {
                    format!(" · median ±{:.1} %, {converged} rows converged", margin * 100.0)
                });
                self.state = format!("round {} done{margin}", round + 1);
            }
            Event::Ended { case, outcome } => {
                let (workload, threads) = (&case.workload, case.thread_spec.in_words());
                self.say(&format!("{workload} on {threads}: {}", outcome.message));
                for line in [&outcome.hint, &outcome.stderr].into_iter().flat_map(|t| t.lines()) {
                    self.say(&format!("    {line}"));
                }
            }
            Event::Closing => "verifying for the last time".clone_into(&mut self.state),
        }
        self.show(left, is_worth_a_line);
    }
}

/// `4:05`.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
