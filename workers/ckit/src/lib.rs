//! The kit with a C interface (`include/sizeup_kit.h`): a worker in C, or in a language that calls C, declares its
//! operations and hands control to [`sizeup_run`]. Everything that is timed is timed here; what the worker's functions do
//! is all that happens in its own language.

mod declared;
mod java;
mod managed;
mod node;
mod warm_up;

use declared::{CWorker, Declared, Functions};
use sizeup_kit::{
    ChildUsage, Kind, Language, OpError, Paths, RuntimeTime, Setting, Work, Worker, WorkerError,
};
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

/// Makes the state that threads share.
type MakeFn = extern "C" fn(*const c_void) -> *mut c_void;

/// The worker of this process.
static DECLARED: OnceLock<Declared> = OnceLock::new();

thread_local! {
    /// Kind and text of the thread's last failure, until it is reported.
    static FAILURE: RefCell<Option<(Kind, String)>> = const { RefCell::new(None) };
    /// Totals of other processes that did the thread's work.
    static CHILDREN: Cell<ChildUsage> =
        const { Cell::new(ChildUsage { cpu_ns: 0, minor_faults: 0, major_faults: 0 }) };
    /// For how many ns a collector stopped the thread; `None` until the worker says so.
    static COLLECTOR_NS: Cell<Option<u64>> = const { Cell::new(None) };
}

fn failed(kind: Kind, why: String) -> c_int {
    FAILURE.with_borrow_mut(|failure| *failure = Some((kind, why)));
    -1
}

/// Takes why the worker's function failed.
fn failure(function: &str) -> (Kind, String) {
    FAILURE
        .take()
        .unwrap_or_else(|| (Kind::Internal, format!("{function} failed without a reason")))
}

/// Turns a function's status into a result, with the reason of its failure.
fn success(status: c_int, function: &str) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(failure(function).1) }
}

/// Calls a function without the failure that one before it may have left and not returned.
fn afresh<T>(function: impl FnOnce() -> T) -> T {
    FAILURE.set(None);
    function()
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The pointers lead to what `sizeup_kit.h` says, for as long as the process lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_run(
    worker: *const CWorker,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // As a program in Rust does: a harness that has gone is a failed write, and nobody has to read the last answer.
    // SAFETY: ignoring a signal installs no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    // SAFETY: the caller says so.
    let declared = match unsafe { Declared::read(worker, setup) } {
        Ok(declared) => DECLARED.get_or_init(|| declared),
        Err(what) => {
            eprintln!("sizeup_run: {what}");
            return 2;
        }
    };
    let count = usize::try_from(argc).unwrap_or(0);
    // SAFETY: the caller says that there are so many texts.
    let argument = |i: usize| unsafe { CStr::from_ptr(*argv.wrapping_add(i)) };
    let arguments: Vec<String> =
        (1..count).map(|i| argument(i).to_string_lossy().into_owned()).collect();
    let language = Language {
        compiler: declared.compiler.clone(),
        flags: declared.flags.clone(),
        crossing: declared.crossing.map(|_| {
            (|| {
                if let Some(crossing) = DECLARED.get().and_then(|declared| declared.crossing) {
                    crossing();
                }
            }) as fn()
        }),
        start_thread: None,
    };
    let worker = Worker {
        name: declared.name,
        operations: declared.listed.clone(),
        libraries: || DECLARED.get().map(|declared| declared.libraries.clone()).unwrap_or_default(),
        paths: Paths::new,
        self_test: || match DECLARED.get().and_then(|declared| declared.self_test) {
            Some(self_test) => success(self_test(), "the self-test"),
            None => Ok(()),
        },
    };
    c_int::from(sizeup_kit::run_in(&language, &worker, &arguments))
}

/// One thread's state in the worker's language.
struct Foreign {
    functions: Functions,
    state: *mut c_void,
}

fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let functions =
        DECLARED.get().and_then(|declared| declared.operations.get(setting.operation)).copied();
    let functions = functions.expect("only operations that were declared are listed");
    let state = afresh(|| (functions.setup)(std::ptr::from_ref(setting).cast()));
    if state.is_null() {
        let (kind, why) = failure("setup");
        return Err(WorkerError::new(kind, why));
    }
    Ok(Box::new(Foreign { functions, state }))
}

impl Work for Foreign {
    fn op(&mut self) -> Result<(), OpError> {
        self.batch(1)
    }

