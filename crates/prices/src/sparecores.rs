//! Spare Cores' database: servers and their prices, of several clouds. The tables are those of its crawler's definition
//! (SpareCores/sc-crawler, `src/sc_crawler/table_bases.py`): names and columns are kept in SQLite as there, enumerations by
//! the names of their members.

use crate::database;
use crate::list_file::ListFile;
use crate::price_list::PriceList;
use crate::{HOURS_PER_MONTH, HOURS_PER_YEAR};
use judge::cost::{ON_DEMAND, Price, RESERVED, SPOT};
use rusqlite::Row;
use std::path::Path;

const TABLES: [&str; 3] = ["server", "server_price", "region"];

/// Regions and servers of some clouds have numbers for names: what their interfaces call them is more useful.
const QUERY: &str = "
    SELECT s.api_reference, s.vendor_id, COALESCE(r.api_reference, p.region_id), s.vcpus, s.cpu_cores, s.memory_amount,
           lower(p.allocation), lower(p.unit), p.price, p.price_upfront, p.currency, p.observed_at
    FROM server_price p
    JOIN server s ON s.vendor_id = p.vendor_id AND s.server_id = p.server_id
    LEFT JOIN region r ON r.vendor_id = p.vendor_id AND r.region_id = p.region_id
    WHERE lower(p.status) = 'active' AND lower(p.operating_system) = 'linux'";

pub(crate) fn read(path: &Path, origin: &ListFile, prices: &mut PriceList) -> Result<(), String> {
    let wrong = |e: rusqlite::Error| format!("can't be read as Spare Cores' database: {e}");
    let database = database::open(path)?;
    for table in TABLES {
        let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let found: i64 = database.query_row(count, [table], |row| row.get(0)).map_err(wrong)?;
        if found == 0 {
            return Err(format!("is not Spare Cores' database: it has no table {table}"));
        }
    }
    let mut query = database.prepare(QUERY).map_err(wrong)?;
    let mut rows = query.query([]).map_err(wrong)?;
    while let Some(row) = rows.next().map_err(wrong)? {
        if let Some(price) = price(row, origin).map_err(wrong)? {
            prices.add(price)?;
        }
    }
    Ok(())
}

/// `None` of prices that can't be had by the hour: of storage and of what must be paid at once for an unknown time.
fn price(row: &Row, origin: &ListFile) -> rusqlite::Result<Option<Price>> {
    let vendor: String = row.get(1)?;
    let allocation: String = row.get(6)?;
    let (unit, amount): (String, f64) = (row.get(7)?, row.get(8)?);
    let upfront: Option<f64> = row.get(9)?;
    let commitment = match allocation.as_str() {
        "ondemand" => ON_DEMAND,
        "spot" => SPOT,
        "reserved" if upfront.unwrap_or_default() == 0.0 => RESERVED,
        _ => return Ok(None),
    };
    let hours = match unit.as_str() {
        "hour" => 1.0,
        "month" => HOURS_PER_MONTH,
        "year" => HOURS_PER_YEAR,
        _ => return Ok(None),
    };
    // Some prices are announced as 0 until they are known.
    if amount == 0.0 {
        return Ok(None);
    }
    let observed: String = row.get(11)?;
    let memory_mib: Option<f64> = row.get(5)?;
    Ok(Some(Price {
        label: row.get(0)?,
        region: row.get(2)?,
        vcpus: row.get::<_, Option<u32>>(3)?.filter(|count| *count > 0),
        cores: row.get::<_, Option<u32>>(4)?.filter(|count| *count > 0),
        memory_gib: memory_mib.map(|memory| memory / 1024.0).filter(|memory| *memory > 0.0),
        per_hour: amount / hours,
        currency: row.get(10)?,
        commitment: Some(commitment.to_owned()),
        date: observed.get(..10).and_then(|day| day.parse().ok()),
        source: origin.source(&format!("Spare Cores, {vendor}")),
        watts: None,
    }))
}
