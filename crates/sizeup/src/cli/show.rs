//! `sizeup show`.

use super::document::{Document, OneOrMore, Output};
use super::exit::Exit;
use super::going_on::quoted;
use super::groups::{ReadRun, Said, asked_for};
use super::names::one_of;
use super::notes::{self, Caveats};
use super::{diagnostic, reference};
use crate::briefing::Screen;
use crate::tables::{ShowView, grid_briefing, run_briefing};
use anyhow::{Context, bail};
use clap::Args;
use estimate::ViewKind;
use record::{Grade, Run};
use std::path::{Path, PathBuf};

/// A heading of the help.
const SHOWN: &str = "What is shown";

#[derive(Args)]
#[command(after_help = "Examples: sizeup show runs/altra.run.jsonl\n          \
                        sizeup show --grid runs/m6i.run.jsonl runs/m6g.run.jsonl\n          \
                        sizeup show runs/altra.run.jsonl --json | jq '.data.rows[].delivered'")]
pub(super) struct ShowArgs {
    /// A run file; with --grid one or more
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print a row per workload, a column per run
    #[arg(long, help_heading = SHOWN)]
    grid: bool,
    /// Samples of a grid: uncontended, delivered or per-ghz
    ///
    /// [default: uncontended, or delivered where most rows on a number of threads lack uncontended figures]. Imported figures have
    /// one view.
    #[arg(long, requires = "grid", value_name = "VIEW", value_parser = one_of(ViewKind::ALL), hide_possible_values = true,
        help_heading = SHOWN)]
    view: Option<ViewKind>,
    /// Only workloads whose name or family contains this
    ///
    /// Or whose category does. Can be given more than once.
    #[arg(long = "workload", value_name = "TEXT", help_heading = SHOWN)]
    workloads: Vec<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn show(args: &ShowArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let (mut views, mut notes, mut unfit) = (Vec::new(), Vec::new(), Vec::new());
    let (mut selections, mut standing) = (Vec::new(), None);
    for file in &args.files {
        let read = ReadRun::of(read(file, args.output.json)?);
        let run = &read.run;
        notes.extend(notes::of_file(file, &run.notes));
        let mut view = ShowView::of_estimate(run, &read.estimate);
        let is_invalid = view.validity.grade == Grade::Invalid;
        unfit.extend(is_invalid.then(|| run.header.label.clone()));
        let (texts, said) = (&args.workloads, Said::of(run));
        if !texts.is_empty() {
            let is_wanted = asked_for(texts, &run.header);
            view.retain(|row| is_wanted(&row.workload) || is_wanted(&row.key.name));
            if view.rows.is_empty() {
                let path = || file.display().to_string();
                return Err(said.nothing_contains(texts)).with_context(path);
            }
        }
        // A grid and some of the rows are asked for to see rows.
        if !args.grid && texts.is_empty() && !is_invalid {
            standing = reference::sentence(&read);
        }
        let selection = said.selection(texts, view.rows.iter().map(|row| &*row.workload));
        selections.extend(selection.map(|selection| format!("{}: {selection}", view.label)));
        views.push(view);
    }
    let file = quoted(&args.files[0].display().to_string());
    let mut answer = match (&views[..], args.grid) {
        (views, true) => grid_briefing(views, args.view, args.output.extent),
        ([view], false) => run_briefing(view, &file, args.output.extent),
        _ => bail!("`show` prints one run; use --grid for several"),
    };
    standing.into_iter().for_each(|text| answer.say(text));
    for selection in selections {
        answer.note_first(selection.as_str());
        notes.push(selection);
    }
    for label in unfit {
        answer.warn(notes::do_not_trust(&label));
    }
    let (view, data) = match args.grid {
        true => (None, OneOrMore::More(views)),
        false => (Some(views[0].judged), OneOrMore::One(views.remove(0))),
    };
    let caveats = Caveats { view, notes, ..Caveats::default() };
    Document { command: "show", answer, data, caveats, exit: Exit::Fine }
        .print(&args.output, screen)
}

/// Reads a run file and, unless an answer will have them, says what must be known about it.
pub(super) fn read(path: &Path, says_notes: bool) -> anyhow::Result<Run> {
    let run = record::read(path)?;
    if says_notes {
        notes::of_file(path, &run.notes).iter().for_each(diagnostic);
    }
    Ok(run)
}
