//! The page's way to ask: it writes a question into a buffer of ours, and reads the answer there. Numbers, of which a page writes
//! thousands, are asked for without a text.

use super::numbers;
use std::cell::RefCell;

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Where a question of so many bytes goes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Answers the question that was written: the answer's length, or that of what is wrong with the question, below 0.
#[unsafe(no_mangle)]
extern "C" fn ask() -> isize {
    TEXT.with_borrow_mut(|text| {
        let answer = super::answer_page(&String::from_utf8_lossy(text));
        let sign = if answer.is_ok() { 1 } else { -1 };
        *text = answer.unwrap_or_else(|error| error.to_string()).into_bytes();
        text.len() as isize * sign
    })
}

/// Writes a number in four digits: the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn four_digits(value: f64) -> usize {
    answer_with(numbers::four_digits(value))
}

/// Writes a margin: the length of the answer.
#[unsafe(no_mangle)]
extern "C" fn margin(share: f64) -> usize {
    answer_with(numbers::percent(share))
}

fn answer_with(answer: String) -> usize {
    let length = answer.len();
    TEXT.set(answer.into_bytes());
    length
}

/// Where the answer is.
#[unsafe(no_mangle)]
extern "C" fn said() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
