//! Bytes as choices.

/// Where a target's decisions come from. Behind the last byte all are zero, so every input ends.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    left: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Draws from the input's bytes.
    pub fn new(input: &'a [u8]) -> Self {
        Self { left: input }
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.left.split_first() {
            Some((first, left)) => {
                self.left = left;
                *first
            }
            None => 0,
        }
    }

    /// A number below `count`; 0 of none.
    pub fn below(&mut self, count: usize) -> usize {
        let wide = (0..4).fold(0, |number, _| number << 8 | usize::from(self.byte()));
        wide.checked_rem(count).unwrap_or(0)
    }

    /// Whether one of so many times, on average.
    pub fn is_one_of(&mut self, times: u8) -> bool {
        self.byte() % times == times - 1
    }

    /// One of these.
    ///
    /// # Panics
    /// When there are none.
    pub fn of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())]
    }

    /// Eight bytes as a number.
    pub fn wide(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// The bytes that no choice has used.
    pub fn rest(self) -> &'a [u8] {
        self.left
    }
}
