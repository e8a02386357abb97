//! `sizeup score`.

use super::exit::Exit;
use super::show::read;
use crate::compare::{self, Allow, Score};
use crate::estimate::ViewKind;
use crate::record::Run;
use crate::report::score_table;
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sizeup score --baseline runs/xeon.run.jsonl runs/altra.run.jsonl\n\
                        With a baseline: geometric means of the ratios to it. Without: of ops/s. \
                        Exit status 1 if a row is in no score."
)]
pub(super) struct ScoreArgs {
    /// Run files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The run file that ratios are to
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// What may differ: definition, input, library, compiler, output, worker, threads, emulation
    #[arg(long, value_delimiter = ',', value_name = "KINDS")]
    allow: Vec<Allow>,
    /// What is scored: own-core, delivered (all windows) or per-clock
    #[arg(long, default_value = "own-core", value_name = "VIEW")]
    view: ViewKind,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn score(args: &ScoreArgs) -> anyhow::Result<Exit> {
    if !args.allow.is_empty() && args.baseline.is_none() {
        bail!("--allow says what may differ from a baseline: name one by --baseline");
    }
    let baseline = args.baseline.as_deref().map(read).transpose()?;
    let runs: Vec<Run> = args.files.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let scores: Vec<Score> = runs
        .iter()
        .map(|run| compare::score(run, baseline.as_ref(), &args.allow, args.view))
        .collect();
    if args.json {
        super::print_json(&scores)?;
    } else {
        super::print(&score_table(&scores))?;
    }
    let is_fit = !runs.iter().chain(&baseline).any(Run::is_unfit);
    let is_whole = is_fit && scores.iter().all(|score| score.missing.is_empty());
    Ok(if is_whole { Exit::Fine } else { Exit::CheckFailed })
}
