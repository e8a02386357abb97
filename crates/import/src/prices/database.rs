//! A SQLite database from elsewhere, which is only read: as it stands in its file, with nothing beside it.

use nix::time::{ClockId, clock_gettime};
use rusqlite::config::DbConfig;
use rusqlite::ffi::sqlite3_drop_modules;
use rusqlite::limits::Limit;
use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row};
use std::ffi::{OsString, c_int};
use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::ptr;
use std::time::Duration;

/// A price database stays far below these limits: bytes of a row or a value, bytes of a statement of its schema, columns of a
/// table, objects of the schema.
const LIMITS: [(Limit, i32); 4] = [
    (Limit::SQLITE_LIMIT_LENGTH, 1 << 20),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 17),
    (Limit::SQLITE_LIMIT_COLUMN, 500),
    (Limit::SQLITE_LIMIT_SCHEMA, 1000),
];
/// Limits everything that SQLite keeps in memory, including statistics that the database brings along.
const MOST_HEAP_BYTES: u32 = 1 << 28;
/// CPU time of the reading thread, so that a busy machine changes nothing. A database of two million prices takes 3 s.
pub(crate) const MOST_TIME: Duration = Duration::from_secs(20);
/// SQLite's instructions between two readings of the clock.
const LOOK_EVERY: c_int = 1000;
/// Longer texts are in no column that is read.
const LONGEST_NAME_BYTES: usize = 400;
/// So many characters of what is wrong are told.
const LONGEST_SHOWN: usize = 40;
/// Begins a journal by which a change must be undone; of one that was done it is overwritten.
const JOURNAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Opens a database without a lock, a log or an index beside it, so that its folder need not be writable. Nothing of its schema
/// is run, and what takes more CPU time than `most_time` is ended.
///
/// # Errors
/// If it can't be opened, or changes to it are in another file.
pub(crate) fn open(path: &Path, most_time: Duration) -> Result<Connection, String> {
    // SQLite looks for other files beside the one that a link leads to.
    let path = path.canonicalize().map_err(|e| format!("can't be read: {e}"))?;
    check_whole(&path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let set = |mut database: Connection| {
        let end = thread_cpu_time() + most_time;
        database.progress_handler(LOOK_EVERY, Some(move || thread_cpu_time() > end))?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        for (limit, most) in LIMITS {
            database.set_limit(limit, most)?;
        }
        // SAFETY: the connection is open, and null says that no module is kept.
        unsafe { sqlite3_drop_modules(database.handle(), ptr::null_mut()) };
        database.execute_batch(&format!(
            "PRAGMA hard_heap_limit = {MOST_HEAP_BYTES}; PRAGMA cell_size_check = ON"
        ))?;
        Ok(database)
    };
    Connection::open_with_flags(uri(&path), flags).and_then(set).map_err(unreadable)
}

fn thread_cpu_time() -> Duration {
    // It was there since Linux 2.6.12.
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::MAX, Duration::from)
}

/// SQLite's error, phrased for the user.
pub(crate) fn unreadable(e: rusqlite::Error) -> String {
    match e.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => {
            "takes too long to read. Use a database with less in it".to_owned()
        }
        _ => format!("can't be read as Spare Cores' database: {e}"),
    }
}

/// Checks that a name is that of a table whose rows stand in the file: a view, a virtual table and a generated column are
/// programs, which may never end.
///
/// # Errors
/// Says what else it is.
pub(crate) fn check_table(database: &Connection, table: &str) -> Result<(), String> {
    let root = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let root: Option<i64> =
        database.query_row(root, [table], |row| row.get(0)).optional().map_err(unreadable)?;
    match root {
        None => return Err(format!("is not Spare Cores' database: it has no table {table}")),
        Some(0) => return Err(format!("has a virtual table {table}, whose rows are in no file")),
        Some(_) => {}
    }
    let mut columns =
        database.prepare(&format!("PRAGMA table_xinfo({table})")).map_err(unreadable)?;
    let mut columns = columns.query([]).map_err(unreadable)?;
    while let Some(column) = columns.next().map_err(unreadable)? {
        if field::<i64>(column, "hidden")? != 0 {
            let name = text(column, "name")?;
            return Err(format!("has a generated column {name:?} in {table}, which is a program"));
        }
    }
    Ok(())
}

