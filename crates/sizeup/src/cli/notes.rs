//! Caveats about runs: among an answer's notes, or on stderr with `--json`.

use super::{diagnostic, json};
use crate::briefing::Briefing;
use judge::answer::{qualified, qualified_by};
use judge::compare::{Contention, Group};
use record::{Grade, Note, Run};
use serde::Serialize;
use std::path::Path;

/// The notes of a run file, under its name.
pub(super) fn of_file(path: &Path, notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| format!("{}: {note}", path.display())).collect()
}

/// Says the notes of the groups' runs on stderr, each once: what holds of several, of how many.
pub(super) fn tell_notes(groups: &[Group]) {
    let runs = || groups.iter().flat_map(|group| &group.runs);
    let mut by_text: Vec<(String, Vec<String>)> = Vec::new();
    for (run, note) in runs().flat_map(|run| run.notes.iter().map(move |note| (run, note))) {
        let (text, path) = (note.to_string(), run.path.display().to_string());
        match by_text.iter_mut().find(|(known, _)| *known == text) {
            Some((_, paths)) => paths.push(path),
            None => by_text.push((text, vec![path])),
        }
    }
    selection(groups).iter().for_each(diagnostic);
    for (text, paths) in by_text {
        match &paths[..] {
            [path] => diagnostic(format_args!("{path}: {text}")),
            [path, ..] => diagnostic(format_args!("{path} and {} more: {text}", paths.len() - 1)),
            [] => {}
        }
    }
}

fn of_runs(groups: &[Group]) -> impl Iterator<Item = String> {
    let runs = groups.iter().flat_map(|group| &group.runs);
    runs.flat_map(|run| run.notes.iter().map(|note| format!("{}: {note}", run.path.display())))
}

/// Which workloads are judged, where only some were asked for.
fn selection(groups: &[Group]) -> Option<String> {
    groups.first()?.selection.clone()
}

/// Which rows lack uncontended figures, and what is judged for that.
fn contention(groups: &[Group]) -> Option<&Contention> {
    groups.first()?.contention.as_ref()
}

/// Has the answer say what its figures are to be believed: in its first sentence, and ahead of it which runs are left out.
pub(super) fn qualify(answer: &mut Briefing, groups: &[Group]) {
    let all: Vec<&Group> = groups.iter().collect();
    answer.requalify(|sentence| qualified(sentence, &all));
    if let Some(selection) = selection(groups) {
        answer.note_first(selection);
    }
    for left_out in groups.first().iter().flat_map(|group| &group.left_out) {
        answer.warn(format!("Left out: {left_out}."));
    }
    for group in groups.iter().filter(|group| group.grade() == Grade::Invalid) {
        answer.warn(do_not_trust(&group.label));
    }
}

/// Qualifies an answer made of pairs of samples of one run: other processes slow both of a pair, so only an unfit machine
/// counts.
pub(super) fn qualify_run(answer: &mut Briefing, run: &Run) {
    if run.is_unfit() {
        let graded = [(run.header.label.as_str(), Grade::Invalid)];
        answer.requalify(|sentence| qualified_by(sentence, false, &graded));
        answer.warn(do_not_trust(&run.header.label));
    }
}

pub(super) fn do_not_trust(label: &str) -> String {
    format!("Don't trust the figures of {label}; the notes say why.")
}

/// Prints what a command found out of groups as JSON, in their view and with all that must be known of them.
pub(super) fn print_judged(
    command: &str,
    groups: &[Group],
    answer: &Briefing,
    data: &(impl Serialize + ?Sized),
) -> anyhow::Result<()> {
    tell_notes(groups);
    let contention = contention(groups).map(ToString::to_string);
    let notes: Vec<String> =
        contention.into_iter().chain(selection(groups)).chain(of_runs(groups)).collect();
    json::print(command, groups.first().map(|group| group.view), answer, data, &notes)
}
