//! AWS's price list for EC2 as CSV: five lines about the list, the names of the columns, then a line for each part of a price.

use crate::prices::aws::{Amount, Attributes, SoldMachine, Term, Terms, day};
use crate::prices::aws_part::{KnownParts, PricePart, ShortKeys};
use crate::prices::list_file::ListFile;
use crate::prices::price_list::{PriceList, check_count};
use csv::StringRecord;
use jiff::civil::Date;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Read, Seek, SeekFrom};

/// Lines before the columns' names are two fields each.
const MOST_LINES_BEFORE: usize = 20;

/// A product under one offer.
struct Offer {
    /// Which of them it is, in short.
    said: [u64; 2],
    machine: SoldMachine,
    term: Option<Term>,
    amount: Amount,
}

/// Offers of each SKU in the lines so far. There are half a million of them: texts that only serve to distinguish offers are
/// not kept.
#[derive(Default)]
struct KnownOffers {
    keys: ShortKeys,
    offers: HashMap<[u64; 2], Box<Offer>>,
    parts: KnownParts,
}

pub(crate) fn read(
    mut file: impl Read + Seek,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    if !has_last_line_end(&mut file).map_err(|e| e.to_string())? {
        return Err("is cut off: its last line has no line end. Download it again".to_owned());
    }
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file);
    let mut rows = reader.records();
    let mut date = None;
    let columns = loop {
        let row = rows
            .next()
            .ok_or("has no line of column names (SKU, …)")?
            .map_err(|e| e.to_string())?;
        match (row.get(0), row.get(1)) {
            (Some("SKU"), _) => break PriceColumns::of(&row)?,
            (Some("Publication Date"), Some(time)) => date = day(time),
            (Some("OfferCode"), Some(code)) if code != "AmazonEC2" => {
                return Err(format!("is AWS's price list of {code}. Use that of AmazonEC2"));
            }
            _ if row.position().is_some_and(|at| at.line() > MOST_LINES_BEFORE as u64) => {
                return Err("has no line of column names (SKU, …) at its start".to_owned());
            }
            _ => {}
        }
    };
    let mut known = KnownOffers::default();
    for row in rows {
        let row = row.map_err(|e| e.to_string())?;
        let on_line =
            |what| format!("line {}: {what}", row.position().map_or(0, csv::Position::line));
        columns.add(&row, &mut known).map_err(on_line)?;
        check_count(known.offers.len())?;
    }
    known.into_offers().try_for_each(|offer| add(offer, date, origin, prices))
}

impl KnownOffers {
    fn into_offers(self) -> impl Iterator<Item = Offer> {
        self.offers.into_values().map(|offer| *offer)
    }
}

/// Whether a file ends as AWS ends each line: what was cut off shows nowhere else, for any text can be a field.
fn has_last_line_end(file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    file.rewind()?;
    Ok(last == *b"\n")
}

fn add(
    Offer { machine, term, amount, .. }: Offer,
    date: Option<Date>,
    origin: &ListFile,
    prices: &mut PriceList,
) -> Result<(), String> {
    let Some((commitment, per_hour)) = term.and_then(|term| amount.by_hour(term)) else {
        return Ok(());
    };
    let mut price = machine.price(commitment, per_hour, amount.currency);
    (price.date, price.source) = (date, origin.source("AWS price list"));
    prices.add(price)
}

/// Where columns are.
struct PriceColumns(HashMap<String, usize>);

impl PriceColumns {
    fn of(head: &StringRecord) -> Result<Self, String> {
        let columns = head.iter().enumerate().map(|(place, name)| (name.to_owned(), place));
        let columns = Self(columns.collect());
        let needed = [
            "OfferTermCode",
            "RateCode",
            "TermType",
            "Unit",
            "PricePerUnit",
            "Currency",
            "Instance Type",
        ];
        match needed.into_iter().find(|name| !columns.0.contains_key(*name)) {
            Some(lacking) => Err(format!("the column {lacking} is missing")),
            None => Ok(columns),
        }
    }

    fn find<'a>(&self, row: &'a StringRecord, name: &str) -> &'a str {
        self.0.get(name).and_then(|place| row.get(*place)).unwrap_or_default()
    }

    fn add(&self, row: &StringRecord, known: &mut KnownOffers) -> Result<(), String> {
        let Some(offer) = self.offer(row, &known.keys) else { return Ok(()) };
        let find = |name: &str| self.find(row, name);
        let (sku, code) = (find("SKU"), find("OfferTermCode"));
        let part = PricePart::of(find("Unit"), find("PricePerUnit"), find("Currency"))?;
        let is_new = known.parts.is_new((sku, code, find("RateCode")), &part)?;
        let offer = match known.offers.entry(known.keys.of((sku, code))) {
            Entry::Occupied(known) if known.get().said != offer.said => {
                return Err(format!(
                    "offer {code:?} of SKU {sku:?} is listed twice, with different machines or terms. Remove one"
                ));
            }
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Box::new(offer)),
        };
        if is_new { offer.amount.add(&part) } else { Ok(()) }
    }

    /// `None` for offers that are left out, which then take no memory.
    fn offer(&self, row: &StringRecord, keys: &ShortKeys) -> Option<Offer> {
        let find = |name: &str| self.find(row, name).to_owned();
        let attributes = Attributes {
            instance_type: find("Instance Type"),
            vcpu: find("vCPU"),
            memory: find("Memory"),
            region_code: find("Region Code"),
            location: String::new(),
            operating_system: find("Operating System"),
            tenancy: find("Tenancy"),
            pre_installed_sw: find("Pre Installed S/W"),
            capacitystatus: find("CapacityStatus"),
            marketoption: find("MarketOption"),
        };
        if !attributes.is_plain() {
            return None;
        }
        let terms = Terms {
            lease_contract_length: find("LeaseContractLength"),
            offering_class: find("OfferingClass"),
        };
        let is_reserved = match self.find(row, "TermType") {
            "OnDemand" => false,
            "Reserved" => true,
            _ => return None,
        };
        let said = keys.of((&attributes, &terms, is_reserved));
        let (machine, term) = (attributes.machine()?, terms.term(is_reserved));
        Some(Offer { said, machine, term, amount: Amount::default() })
    }
}
