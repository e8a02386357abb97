//! `sizeup explain`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, named};
use super::notes::qualify;
use super::reference;
use crate::briefing::Screen;
use crate::tables::explain_briefing;
use anyhow::bail;
use clap::Args;
use judge::compare::{Group, Pairs};
use judge::explain::{Explanation, explain as explain_pair, standouts};

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup explain runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup explain runs/altra.run.jsonl\n          \
                        sizeup explain --workload brotli runs/altra.run.jsonl\n\
                        One file is explained against the reference run that sizeup ships. Factors multiply to the ratio; \
                        what was not measured is called unexplained."
)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Group or file to compare with  [default: the first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn explain(args: &mut ExplainArgs, screen: &Screen) -> anyhow::Result<Exit> {
    args.groups.read_alone(args.baseline.as_deref())?;
    let has_reference = reference::add_reference(&mut args.groups);
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    let explanation = match &groups[..] {
        [baseline, other] => {
            let pairs = Pairs::of(baseline, other, &args.groups.allow);
            // Slowdowns of the reference itself are of no interest.
            let slowed: &[&Group] = if has_reference { &[other] } else { &[baseline, other] };
            let pair = explain_pair(&pairs);
            let pair = Some(pair).filter(|pair| !(has_reference && pair.lines.is_empty()));
            Explanation { pair, standouts: standouts(slowed) }
        }
        [alone] => Explanation { pair: None, standouts: standouts(&[alone]) },
        _ => bail!("`explain` explains two machines; `compare` ranks more"),
    };
    let mut answer = explain_briefing(&explanation, &groups, args.output.extent);
    let caveats = qualify(&mut answer, &groups);
    if has_reference {
        args.groups.files.remove(0);
    }
    let command = if groups.len() == 2 && !has_reference { "compare" } else { "show --details" };
    answer.next(format!("sizeup {command} {}", named(&args.groups)));
    let exit = caveats.exit(true);
    Document { command: "explain", answer, data: explanation, caveats, exit }
        .print(&args.output, screen)
}
