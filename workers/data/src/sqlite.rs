//! SQLite's C interface, as far as its rows need it: databases in memory, and statements that are prepared once.

use libsqlite3_sys as ffi;
use sizeup_kit::OpError;
use std::ffi::{CStr, CString, c_int, c_uint};
use std::ptr::{null, null_mut};
use std::sync::Once;

pub const SQLITE: &str = "sqlite";

pub fn version() -> String {
    // SAFETY: the version is a constant text that ends.
    unsafe { CStr::from_ptr(ffi::sqlite3_libversion()) }.to_string_lossy().into_owned()
}

/// A database of the calling thread alone.
pub struct Database(*mut ffi::sqlite3);

impl Database {
    pub fn in_memory() -> Result<Self, OpError> {
        static CONFIGURED: Once = Once::new();
        // By default all threads wait for one lock at each allocation, which counts bytes for nobody (sqlite.org/compile.html).
        // SAFETY: no database is open yet, and the option takes one integer.
        CONFIGURED.call_once(|| unsafe {
            ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int);
        });
        let flags = ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE | ffi::SQLITE_OPEN_NOMUTEX;
        let mut database = Self(null_mut());
        // SAFETY: the name is a text that ends, and the handle is closed in the end even if this fails.
        let status = unsafe {
            ffi::sqlite3_open_v2(c":memory:".as_ptr(), &raw mut database.0, flags, null())
        };
        done(database.0, status)?;
        Ok(database)
    }

    /// Performs statements whose results nobody needs.
    pub fn run(&self, sql: &CStr) -> Result<(), OpError> {
        // SAFETY: the database is open, and the text ends.
        let status =
            unsafe { ffi::sqlite3_exec(self.0, sql.as_ptr(), None, null_mut(), null_mut()) };
        done(self.0, status)
    }

    /// The statement must not be used after its database.
    pub fn prepare(&self, sql: &str) -> Result<Statement, OpError> {
        let text = CString::new(sql).map_err(OpError::new)?;
        let mut statement = Statement(null_mut());
        let flags: c_uint = ffi::SQLITE_PREPARE_PERSISTENT;
        // SAFETY: the database is open, and the text ends.
        let status = unsafe {
            let (text, into) = (text.as_ptr(), &raw mut statement.0);
            ffi::sqlite3_prepare_v3(self.0, text, -1, flags, into, null_mut())
        };
        done(self.0, status)?;
        Ok(statement)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // SAFETY: nobody else closes it. One that still has statements stays open.
        unsafe { ffi::sqlite3_close(self.0) };
    }
}

pub struct Statement(*mut ffi::sqlite3_stmt);

impl Statement {
    /// Performs a statement that has no rows.
    pub fn change(&mut self, values: &[i64]) -> Result<(), OpError> {
        self.query(values, |_| ())
    }

    /// Performs a statement and passes each row.
    pub fn query(&mut self, values: &[i64], mut row: impl FnMut(&Self)) -> Result<(), OpError> {
        let performed = self.start(values).and_then(|()| {
            while self.has_row()? {
                row(self);
            }
            Ok(())
        });
        // SAFETY: the statement is prepared. What is returned is how the last step ended, which is known.
        unsafe { ffi::sqlite3_reset(self.0) };
        performed
    }

    /// A number of the current row.
    pub fn integer(&self, column: c_int) -> i64 {
        // SAFETY: the statement is at a row; another column than it has is null, which is 0.
        unsafe { ffi::sqlite3_column_int64(self.0, column) }
    }

    fn start(&mut self, values: &[i64]) -> Result<(), OpError> {
        for (place, value) in (1..).zip(values) {
            // SAFETY: the statement is prepared and at its beginning.
            let status = unsafe { ffi::sqlite3_bind_int64(self.0, place, *value) };
            self.done(status)?;
        }
        Ok(())
    }

    fn has_row(&mut self) -> Result<bool, OpError> {
        // SAFETY: the statement is prepared.
        match unsafe { ffi::sqlite3_step(self.0) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            status => self.done(status).map(|()| false),
        }
    }

    fn done(&self, status: c_int) -> Result<(), OpError> {
        if status == ffi::SQLITE_OK {
            return Ok(());
        }
        // SAFETY: the statement is prepared.
        done(unsafe { ffi::sqlite3_db_handle(self.0) }, status)
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: nobody else finalises it.
        unsafe { ffi::sqlite3_finalize(self.0) };
    }
}

/// The library's message, if something went wrong.
fn done(database: *mut ffi::sqlite3, status: c_int) -> Result<(), OpError> {
    if status == ffi::SQLITE_OK {
        return Ok(());
    }
    // SAFETY: the message is a text that ends, also of no database.
    let message = unsafe { CStr::from_ptr(ffi::sqlite3_errmsg(database)) };
    Err(OpError::new(format!("SQLite: {} ({status})", message.to_string_lossy())))
}
