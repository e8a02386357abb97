//! What machines cost: the arguments that `cost`, `capacity`, `report` and `site` share.

use anyhow::{Error, bail};
use catalog::{ON_DEMAND, Price, PriceArg, check_currencies};
use clap::Args;
use judge::compare::Group;
use prices::Filter;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::slice;

#[derive(Args)]
#[command(next_help_heading = "Prices and watts")]
pub(super) struct PriceArgs {
    /// A file of prices: TOML, CSV, or a list that `sizeup prices` reads
    ///
    /// A price is found by a group's label, or by the instance type that its runs record.
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// The region of the prices, if the file has several
    #[arg(long, value_name = "REGION", requires = "prices")]
    region: Option<String>,
    /// The commitment, e.g. spot or 'reserved 1 year'  [default: on demand]
    #[arg(long, value_name = "COMMITMENT", requires = "prices")]
    commitment: Option<String>,
    /// Price per hour of a group
    ///
    /// Overrides the price file. Can be given more than once.
    #[arg(long = "price", value_name = "LABEL=PRICE")]
    price: Vec<PriceArg>,
    /// Rated watts of a group at full load
    ///
    /// Override the price file. Can be given more than once.
    #[arg(long, value_name = "LABEL=WATTS", value_parser = parse_watts)]
    watts: Vec<(String, f64)>,
}

/// The prices of a group.
#[derive(Default)]
pub(super) struct GroupPrices {
    /// The one that it is judged by first, then those of other commitments; empty if it has none.
    pub all: Vec<Price>,
    /// The instance type by which they were found; `None` where the label did.
    pub instance_type: Option<String>,
}

impl GroupPrices {
    /// The one that the group is judged by.
    pub fn first(&self) -> Option<&Price> {
        self.all.first()
    }
}

fn parse_watts(text: &str) -> Result<(String, f64), String> {
    let parsed = text.rsplit_once('=').and_then(|(label, watts)| {
        let watts: f64 = watts.parse().ok()?;
        (watts.is_normal() && watts > 0.0).then(|| (label.to_owned(), watts))
    });
    parsed.ok_or_else(|| format!("{text:?} is not LABEL=WATTS with watts above zero, e.g. m7g=115"))
}

impl PriceArgs {
    /// The prices of each group under all commitments, in their order: all in one currency.
    pub fn find_all(&self, groups: &[Group]) -> anyhow::Result<Vec<GroupPrices>> {
        check_once("--price", self.price.iter().map(|price| &price.0.label))?;
        check_once("--watts", self.watts.iter().map(|(label, _)| label))?;
        let of_file = match &self.prices {
            Some(path) => self.of_file(path, groups)?,
            None => Vec::new(),
        };
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
        let found = groups.iter().map(|group| self.of_group(group, &of_file));
        let found: Vec<GroupPrices> = found.collect::<anyhow::Result<_>>()?;
        check_currencies(found.iter().flat_map(|of| &of.all)).map_err(Error::msg)?;
        Ok(found)
    }

    /// The prices of a file that groups may have, in the region that was named, if one was.
    fn of_file(&self, path: &PathBuf, groups: &[Group]) -> anyhow::Result<Vec<Price>> {
        let filter = Filter::new(self.region.as_slice(), &[]);
        let is_of_one = |price: &Price| {
            let is_of = |group: &Group| {
                price.label == group.label || group.instance_type() == Some(&price.label)
            };
            groups.iter().any(is_of)
        };
        let found = prices::read(path, &|price| filter.lets_pass(price) && is_of_one(price))?;
        match groups.first() {
            Some(group) if self.region.is_some() && !filter.has_region() => {
                let why = filter.why_none(slice::from_ref(path));
                bail!("no price for {:?}: {why}", group.label)
            }
            _ => Ok(found),
        }
    }

    fn of_group(&self, group: &Group, of_file: &[Price]) -> anyhow::Result<GroupPrices> {
        let mut found = self.found(group, of_file)?;
        let given = self.price.iter().map(|price| &price.0).find(|of| of.label == group.label);
        if let Some(given) = given {
            // A price on the command line is another price, in the file's currency unless it names one; what the machine takes
            // and is stays what it is.
            let known = found.first().cloned().unwrap_or_default();
            let Price { watts, vcpus, cores, memory_gib, currency, .. } = known;
            let currency = given.currency.clone().or(currency);
            found.all = vec![Price { watts, vcpus, cores, memory_gib, currency, ..given.clone() }];
            found.instance_type = None;
        }
        let rated = self.rated(group);
        found.all.iter_mut().for_each(|price| price.watts = rated.or(price.watts));
        Ok(found)
    }

    /// The prices of a file under the group's label, or else under its instance type.
    fn found(&self, group: &Group, of_file: &[Price]) -> anyhow::Result<GroupPrices> {
        let under = |label: &str| -> Vec<Price> {
            let of_label = of_file.iter().filter(|price| price.label == label);
            of_label.map(|price| Price { label: group.label.clone(), ..price.clone() }).collect()
        };
        let (mut all, mut instance_type) = (under(&group.label), None);
        if let Some(found) = group.instance_type().filter(|_| all.is_empty()) {
            all = under(found);
            instance_type = Some(found.to_owned()).filter(|_| !all.is_empty());
        }
        let regions: BTreeSet<&str> =
            all.iter().map(|price| price.region.as_deref().unwrap_or("unknown")).collect();
        if regions.len() > 1 {
            let regions: Vec<&str> = regions.into_iter().collect();
            bail!(
                "{:?} has prices in several regions: {}. Choose one with --region",
                group.label,
                regions.join(", ")
            );
        }
        self.put_first(&mut all, &group.label)?;
        Ok(GroupPrices { all, instance_type })
    }

    /// Puts the price of the commitment that is wanted before the others.
    fn put_first(&self, all: &mut [Price], label: &str) -> anyhow::Result<()> {
        let wanted = self.commitment.as_deref().unwrap_or(ON_DEMAND);
        let find =
            |of: Option<&str>| all.iter().position(|price| price.commitment.as_deref() == of);
        // A price that names no commitment is taken for one on demand.
        let unnamed = || if wanted == ON_DEMAND { find(None) } else { None };
        match find(Some(wanted)).or_else(unnamed) {
            Some(place) => all[..=place].rotate_right(1),
            None if self.commitment.is_some() && !all.is_empty() => {
                let known: Vec<&str> =
                    all.iter().map(|price| price.commitment.as_deref().unwrap_or("none")).collect();
                bail!(
                    "{label:?} has no price with the commitment {wanted:?}. Its commitments: {}",
                    known.join(", ")
                );
            }
            None => {}
        }
        Ok(())
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
