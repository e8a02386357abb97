//! The log of a power meter: a CSV of times and watts, as wall meters, PDUs, BMCs and what collects their values write it.

mod columns;
mod join;
mod layout;
mod moment;
mod watts;

pub use columns::Columns;

use super::ImportError;
use columns::fields;
use layout::Layout;
use std::path::Path;

/// Watts over time.
#[derive(Debug, Clone, PartialEq)]
pub struct MeterLog {
    /// The log's name, without its folder.
    pub file: String,
    /// ns since 1970 by the meter's clock, rising, and watts.
    readings: Vec<Stamped>,
    /// Lines in which the meter has no value.
    pub missing: usize,
    /// Lines that repeat the one before them.
    pub repeated: usize,
}

/// A line of the log.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stamped {
    line: usize,
    unix_ns: i64,
    watts: f64,
}

/// More than any meter writes during a run.
const MOST_LINES: usize = 2_000_000;

impl MeterLog {
    /// Reads a log. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// When it can't be read, or a line has no time or what can't be watts: with the line.
    pub fn read(path: &Path, columns: &Columns) -> Result<Self, ImportError> {
        let wrong = |what: String| ImportError { path: path.to_owned(), what };
        let text = super::text(path).map_err(wrong)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self::of(&text, file, columns).map_err(wrong)
    }

    fn of(text: &str, file: String, columns: &Columns) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let numbered = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        let mut lines =
            numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let (number, first) = *lines.peek().ok_or("is empty")?;
        let layout = Layout::of(first, columns).map_err(|what| format!("line {number}: {what}"))?;
        if layout.has_head {
            lines.next();
        }
        let mut log = Self { file, readings: Vec::new(), missing: 0, repeated: 0 };
        for (number, line) in lines {
            if number > MOST_LINES {
                return Err(format!(
                    "has more than {MOST_LINES} lines: keep only those of the run"
                ));
            }
            log.add(number, line, &layout).map_err(|what| format!("line {number}: {what}"))?;
        }
        log.in_order()
    }

    fn add(&mut self, number: usize, line: &str, layout: &Layout) -> Result<(), String> {
        let fields = fields(line, layout.delimiter);
        if fields.len() != layout.columns {
            let (found, columns) = (fields.len(), layout.columns);
            return Err(format!("{found} fields, but the first line has {columns}"));
        }
        let Some(watts) = watts::parse(fields[layout.power], layout)? else {
            self.missing += 1;
            return Ok(());
        };
        let unix_ns = moment::parse(fields[layout.time], layout)?;
        self.readings.push(Stamped { line: number, unix_ns, watts });
        Ok(())
    }

    /// Itself, if its time always goes on, or (newest first) back.
    fn in_order(mut self) -> Result<Self, String> {
        let (Some(first), Some(last)) = (self.readings.first(), self.readings.last()) else {
            return Err("has no power values".to_owned());
        };
        if first.unix_ns > last.unix_ns {
            self.readings.reverse();
        }
        let before = self.readings.len();
        let is_same =
            |of: &Stamped, last: &Stamped| (of.unix_ns, of.watts) == (last.unix_ns, last.watts);
        self.readings.dedup_by(|of, last| is_same(of, last));
        self.repeated = before - self.readings.len();
        let mut pairs = self.readings.windows(2);
        let Some(pair) = pairs.find(|pair| pair[0].unix_ns >= pair[1].unix_ns) else {
            return Ok(self);
        };
        // As the file has them.
        let (a, b) =
            if pair[0].line < pair[1].line { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        Err(match a.unix_ns == b.unix_ns {
            true => format!(
                "line {}: {} W at the same time as line {} with {} W. If the log covers several meters or outlets, keep the \
                 lines of one",
                b.line, b.watts, a.line, a.watts
            ),
            false => format!(
                "line {}: the time is {} s earlier than in line {}: the meter's clock was set. Keep the lines before or \
                 after it",
                b.line,
                a.unix_ns.abs_diff(b.unix_ns) as f64 / 1e9,
                a.line
            ),
        })
    }
}

#[cfg(test)]
mod tests;
