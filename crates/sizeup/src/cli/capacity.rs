//! `sizeup capacity`.

use super::exit::Exit;
use super::groups::GroupArgs;
use super::notes::{print_contention, print_judged, tell_notes};
use super::prices::PriceArgs;
use crate::tables::fleet_table;
use anyhow::bail;
use catalog::Mix;
use clap::Args;
use judge::capacity::{self, Fleet};
use judge::compare::{Group, Needs, RowKey};
use judge::cost;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Example: sizeup capacity mix.toml xeon.run.jsonl altra.run.jsonl --prices prices.toml\n\
                        The mix has for each kind of work a [[demand]] with workload = \"brotli-5/brotli\" and \
                        rate = \"1.2 GiB/s\" or \"20,000 ops/s\", and may have utilisation = 0.6 (of each machine's \
                        time) and spares = 1. Work is taken to add up, unless a run of a group is one of `sizeup run --mix`, which measures what it takes together."
)]
pub(super) struct CapacityArgs {
    /// The mix of work, TOML
    mix: PathBuf,
    #[command(flatten)]
    groups: GroupArgs,
    #[command(flatten)]
    prices: PriceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn capacity(args: &CapacityArgs) -> anyhow::Result<Exit> {
    let mix = Mix::read(&args.mix)?;
    if !mix.has_rates() {
        bail!("{}: capacity needs rates: give each [[demand]] a rate", args.mix.display());
    }
    let needed: Vec<RowKey> = mix.demands.iter().map(RowKey::of_demand).collect();
    let groups = args.groups.read(Needs::Each(&needed))?;
    tell_notes(&groups);
    capacity::check_same_work(&groups, &mix, &args.groups.allow).map_err(anyhow::Error::msg)?;
    let prices = args.prices.find(&groups)?;
    cost::check_currencies(prices.iter().flatten()).map_err(anyhow::Error::msg)?;
    let mut fleets: Vec<Fleet> = Vec::new();
    for (group, price) in groups.iter().zip(&prices) {
        let per_hour = price.as_ref().map(|price| price.per_hour);
        let of_price = price.as_ref().and_then(|price| price.watts);
        let watts = args.prices.rated(group).or(of_price);
        fleets.push(capacity::fleet(group, &mix, per_hour, watts).map_err(anyhow::Error::msg)?);
    }
    if args.json {
        print_judged("capacity", &groups, &fleets)?;
    } else {
        let unit = prices.iter().flatten().map(|price| price.unit()).next().unwrap_or("$");
        print_contention(&groups)?;
        super::print(&fleet_table(&fleets, &mix, unit, groups[0].view))?;
    }
    let is_fit = !groups.iter().any(Group::is_unfit);
    Ok(if is_fit { Exit::Fine } else { Exit::CheckFailed })
}
