use super::*;
use catalog::Price;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

mod aws;
mod changed;
mod database;
mod refused;

/// A file of a folder that goes away.
fn file(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn all(name: &str, content: &str) -> Result<Vec<Price>, String> {
    let (_folder, path) = file(name, content.as_bytes());
    read(&path, &|_| true).map_err(|e| e.to_string())
}

/// Label, commitment and price an hour.
fn short(prices: &[Price]) -> Vec<(&str, &str, f64)> {
    let rounded = |price: &Price| (price.per_hour * 1e4).round() / 1e4;
    prices
        .iter()
        .map(|p| (&p.label[..], p.commitment.as_deref().unwrap_or(""), rounded(p)))
        .collect()
}

/// Spare Cores' database after a change.
fn spare_cores(change: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sc-data.db");
    let database = Connection::open(&path).unwrap();
    database.execute_batch(include_str!("../../fixtures/prices/sparecores.sql")).unwrap();
    database.execute_batch(change).unwrap();
    (folder, path)
}

#[test]
fn spare_cores_database_gives_the_lowest_active_price_of_linux_in_each_region() {
    let (_folder, path) = spare_cores("");
    let prices = read(&path, &|_| true).unwrap();
    let expected = [
        ("c4-standard-4", "on demand", 0.2),
        ("c6i.16xlarge", "on demand", 3.0),
        ("c6i.16xlarge", "spot", 1.2),
        ("c7g.16xlarge", "on demand", 2.5),
        ("c7g.16xlarge", "spot", 1.0),
        ("c7g.16xlarge", "reserved", 1.5),
    ];
    assert_eq!(short(&prices), expected);
    let gcp = &prices[0];
    assert_eq!(gcp.region.as_deref(), Some("us-central1"));
    assert_eq!((gcp.vcpus, gcp.cores, gcp.memory_gib), (Some(4), None, Some(15.0)));
    let arm = &prices[3];
    assert_eq!((arm.vcpus, arm.cores, arm.memory_gib), (Some(64), Some(64), Some(128.0)));
    assert_eq!(arm.date.unwrap().to_string(), "2026-11-02");
    assert_eq!(arm.source.as_deref(), Some("Spare Cores, aws (sc-data.db)"));
}

#[test]
fn only_what_is_wanted_is_kept() {
    let (_folder, path) = spare_cores("");
    let prices = read(&path, &|price: &Price| price.label == "c4-standard-4").unwrap();
    assert_eq!(short(&prices), [("c4-standard-4", "on demand", 0.2)]);
}

/// One of Azure's items: a machine with Linux on demand, but for these fields.
fn azure_item(price: f64, other: &Value) -> String {
    let mut item = json!({
        "currencyCode": "EUR", "retailPrice": price, "tierMinimumUnits": 0.0, "armRegionName": "westeurope",
        "armSkuName": "Standard_D64ps_v6", "productName": "Virtual Machines Dpsv6 Series", "skuName": "D64ps v6",
        "meterName": "D64ps v6", "serviceName": "Virtual Machines", "unitOfMeasure": "1 Hour", "type": "Consumption",
    });
    for (name, value) in other.as_object().unwrap() {
        item[name] = value.clone();
    }
    item.to_string()
}

/// The items of two pages.
fn azure_items() -> [String; 2] {
    let low = "D64ps v6 Low Priority";
    let first = [
        azure_item(2.0, &json!({ "skuName": "Standard_D64ps_v6", "isPrimaryMeterRegion": true })),
        azure_item(
            0.5,
            &json!({ "skuName": "Standard_D64ps_v6 Spot", "meterName": "D64ps v6 Spot" }),
        ),
        azure_item(0.4, &json!({ "skuName": low, "meterName": low })),
    ];
    let second = [
        azure_item(26_280.0, &json!({ "type": "Reservation", "reservationTerm": "3 Years" })),
        azure_item(1.0, &json!({ "type": "DevTestConsumption" })),
        azure_item(0.1, &json!({ "productName": "Virtual Machines Dpsv6 Series Windows" })),
    ];
    [first, second].map(|items| items.join(",\n"))
}

/// One page after the other.
fn azure_pages() -> String {
    let page = |items: String| {
        format!(r#"{{"BillingCurrency":"EUR","Items":[{items}],"NextPageLink":null,"Count":3}}"#)
    };
    azure_items().map(|items| page(items) + "\n").concat()
}

#[test]
fn azures_pages_and_lists_give_the_same_and_a_reservation_is_spread_over_its_term() {
    let prices = all("pages.json", &azure_pages()).unwrap();
    let name = "Standard_D64ps_v6";
    let expected = [(name, "on demand", 2.0), (name, "spot", 0.5), (name, "reserved 3 years", 1.0)];
    assert_eq!(short(&prices), expected);
    assert_eq!(prices[0].currency.as_deref(), Some("EUR"));
    assert!(prices[0].date.is_some(), "when the file was saved");
    let list = all("pages.json", &format!("[{}]", azure_items().join(","))).unwrap();
    assert_eq!(short(&list), expected);
}

#[test]
fn azures_prices_of_other_days_than_the_lists_are_left_out() {
    // The file is of today.
    let holding = azure_item(
        2.0,
        &json!({ "effectiveStartDate": "2020-01-01T00:00:00Z", "effectiveEndDate": "2999-12-31T23:59:59Z" }),
    );
    let past = azure_item(1.0, &json!({ "effectiveEndDate": "2020-01-01T23:59:59Z" }));
    let coming = azure_item(0.5, &json!({ "effectiveStartDate": "2999-01-01T00:00:00Z" }));
    let prices = all("vms.json", &format!("[{holding},{past},{coming}]")).unwrap();
    assert_eq!(short(&prices), [("Standard_D64ps_v6", "on demand", 2.0)]);
    let strange = azure_item(1.0, &json!({ "effectiveEndDate": "soon" }));
    let error = all("vms.json", &format!("[{strange}]")).unwrap_err();
    let says = "Standard_D64ps_v6: effectiveEndDate is \"soon\", not a date";
    assert!(error.contains(says), "{error}");
}

#[test]
fn azures_pages_without_the_last_are_refused() {
    let link = "https://prices.invalid/?skip=100";
    let whole = azure_pages();
    let first_goes_on = whole.replacen("null", &format!("{link:?}"), 1);
    assert_eq!(all("vms.json", &first_goes_on).unwrap().len(), 3, "the next page is there");
    let last_goes_on = whole.replace("null", &format!("{link:?}"));
    let error = all("vms.json", &last_goes_on).unwrap_err();
    let says = format!("vms.json: has further pages, from {link} on: add them");
    assert!(error.contains(&says), "{error}");
}

#[test]
fn a_list_that_is_written_as_a_price_file_is_read_back() {
    let (_folder, path) = spare_cores("");
    let prices = read(&path, &|_| true).unwrap();
    let written = catalog::prices_toml(&prices).unwrap();
    assert_eq!(all("prices.toml", &written).unwrap(), prices);
}
