//! SQLite in memory, a database for each thread: `sqlite-oltp`, a transaction like TPC-B's, and `sqlite-query`, a join of three tables.

use crate::draw::Draws;
use libsqlite3_sys as ffi;
use sizeup_kit::{OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_int};
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::sync::Once;

pub const SQLITE: &str = "sqlite";

const SEED: u64 = 2028;
/// For each branch, as in TPC-B.
const TELLERS: u64 = 10;
/// The history has so many transactions and then begins again, so that memory does not grow with time.
const HISTORY: u64 = 65_536;
const CUSTOMERS: u64 = 1_000;
const PRODUCTS: u64 = 500;
const REGIONS: [&str; 8] =
    ["africa", "andes", "asia", "baltic", "europe", "nordic", "oceania", "pacific"];
const KINDS: [&str; 12] = [
    "bags", "books", "boots", "coats", "games", "hats", "lamps", "maps", "music", "ropes", "tents",
    "tools",
];

pub fn operations() -> Vec<Operation> {
    let accounts = Parameter::integer("accounts", 1_000..=10_000_000);
    let lines = Parameter::integer("lines", 1_000..=10_000_000);
    vec![
        Operation::new("sqlite-oltp", SQLITE, setup_transactions).takes([accounts]),
        Operation::new("sqlite-query", SQLITE, setup_query).takes([lines]),
    ]
}

/// The version as the library reports it.
pub fn version() -> String {
    // SAFETY: a constant text of the library.
    unsafe { CStr::from_ptr(ffi::sqlite3_libversion()) }.to_string_lossy().into_owned()
}

/// Proves that the library is the one whose headers were compiled in.
pub fn self_test() -> Result<(), String> {
    let headers = ffi::SQLITE_VERSION.to_string_lossy();
    if version() == headers {
        Ok(())
    } else {
        Err(format!("SQLite reports version {}; its headers are {headers}", version()))
    }
}

fn setup_transactions(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let accounts = setting.integer("accounts");
    Ok(Box::new(Transactions::new(accounts)?))
}

fn setup_query(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    Ok(Box::new(Query::new(setting.integer("lines"))?))
}

struct Transactions {
    begin: Statement,
    update_account: Statement,
    select_account: Statement,
    update_teller: Statement,
    update_branch: Statement,
    insert_history: Statement,
    commit: Statement,
    sums: Statement,
    select_history: Statement,
    draws: Draws,
    accounts: u64,
    /// How many there were.
    done: u64,
    /// The balance that the last one read.
    balance: i64,
    // Behind its statements, which are dropped before it.
    _database: Database,
}

/// One account, which is of the only branch.
#[derive(Clone, Copy)]
struct Transaction {
    account: i64,
    teller: i64,
    delta: i64,
    /// Where it is written in the history.
    place: i64,
}

impl Transactions {
    fn new(accounts: u64) -> Result<Self, OpError> {
        let database = Database::open()?;
        database.execute(
            "CREATE TABLE branches (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL, filler TEXT NOT NULL);
             CREATE TABLE tellers (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);
             CREATE TABLE accounts (id INTEGER PRIMARY KEY, branch INTEGER NOT NULL, balance INTEGER NOT NULL, filler TEXT NOT NULL);
             CREATE TABLE history (id INTEGER PRIMARY KEY, teller INTEGER NOT NULL, branch INTEGER NOT NULL,
                account INTEGER NOT NULL, delta INTEGER NOT NULL, filler TEXT NOT NULL);
             BEGIN;
             INSERT INTO branches VALUES (1, 0, printf('%88s', ''));",
        )?;
        let filled = |table: &str, number: u64, row: &str| {
            database.execute(&format!(
                "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {number})
                 INSERT INTO {table} SELECT {row} FROM n;"
            ))
        };
        filled("tellers", TELLERS, "i, 1, 0, printf('%84s', '')")?;
        filled("accounts", accounts, "i, 1, 0, printf('%84s', '')")?;
        filled("history", HISTORY, "i, 0, 0, 0, 0, printf('%22s', '')")?;
        database.execute("COMMIT;")?;
        let prepare = |sql| database.prepare(sql);
        Ok(Self {
            begin: prepare("BEGIN")?,
            update_account: prepare("UPDATE accounts SET balance = balance + ?2 WHERE id = ?1")?,
            select_account: prepare("SELECT balance FROM accounts WHERE id = ?1")?,
            update_teller: prepare("UPDATE tellers SET balance = balance + ?2 WHERE id = ?1")?,
            update_branch: prepare("UPDATE branches SET balance = balance + ?1 WHERE id = 1")?,
            insert_history: prepare(
                "REPLACE INTO history VALUES (?1, ?2, 1, ?3, ?4, '                      ')",
            )?,
            commit: prepare("COMMIT")?,
            sums: prepare(
                "SELECT (SELECT sum(balance) FROM accounts), (SELECT sum(balance) FROM tellers),
                    (SELECT sum(balance) FROM branches)",
            )?,
            select_history: prepare("SELECT teller, account, delta FROM history WHERE id = ?1")?,
            draws: Draws::new(SEED),
            accounts,
            done: 0,
            balance: 0,
            _database: database,
        })
    }

