//! Analytical queries by DuckDB: all threads have one database, and each performs one query after another over a connection of its own.

use crate::duckdb::{DUCKDB, Database, Query};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use sizeup_kit::{Kind, Libraries, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::fs::File;
use std::io::Error;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Arc;

/// The scripts that make what a query reads, and the query. `{rows}` stands for the parameter, `{file}` for a file in memory.
type Definition = (&'static [&'static str], &'static str);

const DRAWS: &str = include_str!("sql/draws.sql");
const TPCH: &str = include_str!("sql/tpch.sql");
const QUERIES: [(&str, Definition); 5] = [
    ("q1", (&[DRAWS, TPCH], include_str!("sql/q1.sql"))),
    ("q9", (&[DRAWS, TPCH], include_str!("sql/q9.sql"))),
    ("q18", (&[DRAWS, TPCH], include_str!("sql/q18.sql"))),
    (
        "parquet-scan",
        (&[DRAWS, TPCH, include_str!("sql/parquet.sql")], include_str!("sql/scan.sql")),
    ),
    ("group-by-url", (&[DRAWS, include_str!("sql/hits.sql")], include_str!("sql/group.sql"))),
];
/// With fewer orders, parts would have a supplier twice.
const ROWS: Parameter = Parameter::integer("rows", 15_000..=15_000_000);

pub fn operations() -> Vec<Operation> {
    let parameters = [Parameter::one_of("query", &QUERIES), ROWS, Parameter::text("result_sha256")];
    vec![Operation::new("query", DUCKDB, setup).takes(parameters).starts([DUCKDB])]
}

/// The tables of all threads.
struct Warehouse {
    database: Arc<Database>,
    /// Read by its name, of this process.
    file: File,
}

impl Warehouse {
    fn new(scripts: &[&str], rows: u64) -> Result<Self, WorkerError> {
        let database = Database::in_memory()?;
        // SAFETY: the name is a text that ends.
        let descriptor = unsafe { libc::memfd_create(c"parquet".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            let what = format!("a file in memory: {}", Error::last_os_error());
            return Err(WorkerError::new(Kind::Resources, what));
        }
        // SAFETY: the descriptor is open and nobody else's.
        let warehouse = Self { database, file: unsafe { File::from_raw_fd(descriptor) } };
        let connection = warehouse.database.connect()?;
        for script in scripts {
            connection.run(&warehouse.fill_in(script).replace("{rows}", &rows.to_string()))?;
        }
        Ok(warehouse)
    }

    fn fill_in(&self, sql: &str) -> String {
        sql.replace("{file}", &format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }

    fn prepare(&self, sql: &str) -> Result<Query, OpError> {
        self.database.connect()?.prepare(&self.fill_in(sql))
    }
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (_, (scripts, sql)) = setting.chosen("query", &QUERIES);
    let warehouse = setting.shared(|| Warehouse::new(scripts, setting.integer("rows")))?;
    let mut query = warehouse.prepare(sql)?;
    let rows = query.perform()?.count();
    let expected = setting.optional_text("result_sha256").unwrap_or_default().to_owned();
    Ok(Box::new(Ask { query, rows, expected, warehouse }))
}

struct Ask {
    // Goes before its database.
    query: Query,
    rows: u64,
    /// SHA-256 of the result's text, in hex.
    expected: String,
    warehouse: Arc<Warehouse>,
}

impl Work for Ask {
    fn op(&mut self) -> Result<(), OpError> {
        match self.query.perform()?.count() {
            rows if rows == self.rows => Ok(()),
            rows => Err(OpError::new(format!("{rows} rows, not {} as at first", self.rows))),
        }
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        Ok(self.query.perform()?.text().into_bytes())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let found = HEXLOWER.encode(&Sha256::digest(output));
        if found == self.expected {
            Ok(())
        } else {
            Err(format!("the result's text has SHA-256 {found}, not {}", self.expected))
        }
    }

    fn verified(&self) -> &'static str {
        "the result, as text, is the one that SQLite finds in the same tables"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn libraries(&self) -> Libraries {
        Libraries::from([(DUCKDB.to_owned(), self.warehouse.database.version())])
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use sizeup_kit::proof::set_up;

    /// As SQLite finds the result (bench/fidelity/python/queries.py).
    pub const PARAMETERS: &str = r#"{"query":"q1","rows":15000,"result_sha256":"fee37fcbbe5b6b40ed8ef105ee443ff2e76e92bb2fcb1344ed04f24b6ad6b6dd"}"#;

    #[test]
    fn a_result_of_other_rows_is_refused() {
        let mut work = match set_up(&operations()[0], &PARAMETERS.replace("15000", "15001"), &[]) {
            Ok(work) => work,
            Err(e) if e.kind == Kind::Unavailable => return println!("not tested: {e}"),
            Err(e) => panic!("{e}"),
        };
        let output = work.output().unwrap();
        assert!(work.check(&output).unwrap_err().starts_with("the result's text has SHA-256"));
    }
}
