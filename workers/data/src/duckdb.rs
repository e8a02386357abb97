//! DuckDB, opened at run time from the apps pack: the few functions of its C API that are needed (duckdb.h).

use sizeup_kit::{OpError, PackedLibrary, WorkerError};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Arc, OnceLock};

pub const DUCKDB: &str = "duckdb";
const FILE: &str = "usr/lib/libduckdb.so";

/// A query is performed by the thread that asks for it. Nothing is fetched, nothing is written to a disk, and a file is read again each
/// time.
const SETTINGS: [(&CStr, &CStr); 5] = [
    (c"threads", c"1"),
    (c"autoinstall_known_extensions", c"false"),
    (c"autoload_known_extensions", c"false"),
    (c"temp_directory", c""),
    (c"enable_external_file_cache", c"false"),
];

type Handle = *mut c_void;
/// `DuckDBSuccess`.
const SUCCESS: c_int = 0;

/// `duckdb_result`, whose fields are no longer for callers.
#[repr(C)]
struct RawResult([*mut c_void; 6]);

macro_rules! functions {
    ($($name:ident: fn($($parameter:ty),*) $(-> $returned:ty)?;)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($parameter),*) $(-> $returned)?,)*
        }

        impl Functions {
            fn of(library: &PackedLibrary) -> Result<Self, String> {
                Ok(Self {
                    // SAFETY: duckdb.h declares the function so.
                    $($name: unsafe {
                        let symbol = library.symbol(concat!("duckdb_", stringify!($name)))?.as_ptr();
                        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($parameter),*) $(-> $returned)?>(symbol)
                    },)*
                })
            }
        }
    };
}

functions! {
    library_version: fn() -> *const c_char;
    create_config: fn(*mut Handle) -> c_int;
    set_config: fn(Handle, *const c_char, *const c_char) -> c_int;
    destroy_config: fn(*mut Handle);
    open_ext: fn(*const c_char, *mut Handle, Handle, *mut *mut c_char) -> c_int;
    close: fn(*mut Handle);
    connect: fn(Handle, *mut Handle) -> c_int;
    disconnect: fn(*mut Handle);
    query: fn(Handle, *const c_char, *mut RawResult) -> c_int;
    prepare: fn(Handle, *const c_char, *mut Handle) -> c_int;
    prepare_error: fn(Handle) -> *const c_char;
    destroy_prepare: fn(*mut Handle);
    execute_prepared: fn(Handle, *mut RawResult) -> c_int;
    result_error: fn(*mut RawResult) -> *const c_char;
    destroy_result: fn(*mut RawResult);
    row_count: fn(*mut RawResult) -> u64;
    column_count: fn(*mut RawResult) -> u64;
    value_varchar: fn(*mut RawResult, u64, u64) -> *mut c_char;
    free: fn(*mut c_void);
}

static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();

fn functions() -> Result<&'static Functions, WorkerError> {
    let open = || Functions::of(&PackedLibrary::open(FILE)?);
    FUNCTIONS.get_or_init(open).as_ref().map_err(|why| PackedLibrary::unavailable("DuckDB", why))
}

/// A database in memory.
pub struct Database {
    functions: &'static Functions,
    handle: Handle,
}

// SAFETY: a database may be used by any number of threads.
unsafe impl Send for Database {}
// SAFETY: as above.
unsafe impl Sync for Database {}

impl Database {
    pub fn in_memory() -> Result<Arc<Self>, WorkerError> {
        let functions = functions()?;
        let mut config = null_mut();
        let (mut handle, mut error) = (null_mut(), null_mut());
        // SAFETY: all texts end; the configuration and the error are released once, whatever happens.
        let opened = unsafe {
            let mut status = (functions.create_config)(&raw mut config);
            for (name, value) in SETTINGS {
                if status == SUCCESS {
                    status = (functions.set_config)(config, name.as_ptr(), value.as_ptr());
                }
            }
            if status == SUCCESS {
                let path = c":memory:".as_ptr();
                status = (functions.open_ext)(path, &raw mut handle, config, &raw mut error);
            }
            let opened = done(status, || error.cast_const());
            (functions.free)(error.cast());
            (functions.destroy_config)(&raw mut config);
            opened
        };
        opened?;
        Ok(Arc::new(Self { functions, handle }))
    }

    /// The library's.
    pub fn version(&self) -> String {
        // SAFETY: the version is a constant text that ends.
        let version = unsafe { text((self.functions.library_version)()) };
        version.trim_start_matches('v').to_owned()
    }

