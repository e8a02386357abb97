//! A table by columns.

use terminal::Printable;

/// Some rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// All of the same length.
    pub columns: Vec<Column>,
}

/// A column with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// With its unit, as in `start_ns`.
    pub name: &'static str,
    /// Row by row; `None` where there is nothing.
    pub values: Values,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    Text(Vec<Option<Printable>>),
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
}

impl Batch {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Adds the rows of another batch of the same columns.
    pub fn append(&mut self, other: Self) {
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            match (&mut column.values, more.values) {
                (Values::Text(all), Values::Text(more)) => all.extend(more),
                (Values::Int(all), Values::Int(more)) => all.extend(more),
                (Values::Float(all), Values::Float(more)) => all.extend(more),
                _ => unreachable!("a column keeps its type"),
            }
        }
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Int(values) => values.len(),
            Self::Float(values) => values.len(),
        }
    }
}

/// A column of words.
pub(super) fn text<T>(
    name: &'static str,
    rows: &[T],
    value: impl Fn(&T) -> Option<String>,
) -> Column {
    let value = |row| value(row).map(Printable::from);
    Column { name, values: Values::Text(rows.iter().map(value).collect()) }
}

/// A column of counts; what is beyond 2^63 − 1 is left out.
pub(super) fn int<T>(name: &'static str, rows: &[T], value: impl Fn(&T) -> Option<u64>) -> Column {
    let value = |row| value(row).and_then(|count| i64::try_from(count).ok());
    Column { name, values: Values::Int(rows.iter().map(value).collect()) }
}

/// A column of quantities; what is not finite is left out.
pub(super) fn float<T>(
    name: &'static str,
    rows: &[T],
    value: impl Fn(&T) -> Option<f64>,
) -> Column {
    let value = |row| value(row).filter(|quantity| quantity.is_finite());
    Column { name, values: Values::Float(rows.iter().map(value).collect()) }
}
