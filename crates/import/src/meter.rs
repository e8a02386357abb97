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
use std::collections::BTreeMap;
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
    /// Lines that can't be read, and why the first can't.
    pub unread: usize,
    /// See `unread`.
    pub why_unread: Option<String>,
    /// Whether its times have no zone, and are taken for UTC.
    pub is_utc: bool,
    /// Column → what the lines are of.
    names: BTreeMap<String, String>,
}

/// A line of the log.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stamped {
    line: usize,
    unix_ns: i64,
    watts: f64,
}

/// One of so many lines may be unreadable (the last may be torn): more are no accident, and perhaps those
/// with the highest watts.
const LINES_OF_A_LOSS: usize = 100;
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
        let file = match foreign::given::is_stdin(path) {
            true => "stdin".to_owned(),
            false => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        Self::of(&text, file, columns).map_err(wrong)
    }

    fn of(text: &str, file: String, columns: &Columns) -> Result<Self, String> {
        let numbered = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        let mut lines =
            numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
        let (number, first) = *lines.peek().ok_or("is empty")?;
        let layout = Layout::of(first, columns).map_err(|what| format!("line {number}: {what}"))?;
        if layout.has_head {
            lines.next();
        }
        let mut log = Self {
            file,
            readings: Vec::new(),
            missing: 0,
            repeated: 0,
            unread: 0,
            why_unread: None,
            is_utc: layout.is_utc,
            names: BTreeMap::new(),
        };
        for (number, line) in lines {
            if number > MOST_LINES {
                return Err(format!(
                    "has more than {MOST_LINES} lines: keep only those of the run"
                ));
            }
            if let Err(what) = log.add(number, line, &layout) {
                log.unread += 1;
                log.why_unread.get_or_insert(format!("line {number}: {what}"));
            }
            log.check_one(number, line, &layout)?;
        }
        let most = 1 + log.readings.len() / LINES_OF_A_LOSS;
        match &log.why_unread {
            Some(why) if log.unread > most || log.readings.is_empty() => Err(why.clone()),
            _ => log.in_order(),
        }
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

    /// Whether all lines are of one thing, by the columns that name it.
    fn check_one(&mut self, number: usize, line: &str, layout: &Layout) -> Result<(), String> {
        let fields = fields(line, layout.delimiter);
        for (place, column) in &layout.names {
            let Some(name) = fields.get(*place).filter(|_| fields.len() == layout.columns) else {
                continue;
            };
            let known = self.names.entry(column.clone()).or_insert_with(|| (*name).to_owned());
            if known != name {
                return Err(format!(
                    "line {number}: {column} is {name:?} here and {known:?} before: keep the lines of one"
                ));
            }
        }
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
        let is_same = |reading: &Stamped, last: &Stamped| {
            (reading.unix_ns, reading.watts) == (last.unix_ns, last.watts)
        };
        self.readings.dedup_by(|reading, last| is_same(reading, last));
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
