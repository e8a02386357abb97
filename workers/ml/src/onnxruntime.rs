//! ONNX Runtime, opened at run time from the apps pack: the few functions of its C API that are needed.
//! The API is a table of functions, which its header only ever extends at the end (onnxruntime_c_api.h).

use sizeup_kit::{OpError, PackedLibrary, WorkerError};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

const FILE: &str = "usr/lib/libonnxruntime.so.1";
/// The version of the table that is asked for, of ONNX Runtime 1.17: later ones have it too.
const API_VERSION: u32 = 17;

// Values of the header's enumerations.
const LOG_ERRORS: c_int = 3;
const ALL_OPTIMISATIONS: c_int = 99;
const ARENA_ALLOCATOR: c_int = 1;
const DEFAULT_MEMORY: c_int = 0;
const FLOAT: c_int = 1;

type Status = *mut c_void;
type Handle = *mut c_void;
type Release = unsafe extern "C" fn(Handle);

#[repr(C)]
struct Base {
    api: unsafe extern "C" fn(u32) -> *const Api,
    version: unsafe extern "C" fn() -> *const c_char,
}

/// The table's beginning. Places of functions that are not used hold a pointer each; the numbers are places.
#[repr(C)]
struct Api {
    _0: [*const c_void; 2],
    error_message: unsafe extern "C" fn(Status) -> *const c_char, // 2
    create_env: unsafe extern "C" fn(c_int, *const c_char, *mut Handle) -> Status, // 3
    _4: [*const c_void; 4],
    /// Environment, model, its length, options, session.
    create_session_from_array:
        unsafe extern "C" fn(Handle, *const c_void, usize, Handle, *mut Handle) -> Status, // 8
    /// Session, options, names, values and number of inputs, names, number and values of outputs.
    run: unsafe extern "C" fn(
        Handle,
        *const c_void,
        *const *const c_char,
        *const Handle,
        usize,
        *const *const c_char,
        usize,
        *mut Handle,
    ) -> Status, // 9
    create_session_options: unsafe extern "C" fn(*mut Handle) -> Status, // 10
    _11: [*const c_void; 12],
    set_optimisation: unsafe extern "C" fn(Handle, c_int) -> Status, // 23
    set_intra_op_threads: unsafe extern "C" fn(Handle, c_int) -> Status, // 24
    set_inter_op_threads: unsafe extern "C" fn(Handle, c_int) -> Status, // 25
    _26: [*const c_void; 23],
    /// Memory, data, its length in bytes, shape, its length, type, value.
    create_tensor: unsafe extern "C" fn(
        Handle,
        *mut c_void,
        usize,
        *const i64,
        usize,
        c_int,
        *mut Handle,
    ) -> Status, // 49
    _50: [*const c_void; 19],
    create_cpu_memory_info: unsafe extern "C" fn(c_int, c_int, *mut Handle) -> Status, // 69
    _70: [*const c_void; 23],
    release_status: Release,      // 93
    release_memory_info: Release, // 94
    release_session: Release,     // 95
    release_value: Release,       // 96
    _97: [*const c_void; 3],
    release_session_options: Release, // 100
}

/// The opened library.
pub struct Library {
    api: &'static Api,
    version: String,
    /// The environment of all sessions.
    env: Handle,
}

// SAFETY: the table is constant, and an environment may be used by any number of threads.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();

pub fn library() -> Result<&'static Library, WorkerError> {
    LIBRARY
        .get_or_init(open)
        .as_ref()
        .map_err(|why| PackedLibrary::unavailable("ONNX Runtime", why))
}

/// The library's version, where it is there.
pub fn version() -> Option<String> {
    library().ok().map(|library| library.version.clone())
}

fn open() -> Result<Library, String> {
    let symbol = PackedLibrary::open(FILE)?.symbol("OrtGetApiBase")?;
    // SAFETY: the header declares the symbol so. What it returns is constant and lives as long as the library.
    let base: &'static Base = unsafe {
        let api_base: unsafe extern "C" fn() -> *const Base = std::mem::transmute(symbol.as_ptr());
        api_base().as_ref().ok_or("it has no API")?
    };
    // SAFETY: as above; the version is a text that ends.
    let (api, version) = unsafe { ((base.api)(API_VERSION).as_ref(), text((base.version)())) };
    let api = api.ok_or_else(|| format!("its version {version} lacks API {API_VERSION}"))?;
    let mut env = null_mut();
    // SAFETY: the name is a text that ends.
    let status = unsafe { (api.create_env)(LOG_ERRORS, c"sizeup".as_ptr(), &raw mut env) };
    done(api, status)?;
    Ok(Library { api, version, env })
}

/// # Safety
/// The pointer must be null or that of a text that ends.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return "unknown".to_owned();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// The library's message, if something went wrong.
fn done(api: &Api, status: Status) -> Result<(), String> {
    if status.is_null() {
        return Ok(());
    }
    // SAFETY: a status has a message, and is released once.
    unsafe {
        let message = text((api.error_message)(status));
        (api.release_status)(status);
        Err(message)
    }
}

/// Something of the library's that is released in the end.
struct Owned(Handle, Release);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: it was made by the library, and nobody else releases it.
        unsafe { (self.1)(self.0) };
    }
}

