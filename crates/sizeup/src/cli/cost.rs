//! `sizeup cost`.

use super::exit::Exit;
use super::groups::{GroupArgs, baseline_and_others, tell_notes};
use super::prices::PriceArgs;
use super::talk;
use crate::compare::{self, Comparison, Group, Weightings};
use crate::cost::{self, Cost, EnergyRow, Price};
use crate::report::cost_table;
use anyhow::Context;
use clap::Args;
use serde::Serialize;

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup cost xeon.run.jsonl altra.run.jsonl --price xeon=3.06 --price altra=2.464\n          \
                        sizeup cost --group m6i=m6i-*.jsonl --group m7g=m7g-*.jsonl --prices prices.toml\n\
                        A price file has label and per_hour of each group, and may have currency, region, date \
                        (YYYY-MM-DD), commitment and watts (rated, for all threads): as [[price]] in TOML, or in CSV \
                        with a head. Exit status 1 if a row has no ratio."
)]
pub(super) struct CostArgs {
    #[command(flatten)]
    groups: GroupArgs,
    /// The group or file that the others are compared to  [default: the first]
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    #[command(flatten)]
    prices: PriceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A group beside the baseline, at prices and watts.
#[derive(Serialize)]
struct CostView {
    comparison: Comparison,
    cost: Cost,
    energy: Vec<EnergyRow>,
}

pub(super) fn cost(args: &CostArgs) -> anyhow::Result<Exit> {
    let groups = args.groups.read_against(args.baseline.as_deref())?;
    tell_notes(&groups);
    let (baseline, others) = baseline_and_others(&groups)?;
    let prices = args.prices.find(&groups)?;
    let priced = groups.iter().zip(prices).map(|(group, price)| {
        let label = &group.label;
        price.with_context(|| {
            format!("no price for {label:?}: give --price '{label}=PRICE' or a file by --prices")
        })
    });
    let prices: Vec<Price> = priced.collect::<anyhow::Result<_>>()?;
    let rows = groups.iter().map(|group| group.rows.len()).max().unwrap_or_default();
    let weightings = Weightings::of(rows);
    let today = jiff::Zoned::now().date();
    let mut views = Vec::new();
    for (other, price) in others.iter().zip(&prices[1..]) {
        let allow = &args.groups.allow;
        let comparison = compare::compare(baseline, other, allow);
        let score = compare::score(other, Some(baseline), allow, None, &weightings);
        let prices = (&prices[0], price);
        let cost = cost::cost((baseline, other), &comparison, &score, prices, today)
            .map_err(|what| anyhow::anyhow!("{what}"))?;
        let watts = (prices.0.watts, price.watts);
        let energy = cost::energy((baseline, other), &comparison, watts);
        views.push(CostView { comparison, cost, energy });
    }
    if args.json {
        super::print_json(&views)?;
    } else {
        for view in &views {
            super::print(&cost_table(&view.cost, &view.energy, baseline.view))?;
        }
    }
    let is_whole = views.iter().all(|view| view.comparison.is_whole());
    if !is_whole {
        talk("some rows have no ratio; `sizeup compare` says why");
    }
    let is_fit = !groups.iter().any(Group::is_unfit);
    Ok(if is_fit && is_whole { Exit::Fine } else { Exit::CheckFailed })
}
