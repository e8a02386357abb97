//! Caveats about runs: among an answer's notes, or on stderr with `--json`.

use super::exit::Exit;
use crate::briefing::Briefing;
use estimate::ViewKind;
use judge::answer::{qualified, qualified_by};
use judge::compare::Group;
use record::{Grade, Run};
use std::fmt::Display;
use std::path::Path;

/// Facts about runs without which no figure of them is to be believed.
#[derive(Default)]
pub(super) struct Caveats {
    /// Which figures are judged, where that is a choice.
    pub view: Option<ViewKind>,
    /// As they stand beside data.
    pub notes: Vec<String>,
    /// As they are said on stderr beside JSON.
    pub diagnostics: Vec<String>,
    /// Whether figures of a run must not be used.
    pub is_unfit: bool,
}

impl Caveats {
    /// How a command ends whose rows all have their answer, or not.
    pub fn exit(&self, is_whole: bool) -> Exit {
        if is_whole && !self.is_unfit { Exit::Fine } else { Exit::CheckFailed }
    }
}

/// The notes of a run file, under its name.
pub(super) fn of_file(path: &Path, notes: &[impl Display]) -> Vec<String> {
    notes.iter().map(|note| format!("{}: {note}", path.display())).collect()
}

/// The notes of the groups' runs, each once: what holds of several, of how many.
pub(super) fn merged(groups: &[Group]) -> Vec<String> {
    let mut by_text: Vec<(String, &Path, usize)> = Vec::new();
    for run in groups.iter().flat_map(|group| &group.runs) {
        for text in run.notes.iter().map(ToString::to_string) {
            match by_text.iter_mut().find(|(known, ..)| *known == text) {
                Some((.., more)) => *more += 1,
                None => by_text.push((text, &run.path, 0)),
            }
        }
    }
    let merged = by_text.into_iter().map(|(text, path, more)| match more {
        0 => format!("{}: {text}", path.display()),
        more => format!("{} and {more} more: {text}", path.display()),
    });
    selection(groups).into_iter().chain(merged).collect()
}

/// Which workloads are judged, where only some were asked for.
fn selection(groups: &[Group]) -> Option<String> {
    groups.first()?.selection.clone()
}

/// Has the answer say what its figures are to be believed: in its first sentence, and ahead of it which runs are left out.
pub(super) fn qualify(answer: &mut Briefing, groups: &[Group]) -> Caveats {
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
    let first = groups.first();
    let contention = first.and_then(|group| group.contention.as_ref()).map(ToString::to_string);
    let runs = groups.iter().flat_map(|group| &group.runs);
    let of_runs = runs.flat_map(|run| of_file(&run.path, &run.notes));
    Caveats {
        view: first.map(|group| group.view),
        notes: contention.into_iter().chain(selection(groups)).chain(of_runs).collect(),
        diagnostics: merged(groups),
        is_unfit: !groups.iter().all(Group::is_fit),
    }
}

/// Qualifies an answer made of pairs of samples of one run: other processes slow both of a pair, so only an unfit machine
/// counts.
pub(super) fn qualify_run(answer: &mut Briefing, run: &Run, selection: Option<String>) -> Caveats {
    let is_unfit = run.is_unfit();
    if is_unfit {
        let graded = [(run.header.label.as_str(), Grade::Invalid)];
        answer.requalify(|sentence| qualified_by(sentence, false, &graded));
        answer.warn(do_not_trust(&run.header.label));
    }
    selection.iter().for_each(|selection| answer.note_first(selection.as_str()));
    let diagnostics = of_file(&run.path, &run.notes);
    let notes = diagnostics.iter().cloned().chain(selection).collect();
    Caveats { view: None, notes, diagnostics, is_unfit }
}

pub(super) fn do_not_trust(label: &str) -> String {
    format!("Don't trust the figures of {label}; the notes say why.")
}