/// Makes something of the library's.
fn make(
    api: &Api,
    release: Release,
    create: impl FnOnce(*mut Handle) -> Status,
) -> Result<Owned, String> {
    let mut handle = null_mut();
    done(api, create(&raw mut handle))?;
    Ok(Owned(handle, release))
}

/// A model that is ready to run on the calling thread alone, with one of some inputs at a time and an output, of floats.
pub struct Session {
    library: &'static Library,
    // Released in this order: values before the memory that they are in.
    session: Owned,
    inputs: Vec<Owned>,
    output: Owned,
    names: [CString; 2],
    _input_data: Vec<Box<[f32]>>,
    output_data: Box<[f32]>,
}

/// A name, and the sides of a tensor.
pub type Port<'a> = (&'a str, &'a [i64]);

impl Session {
    pub fn new(
        model: &[u8],
        (input_name, input_shape): Port,
        inputs: &[Vec<f32>],
        (output_name, output_shape): Port,
    ) -> Result<Self, WorkerError> {
        let library = library()?;
        let failed =
            |what: String| WorkerError::from(OpError::new(format!("ONNX Runtime: {what}")));
        Self::try_new(
            library,
            model,
            inputs,
            [input_shape, output_shape],
            [input_name, output_name],
        )
        .map_err(failed)
    }

    fn try_new(
        library: &'static Library,
        model: &[u8],
        inputs: &[Vec<f32>],
        [input_shape, output_shape]: [&[i64]; 2],
        names: [&str; 2],
    ) -> Result<Self, String> {
        let api = library.api;
        // SAFETY: the calls have what the header declares, of which all lives at least until they return.
        let (session, memory) = unsafe {
            let options =
                make(api, api.release_session_options, |to| (api.create_session_options)(to))?;
            done(api, (api.set_optimisation)(options.0, ALL_OPTIMISATIONS))?;
            done(api, (api.set_intra_op_threads)(options.0, 1))?;
            done(api, (api.set_inter_op_threads)(options.0, 1))?;
            let bytes = model.as_ptr().cast();
            let session = make(api, api.release_session, |to| {
                (api.create_session_from_array)(library.env, bytes, model.len(), options.0, to)
            })?;
            let memory = make(api, api.release_memory_info, |to| {
                (api.create_cpu_memory_info)(ARENA_ALLOCATOR, DEFAULT_MEMORY, to)
            })?;
            (session, memory)
        };
        let tensor = |data: &mut [f32], shape: &[i64]| {
            assert_eq!(data.len() as i64, shape.iter().product::<i64>(), "the tensor has its data");
            // SAFETY: the data are as long as the shape says, and the session keeps them as long as the value.
            make(api, api.release_value, |to| unsafe {
                let (start, bytes) = (data.as_mut_ptr().cast(), size_of_val(data));
                (api.create_tensor)(memory.0, start, bytes, shape.as_ptr(), shape.len(), FLOAT, to)
            })
        };
        let mut input_data: Vec<Box<[f32]>> = inputs.iter().map(|input| input[..].into()).collect();
        let inputs = input_data.iter_mut().map(|data| tensor(data, input_shape));
        let length = output_shape.iter().product::<i64>() as usize;
        let mut output_data = vec![0.0; length].into_boxed_slice();
        let name = |name: &str| CString::new(name).map_err(|e| e.to_string());
        Ok(Self {
            library,
            session,
            inputs: inputs.collect::<Result<_, _>>()?,
            output: tensor(&mut output_data, output_shape)?,
            names: [name(names[0])?, name(names[1])?],
            _input_data: input_data,
            output_data,
        })
    }

    /// Computes the output of an input.
    pub fn run(&mut self, input: usize) -> Result<(), OpError> {
        let api = self.library.api;
        let (input_name, output_name) = (self.names[0].as_ptr(), self.names[1].as_ptr());
        // SAFETY: names and values live in this session, one of each. The output's memory is its own.
        let status = unsafe {
            let (inputs, outputs) = (&raw const self.inputs[input].0, &raw mut self.output.0);
            (api.run)(
                self.session.0,
                null(),
                &raw const input_name,
                inputs,
                1,
                &raw const output_name,
                1,
                outputs,
            )
        };
        done(api, status).map_err(OpError::new)
    }

    /// The output of the last run.
    pub fn output(&self) -> &[f32] {
        &self.output_data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn functions_are_where_the_header_has_them() {
        let place = |offset: usize| offset / size_of::<*const c_void>();
        assert_eq!(place(offset_of!(Api, error_message)), 2);
        assert_eq!(place(offset_of!(Api, create_session_from_array)), 8);
        assert_eq!(place(offset_of!(Api, create_session_options)), 10);
        assert_eq!(place(offset_of!(Api, set_optimisation)), 23);
        assert_eq!(place(offset_of!(Api, set_inter_op_threads)), 25);
        assert_eq!(place(offset_of!(Api, create_tensor)), 49);
        assert_eq!(place(offset_of!(Api, create_cpu_memory_info)), 69);
        assert_eq!(place(offset_of!(Api, release_status)), 93);
        assert_eq!(place(offset_of!(Api, release_session_options)), 100);
    }
}
