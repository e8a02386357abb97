//! The structures of `sizeup_kit.h`, and what a worker declares with them as the kit has it.

use sizeup_kit::{Libraries, Operation, Parameter, Setup};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_void};

/// `sizeup_parameter`.
#[repr(C)]
pub struct CParameter {
    name: *const c_char,
    from: u64,
    to: u64,
    choices: *const *const c_char,
}

/// `sizeup_operation`.
#[repr(C)]
pub struct COperation {
    name: *const c_char,
    parameters: *const CParameter,
    inputs: *const *const c_char,
    verified: *const c_char,
    setup: Option<SetupFn>,
    batch: Option<BatchFn>,
    output: Option<OutputFn>,
    check: Option<CheckFn>,
    bytes_per_op: Option<BytesPerOpFn>,
}

type SetupFn = extern "C" fn(*const c_void) -> *mut c_void;
type BatchFn = extern "C" fn(*mut c_void, u64) -> c_int;
type OutputFn = extern "C" fn(*mut c_void, *mut Vec<u8>) -> c_int;
type CheckFn = extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
type BytesPerOpFn = extern "C" fn(*mut c_void) -> u64;

/// `sizeup_library`.
#[repr(C)]
pub struct CLibrary {
    name: *const c_char,
    version: *const c_char,
}

/// `sizeup_worker`.
#[repr(C)]
pub struct CWorker {
    name: *const c_char,
    operations: *const COperation,
    libraries: *const CLibrary,
    compiler: *const c_char,
    flags: *const c_char,
    self_test: Option<extern "C" fn() -> c_int>,
    crossing: Option<extern "C" fn()>,
}

/// A worker as it was declared, with texts of our own.
pub(crate) struct Declared {
    pub name: &'static str,
    pub operations: BTreeMap<String, Functions>,
    /// In the order of the declaration.
    pub listed: Vec<Operation>,
    pub libraries: Libraries,
    pub compiler: String,
    pub flags: String,
    pub self_test: Option<extern "C" fn() -> c_int>,
    pub crossing: Option<extern "C" fn()>,
}

/// The functions of an operation, checked to be there.
#[derive(Clone, Copy)]
pub(crate) struct Functions {
    pub setup: SetupFn,
    pub batch: BatchFn,
    pub output: OutputFn,
    pub check: CheckFn,
    pub bytes_per_op: Option<BytesPerOpFn>,
    pub verified: &'static str,
    /// Parameters that are one of some texts, with these: as they were declared, which is what `sizeup_choice` hands back.
    pub choices: &'static [(&'static str, Vec<(&'static str, &'static CStr)>)],
}

/// A text that stays, as everything does that a worker declares: it lasts as long as the process.
///
/// # Safety
/// The pointer is null or leads to a text that ends with a zero byte.
unsafe fn text(pointer: *const c_char, what: &str) -> Result<&'static str, String> {
    if pointer.is_null() {
        return Err(format!("{what} is missing"));
    }
    // SAFETY: the caller says so.
    let text = unsafe { CStr::from_ptr(pointer) };
    let text = text.to_str().map_err(|e| format!("{what} is not UTF-8: {e}"))?;
    Ok(String::leak(text.to_owned()))
}

/// The elements of an array up to the first that is its end; none of a null pointer.
///
/// # Safety
/// The pointer is null or leads to an array that has an end.
unsafe fn elements<'a, T>(mut at: *const T, is_end: impl Fn(&T) -> bool) -> Vec<&'a T> {
    let mut elements = Vec::new();
    // SAFETY: the caller says that an end is there, and we do not go beyond it.
    while let Some(element) = unsafe { at.as_ref() }.filter(|element| !is_end(element)) {
        elements.push(element);
        at = at.wrapping_add(1);
    }
    elements
}