    fn batch(&mut self, ops: u64) -> Result<(), OpError> {
        success((self.functions.batch)(self.state, ops), "the op").map_err(OpError::new)
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut output = Vec::new();
        let status = afresh(|| (self.functions.output)(self.state, &raw mut output));
        success(status, "the output").map_err(OpError::new)?;
        if output.is_empty() {
            return Err(OpError::new("the operation made no output to check"));
        }
        Ok(output)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let check = || (self.functions.check)(self.state, output.as_ptr(), output.len());
        success(afresh(check), "the check")
    }

    fn verified(&self) -> &'static str {
        self.functions.verified
    }

    fn bytes_per_op(&self) -> Option<u64> {
        self.functions.bytes_per_op.map(|bytes_per_op| bytes_per_op(self.state))
    }

    fn children(&self) -> ChildUsage {
        CHILDREN.get()
    }

    fn runtime(&self) -> Result<RuntimeTime, OpError> {
        Ok(RuntimeTime { collector_ns: COLLECTOR_NS.get(), compilers_ns: None })
    }
}

/// See `sizeup_kit.h`.
#[unsafe(no_mangle)]
pub extern "C" fn sizeup_add_usage(cpu_ns: u64, minor_faults: u64, major_faults: u64) {
    let mut children = CHILDREN.get();
    children += ChildUsage { cpu_ns, minor_faults, major_faults };
    CHILDREN.set(children);
}

