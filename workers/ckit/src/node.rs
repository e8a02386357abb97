//! The library as a module of Node. A thread of Node's can run no code but that of its own JavaScript, so the kit works on such
//! threads: [`run`] has the main one start a worker thread for each thread of the launch, which calls [`work`] and stays there.
//! `workers/nodekit/sizeup_kit.js` is the other side.

use crate::managed::{self, Asked};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock};

type Env = *mut c_void;
type JsValue = *mut c_void;
type Callback = extern "C" fn(Env, *mut c_void) -> JsValue;

/// Declares functions of Node-API (Node 10 and newer), looked up in the process, since this library must also load where there is
/// no Node.
macro_rules! node_api {
    ($($name:ident($($argument:ty),*);)*) => {
        #[derive(Clone, Copy)]
        struct NodeApi { $($name: unsafe extern "C" fn($($argument),*) -> c_int,)* }

        impl NodeApi {
            fn find() -> Option<Self> {
                Some(Self { $($name: {
                    let name = concat!(stringify!($name), "\0");
                    // SAFETY: a text with its end.
                    let function = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr().cast()) };
                    if function.is_null() {
                        return None;
                    }
                    // SAFETY: Node's headers declare it so, and keep it so in all versions.
                    unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) -> c_int>(function) }
                },)* })
            }
        }
    };
}

node_api! {
    napi_create_function(Env, *const c_char, usize, Callback, *mut c_void, *mut JsValue);
    napi_set_named_property(Env, JsValue, *const c_char, JsValue);
    napi_get_cb_info(Env, *mut c_void, *mut usize, *mut JsValue, *mut JsValue, *mut *mut c_void);
    napi_call_function(Env, JsValue, JsValue, usize, *const JsValue, *mut JsValue);
    napi_get_undefined(Env, *mut JsValue);
    napi_create_double(Env, f64, *mut JsValue);
    napi_create_buffer_copy(Env, usize, *const c_void, *mut *mut c_void, *mut JsValue);
    napi_get_buffer_info(Env, JsValue, *mut *mut c_void, *mut usize);
    napi_open_handle_scope(Env, *mut *mut c_void);
    napi_close_handle_scope(Env, *mut c_void);
}

static API: OnceLock<NodeApi> = OnceLock::new();
/// Work for the worker threads that Node was asked to start.
static WAITING: Mutex<VecDeque<Box<dyn FnOnce() + Send>>> = Mutex::new(VecDeque::new());

thread_local! {
    /// The calls from JavaScript that the thread is in.
    static JS: Cell<Option<Js>> = const { Cell::new(None) };
}

/// A call from JavaScript: as long as it lasts, the kit may call back.
#[derive(Clone, Copy)]
struct Js {
    api: NodeApi,
    env: Env,
    callback: JsValue,
}

/// Node's status of a call that went well.
const OK: c_int = 0;

impl Js {
    /// Calls JavaScript's side of the kit; `None` if that throws.
    fn ask(self, what: Asked, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut scope = null_mut();
        // SAFETY: this thread is in a call from this environment; the pointer leads to a variable.
        unsafe {
            if (self.api.napi_open_handle_scope)(self.env, &raw mut scope) != OK {
                return None;
            }
            let answer = self.call(what, bytes);
            (self.api.napi_close_handle_scope)(self.env, scope);
            answer
        }
    }

    /// # Safety
    /// This thread is in a call from this environment, with a scope for what this makes.
    unsafe fn call(self, what: Asked, bytes: &[u8]) -> Option<Vec<u8>> {
        let Self { api, env, callback } = self;
        let (mut this, mut code, mut buffer, mut answer) =
            (null_mut(), null_mut(), null_mut(), null_mut());
        // SAFETY: the caller says so; each pointer leads to a variable.
        unsafe {
            let at = bytes.as_ptr().cast();
            if (api.napi_get_undefined)(env, &raw mut this) != OK
                || (api.napi_create_double)(env, f64::from(what as u8), &raw mut code) != OK
                || (api.napi_create_buffer_copy)(env, bytes.len(), at, null_mut(), &raw mut buffer)
                    != OK
            {
                return None;
            }
            let arguments = [code, buffer];
            let status = (api.napi_call_function)(
                env,
                this,
                callback,
                arguments.len(),
                arguments.as_ptr(),
                &raw mut answer,
            );
            if status == OK { self.bytes(answer) } else { None }
        }
    }

