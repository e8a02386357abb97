//! Columns of the registry that the page has, too: their names once, and their values in each figure.

use super::round::Rounded;
use judge::columns::{COLUMNS, Column, Value};
use judge::compare::{Group, RowResult};
use serde::Serialize;

/// A column whose values stand in the cells of figures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Column"))]
pub(super) struct PageColumn {
    /// As CSV has it.
    name: &'static str,
    /// Where people read it; `None` where only CSV has it.
    heading: Option<&'static str>,
    form: Form,
}

/// How the number of a column is written.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Form {
    Count,
    Quantity,
    /// Bytes, in MiB.
    Memory,
    Share,
    /// Hz, in GHz.
    Clock,
}

/// A count keeps all its digits.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(u64),
    Rounded(Rounded),
}

/// The page's columns.
pub(super) fn columns() -> Vec<PageColumn> {
    let shown = |column: &'static Column| PageColumn {
        name: column.name.unwrap_or_default(),
        heading: column.heading,
        form: match column.value {
            Value::Count(_) => Form::Count,
            Value::Memory(_) => Form::Memory,
            Value::Share(_) | Value::TimeShare(_) | Value::Margin(_) => Form::Share,
            Value::Clock(_) => Form::Clock,
            _ => Form::Quantity,
        },
    };
    on_page().map(shown).collect()
}

/// Their values in a row of a group, in the same order; without those at the end that are not known.
pub(super) fn values(group: &Group, row: usize, first: &RowResult) -> Vec<Option<Number>> {
    let known = |column: &Column| match column.value {
        Value::Count(value) => value(first, group.view).map(Number::Whole),
        Value::Clock(value) => {
            let pooled = group.pooled_in(row, |result| value(result, group.view))?;
            Some(Number::Rounded(Rounded(pooled.centre)))
        }
        _ => Some(Number::Rounded(Rounded(column.number(first, group.view)?))),
    };
    let mut values: Vec<Option<Number>> = on_page().map(known).collect();
    values.truncate(values.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
    values
}

fn on_page() -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(|column| column.is_on_page)
}
