//! What is said of a run that something else measured: it has figures and no samples, and nothing is known of its cores.

use super::ShowView;
use estimate::ViewKind;
use record::Origin;

/// What measured it and what it lacks.
pub(super) fn imported_note(view: &ShowView, origin: &Origin) -> String {
    let intervals = view.rows.iter().filter_map(|row| Some(row.view(ViewKind::Imported)?.interval));
    let known = intervals.filter(stats::Interval::is_known).count();
    let (tool, rows) = (&origin.tool, view.rows.len());
    let lacks = origin.lacks.join(", ");
    format!("Imported from {tool}: {known} of {rows} rows have error bars. Unknown: {lacks}")
}
