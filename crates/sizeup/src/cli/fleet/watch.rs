//! Shows hosts on stderr: a line each on a terminal, elsewhere a line when something happens.

use super::super::diagnostic;
use super::board::{Board, HostLine, HostStanding};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use terminal::Printable;

/// Without a terminal, a host that says the same stage says how far it is at most this often.
const LINE_EVERY: Duration = Duration::from_secs(60);

pub(super) struct BoardWatch {
    bars: Option<MultiProgress>,
    lines: HashMap<String, ProgressBar>,
    /// Each host's last printed line, and when it was printed.
    said: HashMap<String, (HostLine, Instant)>,
}

impl BoardWatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "asks whether it is a terminal, and writes nothing"
    )]
    pub fn new() -> Self {
        let bars = std::io::stderr()
            .is_terminal()
            .then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(5)));
        Self { bars, lines: HashMap::new(), said: HashMap::new() }
    }

    /// Shows what changed.
    pub fn show(&mut self, board: &Board) {
        for host in board.hosts() {
            match &self.bars {
                Some(bars) => {
                    let bar = self.lines.entry(host.name.clone()).or_insert_with(|| {
                        let style = ProgressStyle::with_template("{prefix:16!} {wide_msg}");
                        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
                        let bar = bars.add(ProgressBar::new_spinner().with_style(style));
                        bar.set_prefix(Printable::of(&host.name).to_string());
                        bar
                    });
                    bar.set_message(Printable::of(in_words(host)).to_string());
                }
                None => self.say(host),
            }
        }
    }

    /// Prints a host's line if it is worth it.
    fn say(&mut self, host: &HostLine) {
        let is_due = match self.said.get(&host.name) {
            _ if host.standing == HostStanding::Waiting => false,
            None => true,
            Some((last, _)) if last == host => false,
            Some((last, at)) => last.is_elsewhere(host) || at.elapsed() >= LINE_EVERY,
        };
        if is_due {
            diagnostic(format_args!("{}: {}", host.name, in_words(host)));
            self.said.insert(host.name.clone(), (host.clone(), Instant::now()));
        }
    }

    /// Clears the lines.
    pub fn end(&self) {
        // One that is not finished is drawn again when it is dropped.
        self.lines.values().for_each(ProgressBar::finish_and_clear);
    }
}

fn in_words(host: &HostLine) -> String {
    match host.standing {
        HostStanding::Waiting => "waiting".to_owned(),
        HostStanding::Working | HostStanding::Done => host.text.clone(),
        HostStanding::Failed => format!("failed: {}", host.text),
    }
}
