//! Work that cares for neighbours in different ways.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Work in batches of some ten to a hundred µs.
pub trait Work {
    fn batch(&mut self);
}

type Make = fn() -> Box<dyn Work>;

pub const WORKS: [(&str, Make); 3] = [
    ("copy 40 MiB", || Box::new(Copy::new(40 << 20))),
    ("wander over 6 MiB", || Box::new(Wander::new(6 << 20))),
    ("add in registers", || Box::new(Add)),
];

/// Copies memory, a piece at a time.
struct Copy {
    from: Vec<u8>,
    to: Vec<u8>,
    place: usize,
}

const PIECE_BYTES: usize = 1 << 20;

impl Copy {
    fn new(bytes: usize) -> Self {
        Self { from: vec![1; bytes], to: vec![2; bytes], place: 0 }
    }
}

impl Work for Copy {
    fn batch(&mut self) {
        let piece = self.place..self.place + PIECE_BYTES;
        self.to[piece.clone()].copy_from_slice(&self.from[piece]);
        self.place = (self.place + PIECE_BYTES) % self.from.len();
    }
}

/// Loads of which each needs the one before, all over a table.
struct Wander {
    next: Vec<u32>,
    at: u32,
}

impl Wander {
    fn new(bytes: usize) -> Self {
        let count = bytes / size_of::<u32>();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
        let mut next = vec![0; count];
        for place in 0..count {
            next[order[place] as usize] = order[(place + 1) % count];
        }
        Self { next, at: 0 }
    }
}

impl Work for Wander {
    fn batch(&mut self) {
        for _ in 0..1000 {
            self.at = self.next[self.at as usize];
        }
    }
}

/// Additions that need no memory.
struct Add;

impl Work for Add {
    fn batch(&mut self) {
        std::hint::black_box(sizeup_kit::additions(10_000));
    }
}
