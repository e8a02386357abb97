//! The two streams that people read. Nothing else in the program writes to them (`crates/clippy.toml`), and what comes
//! here is printable by its type.

#![expect(clippy::disallowed_methods, reason = "the one place that may")]

use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};
use terminal::Printable;
use terminal::table::ScreenLine;

/// Writes an answer to stdout. One who reads no further (`head`, say) has had enough: that is no error.
pub(super) fn print(lines: impl IntoIterator<Item = impl Into<ScreenLine>>) -> anyhow::Result<()> {
    let mut text = String::new();
    for line in lines {
        text.push_str(&line.into());
        text.push('\n');
    }
    #[cfg(test)]
    if super::fuzz_runs::keep(&text) {
        return Ok(());
    }
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(anyhow::anyhow!("stdout can't be written: {e}"))
        }
        _ => Ok(()),
    }
}

/// Says something on stderr. One who has closed it does not want to hear.
pub(super) fn diagnostic(text: impl Display) {
    let line = format!("sizeup: {}\n", Printable::of(text));
    #[cfg(test)]
    if super::fuzz_runs::keep(&line) {
        return;
    }
    let _ = stderr().write_all(line.as_bytes());
}

/// Says what is wrong with the arguments, of which it quotes whatever they hold.
pub(super) fn usage(error: &clap::Error) {
    for line in Printable::lines(&error.render().to_string()) {
        let _ = writeln!(stderr(), "{line}");
    }
}

/// Takes a table for a program: CSV, whose cells are printable by their type, or Parquet, which is not text.
pub(super) fn table_out() -> impl Write + Send {
    stdout()
}
