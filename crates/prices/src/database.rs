//! A SQLite database from elsewhere, which is only read: as it stands in its file, with nothing beside it.

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longer texts are in no column that is read.
const LONGEST_VALUE_BYTES: i32 = 16 << 20;
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
    let database = Connection::open_with_flags(uri(&path), flags).and_then(set);
    database.map_err(|e: rusqlite::Error| format!("can't be read as Spare Cores' database: {e}"))
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
        // Opening a pipe would wait for its other end.
        match fs::metadata(of) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(unreadable(of, io::ErrorKind::InvalidInput.into())),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(unreadable(of, e)),
        }
        let mut start = Vec::new();
        let file = File::open(of).map_err(|e| unreadable(of, e))?;
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
