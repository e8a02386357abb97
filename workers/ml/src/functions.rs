//! Functions of libraries of the apps pack, which their C part declares.

use std::ffi::{CStr, c_char};

/// Declares a structure `Functions`, whose fields are the functions of a library, without the prefix of their names.
macro_rules! functions {
    ($prefix:literal $($name:ident: fn($($parameter:ty),*) $(-> $returned:ty)?;)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($parameter),*) $(-> $returned)?,)*
        }

        impl Functions {
            fn of(library: &sizeup_kit::PackedLibrary) -> Result<Self, String> {
                Ok(Self {
                    // SAFETY: the library's C part declares the function so.
                    $($name: unsafe {
                        let symbol = library.symbol(concat!($prefix, stringify!($name)))?.as_ptr();
                        std::mem::transmute::<*mut std::ffi::c_void, unsafe extern "C" fn($($parameter),*) $(-> $returned)?>(symbol)
                    },)*
                })
            }
        }
    };
}
pub(crate) use functions;

/// A copy of a library's text.
///
/// # Safety
/// The pointer must be that of a text that ends.
pub unsafe fn text(pointer: *const c_char) -> String {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
