//! Libraries of the apps pack, which are opened at run time: a build does not have them.

use crate::error::{Kind, WorkerError};
use std::ffi::{CStr, CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// Names the pack's folder for this architecture.
const VARIABLE: &str = "SIZEUP_APPS";
/// In the order in which they need each other.
const CPP_LIBRARY: [&str; 2] = ["usr/lib/libgcc_s.so.1", "usr/lib/libstdc++.so.6"];

/// A library that is never closed.
#[derive(Debug)]
pub struct PackedLibrary(NonNull<c_void>);

// SAFETY: the dynamic linker's handles may be used by any thread.
unsafe impl Send for PackedLibrary {}
// SAFETY: as above.
unsafe impl Sync for PackedLibrary {}

impl PackedLibrary {
    /// Opens a file of the pack.
    ///
    /// # Errors
    /// When there is no pack, or it has no such file, or the file can't be opened as a library here.
    pub fn open(file: &str) -> Result<Self, String> {
        let folder = Self::folder()?;
        let path = folder.join(file);
        if !path.is_file() {
            return Err(format!("{VARIABLE} has no {file}"));
        }
        Self::load(&path).or_else(|why| {
            // A bare system has no C++ library. The dynamic linker takes one that is loaded, by its name.
            for part in CPP_LIBRARY {
                Self::load(&folder.join(part)).map_err(|_| why.clone())?;
            }
            Self::load(&path)
        })
    }

    /// The pack's folder.
    ///
    /// # Errors
    /// When there is no pack.
    pub fn folder() -> Result<PathBuf, String> {
        let folder = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
        folder
            .map(PathBuf::from)
            .ok_or_else(|| format!("{VARIABLE} names no apps pack; `make apps` makes one"))
    }

    fn load(path: &Path) -> Result<Self, String> {
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
        // SAFETY: the path is a text that ends.
        let opened = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        NonNull::new(opened).map(Self).ok_or_else(last_error)
    }

    /// The address of a function or datum.
    ///
    /// # Errors
    /// When the library has none of that name.
    pub fn symbol(&self, name: &str) -> Result<NonNull<c_void>, String> {
        let name = CString::new(name).map_err(|e| e.to_string())?;
        // SAFETY: the library is open, and the name is a text that ends.
        NonNull::new(unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) }).ok_or_else(last_error)
    }

    /// The answer where a library can't be opened.
    #[must_use]
    pub fn unavailable(library: &str, why: &str) -> WorkerError {
        WorkerError::new(Kind::Unavailable, format!("{library}: {why}"))
            .hint("make the apps pack (`make apps`), and name its folder for this architecture in SIZEUP_APPS")
    }
}

fn last_error() -> String {
    // SAFETY: the error is of this thread, and a text that ends unless there is none.
    let error = unsafe { libc::dlerror().cast_const().as_ref().map(|text| CStr::from_ptr(text)) };
    error.map_or("unknown".into(), CStr::to_string_lossy).into_owned()
}
