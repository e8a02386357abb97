//! Commands that are executed a few times by this program itself: too long for samples, or with something to do between executions.

use super::commands::{in_shell, names_of};
use super::tried::{Executing, few};
use super::{BenchArgs, Exit};
use crate::briefing::{Extent, Screen};
use crate::cli::diagnostic;
use crate::cli::document::{Document, Output};
use crate::cli::going_on::quoted;
use crate::cli::notes::{Caveats, of_file};
use crate::tables::{ShowView, few_briefing};
use anyhow::bail;
use estimate::RunEstimate;
use import::{Figures, ImportedRun};
use machine::Machine;
use measure::session::{default_label, free_path};
use record::ThreadSpec;
use std::path::Path;
use std::time::Duration;

const TOOL: &str = "sizeup bench, by a few timed executions";
const LACKS: [&str; 3] = ["samples", "pinned threads", "checked answers"];

/// Executes them, prints their times and writes them as a run of figures.
pub(super) fn bench(
    args: &BenchArgs,
    commands: &[Vec<String>],
    first: &[Duration],
    executing: &Executing,
    screen: &Screen,
) -> anyhow::Result<Exit> {
    if args.fail_if.is_asked() {
        bail!(
            "--fail-if needs samples, and a few executions give none: raise --budget, and leave out --runs, --prepare and \
             --ignore-failure"
        );
    }
    if args.threads != ThreadSpec::Count(1) {
        bail!(
            "--threads needs samples, and a few executions give none: leave it out, or raise --budget"
        );
    }
    let started_ns = record::wall_clock_ns()?;
    let asked = args.runs.map(|runs| runs as usize);
    let times = few(commands, first, (asked, args.budget), executing)?;
    let machine = Machine::read(Path::new("/"));
    let label = args.label.clone().unwrap_or_else(|| default_label(&machine, &[]));
    let path =
        args.output.clone().unwrap_or_else(|| free_path(&label, "bench", started_ns, "run.jsonl"));
    let figures = names_of(commands).into_iter().zip(&times).map(|(name, times)| Figures {
        workload: format!("{name}/command"),
        seconds: times.clone(),
    });
    let figures: Vec<Figures> = figures.collect();
    ImportedRun::of_executions((&label, TOOL), &LACKS, machine, figures)
        .map_err(anyhow::Error::msg)?
        .write(&path, started_ns)?;
    diagnostic(format_args!("the run is in {}", path.display()));
    let run = record::read(&path)?;
    let texts: Vec<String> = commands.iter().map(|words| in_shell(words)).collect();
    let mut answer = few_briefing(&texts, &times);
    answer.next(format!("sizeup show {}", quoted(&path.display().to_string())));
    let data = ShowView::of_estimate(&run, &RunEstimate::of(&run));
    let caveats = Caveats { notes: of_file(&run.path, &run.notes), ..Caveats::default() };
    Document { command: "bench", answer, data, caveats, exit: Exit::Fine }
        .print(&Output { extent: Extent::default(), json: args.json }, screen)
}
