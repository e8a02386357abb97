//! A SQLite database from elsewhere, which is only read: as it stands in its file, with nothing beside it.

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Connection, OpenFlags, Row};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longer values are in no row.
const LONGEST_VALUE_BYTES: i32 = 16 << 20;
/// Longer texts are in no column that is read.
const LONGEST_NAME_BYTES: usize = 400;
/// So many characters of what is wrong are told.
const LONGEST_SHOWN: usize = 40;
/// Begins a journal by which a change must be undone; of one that was done it is overwritten.
const JOURNAL: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Opens a database without a lock, a log or an index beside it, so that its folder need not be writable. Nothing of its schema
/// is run.
///
/// # Errors
/// If it can't be opened, or changes to it are in another file.
pub(crate) fn open(path: &Path) -> Result<Connection, String> {
    // SQLite looks for other files beside the one that a link leads to.
    let path = path.canonicalize().map_err(|e| format!("can't be read: {e}"))?;
    check_whole(&path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let set = |database: Connection| {
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        database.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE_BYTES)?;
        database.execute_batch("PRAGMA cell_size_check = ON")?;
        Ok(database)
    };
    Connection::open_with_flags(uri(&path), flags).and_then(set).map_err(unreadable)
}

/// What SQLite says.
pub(crate) fn unreadable(e: rusqlite::Error) -> String {
    format!("can't be read as Spare Cores' database: {e}")
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
    let unreadable = |of: &Path, e: io::Error| format!("can't be read: {}: {e}", of.display());
    let start = |of: &Path| -> Result<Vec<u8>, String> {
        let file = match foreign::open(of) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(unreadable(of, e)),
        };
        let mut start = Vec::new();
        let read = file.take(JOURNAL.len() as u64).read_to_end(&mut start);
        read.map_err(|e| unreadable(of, e))?;
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
            "has a change that is not whole: {} is to undo it. Have it undone first: sqlite3 '{shown}' 'PRAGMA schema_version'",
            journal.display()
        ));
    }
    Ok(())
}
