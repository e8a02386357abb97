//! `sizeup scaling`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::{GroupArgs, RUNS, named};
use super::notes::qualify;
use crate::briefing::Screen;
use crate::tables::scaling_briefing;
use anyhow::bail;
use clap::Args;
use judge::scaling::{self, Scaling};

#[derive(Args)]
#[command(after_help = "Examples: sizeup scaling runs/altra.run.jsonl\n          \
                        sizeup scaling runs/xeon.run.jsonl runs/altra.run.jsonl --workload gzip-6/zlib\n\
                        Measure with `sizeup run --threads sweep` or a list of counts. With several machines, it shows from how \
                        many threads each is ahead. Exit status 1 if that is undetermined, or if figures of a workload are \
                        not comparable.")]
pub(super) struct ScalingArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// Group or file to compare with  [default: the first]
    #[arg(long, value_name = "NAME", help_heading = RUNS)]
    baseline: Option<String>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn scaling(args: &ScalingArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let groups = match &args.baseline {
        Some(name) => args.groups.read_against(Some(name))?,
        None => args.groups.read()?,
    };
    let all = scaling::scaling(&groups, &args.groups.allow);
    if all.is_empty() {
        bail!(
            "no workload was measured at two thread counts; `sizeup run --threads sweep` measures a curve"
        );
    }
    let mut answer = scaling_briefing(&all, screen.width, args.output.extent);
    let caveats = qualify(&mut answer, &groups);
    answer.next(format!("sizeup report {}", named(&args.groups)));
    let exit = caveats.exit(all.iter().all(Scaling::is_decided));
    Document { command: "scaling", answer, data: all, caveats, exit }.print(&args.output, screen)
}