    pub fn connect(self: &Arc<Self>) -> Result<Connection, OpError> {
        let mut connection = Connection { database: Arc::clone(self), handle: null_mut() };
        // SAFETY: the database is open.
        let status = unsafe { (self.functions.connect)(self.handle, &raw mut connection.handle) };
        done(status, null)?;
        Ok(connection)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // SAFETY: nobody else closes it, and no connection is left.
        unsafe { (self.functions.close)(&raw mut self.handle) };
    }
}

pub struct Connection {
    database: Arc<Database>,
    handle: Handle,
}

impl Connection {
    /// Performs statements whose results nobody needs.
    pub fn run(&self, sql: &str) -> Result<(), OpError> {
        let text = CString::new(sql).map_err(OpError::new)?;
        // SAFETY: the connection is open, and the text ends.
        Rows::of(self.database.functions, |functions, rows| unsafe {
            (functions.query)(self.handle, text.as_ptr(), rows)
        })?;
        Ok(())
    }

    pub fn prepare(self, sql: &str) -> Result<Query, OpError> {
        let sql = CString::new(sql).map_err(OpError::new)?;
        let functions = self.database.functions;
        let mut query = Query { handle: null_mut(), connection: self };
        // SAFETY: the connection is open, the text ends, and the error belongs to the query.
        unsafe {
            let (connection, into) = (query.connection.handle, &raw mut query.handle);
            let status = (functions.prepare)(connection, sql.as_ptr(), into);
            done(status, || (functions.prepare_error)(query.handle))?;
        }
        Ok(query)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: nobody else closes it.
        unsafe { (self.database.functions.disconnect)(&raw mut self.handle) };
    }
}

/// A query that is prepared on a connection of its own.
pub struct Query {
    handle: Handle,
    connection: Connection,
}

impl Query {
    pub fn perform(&mut self) -> Result<Rows, OpError> {
        let functions = self.connection.database.functions;
        // SAFETY: the query is prepared.
        Rows::of(functions, |functions, rows| unsafe {
            (functions.execute_prepared)(self.handle, rows)
        })
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        // SAFETY: nobody else releases it; its connection is closed later.
        unsafe { (self.connection.database.functions.destroy_prepare)(&raw mut self.handle) };
    }
}

/// The whole result of a query.
pub struct Rows {
    functions: &'static Functions,
    raw: RawResult,
}

impl Rows {
    fn of(
        functions: &'static Functions,
        perform: impl FnOnce(&Functions, *mut RawResult) -> c_int,
    ) -> Result<Self, OpError> {
        let mut rows = Self { functions, raw: RawResult([null_mut(); 6]) };
        let status = perform(functions, &raw mut rows.raw);
        // SAFETY: the error belongs to the result, which is filled in even if it failed.
        done(status, || unsafe { (functions.result_error)(&raw mut rows.raw) })?;
        Ok(rows)
    }

    pub fn count(&mut self) -> u64 {
        // SAFETY: the result was filled in.
        unsafe { (self.functions.row_count)(&raw mut self.raw) }
    }

    /// A line for each row, its values as texts with `|` between them.
    pub fn text(&mut self) -> String {
        let functions = self.functions;
        // SAFETY: the result was filled in.
        let columns = unsafe { (functions.column_count)(&raw mut self.raw) };
        let mut lines = String::new();
        for row in 0..self.count() {
            for column in 0..columns {
                // SAFETY: row and column are there; the value is a text that ends, or null, and is released once.
                unsafe {
                    let value = (functions.value_varchar)(&raw mut self.raw, column, row);
                    lines.push_str(&text(value));
                    (functions.free)(value.cast());
                }
                lines.push(if column + 1 == columns { '\n' } else { '|' });
            }
        }
        lines
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        // SAFETY: nobody else releases it.
        unsafe { (self.functions.destroy_result)(&raw mut self.raw) };
    }
}

/// # Safety
/// The pointer must be null or that of a text that ends.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return "NULL".to_owned();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// The library's message, if something went wrong.
fn done(status: c_int, error: impl FnOnce() -> *const c_char) -> Result<(), OpError> {
    if status == SUCCESS {
        return Ok(());
    }
    // SAFETY: errors are null or texts that end.
    Err(OpError::new(format!("DuckDB: {}", unsafe { text(error()) })))
}
