//! Price lists: what an hour of each instance type costs, and of its CPUs, cores and memory.

use crate::briefing::Briefing;
use catalog::{ON_DEMAND, Price, SPOT, check_currencies, reserved};
use jiff::civil::Date;
use judge::numbers::{counted, dash, four_digits};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use terminal::table::{Columns, Heading, Table};

/// A longer table is not read, and takes memory. All of one cloud's instance types in one region are a tenth.
const MOST_SHOWN: usize = 20_000;

/// An instance type in a region with its prices an hour.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PricedInstance {
    /// The instance type.
    pub instance: String,
    /// Where.
    pub region: Option<String>,
    /// Virtual CPUs.
    pub vcpus: Option<u32>,
    /// Physical cores, where the source tells them.
    pub cores: Option<u32>,
    /// Memory in GiB.
    pub memory_gib: Option<f64>,
    /// Shared by all prices.
    pub currency: Option<String>,
    /// The price on demand, or the one that names no commitment.
    pub on_demand: Option<f64>,
    /// The spot price.
    pub spot: Option<f64>,
    /// Reserved for a year.
    pub reserved_1_year: Option<f64>,
    /// For three years.
    pub reserved_3_years: Option<f64>,
    /// An hour of one virtual CPU, on demand or else at the lowest price.
    pub per_vcpu: Option<f64>,
    /// An hour of one core, at the same price.
    pub per_core: Option<f64>,
    /// An hour of one GiB of memory, at the same price.
    pub per_gib: Option<f64>,
    /// When the prices were looked up: the oldest.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub date: Option<Date>,
    /// Who published them, and in what.
    pub sources: Vec<String>,
}

impl PricedInstance {
    /// Groups prices by instance type and region, in their order.
    ///
    /// # Errors
    /// If those of an instance type in a region are in different currencies.
    pub fn of_all(prices: &[Price]) -> Result<Vec<Self>, String> {
        let of_each = prices.chunk_by(is_same_place);
        of_each.clone().try_for_each(check_currencies)?;
        Ok(of_each.filter_map(Self::of).collect())
    }

    fn of(prices: &[Price]) -> Option<Self> {
        let first = prices.first()?;
        let find = |commitment: Option<&str>| {
            let is_it = |price: &&Price| price.commitment.as_deref() == commitment;
            prices.iter().find(is_it).map(|price| price.per_hour)
        };
        let under = |commitment: &str| find(Some(commitment));
        let on_demand = if is_unnamed(prices) { find(None) } else { under(ON_DEMAND) };
        let lowest = prices.iter().map(|price| price.per_hour).reduce(f64::min);
        let usual = on_demand.or(lowest)?;
        let vcpus = prices.iter().find_map(|price| price.vcpus);
        let cores = prices.iter().find_map(|price| price.cores);
        let memory_gib = prices.iter().find_map(|price| price.memory_gib);
        let sources: BTreeSet<&String> =
            prices.iter().filter_map(|price| price.source.as_ref()).collect();
        Some(Self {
            instance: first.label.clone(),
            region: first.region.clone(),
            vcpus,
            cores,
            memory_gib,
            currency: first.currency.clone(),
            on_demand,
            spot: under(SPOT),
            reserved_1_year: under(&reserved(1)),
            reserved_3_years: under(&reserved(3)),
            per_vcpu: vcpus.map(|count| usual / f64::from(count)),
            per_core: cores.map(|count| usual / f64::from(count)),
            per_gib: memory_gib.map(|memory| usual / memory),
            date: prices.iter().filter_map(|price| price.date).min(),
            sources: sources.into_iter().cloned().collect(),
        })
    }
}

fn is_same_place(one: &Price, other: &Price) -> bool {
    (&one.label, &one.region) == (&other.label, &other.region)
}

/// Whether the price on demand of an instance type in a region is one that names no commitment.
fn is_unnamed(prices: &[Price]) -> bool {
    let has = |commitment| prices.iter().any(|price| price.commitment.as_deref() == commitment);
    has(None) && !has(Some(ON_DEMAND))
}