impl Declared {
    /// Reads a declaration.
    ///
    /// # Safety
    /// The pointer leads to a worker whose pointers are as `sizeup_kit.h` says.
    pub unsafe fn read(worker: *const CWorker, setup: Setup) -> Result<Self, String> {
        // SAFETY: the caller says so; this holds for each block below.
        let worker = unsafe { worker.as_ref() }.ok_or("there is no worker")?;
        let optional = |pointer: *const c_char, what| {
            // SAFETY: as above.
            if pointer.is_null() { Ok("") } else { unsafe { text(pointer, what) } }
        };
        let mut libraries = Libraries::new();
        // SAFETY: as above.
        unsafe {
            for library in elements(worker.libraries, |library| library.name.is_null()) {
                let name = text(library.name, "a library's name")?;
                libraries
                    .insert(name.to_owned(), text(library.version, "a library's version")?.into());
            }
        }
        let mut declared = Self {
            // SAFETY: as above.
            name: unsafe { text(worker.name, "the worker's name")? },
            operations: BTreeMap::new(),
            listed: Vec::new(),
            libraries,
            // SAFETY: as above.
            compiler: unsafe { text(worker.compiler, "the compiler")? }.to_owned(),
            flags: optional(worker.flags, "the flags")?.to_owned(),
            self_test: worker.self_test,
            crossing: worker.crossing,
        };
        // SAFETY: as above.
        let operations =
            unsafe { elements(worker.operations, |operation| operation.name.is_null()) };
        if operations.is_empty() {
            return Err("the worker declares no operation".to_owned());
        }
        for operation in operations {
            // SAFETY: as above.
            unsafe { declared.take(operation, setup)? };
        }
        Ok(declared)
    }

