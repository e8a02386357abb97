//! Databases: what stands beside their files, and rows that can't be or are too many.

use super::{short, spare_cores};
use crate::prices::database::{MOST_TIME, each_row, open};
use crate::prices::read;
use rusqlite::Connection;
use std::fs;
use std::path::Path;

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_database_with_a_log_is_read_without_a_file_beside_it() {
    let (folder, path) = spare_cores("PRAGMA journal_mode = WAL");
    assert_eq!(read(&path, &|_| true).unwrap().len(), 6);
    assert_eq!(files(folder.path()), ["sc-data.db"]);
}

#[test]
fn changes_that_are_in_the_log_only_are_not_overlooked() {
    let (folder, path) = spare_cores("PRAGMA journal_mode = WAL");
    let open = Connection::open(&path).unwrap();
    open.execute_batch("UPDATE server_price SET price = 9 WHERE price = 2.5").unwrap();
    let error = read(&path, &|_| true).unwrap_err().to_string();
    let path = path.canonicalize().unwrap();
    let says = format!(
        "lacks the changes that are in {0}-wal. Write them into it first: sqlite3 '{0}' 'PRAGMA wal_checkpoint(TRUNCATE)'",
        path.display()
    );
    assert!(error.ends_with(&says), "{error}");
    // As it says.
    open.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    assert_eq!(fs::metadata(folder.path().join("sc-data.db-wal")).unwrap().len(), 0);
    let prices = read(&path, &|_| true).unwrap();
    assert_eq!(short(&prices)[3], ("c7g.16xlarge", "on demand", 9.0));
}

#[test]
fn a_change_that_was_not_ended_is_not_taken_for_done() {
    let (_folder, path) = spare_cores("");
    let open = Connection::open(&path).unwrap();
    // Written before it is committed, as of a program that is killed.
    let change = "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; CREATE TABLE filler (x);
                  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                  INSERT INTO filler SELECT zeroblob(4000) FROM n; UPDATE server_price SET price = 9;";
    open.execute_batch(change).unwrap();
    let error = read(&path, &|_| true).unwrap_err().to_string();
    assert!(error.contains("has an unfinished change"), "{error}");
    open.execute_batch("ROLLBACK").unwrap();
    assert_eq!(read(&path, &|_| true).unwrap().len(), 6);
}

#[test]
fn any_path_is_the_files_own() {
    let (folder, path) = spare_cores("");
    for name in ["a?immutable=0&b#c", "100%25 %00.db", "é ü+;.db", "..db"] {
        let named = folder.path().join(name);
        fs::copy(&path, &named).unwrap();
        assert_eq!(read(&named, &|_| true).unwrap().len(), 6, "{name}");
    }
    assert_eq!(files(folder.path()).len(), 5);
}

/// Tables without keys.
const KEYLESS: &str = "
    CREATE TABLE s AS SELECT * FROM server; DROP TABLE server; ALTER TABLE s RENAME TO server;
    CREATE TABLE p AS SELECT * FROM server_price; DROP TABLE server_price; ALTER TABLE p RENAME TO server_price;
    CREATE TABLE r AS SELECT * FROM region; DROP TABLE region; ALTER TABLE r RENAME TO region;";

fn why(change: &str) -> String {
    let (_folder, path) = spare_cores(&format!("{KEYLESS}{change}"));
    read(&path, &|_| true).unwrap_err().to_string()
}

#[test]
fn tables_that_repeat_their_rows_are_not_multiplied() {
    let often = |table: &str, condition: &str| {
        format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
             INSERT INTO {table} SELECT {table}.* FROM {table}, n WHERE {condition};"
        )
    };
    let condition = "server_id = 'c7g.16xlarge'";
    let error = why(&(often("server", condition) + &often("server_price", condition)));
    assert!(error.contains("server c7g.16xlarge of aws is listed twice"), "{error}");
    let error = why(&often("region", "vendor_id = 'gcp'"));
    assert!(error.contains("region 1000 of gcp is listed twice"), "{error}");
    // Zones repeat prices.
    let (_folder, path) = spare_cores(&(KEYLESS.to_owned() + &often("server_price", condition)));
    assert_eq!(read(&path, &|_| true).unwrap().len(), 6);
}

#[test]
fn more_rows_than_the_limit_are_refused_whoever_wants_them() {
    let (_folder, path) = spare_cores("UPDATE server_price SET status = 'INACTIVE'");
    let database = open(&path, MOST_TIME).unwrap();
    let read = |most| each_row(&database, ("server_price", "price"), most, |_| Ok(()));
    assert_eq!(read(10), Ok(()));
    let error = read(9).unwrap_err();
    assert!(error.contains("has more than 9 rows in server_price, which is the limit"), "{error}");
}

#[test]
fn a_row_that_can_not_be_is_named_by_its_instance_type_and_region() {
    let condition = "WHERE server_id = 'c7g.16xlarge' AND allocation = 'SPOT'";
    for (change, says) in [
        ("server_price SET price = NULL", "price is missing"),
        ("server_price SET price = x'00'", "price is a blob, which it can't be"),
        ("server_price SET unit = NULL", "unit is missing"),
        ("server_price SET observed_at = NULL", "observed_at is missing"),
    ] {
        let error = why(&format!("UPDATE {change} {condition}"));
        let says = format!("sc-data.db: server_price of c7g.16xlarge in us-east-1: {says}");
        assert!(error.ends_with(&says), "{error}");
    }
    for (value, says) in [
        ("vcpus = -4", "vcpus is -4, which it can't be"),
        ("cpu_cores = 1.5", "cpu_cores is 1.5, which it can't be"),
        ("memory_amount = 'lots'", "memory_amount is \"lots\", which it can't be"),
        ("api_reference = NULL", "api_reference is missing"),
    ] {
        let error = why(&format!("UPDATE server SET {value} WHERE server_id = '801014'"));
        let label = if value.contains("NULL") { "801014" } else { "c4-standard-4" };
        let says = format!("server_price of {label} in us-central1: its server's {says}");
        assert!(error.ends_with(&says), "{error}");
    }
    // Nothing is for sale.
    let unused = format!(
        "{KEYLESS} UPDATE server SET vcpus = -4; UPDATE server_price SET price = NULL, status = 'INACTIVE'"
    );
    let (_folder, path) = spare_cores(&unused);
    assert_eq!(read(&path, &|_| true).unwrap(), []);
}
