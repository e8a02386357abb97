use super::aws::{CSV, json};
use super::{all, azure_item, file, spare_cores};
use crate::prices::{Filter, LARGEST_BYTES, MOST_PRICES, read};
use catalog::Price;
use serde_json::json;
use std::fs::{self, File};
use std::time::Duration;

fn why(change: &str) -> String {
    let (_folder, path) = spare_cores(change);
    read(&path, &|_| true).unwrap_err().to_string()
}

#[test]
fn a_list_beyond_the_limit_is_refused_by_its_size_alone() {
    let (_folder, path) = file("huge.json", b"{\"Items\":[");
    File::options().write(true).open(&path).unwrap().set_len(LARGEST_BYTES + 1).unwrap();
    let error = read(&path, &|_| true).unwrap_err().to_string();
    assert!(error.contains("is larger than 2 GiB, which is the limit"), "{error}");
}

#[test]
fn more_prices_than_the_limit_are_refused_with_what_to_do() {
    let change = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= {MOST_PRICES})
         INSERT INTO server_price SELECT 'aws', 'r' || i, '', 'c7g.16xlarge', 'Linux', 'ONDEMAND', 'HOUR', 1, 0, '[]', 'USD',
         'ACTIVE', '2026-11-02' FROM n"
    );
    let error = why(&change);
    assert!(error.contains(&format!("more than {MOST_PRICES} prices")), "{error}");
    assert!(error.contains("--region"), "{error}");
}

#[test]
fn a_price_in_two_currencies_is_refused_with_both_and_what_to_do() {
    let says = |one: &str, other: &str| {
        format!(
            "c6i.16xlarge (us-east-1, spot) is priced in {one}, c6i.16xlarge (us-east-1, spot) in {other}. Use one currency: \
             leave one out, or convert it in a price file"
        )
    };
    // The first zone asks 1.3, the second 1.2: it is not the lower one in whichever currency.
    for price in [1.2, 9.0] {
        let change = "UPDATE server_price SET currency = 'EUR', price = ";
        let error = why(&format!("{change}{price} WHERE zone_id = 'use1-az2' AND price = 1.2"));
        assert!(
            error.contains(&says("USD", "EUR")) || error.contains(&says("EUR", "USD")),
            "{error}"
        );
    }
    // Nobody asks for it.
    let (_folder, path) = spare_cores("UPDATE server_price SET currency = 'EUR' WHERE price = 1.2");
    let prices = read(&path, &|price| price.label == "c7g.16xlarge").unwrap();
    assert_eq!(prices.len(), 3);
}

#[test]
fn a_database_that_is_another_or_runs_something_is_refused() {
    assert!(why("DROP TABLE server_price").contains("it has no table server_price"));
    // A view is a program.
    let view = "DROP TABLE region; CREATE VIEW region AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)
                SELECT i AS vendor_id, i AS region_id, i AS api_reference FROM n";
    assert!(why(view).contains("it has no table region"));
    let older = why("ALTER TABLE server_price RENAME COLUMN region_id TO datacenter_id");
    assert!(older.contains("can't be read as Spare Cores' database: no such column"), "{older}");
    let text = why("UPDATE server_price SET price = 'a lot'");
    let says = "server_price of c6i.16xlarge in us-east-1: price is \"a lot\", which it can't be";
    assert!(text.contains(says), "{text}");
    let infinite = why("UPDATE server_price SET price = 9e999");
    assert!(infinite.contains("a price of inf per hour is out of range"), "{infinite}");
}

#[test]
fn a_table_whose_rows_are_made_by_a_program_is_refused_before_one_is_read() {
    // Each row would take minutes.
    let generated = "ALTER TABLE server ADD COLUMN x AS (length(replace(hex(zeroblob(1000000)), '0', hex(zeroblob(1000)))))";
    let error = why(generated);
    assert!(
        error.contains("has a generated column \"x\" in server, which is a program"),
        "{error}"
    );
    let stored = "CREATE TABLE r AS SELECT * FROM region; DROP TABLE region;
                  CREATE TABLE region (vendor_id, region_id, api_reference AS (upper(region_id)) STORED)";
    assert!(why(stored).contains("has a generated column \"api_reference\" in region"));
    // The SQLite that is linked here has none of these modules: whoever sends a database has another.
    let virtual_table = |module: &str, root_page: u32| {
        format!(
            "DROP TABLE region; PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'region', 'region', \
             {root_page}, 'CREATE VIRTUAL TABLE region USING {module}(vendor_id, region_id, api_reference)')"
        )
    };
    for module in ["fts5", "fts4", "rtree"] {
        let error = why(&virtual_table(module, 0));
        assert!(error.contains("has a virtual table region, whose rows are in no file"), "{error}");
    }
    // A schema may say anything of where a table begins.
    let error = why(&virtual_table("fts5", 2));
    assert!(error.contains("no such module: fts5"), "{error}");
}

