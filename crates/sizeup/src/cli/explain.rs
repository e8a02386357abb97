//! `sizeup explain`.

use super::exit::Exit;
use super::groups::{GroupArgs, ahead_last, baseline_and_others, named};
use super::notes::{print_judged, warn_unfit};
use super::show::read;
use super::{reference, say};
use crate::briefing::{Extent, Screen};
use crate::tables::{explain_alone_briefing, explain_briefing};
use anyhow::bail;
use clap::Args;
use judge::compare::{Group, Needs, compare};
use judge::explain::{explain, standouts};

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup explain runs/xeon.run.jsonl runs/altra.run.jsonl\n          \
                        sizeup explain runs/altra.run.jsonl\n          \
                        sizeup explain --workload brotli runs/altra.run.jsonl\n\
                        One file is explained against the reference run that sizeup ships. Factors multiply to the \
                        ratio; what was not measured is called unexplained."
)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// The group or file that the other is compared to  [default: the one that is behind]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    #[command(flatten)]
    extent: Extent,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn explain_command(args: &mut ExplainArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let reference = reference_for(args)?;
    let is_alone = args.groups.files.len() + args.groups.groups.len() == 1;
    if let Some(file) = reference {
        args.groups.files.insert(0, file);
        args.groups.allow.extend(reference::ALLOWED);
    } else if is_alone {
        return alone(args, screen);
    }
    let mut groups = args.groups.read_against(args.baseline.as_deref())?;
    if args.baseline.is_none() && !is_alone {
        ahead_last(&mut groups, &args.groups.allow);
    }
    let (baseline, others) = baseline_and_others(&groups)?;
    let [other] = others else {
        bail!("`explain` explains two machines; `compare` ranks more");
    };
    let comparison = compare(baseline, other, &args.groups.allow);
    let explanation = explain(&comparison, baseline, other);
    let mut answer = explain_briefing(&explanation, (baseline, other), is_alone, args.extent);
    warn_unfit(&mut answer, &groups);
    let command = if is_alone { "show --details" } else { "compare" };
    answer.next(format!("sizeup {command} {}", given(args, is_alone)));
    match args.json {
        true => print_judged("explain", &groups, &answer, &explanation)?,
        false => say(&answer, screen, args.extent)?,
    }
    Ok(exit_of(&groups))
}

/// The reference run, for a single file that it can be compared with.
fn reference_for(args: &ExplainArgs) -> anyhow::Result<Option<std::path::PathBuf>> {
    let ([file], [], None) = (&args.groups.files[..], &args.groups.groups[..], &args.baseline)
    else {
        return Ok(None);
    };
    let run = read(file, false)?;
    let is_comparable = run.header.origin.is_none() && run.header.variants.is_empty();
    Ok(reference::file().filter(|_| is_comparable).filter(|reference| {
        record::read(reference).is_ok_and(|reference| reference.digest() != run.digest())
    }))
}

/// A group without anything to compare it with.
fn alone(args: &ExplainArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let groups = args.groups.read(Needs::Most)?;
    let [group] = &groups[..] else { bail!("name one run file or group, or two") };
    let found = standouts(group);
    let mut answer = explain_alone_briefing(group, &found, args.extent);
    warn_unfit(&mut answer, &groups);
    answer.next(format!("sizeup show --details {}", named(&args.groups)));
    match args.json {
        true => print_judged("explain", &groups, &answer, &found)?,
        false => say(&answer, screen, args.extent)?,
    }
    Ok(exit_of(&groups))
}

/// What the user named, without the reference.
fn given(args: &ExplainArgs, is_alone: bool) -> String {
    let mut groups = args.groups.clone();
    if is_alone {
        groups.files.remove(0);
    }
    named(&groups)
}

fn exit_of(groups: &[Group]) -> Exit {
    if groups.iter().any(Group::is_unfit) { Exit::CheckFailed } else { Exit::Fine }
}