    /// # Safety
    /// As [`Declared::read`].
    unsafe fn take(&mut self, declared: &COperation, setup: Setup) -> Result<(), String> {
        // SAFETY: the caller says so; this holds for each block below.
        let name = unsafe { text(declared.name, "an operation's name")? };
        let (operation, implementation) = name
            .split_once('/')
            .ok_or_else(|| format!("{name:?} is not OPERATION/IMPLEMENTATION"))?;
        if !self.libraries.contains_key(implementation) {
            return Err(format!("{name}: no library is named {implementation:?}"));
        }
        if self.operations.contains_key(name) {
            return Err(format!("{name} is declared twice"));
        }
        let (mut parameters, mut choices) = (Vec::new(), Vec::new());
        // SAFETY: as above.
        for parameter in unsafe { elements(declared.parameters, |one| one.name.is_null()) } {
            // SAFETY: as above.
            let name = unsafe { text(parameter.name, "a parameter's name")? };
            // SAFETY: as above.
            let texts = unsafe { elements(parameter.choices, |text| text.is_null()) };
            if texts.is_empty() {
                parameters.push(Parameter::integer(name, parameter.from..=parameter.to));
                continue;
            }
            let mut pairs = Vec::new();
            for choice in texts {
                // SAFETY: as above; a worker's declaration lasts as long as the process.
                pairs.push(unsafe { (text(*choice, "a choice")?, CStr::from_ptr(*choice)) });
            }
            parameters.push(Parameter::one_of(name, &pairs));
            choices.push((name, pairs));
        }
        let mut inputs = Vec::new();
        // SAFETY: as above.
        for input in unsafe { elements(declared.inputs, |input| input.is_null()) } {
            // SAFETY: as above.
            inputs.push(unsafe { text(*input, "an input's name")? });
        }
        // SAFETY: as above.
        let verified = unsafe { text(declared.verified, "what is verified")? };
        let listed = Operation::new(operation, implementation, setup);
        self.listed.push(listed.takes(parameters).reads(inputs));
        let missing = |function| format!("{name}: {function} is missing");
        let functions = Functions {
            setup: declared.setup.ok_or_else(|| missing("setup"))?,
            batch: declared.batch.ok_or_else(|| missing("batch"))?,
            output: declared.output.ok_or_else(|| missing("output"))?,
            check: declared.check.ok_or_else(|| missing("check"))?,
            bytes_per_op: declared.bytes_per_op,
            verified,
            choices: Vec::leak(choices),
        };
        self.operations.insert(name.to_owned(), functions);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null;

    extern "C" fn setup(_: *const c_void) -> *mut c_void {
        std::ptr::null_mut()
    }
    extern "C" fn batch(_: *mut c_void, _: u64) -> c_int {
        0
    }
    extern "C" fn output(_: *mut c_void, _: *mut Vec<u8>) -> c_int {
        0
    }
    extern "C" fn check(_: *mut c_void, _: *const u8, _: usize) -> c_int {
        0
    }

    /// An operation with all its functions.
    fn whole(name: &CStr, parameters: &[CParameter]) -> COperation {
        COperation {
            name: name.as_ptr(),
            parameters: parameters.as_ptr(),
            inputs: null(),
            verified: c"it is right".as_ptr(),
            setup: Some(setup),
            batch: Some(batch),
            output: Some(output),
            check: Some(check),
            bytes_per_op: None,
        }
    }

    /// Declares a worker with these operations, which one library `mine` performs.
    fn declared(mut operations: Vec<COperation>) -> Result<Declared, String> {
        // An entry of zeros, as `{0}` is in C.
        operations.push(COperation {
            name: null(),
            parameters: null(),
            inputs: null(),
            verified: null(),
            setup: None,
            batch: None,
            output: None,
            check: None,
            bytes_per_op: None,
        });
        let library = |name, version| CLibrary { name, version };
        let libraries = [library(c"mine".as_ptr(), c"1.0".as_ptr()), library(null(), null())];
        let worker = CWorker {
            name: c"test".as_ptr(),
            operations: operations.as_ptr(),
            libraries: libraries.as_ptr(),
            compiler: c"gcc".as_ptr(),
            flags: null(),
            self_test: None,
            crossing: None,
        };
        // SAFETY: all of it is there, with its ends.
        unsafe { Declared::read(&raw const worker, |_| unreachable!()) }
    }

    fn refusal(operations: Vec<COperation>) -> String {
        declared(operations).map(|_| ()).unwrap_err()
    }

    const END: CParameter = CParameter { name: null(), from: 0, to: 0, choices: null() };

    #[test]
    fn a_declaration_is_read_up_to_its_ends() {
        let choices = [c"fast".as_ptr(), c"small".as_ptr(), null()];
        let number = CParameter { name: c"level".as_ptr(), from: 1, to: 9, choices: null() };
        let choice =
            CParameter { name: c"mode".as_ptr(), from: 0, to: 0, choices: choices.as_ptr() };
        let worker = declared(vec![whole(c"zip/mine", &[number, choice, END])]).unwrap();
        assert_eq!((worker.name, worker.listed.len(), worker.libraries.len()), ("test", 1, 1));
        let functions = worker.operations["zip/mine"];
        let (name, choices) = &functions.choices[0];
        assert_eq!((*name, choices[1]), ("mode", ("small", c"small")));
    }

    #[test]
    fn an_operation_without_its_library_or_a_whole_name_is_refused() {
        let refusal = |name| refusal(vec![whole(name, &[END])]);
        assert!(refusal(c"zip/other").contains("no library is named \"other\""));
        assert!(refusal(c"zip").contains("is not OPERATION/IMPLEMENTATION"));
        assert!(refusal(c"zip/\xff").contains("not UTF-8"));
    }

    #[test]
    fn an_operation_without_one_of_its_functions_is_refused() {
        let whole = || whole(c"zip/mine", &[END]);
        for (operation, missing) in [
            (COperation { setup: None, ..whole() }, "setup"),
            (COperation { batch: None, ..whole() }, "batch"),
            (COperation { output: None, ..whole() }, "output"),
            (COperation { check: None, ..whole() }, "check"),
        ] {
            assert_eq!(refusal(vec![operation]), format!("zip/mine: {missing} is missing"));
        }
    }

    #[test]
    fn a_second_operation_of_one_name_is_refused() {
        let twice = [c"zip/mine", c"unzip/mine", c"zip/mine"].map(|name| whole(name, &[END]));
        assert_eq!(refusal(twice.into()), "zip/mine is declared twice");
    }
}
