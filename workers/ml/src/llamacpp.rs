//! llama.cpp, opened at run time from the apps pack, through the functions of release/llama.c. Its kernels come in several libraries, one for each
//! kind of CPU.

use crate::decoder::{Decoder, SMOLLM_135M, Shape};
use crate::functions::{functions, text};
use sizeup_kit::{Kind, OpError, PackedLibrary, WorkerError};
use std::ffi::{CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{BufWriter, Error, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Arc, OnceLock};

const FOLDER: &str = "usr/lib/llama";
const FILE: &str = "usr/lib/llama/libsizeup-llama.so";

/// The kinds of CPU that have kernels of their own, as llama.cpp names them, the best first; release/apps builds these.
#[cfg(target_arch = "x86_64")]
const KERNELS: [&str; 6] =
    ["sapphirerapids", "icelake", "cascadelake", "skylakex", "haswell", "x64"];
#[cfg(target_arch = "aarch64")]
const KERNELS: [&str; 4] = ["armv8.6_2", "armv8.6_1", "armv8.2_2", "armv8.0_1"];

type Handle = *mut c_void;

functions! {
    "sizeup_llama_"
    start: fn();
    version: fn() -> *const c_char;
    error: fn() -> *const c_char;
    load_kernels: fn(*const c_char) -> bool;
    model: fn(*const c_char) -> Handle;
    free_model: fn(Handle);
    context: fn(Handle, u32) -> Handle;
    free_context: fn(Handle);
    evaluate: fn(Handle, *mut i32, i32, i32) -> *const f32;
}

/// The opened library.
pub struct Library {
    functions: Functions,
    /// The kernels that are used, and why better ones are not.
    kernels: String,
}

static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();

pub fn library() -> Result<&'static Library, WorkerError> {
    let library = LIBRARY.get_or_init(open).as_ref();
    library.map_err(|why| PackedLibrary::unavailable("llama.cpp", why))
}

/// The kernels that are used, where the library has been opened.
pub fn kernels() -> Option<String> {
    Some(LIBRARY.get()?.as_ref().ok()?.kernels.clone())
}

fn open() -> Result<Library, String> {
    let functions = Functions::of(&PackedLibrary::open(FILE)?)?;
    // SAFETY: it is called once, before all others.
    unsafe { (functions.start)() };
    let folder = PackedLibrary::folder()?.join(FOLDER);
    let (shape, mut refused) = (Shape { layers: 1, vocabulary: 64, ..SMOLLM_135M }, String::new());
    let small = Decoder::drawn(shape).file().map_err(|e| e.to_string())?;
    for kernels in KERNELS {
        let path = folder.join(format!("libggml-cpu-{kernels}.so"));
        if !path.is_file() {
            continue;
        }
        match in_a_child(|| functions.try_kernels(&path, &small))? {
            Trial::Works if functions.takes_kernels(&path) => {
                return Ok(Library { functions, kernels: format!("{kernels}{refused}") });
            }
            Trial::Works | Trial::OfAnotherCpu => {}
            Trial::Fails(how) => {
                refused.push_str(&format!(", because {kernels} {how}"));
            }
        }
    }
    Err(format!("none of its kernels works on this CPU{refused}"))
}

/// How kernels did in a process of their own.
#[derive(Debug, PartialEq)]
enum Trial {
    Works,
    OfAnotherCpu,
    Fails(String),
}

/// The exit status of a trial whose kernels are of another CPU.
const OF_ANOTHER_CPU: c_int = 2;
/// After so long a trial is killed. It takes milliseconds.
const TRIAL_SECONDS: u32 = 60;

/// Tries something in a child, which may die of it.
fn in_a_child(attempt: impl FnOnce() -> Trial) -> Result<Trial, String> {
    // SAFETY: the child has this thread alone. It uses what other threads never hold while an operation is set up: the C library makes its own
    // locks usable in a child.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: both only change this process.
        unsafe { libc::alarm(TRIAL_SECONDS) };
        let attempt = std::panic::AssertUnwindSafe(attempt);
        let status = match std::panic::catch_unwind(attempt) {
            Ok(Trial::Works) => 0,
            Ok(Trial::OfAnotherCpu) => OF_ANOTHER_CPU,
            _ => 1,
        };
        // SAFETY: the parent's buffers and its other state are left as they are.
        unsafe { libc::_exit(status) };
    }
    let mut status = 0;
    // SAFETY: the child is this process's own, and the status lives.
    if child < 0 || unsafe { libc::waitpid(child, &raw mut status, 0) } != child {
        return Err(format!("a child to try kernels in: {}", Error::last_os_error()));
    }
    Ok(if libc::WIFSIGNALED(status) {
        match libc::WTERMSIG(status) {
            libc::SIGILL => Trial::Fails("dies of an illegal instruction".to_owned()),
            libc::SIGALRM => Trial::Fails(format!("takes more than {TRIAL_SECONDS} s")),
            signal => Trial::Fails(format!("dies of signal {signal}")),
        }
    } else {
        match libc::WEXITSTATUS(status) {
            0 => Trial::Works,
            OF_ANOTHER_CPU => Trial::OfAnotherCpu,
            _ => Trial::Fails("evaluates nothing".to_owned()),
        }
    })
}

impl Functions {
    fn takes_kernels(&self, path: &Path) -> bool {
        let path = CString::new(path.as_os_str().as_bytes());
        // SAFETY: the path is a text that ends.
        path.is_ok_and(|path| unsafe { (self.load_kernels)(path.as_ptr()) })
    }

