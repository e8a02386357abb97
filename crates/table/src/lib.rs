//! A plain table: one line under the head, numbers aligned to the right.

#![allow(missing_docs)]

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, presets};
use terminal::printable;

/// Spaces after each column.
const PADDING: u16 = 2;
/// Columns of prose: without a terminal, at least, and at most.
const WIDTH: u16 = 80;
const LEAST_WIDTH: u16 = 40;
const MOST_WIDTH: u16 = 100;

/// The most characters of a text in a cell.
const LONGEST_CELL: usize = 300;

/// A table that grows row by row.
pub struct Table(comfy_table::Table);

impl Table {
    /// Columns with names that begin with `>` are aligned to the right.
    pub fn new(columns: &[&str]) -> Self {
        Self::arranged(columns, ContentArrangement::Disabled)
    }

    /// Wraps the last column, for prose: as wide as the terminal, but at most 100 columns, and 80 without a terminal.
    pub fn wrapped(columns: &[&str]) -> Self {
        let mut table = Self::arranged(columns, ContentArrangement::Dynamic);
        let width = table.0.width().unwrap_or(WIDTH).min(MOST_WIDTH);
        // The padding after the last column is trimmed.
        table.0.set_width(width.max(LEAST_WIDTH) + PADDING);
        if let Some(last) = columns.len().checked_sub(1).and_then(|last| table.0.column_mut(last)) {
            last.remove_constraint();
        }
        table
    }

    fn arranged(columns: &[&str], arrangement: ContentArrangement) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(arrangement);
        table.set_header(columns.iter().map(|name| cell(name.trim_start_matches('>'))));
        for (index, name) in columns.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_padding((0, PADDING)).set_constraint(ColumnConstraint::ContentWidth);
                if name.starts_with('>') {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        Self(table)
    }

    /// Adds a row. Removes anything that could harm the terminal.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells.into_iter().map(|text| cell(&text)));
    }
}

/// A text without anything that could harm the terminal, short enough not to widen all rows.
fn cell(text: &str) -> String {
    match text.char_indices().nth(LONGEST_CELL) {
        None => printable(text),
        Some((end, _)) => printable(&text[..end]) + "…",
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        for line in self.0.to_string().lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_trailing_spaces() {
        let mut table = Table::new(&["name", ">n", "note"]);
        table.row(["a".to_owned(), "1".to_owned(), String::new()]);
        table.row(["bcd".to_owned(), "1,000".to_owned(), "x".to_owned()]);
        assert_eq!(table.to_string(), "name      n  note\na         1\nbcd   1,000  x\n");
    }

    #[test]
    fn harmful_characters_are_replaced_in_heads_and_cells() {
        let mut table = Table::new(&["a\u{1b}[2J\n"]);
        table.row(["b\u{202e}\u{9b}\u{200b}\u{61c}é".to_owned()]);
        assert_eq!(table.to_string(), "a\u{fffd}[2J\u{fffd}\nb\u{fffd}\u{fffd}\u{fffd}\u{fffd}é\n");
    }

    #[test]
    fn a_very_long_text_is_truncated() {
        let mut table = Table::new(&["name"]);
        table.row(["é".repeat(10_000)]);
        assert_eq!(table.to_string().lines().nth(1).unwrap().chars().count(), 301);
    }
}