    fn draw(&mut self) -> Transaction {
        let mut below = |bound| self.draws.below(bound) as i64;
        let (account, teller) = (1 + below(self.accounts), 1 + below(TELLERS));
        let delta = below(10_001) - 5_000;
        self.done += 1;
        Transaction { account, teller, delta, place: 1 + (self.done % HISTORY) as i64 }
    }

    fn perform(&mut self, of: Transaction) -> Result<(), OpError> {
        self.begin.run([])?;
        self.update_account.run([of.account, of.delta])?;
        [self.balance] = self.select_account.numbers([of.account])?;
        self.update_teller.run([of.teller, of.delta])?;
        self.update_branch.run([of.delta])?;
        self.insert_history.run([of.place, of.teller, of.account, of.delta])?;
        self.commit.run([])
    }
}

impl Work for Transactions {
    fn op(&mut self) -> Result<(), OpError> {
        let drawn = self.draw();
        self.perform(drawn)
    }

    /// By how much the sums of tellers and branches differ from that of the accounts, and by how much the balances that it changed
    /// or read and its line of the history differ from what a transaction makes of them.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let of = self.draw();
        let [before, ..]: [i64; 3] = self.sums.numbers([])?;
        let [balance] = self.select_account.numbers([of.account])?;
        self.balance = i64::MIN;
        self.perform(of)?;
        let [accounts, tellers, branches] = self.sums.numbers([])?;
        let [teller, account, delta] = self.select_history.numbers([of.place])?;
        let differences = [
            tellers.wrapping_sub(accounts),
            branches.wrapping_sub(accounts),
            accounts.wrapping_sub(before).wrapping_sub(of.delta),
            self.balance.wrapping_sub(balance).wrapping_sub(of.delta),
            teller.wrapping_sub(of.teller),
            account.wrapping_sub(of.account),
            delta.wrapping_sub(of.delta),
        ];
        Ok(differences.into_iter().flat_map(i64::to_le_bytes).collect())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == [0; 7 * 8] {
            Ok(())
        } else {
            Err(format!("sums or the history are not what transactions make: {output:02x?}"))
        }
    }

    fn verified(&self) -> &'static str {
        "the sums of accounts, tellers and branches are equal, and the history has the transaction"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

struct Query {
    query: Statement,
    expected: Vec<u8>,
    _database: Database,
}

