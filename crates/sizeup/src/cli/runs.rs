//! `sizeup runs`: what was measured and where it is.

use super::document::{Document, Output};
use super::exit::Exit;
use super::notes::Caveats;
use super::threads;
use crate::briefing::{Briefing, Screen};
use clap::Args;
use estimate::ViewKind;
use jiff::{Timestamp, tz::TimeZone};
use judge::compare::{RowResult, Sheet};
use judge::numbers::{counted, dash, percent};
use rayon::prelude::*;
use record::{Ended, Grade, Run};
use serde::Serialize;
use std::env;
use std::path::{Path, PathBuf};
use terminal::table::{Entry, Heading, Table, Tone};

/// How the names of run files end.
const END: &str = ".run.jsonl";

#[derive(Args)]
#[command(after_help = "Examples: sizeup runs\n          \
                        sizeup runs --json | jq -r '.data[0].file'\n\
                        Searches ./runs and $XDG_DATA_HOME/sizeup, or ~/.local/share/sizeup if that is not set. \
                        `sizeup compare` without files compares the last two.")]
pub(super) struct RunsArgs {
    /// More folders to search
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// A run as it is listed.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ListedRun {
    file: String,
    label: String,
    /// The suite; `None` for imported figures.
    suite: Option<String>,
    /// When it started, in UTC; of imported figures, when they were imported.
    started: String,
    /// How it ended; `None` while it hasn't.
    ended: Option<Ended>,
    /// Rows that were measured.
    rows: usize,
    /// The median margin of their uncontended or imported figures; `None` without error bars.
    median_margin: Option<f64>,
    /// How far its figures are to be believed.
    grade: Grade,
    #[serde(skip)]
    started_unix_ns: u64,
}

/// Run files of folders; a folder that is not there has none.
fn files(folders: &[PathBuf]) -> Vec<PathBuf> {
    let in_folder = |folder: &PathBuf| -> Vec<PathBuf> {
        let entries = folder.read_dir().into_iter().flatten();
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        files.filter(|file| file.to_string_lossy().ends_with(END)).collect()
    };
    folders.iter().flat_map(in_folder).collect()
}

/// Where runs are kept.
fn usual_folders() -> Vec<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".local/share"));
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let kept = data.or_else(home).map(|data| data.join("sizeup"));
    [PathBuf::from("runs")].into_iter().chain(kept).collect()
}

/// The folders as a message names them.
fn names(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(" and ")
}

/// The last two runs that ended, the older first, for a command that was given no files.
///
/// # Errors
/// If there are fewer.
pub(super) fn last_two() -> anyhow::Result<Vec<PathBuf>> {
    let files = files(&usual_folders());
    threads::start();
    let runs: Vec<(u64, PathBuf)> = files
        .into_par_iter()
        .filter_map(|file| {
            let run = record::read(&file).ok()?;
            run.close.as_ref()?;
            Some((run.header.started_unix_ns, file))
        })
        .collect();
    let mut runs = runs;
    runs.sort();
    match &runs[..] {
        [.., (_, older), (_, newer)] => Ok(vec![older.clone(), newer.clone()]),
        _ => anyhow::bail!(
            "name two run files or groups: {} hold only {} that finished",
            names(&usual_folders()),
            counted(runs.len(), "run")
        ),
    }
}

pub(super) fn runs(args: &RunsArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let folders = [usual_folders(), args.folders.clone()].concat();
    let read = |file: PathBuf| match record::read(&file) {
        Ok(run) => Ok(ListedRun::of(&file, &run)),
        Err(error) => Err(error.to_string()),
    };
    threads::start();
    let read: Vec<Result<ListedRun, String>> = files(&folders).into_par_iter().map(read).collect();
    let (mut runs, mut unreadable) = (Vec::new(), Vec::new());
    for result in read {
        match result {
            Ok(run) => runs.push(run),
            Err(error) => unreadable.push(error),
        }
    }
    runs.sort_by(|a, b| (b.started_unix_ns, &b.file).cmp(&(a.started_unix_ns, &a.file)));
    unreadable.sort();
    let answer = runs_briefing(&runs, &unreadable, &folders);
    let exit = if unreadable.is_empty() { Exit::Fine } else { Exit::CheckFailed };
    let caveats = Caveats { notes: unreadable, ..Caveats::default() };
    Document { command: "runs", answer, data: runs, caveats, exit }.print(&args.output, screen)
}

fn runs_briefing(runs: &[ListedRun], unreadable: &[String], folders: &[PathBuf]) -> Briefing {
    let mut answer = Briefing::default();
    match runs.first() {
        Some(last) => answer.say(format!(
            "{}; the last is {} of {} UTC.",
            counted(runs.len(), "run"),
            last.label,
            last.started
        )),
        None => {
            answer.say(format!("No runs in {}.", names(folders)));
            answer.next("sizeup run");
        }
    }
    let mut table = Table::new([
        Heading::left("started (UTC)").rank(2),
        Heading::left("machine").shrinks(),
        Heading::left("suite").rank(1),
        Heading::right("rows"),
        Heading::right("median"),
        Heading::left("state"),
        Heading::left("file").shrinks(),
    ]);
    for run in runs {
        let state: Entry = match run.ended {
            _ if run.grade == Grade::Invalid => Entry::of("invalid", Tone::Bad),
            None => Entry::of("not finished", Tone::Bad),
            Some(Ended::Interrupted) => Entry::of("stopped", Tone::Bad),
            Some(_) if run.suite.is_none() => "imported".into(),
            Some(_) if run.grade == Grade::Suspect => "suspect".into(),
            Some(_) => "complete".into(),
        };
        table.row([
            run.started.as_str().into(),
            run.label.as_str().into(),
            run.suite.as_deref().unwrap_or_default().into(),
            run.rows.to_string().into(),
            run.median_margin.map_or_else(dash, percent).into(),
            state,
            // Drop the common ending: a shortened name would show little else.
            run.file.strip_suffix(END).unwrap_or(&run.file).into(),
        ]);
    }
    answer.table("", table, "runs");
    unreadable.iter().for_each(|error| answer.note(error.as_str()));
    if let [last, _, ..] = runs {
        answer.next("sizeup compare   # the last two");
        answer.next(format!("sizeup show {}", super::going_on::quoted(&last.file)));
    }
    answer
}

impl ListedRun {
    fn of(file: &Path, run: &Run) -> Self {
        let sheet = Sheet::of(run, ViewKind::Uncontended);
        let figures = (0..sheet.rows.len()).filter_map(|row| sheet.figure(row));
        let mut margins: Vec<f64> = figures.map(|figure| figure.interval.margin()).collect();
        let is_measured = |row: &&RowResult| row.estimate.is_some() && row.outcome.is_none();
        let rows = sheet.rows.iter().filter(is_measured).count();
        margins.retain(|margin| margin.is_finite());
        margins.sort_by(f64::total_cmp);
        let started = Timestamp::from_nanosecond(i128::from(run.header.started_unix_ns));
        Self {
            file: file.display().to_string(),
            label: run.header.label.clone(),
            suite: run.header.origin.is_none().then(|| run.header.suite.clone()),
            started: started.map_or_else(
                |_| dash(),
                |at| at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string(),
            ),
            ended: run.close.as_ref().map(|close| close.ended),
            rows,
            median_margin: margins.get(margins.len() / 2).copied(),
            grade: sheet.validity.grade,
            started_unix_ns: run.header.started_unix_ns,
        }
    }
}
