//! Fuzz targets: price lists of clouds and of Spare Cores, changed. What is read can be calculated with, and written as a price
//! file that says the same.

use super::aws::{CSV, json, spot};
use super::{azure_items, azure_pages, spare_cores};
use crate::prices::read;
use catalog::prices_toml;
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::fs;
use std::path::Path;
use testkit::{Choices, NUMBERS, TEXTS, changed_text, edit};

const MOST_CHANGES: usize = 4;

/// Reads a list, and what is written of it.
fn check(path: &Path, content: &[u8]) {
    fs::write(path, content).unwrap();
    let prices = match read(path, &|_| true) {
        Ok(prices) => prices,
        Err(error) => {
            let name = path.file_name().unwrap().to_str().unwrap();
            return assert!(error.to_string().contains(name), "{error}");
        }
    };
    for price in &prices {
        assert!(price.per_hour > 0.0 && price.per_hour.is_finite(), "{price:?}");
        assert!(price.memory_gib.is_none_or(|memory| memory > 0.0 && memory.is_finite()));
        assert!(price.vcpus != Some(0) && price.cores != Some(0), "{price:?}");
        testkit::assert_harmless(price.currency_name());
    }
    let written = path.with_file_name("prices.toml");
    fs::write(&written, prices_toml(&prices).unwrap()).unwrap();
    let again = read(&written, &|_| true).unwrap_or_else(|e| panic!("what was read: {e}"));
    assert_eq!(again, prices);
}

/// A JSON text with some of its nodes changed.
fn changed_json(sample: &str, choices: &mut Choices) -> String {
    let mut value: Value = serde_json::from_str(sample).unwrap();
    for _ in 0..=choices.below(MOST_CHANGES) {
        edit(&mut value, choices);
    }
    value.to_string()
}

#[test]
fn a_changed_list_is_read_or_refused_with_its_file() {
    let folder = testkit::folder();
    let azure = format!("[{}]", azure_items().join(","));
    let of_json = [json(), spot(), azure];
    let [of_aws, of_spot, of_azure] = of_json.each_ref().map(String::as_str);
    let pages = azure_pages();
    testkit::check("price-lists", 600, |input| {
        let choices = &mut Choices::new(input);
        let text = match choices.byte() % 2 {
            0 => changed_text(&[CSV, &pages, of_aws, of_spot], choices),
            _ => changed_json(choices.of(&[of_aws, of_spot, of_azure]), choices),
        };
        check(&folder.path().join("list.json"), text.as_bytes());
    });
}

/// Columns that are read.
const COLUMNS: [(&str, &str); 11] = [
    ("region", "api_reference"),
    ("server", "api_reference"),
    ("server", "vcpus"),
    ("server", "cpu_cores"),
    ("server", "memory_amount"),
    ("server_price", "allocation"),
    ("server_price", "unit"),
    ("server_price", "price"),
    ("server_price", "price_upfront"),
    ("server_price", "currency"),
    ("server_price", "observed_at"),
];

/// Another value in every third row of a column, if the table may have it.
fn change_column(database: &Connection, choices: &mut Choices) {
    let (table, column) = choices.of(&COLUMNS);
    let change = format!("UPDATE OR IGNORE {table} SET {column} = ?1 WHERE rowid % 3 = ?2");
    let value = match choices.byte() % 8 {
        0 => SqlValue::Null,
        1 => SqlValue::Integer(choices.of(&NUMBERS).cast_signed()),
        2 => SqlValue::Real(choices.of(&[0.5, -1.0, 1e-7, 1e300, 5e-324, f64::INFINITY])),
        3 => SqlValue::Blob(choices.wide().to_be_bytes().to_vec()),
        _ => SqlValue::Text(choices.of(&TEXTS).to_owned()),
    };
    database.execute(&change, params![value, choices.byte() % 3]).unwrap();
}

/// A database with some columns changed, or some of its bytes, or cut off.
fn changed_database(path: &Path, sample: &[u8], choices: &mut Choices) -> Vec<u8> {
    fs::write(path, sample).unwrap();
    if choices.is_one_of(2) {
        let database = Connection::open(path).unwrap();
        // Nothing has to outlive the test.
        database.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY").unwrap();
        for _ in 0..=choices.below(MOST_CHANGES) {
            change_column(&database, choices);
        }
        drop(database);
        return fs::read(path).unwrap();
    }
    // Most of its pages are empty.
    let used: Vec<usize> = (0..sample.len()).filter(|place| sample[*place] != 0).collect();
    let mut bytes = sample.to_vec();
    for _ in 0..=choices.below(MOST_CHANGES) {
        bytes[choices.of(&used)] = choices.byte();
    }
    if choices.is_one_of(8) {
        bytes.truncate(choices.below(sample.len()));
    }
    bytes
}

#[test]
fn a_changed_database_is_read_or_refused_with_its_file() {
    let (folder, path) = spare_cores("");
    let sample = fs::read(path).unwrap();
    testkit::check("price-database", 300, |input| {
        let path = folder.path().join("list.db");
        let bytes = changed_database(&path, &sample, &mut Choices::new(input));
        check(&path, &bytes);
    });
}
