//! What must be known of runs before anything is believed: on stderr, above a table, in `--json`.

use super::{diagnostic, json};
use judge::compare::{Contention, Group};
use record::Note;
use serde::Serialize;
use std::path::Path;
use terminal::printable;

/// The notes of a run file, under its name.
pub(super) fn of_file(path: &Path, notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| format!("{}: {note}", path.display())).collect()
}

/// Says the notes of the groups' runs.
pub(super) fn tell_notes(groups: &[Group]) {
    of_runs(groups).for_each(diagnostic);
}

fn of_runs(groups: &[Group]) -> impl Iterator<Item = String> {
    let runs = groups.iter().flat_map(|group| &group.runs);
    runs.flat_map(|run| run.notes.iter().map(|note| format!("{}: {note}", run.path.display())))
}

/// Which rows lack uncontended figures, and what is judged for that.
fn contention(groups: &[Group]) -> Option<&Contention> {
    groups.first()?.contention.as_ref()
}

/// Prints that ahead of a table.
pub(super) fn print_contention(groups: &[Group]) -> anyhow::Result<()> {
    let line = |of: &Contention| super::print(&format!("{}\n\n", printable(&of.to_string())));
    contention(groups).map_or(Ok(()), line)
}

/// Prints what a command found out of groups as JSON, in their view and with all that must be known of them.
pub(super) fn print_judged(
    command: &str,
    groups: &[Group],
    data: &(impl Serialize + ?Sized),
) -> anyhow::Result<()> {
    let contention = contention(groups).map(ToString::to_string);
    let notes: Vec<String> = contention.into_iter().chain(of_runs(groups)).collect();
    json::print(command, groups.first().map(|group| group.view), data, &notes)
}
