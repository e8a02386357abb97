//! Vectors as encoders make of texts, and which are really the nearest to a query: by looking at all, without any library.

use sizeup_kit::Draws;
use std::iter::zip;

/// As wide as MiniLM's.
pub const DIMENSIONS: usize = 384;
pub const NEAREST: usize = 10;
/// The number of centres that vectors lie around, as those of texts lie around subjects.
const CENTRES: usize = 200;
/// Within a subject, vectors differ in this many directions, by as much as centres differ from each other.
const DIRECTIONS: usize = 16;
/// Noise in all dimensions, compared with that.
const NOISE: f32 = 0.1;
const SEED: u64 = 2026;
/// The products that are summed side by side.
const LANES: usize = 16;

pub type Vector = [f32; DIMENSIONS];

/// Draws vectors of length 1.
pub struct Embeddings {
    draws: Draws,
    centres: Vec<Vector>,
    directions: Vec<Vector>,
}

impl Embeddings {
    /// These are the same each time, on every machine: they come of additions, products, divisions and roots alone, in a fixed order.
    pub fn new() -> Self {
        let mut draws = Draws::new(SEED);
        let mut vectors = |count| -> Vec<Vector> {
            (0..count).map(|_| std::array::from_fn(|_| bell(&mut draws))).collect()
        };
        let (centres, directions) = (vectors(CENTRES), vectors(DIRECTIONS));
        Self { draws, centres, directions }
    }

    /// The next vectors.
    pub fn draw(&mut self, count: usize) -> Vec<Vector> {
        (0..count).map(|_| self.vector()).collect()
    }

    fn vector(&mut self) -> Vector {
        let Self { draws, centres, directions } = self;
        let mut vector = centres[draws.below(CENTRES)];
        for direction in &*directions {
            let share = bell(draws) / (DIRECTIONS as f32).sqrt();
            zip(&mut vector, direction).for_each(|(number, along)| *number += share * along);
        }
        vector.iter_mut().for_each(|number| *number += NOISE * bell(draws));
        let length = product(&vector, &vector).sqrt();
        vector.map(|number| number / length)
    }
}

/// A number that is about as often as far from 0 as of a normal distribution with deviation 1: a sum of four.
fn bell(draws: &mut Draws) -> f32 {
    let bits = draws.bits();
    let sum: i32 = (0..4).map(|part| i32::from((bits >> (16 * part)) as u16)).sum();
    (sum - 4 * 0x8000) as f32 / 37_837.0
}

/// The inner product, which is the cosine of the angle between vectors of length 1.
fn product(a: &Vector, b: &Vector) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in zip(a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// The numbers of the vectors nearest to a query, the nearest first.
pub fn nearest(vectors: &[Vector], query: &Vector) -> [u64; NEAREST] {
    let mut all: Vec<(f32, u64)> =
        vectors.iter().map(|vector| product(vector, query)).zip(0..).collect();
    let by_product = |a: &(f32, u64), b: &(f32, u64)| b.0.total_cmp(&a.0);
    all.select_nth_unstable_by(NEAREST - 1, by_product);
    all[..NEAREST].sort_unstable_by(by_product);
    std::array::from_fn(|place| all[place].1)
}
