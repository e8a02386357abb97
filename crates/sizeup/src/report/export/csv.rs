//! CSV, as RFC 4180 has it.

use super::{Batch, Sink, Values};
use std::io::{self, Write};

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
            self.writer.write_record(batch.columns.iter().map(|column| column.name))?;
            self.has_head = true;
        }
        for row in 0..batch.rows() {
            let cells = batch.columns.iter().map(|column| cell(&column.values, row));
            self.writer.write_record(cells)?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.writer.flush()
    }
}

/// What a spreadsheet would take for a formula begins with one of these.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

fn cell(values: &Values, row: usize) -> String {
    match values {
        Values::Text(values) => match &values[row] {
            Some(text) if text.starts_with(FORMULA) => format!("'{text}"),
            Some(text) => text.clone(),
            None => String::new(),
        },
        Values::Int(values) => values[row].map_or_else(String::new, |of| of.to_string()),
        Values::Float(values) => values[row].map_or_else(String::new, |of| of.to_string()),
    }
}