/// How many there are and of when, then each.
pub fn price_list_briefing(prices: &[Price], instances: &[PricedInstance]) -> Briefing {
    let mut answer = Briefing::default();
    answer.say(sentence(instances));
    let shown = &instances[..instances.len().min(MOST_SHOWN)];
    answer.table("", table(shown), "instance types");
    if shown.len() < instances.len() {
        let more = counted(instances.len() - shown.len(), "more instance type");
        answer.note(format!(
            "The table has the first {MOST_SHOWN}: see {more} by --region, --instance, --json or -o"
        ));
    }
    let sources: BTreeSet<&String> = instances.iter().flat_map(|priced| &priced.sources).collect();
    sources.into_iter().for_each(|source| answer.note(format!("Source: {source}")));
    let unnamed = prices.chunk_by(is_same_place).filter(|place| is_unnamed(place)).count();
    match unnamed {
        0 => {}
        1 => answer.note("1 price has no commitment: it is shown as on demand"),
        many => {
            answer.note(format!("{many} prices have no commitment: they are shown as on demand"));
        }
    }
    let known = [ON_DEMAND.to_owned(), SPOT.to_owned(), reserved(1), reserved(3)];
    let is_known = |price: &&Price| {
        price.commitment.as_ref().is_some_and(|commitment| known.contains(commitment))
    };
    let others = prices.len() - prices.iter().filter(is_known).count() - unnamed;
    if others > 0 {
        answer.note(format!("{} with other commitments not shown", counted(others, "price")));
    }
    answer
}

/// `12 instance types in 1 region, prices of 2026-11-02. Least per vCPU: m8g.4xlarge, 0.0449 USD/h.`
fn sentence(instances: &[PricedInstance]) -> String {
    let regions: BTreeSet<_> = instances.iter().map(|priced| &priced.region).collect();
    let names: BTreeSet<_> = instances.iter().map(|priced| &priced.instance).collect();
    let dates: BTreeSet<Date> = instances.iter().filter_map(|priced| priced.date).collect();
    let dates = match (dates.first(), dates.last()) {
        (Some(first), Some(last)) if first != last => format!("prices of {first} to {last}"),
        (Some(date), _) => format!("prices of {date}"),
        _ => "prices without a date".to_owned(),
    };
    let (types, regions) =
        (counted(names.len(), "instance type"), counted(regions.len(), "region"));
    let least = match &least_per_vcpu(instances)[..] {
        [] => String::new(),
        least => format!(" Least per vCPU: {}.", least.join("; ")),
    };
    format!("{types} in {regions}, {dates}.{least}")
}

/// `m8g.4xlarge in us-east-1, 0.0449 USD/h`: one for each currency.
fn least_per_vcpu(instances: &[PricedInstance]) -> Vec<String> {
    let mut least: BTreeMap<&str, (f64, &PricedInstance)> = BTreeMap::new();
    for priced in instances {
        let Some(per_vcpu) = priced.per_vcpu else { continue };
        if least.get(unit(priced)).is_none_or(|known| per_vcpu < known.0) {
            least.insert(unit(priced), (per_vcpu, priced));
        }
    }
    let cheapest = least.into_iter().map(|(unit, (per_vcpu, priced))| {
        let place =
            priced.region.as_ref().map(|region| format!(" in {region}")).unwrap_or_default();
        format!("{}{place}, {} {unit}/h", priced.instance, four_digits(per_vcpu))
    });
    cheapest.collect()
}

fn unit(priced: &PricedInstance) -> &str {
    priced.currency.as_deref().unwrap_or("$")
}

fn table(instances: &[PricedInstance]) -> Table {
    let units: BTreeSet<&str> = instances.iter().map(unit).collect();
    // Prices in several are no prices without it.
    let unit_rank = if units.len() > 1 { 0 } else { 4 };
    let some = |value: Option<f64>| value.map_or_else(dash, four_digits);
    let count = |value: Option<u32>| value.map_or_else(dash, |value| value.to_string());
    Columns::<&PricedInstance>::new()
        .with(Heading::left("instance"), |priced| priced.instance.clone())
        .with(Heading::left("region").shrinks().rank(1), |priced| {
            priced.region.clone().unwrap_or_default()
        })
        .with(Heading::right("vCPUs"), |priced| count(priced.vcpus))
        .with(Heading::right("cores").rank(2), |priced| count(priced.cores))
        .with(Heading::right("GiB").rank(2), |priced| some(priced.memory_gib))
        .with(Heading::left("per hour").rank(unit_rank), |priced| unit(priced).to_owned())
        .with(Heading::right("on demand"), |priced| some(priced.on_demand))
        .with(Heading::right("spot"), |priced| some(priced.spot))
        .with(Heading::right("reserved 1 year").rank(1), |priced| some(priced.reserved_1_year))
        .with(Heading::right("reserved 3 years").rank(1), |priced| some(priced.reserved_3_years))
        .with(Heading::right("per vCPU").rank(3), |priced| some(priced.per_vcpu))
        .with(Heading::right("per core").rank(3), |priced| some(priced.per_core))
        .with(Heading::right("per GiB").rank(3), |priced| some(priced.per_gib))
        .with(Heading::right("date").rank(4), |priced| {
            priced.date.map_or_else(dash, |date| date.to_string())
        })
        .table(instances)
}