impl Query {
    fn new(lines: u64) -> Result<Self, OpError> {
        let database = Database::open()?;
        database.execute(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, region TEXT NOT NULL);
             CREATE TABLE products (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, price INTEGER NOT NULL);
             CREATE TABLE lines (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, product INTEGER NOT NULL, quantity INTEGER NOT NULL);
             BEGIN;",
        )?;
        let mut draws = Draws::new(SEED);
        let mut regions = Vec::new();
        for id in 0..CUSTOMERS {
            regions.push(REGIONS[draws.below(8) as usize]);
            let region = regions[id as usize];
            database.execute(&format!("INSERT INTO customers VALUES ({id}, '{region}');"))?;
        }
        let mut products = Vec::new();
        for id in 0..PRODUCTS {
            let (kind, price) = (KINDS[draws.below(12) as usize], draws.below(50_000));
            products.push((kind, price));
            database.execute(&format!("INSERT INTO products VALUES ({id}, '{kind}', {price});"))?;
        }
        let mut insert = database.prepare("INSERT INTO lines VALUES (?1, ?2, ?3, ?4)")?;
        let mut groups: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
        for id in 0..lines {
            let (customer, product) = (draws.below(CUSTOMERS), draws.below(PRODUCTS));
            let quantity = 1 + draws.below(9);
            insert.run([id, customer, product, quantity].map(|number| number as i64))?;
            if quantity > 1 {
                let (kind, price) = products[product as usize];
                let group = groups.entry((regions[customer as usize], kind)).or_default();
                *group = (group.0 + 1, group.1 + quantity * price);
            }
        }
        database.execute("COMMIT;")?;
        let line = |((region, kind), (count, sum))| format!("{region}|{kind}|{count}|{sum}\n");
        let expected = groups.into_iter().map(line).collect::<String>().into_bytes();
        let query = database.prepare(
            "SELECT customers.region, products.kind, count(*), sum(lines.quantity * products.price)
             FROM lines JOIN customers ON customers.id = lines.customer JOIN products ON products.id = lines.product
             WHERE lines.quantity > 1 GROUP BY customers.region, products.kind
             ORDER BY customers.region, products.kind",
        )?;
        Ok(Self { query, expected, _database: database })
    }
}

impl Work for Query {
    fn op(&mut self) -> Result<(), OpError> {
        let mut sum = 0;
        self.query.rows(|row| sum += row.number(2) + row.number(3))?;
        black_box(sum);
        Ok(())
    }

    /// A line for each row of the result.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut output = Vec::new();
        self.query.rows(|row| {
            output.extend([row.text(0), b"|", row.text(1)].concat());
            output.extend(format!("|{}|{}\n", row.number(2), row.number(3)).into_bytes());
        })?;
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        if output == self.expected {
            Ok(())
        } else {
            Err("the rows are not those of the same groups, made without SQL".to_owned())
        }
    }

    fn verified(&self) -> &'static str {
        "the rows are those of the same groups, made without SQL"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

impl From<Failure> for OpError {
    fn from(failure: Failure) -> Self {
        Self::new(failure.0)
    }
}

/// What SQLite says of a call that failed.
struct Failure(String);

/// A database in memory, of one thread.
struct Database(*mut ffi::sqlite3);

impl Database {
    fn open() -> Result<Self, Failure> {
        static CONFIGURED: Once = Once::new();
        // SQLite counts the memory of all databases under one lock, unless it is asked not to, as its makers recommend.
        // SAFETY: nothing else was called before, and takes an integer.
        CONFIGURED.call_once(|| unsafe {
            ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int);
        });
        let mut database = Self(null_mut());
        let flags = ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_NOMUTEX;
        // SAFETY: the name ends with a zero; the place for the pointer is ours. It is set even if the call fails.
        let status =
            unsafe { ffi::sqlite3_open_v2(c":memory:".as_ptr(), &mut database.0, flags, null()) };
        database.done(status, ffi::SQLITE_OK)?;
        Ok(database)
    }

    fn execute(&self, sql: &str) -> Result<(), Failure> {
        let sql = CString::new(sql).map_err(|e| Failure(e.to_string()))?;
        // SAFETY: the database is open, the text ends with a zero; rows and messages are not asked for.
        let status =
            unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), None, null_mut(), null_mut()) };
        self.done(status, ffi::SQLITE_OK)
    }

    fn prepare(&self, sql: &str) -> Result<Statement, Failure> {
        let mut statement = Statement(null_mut());
        let (flags, bytes) = (ffi::SQLITE_PREPARE_PERSISTENT, sql.len() as c_int);
        // SAFETY: the database is open; pointer and length describe the text; the place for the pointer is ours.
        let status = unsafe {
            let sql = sql.as_ptr().cast();
            ffi::sqlite3_prepare_v3(self.0, sql, bytes, flags, &mut statement.0, null_mut())
        };
        self.done(status, ffi::SQLITE_OK)?;
        Ok(statement)
    }

    fn done(&self, status: c_int, expected: c_int) -> Result<(), Failure> {
        if status == expected { Ok(()) } else { Err(failure_of(self.0, status)) }
    }
}

/// The message of a database's last call.
fn failure_of(database: *mut ffi::sqlite3, status: c_int) -> Failure {
    // SAFETY: the message of an open database, or of none, ends with a zero and is copied at once.
    let message = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(database)) };
    Failure(format!("SQLite: {} ({status})", message.to_string_lossy()))
}

