//! Implementations on the page.

use super::head::RowHead;
use super::round::{Numbers, numbers};
use super::texts::Texts;
use judge::compare::{ImplementationCell, Operation, RowKey};
use serde::Serialize;
use std::collections::BTreeMap;

/// An implementation of an operation that has several, on each machine.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ImplementationRow"))]
pub(super) struct PageImplementation {
    /// The row's place.
    row: usize,
    cells: Vec<PageImplementationCell>,
}

/// Over the fastest implementation on the same machine, where there is a figure; the place of what must be said: why there is
/// none, or why it is not comparable with the first machine's.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ImplementationCell"))]
struct PageImplementationCell(Option<Numbers>, Option<usize>);

/// The rows of operations, in their order.
pub(super) fn implementation_rows(
    operations: &[Operation],
    heads: &[RowHead],
    texts: &mut Texts,
) -> Vec<PageImplementation> {
    let places: BTreeMap<&RowKey, usize> =
        heads.iter().enumerate().map(|(place, head)| (&head.key, place)).collect();
    let mut rows = Vec::new();
    for Operation { operation, threads, rows: implementations } in operations {
        for implementation in implementations {
            let name = format!("{operation}/{}", implementation.implementation);
            let key = RowKey { name, threads: *threads };
            let Some(&row) = places.get(&key) else { continue };
            let mut cell = |cell: &ImplementationCell| {
                let said = cell.reason.as_ref().map(|reason| texts.place(reason.clone()));
                PageImplementationCell(cell.of_fastest.as_ref().map(numbers), said)
            };
            rows.push(PageImplementation {
                row,
                cells: implementation.cells.iter().map(&mut cell).collect(),
            });
        }
    }
    rows
}
