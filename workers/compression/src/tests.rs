//! The operations of a library with zlib's interface, tested on a fake library that copies its input and counts
//! calls.

use crate::registry::operations;
use crate::zlib::{Z_OK, Z_STREAM_END, Zlib};
use sizeup_kit::proof::set_up;
use sizeup_kit::{Kind, Operation, Work};
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;

/// A fake library whose streams are the texts themselves.
struct Copier;

struct CopierStream {
    input: *const u8,
    input_bytes: u32,
    output: *mut u8,
    room: u32,
    has_begun: bool,
}

thread_local! {
    static BEGUN: Cell<u32> = const { Cell::new(0) };
    static RESET: Cell<u32> = const { Cell::new(0) };
    static ENDED: Cell<u32> = const { Cell::new(0) };
    static IS_IDLE: Cell<bool> = const { Cell::new(false) };
}

fn add_to(counter: &'static std::thread::LocalKey<Cell<u32>>) -> c_int {
    counter.set(counter.get() + 1);
    Z_OK
}

/// Streams begun, reset and ended since the last call.
fn counts() -> [u32; 3] {
    [BEGUN.take(), RESET.take(), ENDED.take()]
}

impl Copier {
    unsafe fn begin(stream: *mut CopierStream) -> c_int {
        // SAFETY: required of the caller.
        unsafe { (*stream).has_begun = true };
        add_to(&BEGUN)
    }

    unsafe fn copy(stream: *mut CopierStream) -> c_int {
        // SAFETY: required of the caller.
        unsafe {
            let stream = &mut *stream;
            assert!(stream.has_begun, "a stream is used that was not begun");
            let bytes = stream.input_bytes.min(stream.room);
            if !IS_IDLE.get() {
                ptr::copy_nonoverlapping(stream.input, stream.output, bytes as usize);
            }
            stream.input = stream.input.add(bytes as usize);
            stream.output = stream.output.add(bytes as usize);
            (stream.input_bytes, stream.room) = (stream.input_bytes - bytes, stream.room - bytes);
            if stream.input_bytes == 0 && stream.room > 0 { Z_STREAM_END } else { Z_OK }
        }
    }
}

impl Zlib for Copier {
    type Stream = CopierStream;
    const NAME: &'static str = "copier";

    fn version() -> String {
        "1".to_owned()
    }
    /// Not a CRC-32: wrong for messages in pieces.
    fn crc32(so_far: u32, _: &[u8]) -> u32 {
        so_far
    }
    unsafe fn deflate_init(stream: *mut CopierStream, _: c_int) -> c_int {
        // SAFETY: required of the caller.
        unsafe { Self::begin(stream) }
    }
    unsafe fn deflate(stream: *mut CopierStream, flush: c_int) -> c_int {
        // SAFETY: required of the caller.
        match unsafe { Self::copy(stream) } {
            Z_STREAM_END if flush != crate::zlib::Z_FINISH => Z_OK,
            status => status,
        }
    }
    unsafe fn deflate_reset(_: *mut CopierStream) -> c_int {
        add_to(&RESET)
    }
    unsafe fn deflate_end(_: *mut CopierStream) -> c_int {
        add_to(&ENDED)
    }
    unsafe fn inflate_init(stream: *mut CopierStream) -> c_int {
        // SAFETY: required of the caller.
        unsafe { Self::begin(stream) }
    }
    unsafe fn inflate(stream: *mut CopierStream, _: c_int) -> c_int {
        // SAFETY: required of the caller.
        unsafe { Self::copy(stream) }
    }
    unsafe fn inflate_reset(_: *mut CopierStream) -> c_int {
        add_to(&RESET)
    }
    unsafe fn inflate_end(_: *mut CopierStream) -> c_int {
        add_to(&ENDED)
    }
    unsafe fn set_input(stream: *mut CopierStream, input: *const u8, bytes: u32) {
        // SAFETY: required of the caller.
        unsafe { ((*stream).input, (*stream).input_bytes) = (input, bytes) };
    }
    unsafe fn set_output(stream: *mut CopierStream, output: *mut u8, bytes: u32) {
        // SAFETY: required of the caller.
        unsafe { ((*stream).output, (*stream).room) = (output, bytes) };
    }
    unsafe fn available(stream: *const CopierStream) -> (u32, u32) {
        // SAFETY: required of the caller.
        unsafe { ((*stream).input_bytes, (*stream).room) }
    }
}

/// Longer than a buffer, and not a multiple of its length.
static TEXT: [u8; 70_001] = [b'x'; 70_001];

/// All operations that make or read streams, each set up.
fn works() -> impl Iterator<Item = (String, Box<dyn Work>)> {
    let streams = |operation: &Operation| operation.name() != "crc32/copier";
    operations::<Copier>().into_iter().filter(streams).map(|operation| {
        let parameters = match operation.name() {
            "gunzip-reused/copier" => "{}",
            "gzip-flush/copier" => r#"{"level":6,"flush_bytes":4096}"#,
            _ => r#"{"level":6}"#,
        };
        let inputs = ["data", "stream"].map(|name| (name, &TEXT[..]));
        let work = set_up(&operation, parameters, &inputs).expect("the setup succeeds");
        (operation.name().to_owned(), work)
    })
}

/// `docs/decisions/0013`: operations with this part in their names reuse their state.
fn uses_its_stream_again(operation: &str) -> bool {
    operation.contains("-reused/")
}

#[test]
fn the_operation_decides_whether_each_text_begins_a_stream_or_reuses_one() {
    let mut both = [0, 0];
    for (operation, mut work) in works() {
        counts();
        work.batch(3).expect("the library does not fail");
        let is_used_again = uses_its_stream_again(&operation);
        let expected = if is_used_again { [0, 3, 0] } else { [3, 0, 3] };
        assert_eq!(counts(), expected, "begun, reset and ended by {operation}");
        both[usize::from(is_used_again)] += 1;
        drop(work);
        assert_eq!(counts()[2], u32::from(is_used_again), "{operation}");
    }
    assert_eq!(both, [3, 2]);
}

#[test]
fn a_library_that_claims_to_write_but_does_not_is_refused() {
    for (operation, mut work) in works() {
        let output = work.output().expect("the library does not fail");
        assert_eq!(work.check(&output), Ok(()), "{operation}");
        IS_IDLE.set(true);
        let output = work.output().expect("the library does not fail");
        IS_IDLE.set(false);
        assert!(work.check(&output).is_err(), "{operation} returns old buffer contents");
    }
}

#[test]
fn a_checksum_that_is_wrong_in_pieces_does_not_verify_messages_without_a_known_answer() {
    let operation = operations::<Copier>().pop().expect("the library has operations");
    let error = set_up(&operation, r#"{"message_bytes":5000}"#, &[]).err().expect("it is refused");
    assert_eq!(error.kind, Kind::WrongAnswer);
}