/// See `sizeup_kit.h`.
#[unsafe(no_mangle)]
pub extern "C" fn sizeup_add_gc_time(ns: u64) {
    COLLECTOR_NS.set(Some(COLLECTOR_NS.get().unwrap_or(0).saturating_add(ns)));
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The pointer leads to a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_fail(why: *const c_char) -> c_int {
    // SAFETY: the caller says so.
    unsafe { failed_for(Kind::Internal, why) }
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The pointer leads to a text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_unavailable(why: *const c_char) -> c_int {
    // SAFETY: the caller says so.
    unsafe { failed_for(Kind::Unavailable, why) }
}

/// # Safety
/// The pointer leads to a text that ends with a zero byte.
unsafe fn failed_for(kind: Kind, why: *const c_char) -> c_int {
    // SAFETY: the caller says so.
    failed(kind, unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned())
}

/// The setting and the name of what is asked of it.
///
/// # Safety
/// The setting is the one that `setup` was called with, and the name a text that ends with a zero byte.
unsafe fn asked<'a>(setting: *const c_void, name: *const c_char) -> (&'a Setting<'a>, &'a str) {
    // SAFETY: the caller says so.
    let (setting, name) = unsafe { (&*setting.cast::<Setting>(), CStr::from_ptr(name)) };
    (setting, name.to_str().unwrap_or("(not UTF-8)"))
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// As [`asked`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_integer(setting: *const c_void, name: *const c_char) -> u64 {
    // SAFETY: the caller says so.
    let (setting, name) = unsafe { asked(setting, name) };
    setting.integer(name)
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// As [`asked`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_choice(
    setting: *const c_void,
    name: *const c_char,
) -> *const c_char {
    // SAFETY: the caller says so.
    let (setting, name) = unsafe { asked(setting, name) };
    let functions = DECLARED.get().and_then(|declared| declared.operations.get(setting.operation));
    let choices = functions
        .and_then(|functions| functions.choices.iter().find(|(parameter, _)| *parameter == name));
    let Some((_, choices)) = choices else {
        panic!("the operation declares no choices for {name:?}");
    };
    setting.chosen(name, choices).1.as_ptr()
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The setting is the one that `setup` was called with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_seed(setting: *const c_void) -> u64 {
    // SAFETY: the caller says so.
    unsafe { &*setting.cast::<Setting>() }.seed
}

/// A state of a worker's own, for its threads.
struct State(*mut c_void);

// SAFETY: the worker says that its threads may share it: it hands it to all of them.
unsafe impl Send for State {}
// SAFETY: as above.
unsafe impl Sync for State {}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The setting is the one that `setup` was called with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_shared(setting: *const c_void, make: MakeFn) -> *mut c_void {
    // SAFETY: the caller says so.
    let of_thread = unsafe { &*setting.cast::<Setting>() };
    let made = of_thread.shared(|| {
        let state = afresh(|| make(setting));
        if state.is_null() {
            let (kind, why) = failure("the shared state's function");
            return Err(WorkerError::new(kind, why));
        }
        Ok(State(state))
    });
    match made {
        Ok(state) => state.0,
        Err(error) => {
            failed(error.kind, error.message);
            std::ptr::null_mut()
        }
    }
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// As [`asked`]; `bytes` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_input(
    setting: *const c_void,
    name: *const c_char,
    bytes: *mut usize,
) -> *mut u8 {
    // SAFETY: the caller says so.
    let (setting, name) = unsafe { asked(setting, name) };
    match setting.input(name) {
        Ok(input) => {
            let input = Vec::leak(input);
            // SAFETY: the caller says that it can be written.
            unsafe { bytes.write(input.len()) };
            input.as_mut_ptr()
        }
        Err(error) => {
            failed(error.kind, error.message);
            std::ptr::null_mut()
        }
    }
}

/// See `sizeup_kit.h`.
///
/// # Safety
/// The output is the one that `output` was called with, and so many bytes can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sizeup_give(to: *mut Vec<u8>, bytes: *const u8, count: usize) {
    if count > 0 {
        // SAFETY: the caller says so.
        unsafe { (*to).extend_from_slice(std::slice::from_raw_parts(bytes, count)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::Operation;

    extern "C" fn setup(_: *const c_void) -> *mut c_void {
        std::ptr::null_mut()
    }
    extern "C" fn batch(_: *mut c_void, _: u64) -> c_int {
        0
    }
    /// Has no memory at first, and says so, and then gets on without.
    extern "C" fn output(_: *mut c_void, to: *mut Vec<u8>) -> c_int {
        // SAFETY: a text with its end, and the output that we were called with.
        unsafe {
            sizeup_fail(c"there is no memory".as_ptr());
            sizeup_give(to, [1].as_ptr(), 1);
        }
        0
    }
    extern "C" fn check(_: *mut c_void, _: *const u8, _: usize) -> c_int {
        -1
    }

    #[test]
    fn a_state_is_made_once_for_all_threads_and_its_failure_is_told_to_all() {
        use sizeup_kit::proof::Team;
        use std::sync::atomic::{AtomicUsize, Ordering};
        static MADE: AtomicUsize = AtomicUsize::new(0);
        extern "C" fn make(_: *const c_void) -> *mut c_void {
            MADE.fetch_add(1, Ordering::Relaxed);
            std::ptr::dangling_mut::<u64>().cast()
        }
        extern "C" fn no_memory(_: *const c_void) -> *mut c_void {
            // SAFETY: a text with its end.
            unsafe { sizeup_unavailable(c"there is no memory".as_ptr()) };
            std::ptr::null_mut()
        }
        fn shared(setting: &Setting, make: MakeFn) -> Result<Box<dyn Work>, WorkerError> {
            // SAFETY: the setting is there.
            let state = unsafe { sizeup_shared(std::ptr::from_ref(setting).cast(), make) };
            let (kind, why) =
                if state.is_null() { failure("it") } else { (Kind::Internal, String::new()) };
            Err(WorkerError::new(kind, why))
        }
        let operation = |setup| Operation::new("op", "test", setup);
        let refusals = |operation: &Operation| {
            let team = Team::new(operation, "{}", &[], &[0, 0]).unwrap();
            [0, 1].map(|thread| team.set_up(thread).err().unwrap())
        };
        refusals(&operation(|setting| shared(setting, make)));
        assert_eq!(MADE.load(Ordering::Relaxed), 1);
        for refusal in refusals(&operation(|setting| shared(setting, no_memory))) {
            assert_eq!(
                (refusal.kind, &*refusal.message),
                (Kind::Unavailable, "there is no memory")
            );
        }
    }

    #[test]
    fn a_thread_says_what_its_collector_took_once_it_was_told() {
        let choices = &[];
        let functions =
            Functions { setup, batch, output, check, bytes_per_op: None, verified: "", choices };
        let work = Foreign { functions, state: std::ptr::null_mut() };
        let taken = || work.runtime().map(|time| time.collector_ns);
        assert_eq!(taken(), Ok(None));
        sizeup_add_gc_time(0);
        assert_eq!(taken(), Ok(Some(0)));
        sizeup_add_gc_time(7);
        sizeup_add_gc_time(8);
        assert_eq!(taken(), Ok(Some(15)));
        std::thread::spawn(|| assert_eq!(COLLECTOR_NS.get(), None)).join().unwrap();
    }

    #[test]
    fn a_failure_that_was_told_and_not_returned_is_not_the_reason_of_the_next() {
        let choices = &[];
        let functions =
            Functions { setup, batch, output, check, bytes_per_op: None, verified: "", choices };
        let mut work = Foreign { functions, state: std::ptr::null_mut() };
        let output = work.output().map_err(|_| ()).expect("an output");
        assert_eq!(work.check(&output), Err("the check failed without a reason".to_owned()));
    }
}
