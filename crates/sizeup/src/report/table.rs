//! A plain table: no lines but one under the head, numbers to the right.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, presets};

/// A table that grows row by row.
pub struct Table(comfy_table::Table);

impl Table {
    /// A table with these columns; names that begin with `>` are aligned to the right.
    pub fn new(columns: &[&str]) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(columns.iter().map(|name| name.trim_start_matches('>')));
        for (index, name) in columns.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_padding((0, 2)).set_constraint(ColumnConstraint::ContentWidth);
                if name.starts_with('>') {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        Self(table)
    }

    /// Adds a row. What came from a file is made harmless for the terminal.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells.into_iter().map(|cell| printable(&cell)));
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

/// Control characters and marks that turn the direction of text, replaced.
pub fn printable(text: &str) -> String {
    let harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if harmful(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_tail() {
        let mut table = Table::new(&["name", ">n", "note"]);
        table.row(["a".to_owned(), "1".to_owned(), String::new()]);
        table.row(["bcd".to_owned(), "1,000".to_owned(), "x".to_owned()]);
        assert_eq!(table.to_string(), "name      n  note\na         1\nbcd   1,000  x\n");
    }

    #[test]
    fn what_could_harm_a_terminal_is_replaced() {
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}c\n"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}");
    }
}
