//! Databases in files: what stands beside them.

use super::{short, spare_cores};
use crate::read;
use rusqlite::Connection;
use std::fs;
use std::path::Path;

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        names.map(|of| of.unwrap().file_name().into_string().unwrap()).collect();
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
    assert!(error.contains("has a change that is not whole"), "{error}");
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
