//! The table of a run that something else measured: it has figures and no samples, and nothing is known of its cores.

use super::ShowView;
use super::row_words::{note, threads};
use estimate::ViewKind;
use judge::numbers::{dash, interval_width, quantity};
use judge::units::{in_unit, unit_in_words};
use record::Origin;
use table::Table;
use terminal::printable;

/// A row a case, then what measured it and what it lacks.
pub(super) fn imported_table(view: &ShowView, origin: &Origin) -> String {
    let mut table = Table::new(&[
        "workload", ">threads", ">figure", "unit", ">95 %", ">MiB/s", ">figures", "note",
    ]);
    for row in &view.rows {
        let figure = row.view(ViewKind::Imported);
        table.row([
            row.workload.clone(),
            threads(row.thread_spec, row.threads),
            figure.map_or_else(dash, |figure| in_unit(&row.unit, figure.interval.centre)),
            unit_in_words(&row.unit, ViewKind::Imported),
            figure.map_or_else(dash, |figure| interval_width(&figure.interval)),
            row.mib_per_s.map_or_else(String::new, quantity),
            figure.map_or_else(dash, |figure| figure.samples.to_string()),
            note(row),
        ]);
    }
    let is_known = |interval: &stats::Interval| interval.margin().is_finite();
    let intervals = view.rows.iter().filter_map(|row| Some(row.view(ViewKind::Imported)?.interval));
    let known = intervals.filter(is_known).count();
    let (label, tool, rows) = (&view.label, &origin.tool, view.rows.len());
    let lacks = origin.lacks.join(", ");
    let line = format!(
        "{label}: imported from {tool}; {known} of {rows} rows have an interval. Not known: {lacks}."
    );
    format!("{table}\n{}\n", printable(&line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::show_table;
    use catalog::Unit;
    use record::ThreadSpec;
    use record::fixture::imported;

    #[test]
    fn figures_stand_in_their_unit_and_mib_per_s_beside_them_where_bytes_make_sense() {
        let line = |unit: &Unit, bytes_per_op: Option<u64>| {
            let rows: &[_] = &[("a/x", ThreadSpec::All, 8, &[2_097_152.0][..])];
            let mut run = imported("m", unit, rows);
            run.imported[0].bytes_per_op = bytes_per_op;
            let table = show_table(&ShowView::of(&run));
            assert!(
                table.contains("imported from a test; 0 of 1 rows have an interval."),
                "{table}"
            );
            let cells = table.lines().nth(1).unwrap().split("  ").map(str::trim);
            let cells: Vec<String> =
                cells.filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
            cells[1..6].join(" ")
        };
        assert_eq!(line(&Unit::Bytes, None), "all 8 2.000 MiB/s unknown 2.000");
        assert_eq!(line(&Unit::Ops, Some(1 << 20)), "all 8 2,097,152 ops/s unknown 2,097,152");
        assert_eq!(line(&Unit::Ops, None), "all 8 2,097,152 ops/s unknown 1");
        let requests = Unit::Named("requests/s".to_owned());
        assert_eq!(line(&requests, None), "all 8 2,097,152 requests/s unknown 1");
    }
}
