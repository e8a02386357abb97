//! CSV, as RFC 4180 has it, in which no spreadsheet finds a formula.

use super::{Batch, Sink, Values};
use std::io::{self, Write};
use terminal::Printable;

/// A CSV table that is being written.
pub struct CsvSink<W: Write> {
    writer: csv::Writer<W>,
    has_head: bool,
}

impl<W: Write> CsvSink<W> {
    /// Over something that takes bytes.
    pub fn new(to: W) -> Self {
        Self { writer: csv::Writer::from_writer(to), has_head: false }
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn add(&mut self, batch: Batch) -> io::Result<()> {
        if !self.has_head {
            let heads = batch.columns.iter().map(|column| column.name);
            self.writer.write_record(heads).map_err(of_system)?;
            self.has_head = true;
        }
        for row in 0..batch.rows() {
            let cells = batch.columns.iter().map(|column| cell(&column.values, row));
            self.writer.write_record(cells).map_err(of_system)?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The operating system's error if there is one, because callers check its kind.
fn of_system(error: csv::Error) -> io::Error {
    let message = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(message),
    }
}

fn cell(values: &Values, row: usize) -> String {
    match values {
        Values::Text(values) => values[row].as_ref().map_or_else(String::new, without_formula),
        Values::Int(values) => values[row].map_or_else(String::new, |value| value.to_string()),
        Values::Float(values) => values[row].map_or_else(String::new, |value| value.to_string()),
    }
}

/// First characters that make a cell a formula in spreadsheets, in East Asia also of full width:
/// <https://owasp.org/www-community/attacks/CSV_Injection>.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Cell separators of spreadsheets that do not expect commas: there, quotes around a text do not protect them.
const ENDS: [char; 2] = [';', '|'];

/// A text with a mark before what would be a formula, at its beginning and wherever a cell may begin.
fn without_formula(text: &Printable) -> String {
    let part = |part: &str| {
        let mark = if part.trim_start().starts_with(FORMULA) { "'" } else { "" };
        format!("{mark}{part}")
    };
    text.split_inclusive(ENDS).map(part).collect()
}
