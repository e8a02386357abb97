//! Runs as the page of a report ([`page`]), as tidy tables in CSV and Parquet, and in benchmark formats that tools of Go and of
//! Google Benchmark read.

#![allow(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read what they wrote"))]

mod bencher;
mod benchmark;
mod columns;
mod csv;
mod go;
mod google;
pub mod page;
mod parquet;
mod tidy;

pub use bencher::BencherMetrics;
pub use columns::{Batch, Column, Values};
pub use csv::CsvSink;
pub use go::go_bench;
pub use google::GoogleBenchmark;
pub use parquet::ParquetSink;
pub use tidy::{estimates, samples};

use std::io;

/// Receives a table, batch by batch; all batches have the same columns.
pub trait Sink {
    /// Adds a batch.
    ///
    /// # Errors
    /// When it can't be written.
    fn add(&mut self, batch: Batch) -> io::Result<()>;

    /// Ends the table.
    ///
    /// # Errors
    /// When it can't be written.
    fn end(self: Box<Self>) -> io::Result<()>;
}

#[cfg(test)]
mod tests;
