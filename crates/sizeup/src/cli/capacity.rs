//! `sizeup capacity`.

use super::document::{Document, Output};
use super::exit::Exit;
use super::groups::GroupArgs;
use super::notes::qualify;
use super::price_args::PriceArgs;
use crate::briefing::Screen;
use crate::tables::capacity_briefing;
use anyhow::bail;
use catalog::NamedMix;
use clap::Args;
use judge::capacity::{self, MachinesNeeded};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sizeup capacity mix.toml xeon.run.jsonl altra.run.jsonl --prices prices.toml\n\
                        The mix has one [[demand]] per kind of work, with workload = \"brotli-5/brotli\" and \
                        rate = \"1.2 GiB/s\" or \"20,000 ops/s\", and may have utilisation = 0.6 (of each machine's \
                        time) and spares = 1. Loads are added up, unless a `run --mix` measured them together."
)]
pub(super) struct CapacityArgs {
    /// The mix of work, a TOML file with rates
    mix: PathBuf,
    #[command(flatten)]
    groups: GroupArgs,
    #[command(flatten)]
    prices: PriceArgs,
    #[command(flatten)]
    output: Output,
}

pub(super) fn capacity(args: &CapacityArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let NamedMix { name, mix, .. } = NamedMix::find(&args.mix)?;
    if !mix.has_rates() {
        bail!(
            "{name}: capacity needs rates, for weights don't say how much work there is: give each [[demand]] a rate, in \
             a file of your own"
        );
    }
    let groups = args.groups.read()?;
    capacity::check_same_work(&groups, &mix, &args.groups.allow).map_err(anyhow::Error::msg)?;
    let found = args.prices.find_all(&groups)?;
    let needed = groups.iter().zip(&found).map(|(group, prices)| {
        let per_hour = prices.first().map(|price| price.per_hour);
        capacity::machines_needed(group, &mix, per_hour, prices.watts).map_err(anyhow::Error::msg)
    });
    let needed: Vec<MachinesNeeded> = needed.collect::<anyhow::Result<_>>()?;
    let unit = found.iter().find_map(|prices| Some(prices.first()?.currency_name())).unwrap_or("$");
    let mut answer = capacity_briefing(&needed, &mix, unit, groups[0].view);
    let caveats = qualify(&mut answer, &groups);
    let exit = caveats.exit(true);
    Document { command: "capacity", answer, data: needed, caveats, exit }
        .print(&args.output, screen)
}
