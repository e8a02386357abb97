//! usearch, opened at run time from the apps pack, through the functions of release/usearch.cpp.

use crate::functions::{functions, text};
use sizeup_kit::{OpError, PackedLibrary, WorkerError};
use std::ffi::{c_char, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

const FILE: &str = "usr/lib/libsizeup-usearch.so";

functions! {
    "sizeup_usearch_"
    version: fn() -> *const c_char;
    error: fn() -> *const c_char;
    index: fn(bool, usize, usize, usize, usize, usize, usize) -> *mut c_void;
    free_index: fn(*mut c_void);
    kernels: fn(*const c_void) -> *const c_char;
    add: fn(*mut c_void, u64, *const f32) -> bool;
    search: fn(*const c_void, *const f32, usize, *mut u64, *mut f32) -> isize;
}

static LIBRARY: OnceLock<Result<Functions, String>> = OnceLock::new();
static KERNELS: OnceLock<String> = OnceLock::new();

fn functions() -> Result<&'static Functions, WorkerError> {
    let open = || Functions::of(&PackedLibrary::open(FILE)?);
    let functions = LIBRARY.get_or_init(open).as_ref();
    functions.map_err(|why| PackedLibrary::unavailable("usearch", why))
}

/// Opens the library.
///
/// # Errors
/// When it can't be opened.
pub fn open() -> Result<(), WorkerError> {
    functions().map(|_| ())
}

/// The kernels that compute distances, where there has been an index.
pub fn kernels() -> Option<String> {
    KERNELS.get().cloned()
}

impl Functions {
    /// The library's last message on this thread.
    fn failed(&self, what: &str) -> OpError {
        // SAFETY: the message is a text that ends.
        let message = unsafe { text((self.error)()) };
        OpError::new(format!("usearch: {what}: {message}"))
    }
}

/// How an index is built and searched.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Whether it keeps vectors as int8.
    pub is_int8: bool,
    pub dimensions: usize,
    /// Neighbours of a vector in the graph; the lowest level has twice as many.
    pub connectivity: usize,
    /// Candidates that are kept while a vector is added, and while one is searched for.
    pub expansion_add: usize,
    pub expansion_search: usize,
}

/// Vectors that have numbers, and the graph between them.
pub struct Index {
    functions: &'static Functions,
    handle: NonNull<c_void>,
    dimensions: usize,
}

// SAFETY: the library's index may be used by any thread.
unsafe impl Send for Index {}
// SAFETY: the library lets any number of threads search at a time; who adds has the index alone.
unsafe impl Sync for Index {}

/// Vectors that a search found, the nearest first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<const N: usize> {
    pub count: usize,
    pub keys: [u64; N],
    pub distances: [f32; N],
}

impl<const N: usize> Found<N> {
    pub const NOTHING: Self = Self { count: 0, keys: [0; N], distances: [0.0; N] };
}

impl Index {
    /// Room for some vectors, and for some threads that search at a time.
    pub fn new(plan: Plan, vectors: usize, threads: usize) -> Result<Self, WorkerError> {
        let functions = functions()?;
        let Plan { is_int8, dimensions, connectivity, expansion_add, expansion_search } = plan;
        // SAFETY: any numbers will do.
        let handle = NonNull::new(unsafe {
            (functions.index)(
                is_int8,
                dimensions,
                connectivity,
                expansion_add,
                expansion_search,
                vectors,
                threads,
            )
        });
        let handle = handle.ok_or_else(|| functions.failed("no index"))?;
        // SAFETY: the index is there, and the name is a text that ends.
        KERNELS.get_or_init(|| unsafe { text((functions.kernels)(handle.as_ptr())) });
        Ok(Self { functions, handle, dimensions })
    }

    pub fn version(&self) -> String {
        // SAFETY: the version is a constant text that ends.
        unsafe { text((self.functions.version)()) }
    }

    /// Adds a vector, whose number must be new.
    pub fn add(&mut self, key: u64, vector: &[f32]) -> Result<(), OpError> {
        assert_eq!(vector.len(), self.dimensions, "a vector of the index");
        // SAFETY: the vector has as many numbers as the index's.
        let is_added = unsafe { (self.functions.add)(self.handle.as_ptr(), key, vector.as_ptr()) };
        match is_added {
            true => Ok(()),
            false => Err(self.functions.failed("a vector can't be added")),
        }
    }

    /// Finds as many of the vectors nearest to a query as there is room for.
    pub fn search<const N: usize>(
        &self,
        query: &[f32],
        found: &mut Found<N>,
    ) -> Result<(), OpError> {
        assert_eq!(query.len(), self.dimensions, "a vector of the index");
        let (keys, distances) = (found.keys.as_mut_ptr(), found.distances.as_mut_ptr());
        let search = self.functions.search;
        // SAFETY: the query has as many numbers as the index's vectors, and there is room for N.
        let count = unsafe { search(self.handle.as_ptr(), query.as_ptr(), N, keys, distances) };
        found.count = usize::try_from(count).map_err(|_| self.functions.failed("no search"))?;
        Ok(())
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        // SAFETY: nobody else releases it.
        unsafe { (self.functions.free_index)(self.handle.as_ptr()) };
    }
}
