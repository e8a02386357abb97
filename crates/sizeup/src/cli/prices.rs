//! `sizeup prices`.

use super::exit::Exit;
use super::output::{Piece, write_all};
use super::{json, say};
use crate::briefing::{Extent, Screen};
use crate::tables::{PricedInstance, price_list_briefing};
use anyhow::{Error, bail};
use catalog::{Price, prices_toml};
use clap::Args;
use import::prices::Filter;
use std::mem;
use std::path::PathBuf;

/// A heading of the help.
const WANTED: &str = "Which prices";

#[derive(Args)]
#[command(
    after_help = "Examples: sizeup prices sc-data-all.db --region us-east-1 --instance m8g -o prices.toml\n          \
                        sizeup prices index.csv spot.json --instance m8g.4xlarge\n          \
                        sizeup cost --instance m8g.4xlarge=a.run.jsonl --instance m7i.4xlarge=b.run.jsonl --prices prices.toml\n\
                        Reads sizeup's price files (TOML, CSV), Spare Cores' database (SQLite), AWS's price list of \
                        AmazonEC2 (CSV or JSON), `aws pricing get-products`, `aws ec2 describe-spot-price-history`, and answers \
                        of Azure's retail prices, also packed by gzip; - is standard input. Fetches nothing. \
                        Takes prices of Linux on shared hardware: the lowest of several zones and ways to pay, with upfront \
                        payments spread over the term."
)]
pub(super) struct PricesArgs {
    /// Price lists
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this region
    ///
    /// Can be given more than once.
    #[arg(long = "region", value_name = "REGION", help_heading = WANTED)]
    regions: Vec<String>,
    /// Only instance types whose name contains this
    ///
    /// Can be given more than once.
    #[arg(long = "instance", value_name = "TEXT", help_heading = WANTED)]
    instances: Vec<String>,
    /// Write the prices as a file for --prices
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    extent: Extent,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

pub(super) fn prices(args: &PricesArgs, screen: &Screen) -> anyhow::Result<Exit> {
    let prices = read(args)?;
    let instances = PricedInstance::of_all(&prices).map_err(Error::msg)?;
    if let Some(path) = &args.output {
        let bytes = prices_toml(&prices)?.into_bytes();
        write_all(&[Piece { path: path.clone(), bytes }], &args.files, args.force)?;
    }
    let mut answer = price_list_briefing(&prices, &instances);
    if let Some(path) = &args.output {
        answer.next(format!(
            "sizeup cost --prices {}",
            super::going_on::quoted(&path.display().to_string())
        ));
    }
    if args.json {
        json::print("prices", None, &answer, &instances, &[])?;
    } else {
        say(&answer, screen, args.extent)?;
    }
    Ok(Exit::Fine)
}

/// The prices that are wanted, at least one; of files that have the same one, that of the last.
fn read(args: &PricesArgs) -> anyhow::Result<Vec<Price>> {
    let filter = Filter::new(&args.regions, &args.instances);
    let mut all = Vec::new();
    for file in &args.files {
        all.append(&mut import::prices::read(file, &|price| filter.lets_pass(price))?);
    }
    if all.is_empty() {
        bail!("{}", filter.why_none(&args.files));
    }
    // Those of one key stay in the order of the files.
    all.sort_by(|one, other| one.key().cmp(&other.key()));
    all.dedup_by(|later, earlier| {
        let is_same = later.key() == earlier.key();
        if is_same {
            mem::swap(later, earlier);
        }
        is_same
    });
    Ok(all)
}
