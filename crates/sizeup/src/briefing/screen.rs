//! Where answers go: how wide it is, and whether it has colours.

use std::io::IsTerminal;

/// Without a terminal.
const WIDTH: usize = 100;
/// No narrower terminal is served.
const LEAST_WIDTH: usize = 40;

/// When there are colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    Always,
    Never,
}

/// Width, height and colour of the output, and how much of it is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// In characters.
    pub width: usize,
    /// Lines of a terminal; what is longer scrolls away.
    pub rows: Option<usize>,
    pub color: bool,
    /// The answer alone.
    pub quiet: bool,
    /// Caveats in full.
    pub verbose: bool,
}

impl Screen {
    /// No terminal, without colours.
    #[cfg(test)]
    pub const fn of_width(width: usize) -> Self {
        Self { width, rows: None, color: false, quiet: false, verbose: false }
    }

    /// Asks the terminal on stdout for its size. `NO_COLOR` and a dumb terminal switch colours off.
    #[expect(clippy::disallowed_methods, reason = "asks, and writes nothing")]
    pub fn of_stdout(color: ColorWhen, quiet: bool, verbose: bool) -> Self {
        let stdout = std::io::stdout();
        let size = terminal_size::terminal_size_of(&stdout);
        let width = size.map(|(width, _)| usize::from(width.0));
        let rows = size.map(|(_, rows)| usize::from(rows.0)).filter(|rows| *rows > 0);
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let color = match color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => stdout.is_terminal() && !is_set("NO_COLOR") && !is_dumb,
        };
        // A pseudo-terminal that nobody has given a size has none.
        let width = width.filter(|width| *width > 0).unwrap_or(WIDTH).max(LEAST_WIDTH);
        Self { width, rows, color, quiet, verbose }
    }
}
