//! Prices of machines: arguments shared by `cost`, `capacity`, `report` and `site`.

use super::groups::file_name;
use anyhow::{Error, bail};
use catalog::{ON_DEMAND, Price, PriceArg, check_currencies};
use clap::Args;
use import::prices::Filter;
use judge::compare::Group;
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
    /// Commitment, e.g. spot  [default: on demand]
    ///
    /// As the file names it: spot, 'reserved 1 year', 'reserved 3 years'.
    #[arg(long, value_name = "COMMITMENT", requires = "prices")]
    commitment: Option<String>,
    /// Price per hour of a group
    ///
    /// A run can also be named by its file. Overrides the price file. Can be given more than once.
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
    /// Rated watts: those of the command line, or else of the price.
    pub watts: Option<f64>,
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
        let prices = self.price.iter().map(|PriceArg(price)| (&price.label, price));
        let prices = by_group("--price", groups, prices)?;
        let watts = self.watts.iter().map(|(label, watts)| (label, watts));
        let watts = by_group("--watts", groups, watts)?;
        let of_file = match &self.prices {
            Some(path) => self.of_file(path, groups)?,
            None => Vec::new(),
        };
        let found =
            groups.iter().zip(prices).zip(watts).map(|((group, price), watts)| {
                self.of_group(group, &of_file, price, watts.copied())
            });
        let found: Vec<GroupPrices> = found.collect::<anyhow::Result<_>>()?;
        check_currencies(found.iter().flat_map(|prices| &prices.all)).map_err(Error::msg)?;
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
        let found =
            import::prices::read(path, &|price| filter.lets_pass(price) && is_of_one(price))?;
        match groups.first() {
            Some(group) if self.region.is_some() && !filter.has_region() => {
                let why = filter.why_none(slice::from_ref(path));
                bail!("no price for {:?}: {why}", group.label)
            }
            _ => Ok(found),
        }
    }

    /// `price` and `watts` are those of the command line.
    fn of_group(
        &self,
        group: &Group,
        of_file: &[Price],
        price: Option<&Price>,
        watts: Option<f64>,
    ) -> anyhow::Result<GroupPrices> {
        let mut found = self.found(group, of_file)?;
        if let Some(given) = price {
            // A price on the command line is another price, in the file's currency unless it names one; what the machine takes
            // and is stays what it is.
            let known = found.first().cloned().unwrap_or_default();
            let Price { watts, vcpus, cores, memory_gib, currency, .. } = known;
            let (label, currency) = (group.label.clone(), given.currency.clone().or(currency));
            let of_machine =
                Price { label, watts, vcpus, cores, memory_gib, currency, ..given.clone() };
            found.all = vec![of_machine];
            found.instance_type = None;
        }
        found.all.iter_mut().for_each(|price| price.watts = watts.or(price.watts));
        found.watts = watts.or(found.first().and_then(|price| price.watts));
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
        Ok(GroupPrices { all, instance_type, watts: None })
    }

    /// Puts the price of the commitment that is wanted before the others.
    fn put_first(&self, all: &mut [Price], label: &str) -> anyhow::Result<()> {
        let wanted = self.commitment.as_deref().unwrap_or(ON_DEMAND);
        let find = |commitment: Option<&str>| {
            all.iter().position(|price| price.commitment.as_deref() == commitment)
        };
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
}

/// The values of an option by the groups that they name: by label, or by the file of the only run.
fn by_group<'a, T>(
    option: &str,
    groups: &[Group],
    values: impl Iterator<Item = (&'a String, &'a T)>,
) -> anyhow::Result<Vec<Option<&'a T>>> {
    let mut found = vec![None; groups.len()];
    for (name, value) in values {
        let by_label = groups.iter().position(|group| group.label == *name);
        let by_file = || groups.iter().position(|group| has_file(group, name));
        let Some(place) = by_label.or_else(by_file) else {
            let known: Vec<&str> = groups.iter().map(|group| group.label.as_str()).collect();
            bail!(
                "no group is named {name:?}. Groups: {}. --group NAME=FILE names one",
                known.join(", ")
            );
        };
        // Which of two values was meant can't be known.
        if found[place].replace(value).is_some() {
            bail!("{option} gives {:?} two values. Leave one out", groups[place].label);
        }
    }
    Ok(found)
}

fn has_file(group: &Group, name: &str) -> bool {
    matches!(&group.runs[..], [only] if only.path == Path::new(name) || file_name(&only.path) == Some(name))
}
