//! What machines cost: the arguments that `cost` and `capacity` share.

use anyhow::bail;
use clap::Args;
use judge::compare::Group;
use judge::cost::{self, Price, PriceArg};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct PriceArgs {
    /// A file of prices, TOML or CSV
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Price per hour of a group; overrides the price file; can be given more than once
    #[arg(long = "price", value_name = "LABEL=PRICE")]
    price: Vec<PriceArg>,
    /// Rated watts of a group at full load; override the price file; can be given more than once
    #[arg(long, value_name = "LABEL=WATTS", value_parser = parse_watts)]
    watts: Vec<(String, f64)>,
}

fn parse_watts(text: &str) -> Result<(String, f64), String> {
    let parsed = text.rsplit_once('=').and_then(|(label, watts)| {
        let watts: f64 = watts.parse().ok()?;
        (watts.is_normal() && watts > 0.0).then(|| (label.to_owned(), watts))
    });
    parsed.ok_or_else(|| format!("{text:?} is not LABEL=WATTS with watts above zero, e.g. m7g=115"))
}

impl PriceArgs {
    /// The price of each group, in their order, where there is one.
    pub fn find(&self, groups: &[Group]) -> anyhow::Result<Vec<Option<Price>>> {
        check_once("--price", self.price.iter().map(|price| &price.0.label))?;
        check_once("--watts", self.watts.iter().map(|(label, _)| label))?;
        let of_file = self.prices.as_deref().map(cost::read).transpose()?.unwrap_or_default();
        let is_known = |label: &str| groups.iter().any(|group| group.label == label);
        let labels = self.price.iter().map(|price| &price.0.label);
        let mut labels = labels.chain(self.watts.iter().map(|(label, _)| label));
        if let Some(label) = labels.find(|label| !is_known(label)) {
            let known: Vec<&str> = groups.iter().map(|group| group.label.as_str()).collect();
            bail!(
                "no group is named {label:?}. Groups: {}. --group NAME=FILE names one",
                known.join(", ")
            );
        }
        let price = |group: &Group| {
            let is_its = |price: &&Price| price.label == group.label;
            let of_file = of_file.iter().find(is_its);
            let given = self.price.iter().map(|price| &price.0).find(is_its);
            // A price on the command line is another price; what the machine takes stays what it is.
            let mut price = given.or(of_file)?.clone();
            price.watts = price.watts.or(of_file.and_then(|price| price.watts));
            price.watts = self.rated(group).or(price.watts);
            Some(price)
        };
        Ok(groups.iter().map(price).collect())
    }

    /// Whether neither prices nor watts were given.
    pub fn is_empty(&self) -> bool {
        self.prices.is_none() && self.price.is_empty() && self.watts.is_empty()
    }

    /// The file of prices.
    pub fn file(&self) -> Option<&Path> {
        self.prices.as_deref()
    }

    /// The watts that a group was rated with on the command line.
    pub fn rated(&self, group: &Group) -> Option<f64> {
        self.watts.iter().find(|(label, _)| *label == group.label).map(|(_, watts)| *watts)
    }
}

/// Which of two values was meant can't be known.
fn check_once<'a>(
    option: &str,
    mut labels: impl Iterator<Item = &'a String>,
) -> anyhow::Result<()> {
    let mut seen = BTreeSet::new();
    match labels.find(|label| !seen.insert(*label)) {
        Some(twice) => bail!("{option} gives {twice:?} two values. Leave one out"),
        None => Ok(()),
    }
}