    /// Evaluates several tokens at once and one alone, which takes other kernels.
    fn try_kernels(&self, path: &Path, model: &File) -> Trial {
        if !self.takes_kernels(path) {
            return Trial::OfAnotherCpu;
        }
        let evaluate = || {
            let (model, mut tokens) = (self.load(model)?, [1; 32]);
            // SAFETY: the model is loaded, the tokens are in its vocabulary, and as many as the room.
            unsafe {
                let context = (self.context)(model.as_ptr(), 33);
                let both = !context.is_null()
                    && !(self.evaluate)(context, tokens.as_mut_ptr(), 32, 0).is_null()
                    && !(self.evaluate)(context, tokens.as_mut_ptr(), 1, 32).is_null();
                both.then_some(())
            }
        };
        if evaluate().is_some() { Trial::Works } else { Trial::Fails(String::new()) }
    }

    fn load(&self, file: &File) -> Option<NonNull<c_void>> {
        let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
        // SAFETY: the path is a text that ends.
        NonNull::new(unsafe { (self.model)(path.as_ptr()) })
    }
}

impl Library {
    pub fn version(&self) -> String {
        // SAFETY: the version is a constant text that ends.
        unsafe { text((self.functions.version)()) }
    }

    /// The library's last message on this thread.
    fn failed(&self, what: &str) -> OpError {
        // SAFETY: the message is a text that ends.
        let message = unsafe { text((self.functions.error)()) };
        OpError::new(format!("llama.cpp: {what}: {}", message.trim_end()))
    }
}

impl Decoder {
    /// A file in memory with the model.
    pub fn file(&self) -> Result<File, WorkerError> {
        let failed = |e: Error| WorkerError::new(Kind::Resources, format!("a file in memory: {e}"));
        // SAFETY: the name is a text that ends.
        let descriptor = unsafe { libc::memfd_create(c"model".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(failed(Error::last_os_error()));
        }
        // SAFETY: the descriptor is open and nobody else's.
        let mut to = BufWriter::with_capacity(1 << 16, unsafe { File::from_raw_fd(descriptor) });
        self.write(&mut to).and_then(|()| to.flush()).map_err(failed)?;
        to.into_inner().map_err(|e| failed(e.into_error()))
    }
}

/// A loaded model, which any number of contexts read.
pub struct Model {
    library: &'static Library,
    handle: NonNull<c_void>,
}

// SAFETY: a model does not change, and may be read by any number of threads.
unsafe impl Send for Model {}
// SAFETY: as above.
unsafe impl Sync for Model {}

impl Model {
    pub fn load(file: &File) -> Result<Self, WorkerError> {
        let library = library()?;
        let handle = library.functions.load(file);
        let handle = handle.ok_or_else(|| library.failed("the model can't be loaded"))?;
        Ok(Self { library, handle })
    }

    pub fn version(&self) -> String {
        self.library.version()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: nobody else releases it, and contexts keep it.
        unsafe { (self.library.functions.free_model)(self.handle.as_ptr()) };
    }
}

/// The tokens that one thread has evaluated, and its room for more.
pub struct Context {
    handle: NonNull<c_void>,
    model: Arc<Model>,
    vocabulary: usize,
    /// The last logits, valid until the next evaluation.
    logits: *const f32,
}

impl Context {
    /// Room for some tokens of a model with so large a vocabulary.
    pub fn new(model: Arc<Model>, tokens: usize, vocabulary: usize) -> Result<Self, OpError> {
        let functions = &model.library.functions;
        // SAFETY: the model is loaded.
        let handle = unsafe { (functions.context)(model.handle.as_ptr(), tokens as u32) };
        let handle = NonNull::new(handle).ok_or_else(|| model.library.failed("no context"))?;
        Ok(Self { handle, model, vocabulary, logits: std::ptr::null() })
    }

    /// Evaluates tokens from a position on, and forgets what was there.
    pub fn evaluate(&mut self, tokens: &mut [i32], position: usize) -> Result<(), OpError> {
        let evaluate = self.model.library.functions.evaluate;
        let (count, position) = (tokens.len() as i32, position as i32);
        // SAFETY: the context is this thread's own, and the tokens live.
        self.logits =
            unsafe { evaluate(self.handle.as_ptr(), tokens.as_mut_ptr(), count, position) };
        match self.logits.is_null() {
            true => Err(self.model.library.failed("tokens can't be evaluated")),
            false => Ok(()),
        }
    }

    /// The logits behind the last token.
    pub fn logits(&self) -> &[f32] {
        if self.logits.is_null() {
            return &[];
        }
        // SAFETY: there are as many as tokens, and no evaluation has come since.
        unsafe { std::slice::from_raw_parts(self.logits, self.vocabulary) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: nobody else releases it; the model is released later.
        unsafe { (self.model.library.functions.free_context)(self.handle.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_that_die_are_named_with_the_reason() {
        let tried = |trial: fn() -> Trial| in_a_child(trial).unwrap();
        assert_eq!(tried(|| Trial::Works), Trial::Works);
        assert_eq!(tried(|| Trial::OfAnotherCpu), Trial::OfAnotherCpu);
        let died = tried(|| {
            // SAFETY: it only ends the child.
            unsafe { libc::raise(libc::SIGILL) };
            Trial::Works
        });
        assert_eq!(died, Trial::Fails("dies of an illegal instruction".to_owned()));
        assert_eq!(tried(|| panic!("it fails")), Trial::Fails("evaluates nothing".to_owned()));
    }
}