#[test]
fn a_database_that_takes_too_long_is_given_up() {
    let (_folder, path) = spare_cores("");
    let long =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let database = crate::prices::database::open(&path, Duration::from_millis(50)).unwrap();
    let error =
        database.query_row(long, [], |_| Ok(())).map_err(crate::prices::database::unreadable);
    assert_eq!(error.unwrap_err(), "takes too long to read. Use a database with less in it");
}

#[test]
fn a_database_that_is_torn_is_refused() {
    let (_folder, path) = spare_cores("");
    let bytes = fs::read(&path).unwrap();
    for length in [100, 4096, bytes.len() / 2] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = read(&path, &|_| true).unwrap_err().to_string();
        assert!(error.contains("Spare Cores' database"), "{length}: {error}");
    }
}

#[test]
fn what_is_no_list_is_refused_with_what_lists_there_are() {
    let error = all("x.json", "{\"a\": 1}").unwrap_err();
    assert!(error.contains("neither AWS's price list (AmazonEC2)"), "{error}");
    assert!(
        all("x.json", "{\"Items\": [{\"retailPrice\": \"1\"}]}").unwrap_err().contains("Azure")
    );
    assert!(all("x.txt", "nothing").unwrap_err().contains("A price file is CSV"));
    let folder = tempfile::tempdir().unwrap();
    let error = read(folder.path(), &|_| true).unwrap_err().to_string();
    assert!(error.contains("is not a regular file"), "{error}");
}

#[test]
fn a_price_below_0_or_that_is_no_number_is_refused_where_it_stands_and_one_of_0_is_left_out() {
    for wrong in ["-1", "NaN", "inf", "-0.0001"] {
        let error = all("index.csv", &CSV.replace("0.5500000000", wrong)).unwrap_err();
        let says = format!("line 10: a price is {wrong:?}, not a number from 0 on");
        assert!(error.contains(&says), "{error}");
        let error = all("index.json", &json().replace("\"0.55\"", &format!("{wrong:?}")));
        let error = error.unwrap_err();
        assert!(error.contains("not a number from 0 on at line "), "{error}");
    }
    let page = |price: f64| format!("[{}]", azure_item(price, &json!({})));
    let error = all("vms.json", &page(-1.0)).unwrap_err();
    let says = "Standard_D64ps_v6: a price of -1 per hour is out of range";
    assert!(error.contains(says) && error.contains("at line 1"), "{error}");
    assert_eq!(all("vms.json", &page(0.0)).unwrap(), []);
    let error = why("UPDATE server_price SET price = -1 WHERE price = 2.5");
    assert!(
        error.contains("server_price of c7g.16xlarge in us-east-1: price is -1, below 0"),
        "{error}"
    );
    let (_folder, path) = spare_cores("UPDATE server_price SET price = 0");
    assert_eq!(read(&path, &|_| true).unwrap(), []);
}

/// Why none of the prices of these labels and regions is wanted.
fn why_none(prices: &[(&str, Option<&str>)], regions: &[&str], instances: &[&str]) -> String {
    let [regions, instances] = [regions, instances]
        .map(|texts| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    let filter = Filter::new(&regions, &instances);
    for (label, region) in prices {
        let region = region.map(str::to_owned);
        let price = Price { label: (*label).to_owned(), region, ..Price::default() };
        assert!(!filter.lets_pass(&price));
    }
    filter.why_none(&["a.csv".into()])
}

#[test]
fn who_asks_for_what_no_list_has_is_told_what_it_has() {
    let says = "no price in a.csv: it has none that can be read (what is read: docs/judging.md)";
    assert_eq!(why_none(&[], &[], &[]), says);
    assert_eq!(why_none(&[], &["us"], &["c6i"]), says);
    let both = [("c6i", Some("us-east-1")), ("c7g", Some("eu-west-1"))];
    assert_eq!(
        why_none(&both, &["us"], &[]),
        "no price of a.csv is of --region us: its regions are eu-west-1, us-east-1"
    );
    assert_eq!(
        why_none(&both, &[], &["m8g", "m7i"]),
        "no price of a.csv is of --instance m8g, m7i: its instance types are c6i, c7g"
    );
    assert_eq!(
        why_none(&both, &["us-east-1"], &["c7g"]),
        "no price of a.csv is of --instance c7g in us-east-1: its instance type is c6i"
    );
    assert_eq!(
        why_none(&[("c6i", None)], &["us"], &[]),
        "no price of a.csv is of --region us: its prices name no region"
    );
    let names: Vec<String> = (10..30).map(|number| format!("r{number}")).collect();
    let many: Vec<_> = names.iter().map(|name| ("a", Some(name.as_str()))).collect();
    let said = why_none(&many, &["us"], &[]);
    assert!(said.ends_with("its regions are r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, …"));
}
