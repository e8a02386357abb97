//! `sizeup score`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, named};
use super::notes::qualify;
use crate::briefing::Screen;
use crate::tables::score_briefing;
use anyhow::bail;
use catalog::NamedMix;
use clap::Args;
use judge::answer::RankedGroups;
use judge::compare::{Group, Score, Weightings};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup score runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup score --group m6i=runs/m6i-*.jsonl --group m7g=runs/m7g-*.jsonl --baseline m6i\n          \
                        sizeup score --group xeon='xeon/*.run.jsonl' --group altra='altra/*.run.jsonl'\n\
                        A score is a geometric mean of the ratios to the baseline: a mean of figures in several units would \
                        mean nothing. Exit status 1 if a row is in no score, or a score has no error bar (95 % CI unknown)."
)]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Group or file to compare with  [default: the first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    /// Also score a mix: a name of `sizeup list mixes`, or a file
    ///
    /// With rates, the score is the time that the baseline needs for the whole mix, divided by the time that the group needs. With
    /// weights, it is the weighted geometric mean of the rows that both have, if these have half of all weights.
    #[arg(long, value_name = "NAME")]
    mix: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn score(args: &ScoreArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let mix = args.mix.as_deref().map(NamedMix::find).transpose()?;
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    let scored = match (&groups[..], &args.baseline) {
        // Against itself it shows how its runs differ.
        ([_], Some(_)) => &groups[..],
        ([_, others @ ..], _) if !others.is_empty() => others,
        _ => bail!(
            "a score is a ratio to a baseline: name a second run file or --group, or --baseline FILE; a run's own \
             figures are in `sizeup show`"
        ),
    };
    let rows = scored.iter().map(|group| group.rows.len()).max().unwrap_or_default();
    let weightings = Weightings::of(rows);
    let all: Vec<&Group> = groups.iter().collect();
    let ranked = RankedGroups::of(&all, &args.groups.allow, &weightings).with_mix(mix.as_ref());
    let scores =
        if scored.len() == groups.len() { vec![ranked.score([0, 0])] } else { ranked.scores() };
    let mut answer = score_briefing(&ranked, &scores, args.output.extent.all);
    let caveats = qualify(&mut answer, &groups);
    answer.next(format!("sizeup compare {}", named(&args.groups)));
    let exit = caveats.exit(scores.iter().all(Score::is_whole));
    Document { command: "score", answer, data: scores, caveats, exit }.print(&args.output, screen)
}