/// Takes these columns of each row of a table.
///
/// # Errors
/// If it has more rows than `most`, whoever wants them; and what `take` says.
pub(crate) fn each_row(
    database: &Connection,
    (table, columns): (&str, &str),
    most: usize,
    mut take: impl FnMut(&Row) -> Result<(), String>,
) -> Result<(), String> {
    let mut query =
        database.prepare(&format!("SELECT {columns} FROM {table}")).map_err(unreadable)?;
    let mut rows = query.query([]).map_err(unreadable)?;
    let mut count = 0;
    while let Some(row) = rows.next().map_err(unreadable)? {
        count += 1;
        if count > most {
            return Err(format!(
                "has more than {most} rows in {table}, which is the limit. Use a database with less in it"
            ));
        }
        take(row)?;
    }
    Ok(())
}

/// A value of a column.
///
/// # Errors
/// If it is missing or of another kind.
pub(crate) fn field<T: FromSql>(row: &Row, column: &str) -> Result<T, String> {
    let value = row.get_ref(column).map_err(unreadable)?;
    if value.as_bytes().is_ok_and(|bytes| bytes.len() > LONGEST_NAME_BYTES) {
        return Err(format!("{column} has more than {LONGEST_NAME_BYTES} bytes"));
    }
    T::column_result(value).map_err(|_| match value {
        ValueRef::Null => format!("{column} is missing"),
        ValueRef::Integer(number) => format!("{column} is {number}, which it can't be"),
        ValueRef::Real(number) => format!("{column} is {number}, which it can't be"),
        ValueRef::Text(text) => {
            let text: String = String::from_utf8_lossy(text).chars().take(LONGEST_SHOWN).collect();
            format!("{column} is {text:?}, which it can't be")
        }
        ValueRef::Blob(_) => format!("{column} is a blob, which it can't be"),
    })
}

/// A text that must be there.
///
/// # Errors
/// If it is not.
pub(crate) fn text(row: &Row, column: &str) -> Result<String, String> {
    field(row, column)
}

/// `file:///lists/sc%20data.db?immutable=1`: of an absolute path.
fn uri(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' => uri.push(char::from(*byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

/// Whether the file alone is the whole database.
fn check_whole(path: &Path) -> Result<(), String> {
    let beside = |end: &str| -> PathBuf {
        let mut name = OsString::from(path);
        name.push(end);
        name.into()
    };
    // In quotes of a shell.
    let shown = path.display().to_string().replace('\'', r"'\''");
    let (log, journal) = (beside("-wal"), beside("-journal"));
    let unreadable = |path: &Path, e: io::Error| format!("can't be read: {}: {e}", path.display());
    let start = |path: &Path| -> Result<Vec<u8>, String> {
        let file = match foreign::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(unreadable(path, e)),
        };
        let mut start = Vec::new();
        let read = file.take(JOURNAL.len() as u64).read_to_end(&mut start);
        read.map_err(|e| unreadable(path, e))?;
        Ok(start)
    };
    if !start(&log)?.is_empty() {
        return Err(format!(
            "lacks the changes that are in {}. Write them into it first: sqlite3 '{shown}' 'PRAGMA wal_checkpoint(TRUNCATE)'",
            log.display()
        ));
    }
    if start(&journal)? == JOURNAL {
        return Err(format!(
            "has an unfinished change, which {} can undo. Undo it first: sqlite3 '{shown}' 'PRAGMA schema_version'",
            journal.display()
        ));
    }
    Ok(())
}