impl Drop for Database {
    fn drop(&mut self) {
        // SAFETY: it is closed once, behind its statements: owners hold it as their last field.
        unsafe { ffi::sqlite3_close(self.0) };
    }
}

/// A prepared statement of a database that is open.
struct Statement(*mut ffi::sqlite3_stmt);

/// A row of a statement's result.
struct Row(*mut ffi::sqlite3_stmt);

impl Statement {
    /// Binds the parameters and gives each row to `take`.
    fn each<const N: usize>(
        &mut self,
        parameters: [i64; N],
        mut take: impl FnMut(Row),
    ) -> Result<(), OpError> {
        // SAFETY: the statement is prepared, and its database open.
        let database = || unsafe { ffi::sqlite3_db_handle(self.0) };
        for (at, value) in (1..).zip(parameters) {
            // SAFETY: as above.
            let status = unsafe { ffi::sqlite3_bind_int64(self.0, at, value) };
            if status != ffi::SQLITE_OK {
                return Err(failure_of(database(), status).into());
            }
        }
        let status = loop {
            // SAFETY: as above.
            match unsafe { ffi::sqlite3_step(self.0) } {
                ffi::SQLITE_ROW => take(Row(self.0)),
                status => break status,
            }
        };
        // SAFETY: as above.
        let reset = unsafe { ffi::sqlite3_reset(self.0) };
        match (status, reset) {
            (ffi::SQLITE_DONE, ffi::SQLITE_OK) => Ok(()),
            _ => Err(failure_of(database(), status).into()),
        }
    }

    /// Runs a statement without a result.
    fn run<const N: usize>(&mut self, parameters: [i64; N]) -> Result<(), OpError> {
        self.each(parameters, |_| ())
    }

    fn rows(&mut self, take: impl FnMut(Row)) -> Result<(), OpError> {
        self.each([], take)
    }

    /// The numbers of the only row.
    fn numbers<const N: usize, const M: usize>(
        &mut self,
        parameters: [i64; N],
    ) -> Result<[i64; M], OpError> {
        let mut rows = 0;
        let mut numbers = [0; M];
        self.each(parameters, |row| {
            rows += 1;
            (0..).zip(&mut numbers).for_each(|(column, number)| *number = row.number(column));
        })?;
        match rows {
            1 => Ok(numbers),
            _ => Err(OpError::new(format!("SQLite: {rows} rows, not one"))),
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: it is finalized once.
        unsafe { ffi::sqlite3_finalize(self.0) };
    }
}

impl Row {
    fn number(&self, column: c_int) -> i64 {
        // SAFETY: the statement is at a row; a column that is not there is a null, which is 0.
        unsafe { ffi::sqlite3_column_int64(self.0, column) }
    }

    fn text(&self, column: c_int) -> &[u8] {
        // SAFETY: the statement is at a row; text and length stay as they are until the next step, which takes the row away.
        unsafe {
            let text = ffi::sqlite3_column_text(self.0, column);
            if text.is_null() {
                return &[];
            }
            let bytes = ffi::sqlite3_column_bytes(self.0, column);
            std::slice::from_raw_parts(text, usize::try_from(bytes).unwrap_or(0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balances_and_a_history_that_something_else_changed_are_found() {
        for change in [
            "UPDATE accounts SET balance = balance + 1 WHERE id = 7",
            "UPDATE branches SET balance = balance - 1",
            "CREATE TRIGGER other AFTER INSERT ON history BEGIN UPDATE history SET delta = delta + 1; END",
            "CREATE TRIGGER more AFTER UPDATE ON tellers BEGIN UPDATE accounts SET balance = 1; END",
        ] {
            let mut work = Transactions::new(1_000).unwrap();
            let output = work.output().unwrap();
            assert_eq!(work.check(&output), Ok(()));
            work._database.execute(change).unwrap_or_else(|e| panic!("{}", e.0));
            let output = work.output().unwrap();
            assert!(work.check(&output).is_err(), "{change}");
        }
    }

    #[test]
    fn sql_that_is_none_is_a_failure_with_sqlites_words() {
        let database = Database::open().unwrap_or_else(|e| panic!("{}", e.0));
        let failure = database.execute("SELEKT 1").unwrap_err();
        assert!(failure.0.contains("SELEKT"), "{}", failure.0);
    }
}
