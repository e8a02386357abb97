//! The library as one of Java's native libraries, by JNI: classes for it can be compiled by any JDK, and run in any. The kit's
//! threads attach themselves to the virtual machine. `workers/javakit/sizeup/Kit.java` is the other side.

use crate::managed::{self, Asked};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

/// A table of functions, of which the header `jni.h` names those that we call; their places never change.
type Table = *const *const c_void;
type Env = *mut Table;
type Vm = *mut Table;
type Object = *mut c_void;
type Method = *mut c_void;

const EXCEPTION_CLEAR: usize = 17;
const PUSH_LOCAL_FRAME: usize = 19;
const POP_LOCAL_FRAME: usize = 20;
const NEW_GLOBAL_REF: usize = 21;
const GET_STATIC_METHOD_ID: usize = 113;
const CALL_STATIC_OBJECT_METHOD_A: usize = 116;
const GET_ARRAY_LENGTH: usize = 171;
const NEW_BYTE_ARRAY: usize = 176;
const GET_BYTE_ARRAY_REGION: usize = 200;
const SET_BYTE_ARRAY_REGION: usize = 208;
const GET_JAVA_VM: usize = 219;
const EXCEPTION_CHECK: usize = 228;
/// Index in the invocation interface's function table (`JNIInvokeInterface_`).
const ATTACH_CURRENT_THREAD_AS_DAEMON: usize = 7;

/// A function of a table, as a type that the caller knows from the header.
///
/// # Safety
/// The table is the virtual machine's, and `F` what `jni.h` declares at this place.
unsafe fn function<F: Copy>(table: *mut Table, place: usize) -> F {
    // SAFETY: the caller says so; both are pointers.
    unsafe { std::mem::transmute_copy(&*(*table).add(place)) }
}

/// The class whose `ask` answers, for all threads.
struct Kit {
    vm: Vm,
    class: Object,
    ask: Method,
}

// SAFETY: a virtual machine, a global reference and a method's ID are for all threads.
unsafe impl Send for Kit {}
// SAFETY: as above.
unsafe impl Sync for Kit {}

static KIT: OnceLock<Kit> = OnceLock::new();

thread_local! {
    /// The environment of this thread, once it is attached.
    static ENV: Cell<Env> = const { Cell::new(null_mut()) };
}

/// `private static native int run(byte[] declaration)` of `sizeup.Kit`: runs the worker, and returns its exit status.
///
/// # Safety
/// The virtual machine calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn Java_sizeup_Kit_run(
    env: Env,
    class: Object,
    declaration: Object,
) -> c_int {
    // SAFETY: the virtual machine says so; the signatures are those of `jni.h`.
    let declaration = unsafe {
        ENV.set(env);
        let get_vm: unsafe extern "C" fn(Env, *mut Vm) -> c_int = function(env, GET_JAVA_VM);
        let global: unsafe extern "C" fn(Env, Object) -> Object = function(env, NEW_GLOBAL_REF);
        let method: unsafe extern "C" fn(Env, Object, *const c_char, *const c_char) -> Method =
            function(env, GET_STATIC_METHOD_ID);
        let mut vm = null_mut();
        get_vm(env, &raw mut vm);
        let ask = method(env, class, c"ask".as_ptr(), c"(I[B)[B".as_ptr());
        KIT.get_or_init(|| Kit { vm, class: global(env, class), ask });
        bytes(env, declaration)
    };
    let run = |declaration: Vec<u8>| managed::run(&declaration, ask, None);
    c_int::from(declaration.map_or(2, run))
}

/// Calls Java's side of the kit; `None` if that throws.
fn ask(what: Asked, bytes: &[u8]) -> Option<Vec<u8>> {
    /// References that a call leaves behind.
    const LOCALS: c_int = 4;
    let kit = KIT.get()?;
    // SAFETY: this thread is attached; the signatures are those of `jni.h`.
    unsafe {
        let env = attached(kit)?;
        let push: unsafe extern "C" fn(Env, c_int) -> c_int = function(env, PUSH_LOCAL_FRAME);
        let pop: unsafe extern "C" fn(Env, Object) -> Object = function(env, POP_LOCAL_FRAME);
        if push(env, LOCALS) != 0 {
            return None;
        }
        let answer = call(env, kit, what, bytes);
        pop(env, null_mut());
        answer
    }
}

/// The environment of this thread, which stays the virtual machine's until it ends.
///
/// # Safety
/// The kit is the virtual machine's.
unsafe fn attached(kit: &Kit) -> Option<Env> {
    if ENV.get().is_null() {
        let mut env = null_mut();
        // SAFETY: the signature is that of `jni.h`; no name and no group is given.
        unsafe {
            let attach: unsafe extern "C" fn(Vm, *mut Env, *const c_void) -> c_int =
                function(kit.vm, ATTACH_CURRENT_THREAD_AS_DAEMON);
            if attach(kit.vm, &raw mut env, null()) != 0 {
                return None;
            }
        }
        ENV.set(env);
    }
    Some(ENV.get())
}

/// # Safety
/// The environment is this thread's.
unsafe fn call(env: Env, kit: &Kit, what: Asked, request: &[u8]) -> Option<Vec<u8>> {
    /// `jvalue`.
    #[repr(C)]
    union Argument {
        int: c_int,
        object: Object,
        bits: u64,
    }
    let count = c_int::try_from(request.len()).ok()?;
    // SAFETY: the caller says so; the signatures are those of `jni.h`.
    unsafe {
        let new: unsafe extern "C" fn(Env, c_int) -> Object = function(env, NEW_BYTE_ARRAY);
        let set: unsafe extern "C" fn(Env, Object, c_int, c_int, *const u8) =
            function(env, SET_BYTE_ARRAY_REGION);
        let call: unsafe extern "C" fn(Env, Object, Method, *const Argument) -> Object =
            function(env, CALL_STATIC_OBJECT_METHOD_A);
        let has_thrown: unsafe extern "C" fn(Env) -> u8 = function(env, EXCEPTION_CHECK);
        let clear: unsafe extern "C" fn(Env) = function(env, EXCEPTION_CLEAR);
        let array = new(env, count);
        if array.is_null() {
            clear(env);
            return None;
        }
        set(env, array, 0, count, request.as_ptr());
        let mut arguments = [Argument { bits: 0 }, Argument { object: array }];
        arguments[0].int = what as c_int;
        let answer = call(env, kit.class, kit.ask, arguments.as_ptr());
        // `ask` catches what it can.
        if has_thrown(env) != 0 {
            clear(env);
            return None;
        }
        bytes(env, answer)
    }
}

/// # Safety
/// The environment is this thread's, and the object null or an array of bytes.
unsafe fn bytes(env: Env, array: Object) -> Option<Vec<u8>> {
    if array.is_null() {
        return None;
    }
    // SAFETY: the caller says so; the signatures are those of `jni.h`.
    unsafe {
        let length: unsafe extern "C" fn(Env, Object) -> c_int = function(env, GET_ARRAY_LENGTH);
        let get: unsafe extern "C" fn(Env, Object, c_int, c_int, *mut u8) =
            function(env, GET_BYTE_ARRAY_REGION);
        let count = length(env, array);
        let mut bytes = vec![0; usize::try_from(count).ok()?];
        get(env, array, 0, count, bytes.as_mut_ptr());
        Some(bytes)
    }
}