    /// # Safety
    /// As [`Js::call`].
    unsafe fn bytes(self, buffer: JsValue) -> Option<Vec<u8>> {
        let (mut at, mut count) = (null_mut(), 0);
        // SAFETY: the caller says so; nothing changes the buffer while it is copied.
        unsafe {
            if (self.api.napi_get_buffer_info)(self.env, buffer, &raw mut at, &raw mut count) != OK
            {
                return None;
            }
            if count == 0 {
                return Some(Vec::new());
            }
            Some(std::slice::from_raw_parts(at.cast::<u8>(), count).to_vec())
        }
    }
}

/// Called by Node when it loads the library: `run` and `work` become functions of JavaScript.
///
/// # Safety
/// Node calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: Env, exports: JsValue) -> JsValue {
    let Some(api) = NodeApi::find() else {
        return exports;
    };
    let api = *API.get_or_init(|| api);
    for (name, function) in [(c"run", run as Callback), (c"work", work as Callback)] {
        let mut made = null_mut();
        // SAFETY: Node says so; JavaScript sees what is missing.
        unsafe {
            let length = name.count_bytes();
            (api.napi_create_function)(
                env,
                name.as_ptr(),
                length,
                function,
                null_mut(),
                &raw mut made,
            );
            (api.napi_set_named_property)(env, exports, name.as_ptr(), made);
        }
    }
    exports
}

/// Takes the arguments of a call from JavaScript, bytes and a function, and does something while it may be called back.
fn called<T>(env: Env, info: *mut c_void, what: impl FnOnce(&[u8]) -> T) -> Option<T> {
    let api = *API.get()?;
    let (mut count, mut arguments) = (2, [null_mut(); 2]);
    // SAFETY: Node calls us with both; there is room for so many arguments.
    let bytes = unsafe {
        let at = arguments.as_mut_ptr();
        let status = (api.napi_get_cb_info)(env, info, &raw mut count, at, null_mut(), null_mut());
        let js = Js { api, env, callback: arguments[1] };
        JS.set(Some(js));
        if status == OK { js.bytes(arguments[0]) } else { None }
    };
    let done = bytes.map(|bytes| what(&bytes));
    JS.set(None);
    done
}

/// `run(declaration, callback)`: runs the worker, and returns its exit status.
extern "C" fn run(env: Env, info: *mut c_void) -> JsValue {
    let status = called(env, info, |declaration| {
        managed::run(declaration, |what, bytes| JS.get()?.ask(what, bytes), Some(start_thread))
    });
    let mut value = null_mut();
    if let Some(api) = API.get() {
        // SAFETY: Node calls us with this environment.
        unsafe { (api.napi_create_double)(env, f64::from(status.unwrap_or(2)), &raw mut value) };
    }
    value
}

/// Has the main thread start a worker thread that does this.
fn start_thread(serve: Box<dyn FnOnce() + Send>) -> Result<(), String> {
    WAITING.lock().map_err(|e| e.to_string())?.push_back(serve);
    managed::ask(Asked::StartThread, &[]).map(|_| ()).map_err(|(_, why)| why)
}

/// `work(nothing, callback)`, on a thread of its own: does what the next thread of the launch is to do.
extern "C" fn work(env: Env, info: *mut c_void) -> JsValue {
    called(env, info, |_| {
        let next = WAITING.lock().map_or(None, |mut waiting| waiting.pop_front());
        if let Some(serve) = next {
            serve();
        }
    });
    null_mut()
}
