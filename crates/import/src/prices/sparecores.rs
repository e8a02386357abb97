//! Spare Cores' database: servers and their prices, of several clouds. The tables are those of its crawler's definition
//! (SpareCores/sc-crawler, `src/sc_crawler/table_bases.py`): names and columns are kept in SQLite as there, enumerations by
//! the names of their members.

use crate::prices::database::{self, MOST_TIME, check_table, each_row, field, text};
use crate::prices::list_file::ListFile;
use crate::prices::price_list::PriceList;
use crate::prices::{HOURS_PER_MONTH, HOURS_PER_YEAR};
use catalog::{ON_DEMAND, Price, RESERVED, SPOT};
use rusqlite::{Connection, Row};
use std::collections::HashMap;
use std::path::Path;

const TABLES: [&str; 3] = ["server", "server_price", "region"];
/// The database has one to two million prices.
const MOST_PRICES: usize = 5_000_000;
/// It has some thousand servers and some hundred regions, which are kept in memory.
const MOST_OTHERS: usize = 500_000;

const OF_REGION: &str = "vendor_id, region_id, api_reference";
const OF_SERVER: &str = "vendor_id, server_id, api_reference, vcpus, cpu_cores, memory_amount";
const OF_PRICE: &str = "vendor_id, server_id, region_id, operating_system, allocation, unit, price, price_upfront, currency, \
                        status, observed_at";

pub(crate) fn read(path: &Path, origin: &ListFile, prices: &mut PriceList) -> Result<(), String> {
    let database = database::open(path, MOST_TIME)?;
    TABLES.into_iter().try_for_each(|table| check_table(&database, table))?;
    let sold = Sold::read(&database)?;
    each_row(&database, ("server_price", OF_PRICE), MOST_PRICES, |row| {
        match sold.price(row, origin)? {
            Some(price) => prices.add(price),
            None => Ok(()),
        }
    })
}

/// A vendor, and its name for a thing.
type Key = (String, String);

/// Servers and regions of a database by key, so that each price is looked up: a join of tables with repeated rows would have
/// the product of both.
struct Sold {
    /// With their names. What is wrong with one matters if a price is of it.
    servers: HashMap<Key, (String, Result<Server, String>)>,
    /// Regions and servers of some clouds have numbers for names: what their interfaces call them is more useful.
    regions: HashMap<Key, Option<String>>,
}

impl Sold {
    fn read(database: &Connection) -> Result<Self, String> {
        let (mut servers, mut regions) = (HashMap::new(), HashMap::new());
        each_row(database, ("server", OF_SERVER), MOST_OTHERS, |row| {
            let key = (text(row, "vendor_id")?, text(row, "server_id")?);
            let label = text(row, "api_reference").unwrap_or_else(|_| key.1.clone());
            keep(&mut servers, key, (label, Server::of(row)))
                .map_err(|what| format!("server {what}"))
        })?;
        each_row(database, ("region", OF_REGION), MOST_OTHERS, |row| {
            let key = (text(row, "vendor_id")?, text(row, "region_id")?);
            let name = field(row, "api_reference")?;
            keep(&mut regions, key, name).map_err(|what| format!("region {what}"))
        })?;
        Ok(Self { servers, regions })
    }

    /// `None` if the price is inactive, not for Linux or of no known server, and as [`Server::price`].
    fn price(&self, row: &Row, origin: &ListFile) -> Result<Option<Price>, String> {
        let is = |column: &str, wanted: &str| {
            let value = row.get_ref(column).map_err(database::unreadable)?;
            Ok::<_, String>(value.as_str().is_ok_and(|value| value.eq_ignore_ascii_case(wanted)))
        };
        if !is("status", "active")? || !is("operating_system", "linux")? {
            return Ok(None);
        }
        let key = (text(row, "vendor_id")?, text(row, "server_id")?);
        let Some((label, server)) = self.servers.get(&key) else { return Ok(None) };
        let (vendor, _) = key;
        let region = field::<Option<String>>(row, "region_id")?.map(|region| {
            let key = (vendor.clone(), region);
            let name = self.regions.get(&key).and_then(Clone::clone);
            name.unwrap_or(key.1)
        });
        let price = match server {
            Ok(server) => server.price(row, origin, &vendor),
            Err(what) => Err(format!("its server's {what}")),
        };
        match price {
            Ok(price) => Ok(price.map(|price| Price { region, ..price })),
            Err(what) => {
                let place = region.unwrap_or_else(|| "no region".to_owned());
                Err(format!("server_price of {label} in {place}: {what}"))
            }
        }
    }
}

/// Which of two was meant can't be known.
fn keep<T>(all: &mut HashMap<Key, T>, key: Key, value: T) -> Result<(), String> {
    if all.contains_key(&key) {
        return Err(format!("{} of {} is listed twice", key.1, key.0));
    }
    all.insert(key, value);
    Ok(())
}

struct Server {
    label: String,
    vcpus: Option<u32>,
    cores: Option<u32>,
    memory_gib: Option<f64>,
}

impl Server {
    fn of(row: &Row) -> Result<Self, String> {
        let memory_mib: Option<f64> = field(row, "memory_amount")?;
        Ok(Self {
            label: text(row, "api_reference")?,
            vcpus: field::<Option<u32>>(row, "vcpus")?.filter(|count| *count > 0),
            cores: field::<Option<u32>>(row, "cpu_cores")?.filter(|count| *count > 0),
            memory_gib: memory_mib.map(|memory| memory / 1024.0).filter(|memory| *memory > 0.0),
        })
    }

    /// But for its region. `None` for prices that can't be had by the hour: of storage and of what must be paid at once for an
    /// unknown time.
    fn price(&self, row: &Row, origin: &ListFile, vendor: &str) -> Result<Option<Price>, String> {
        let (allocation, unit) = (text(row, "allocation")?, text(row, "unit")?);
        let amount: f64 = field(row, "price")?;
        let upfront: Option<f64> = field(row, "price_upfront")?;
        let commitment = match allocation.to_ascii_lowercase().as_str() {
            "ondemand" => ON_DEMAND,
            "spot" => SPOT,
            "reserved" if upfront.unwrap_or_default() == 0.0 => RESERVED,
            _ => return Ok(None),
        };
        let hours = match unit.to_ascii_lowercase().as_str() {
            "hour" => 1.0,
            "month" => HOURS_PER_MONTH,
            "year" => HOURS_PER_YEAR,
            _ => return Ok(None),
        };
        if amount < 0.0 {
            return Err(format!("price is {amount}, below 0"));
        }
        // Some prices are announced as 0 until they are known.
        if amount == 0.0 {
            return Ok(None);
        }
        let observed = text(row, "observed_at")?;
        Ok(Some(Price {
            label: self.label.clone(),
            region: None,
            vcpus: self.vcpus,
            cores: self.cores,
            memory_gib: self.memory_gib,
            per_hour: amount / hours,
            currency: field(row, "currency")?,
            commitment: Some(commitment.to_owned()),
            date: observed.get(..10).and_then(|day| day.parse().ok()),
            source: origin.source(&format!("Spare Cores, {vendor}")),
            watts: None,
        }))
    }
}
