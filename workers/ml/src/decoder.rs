//! A language model of the shape of SmolLM-135M or of Qwen1.5-0.5B with drawn weights of 4 bits, on which its speed does not depend: its file for
//! llama.cpp, and what it computes, in f32 (Touvron and others, "LLaMA", 2023).

use crate::gguf::{self, BLOCK, BLOCK_BYTES, Numbers, Value};
use sizeup_kit::Draws;
use std::io::{self, Write};
use std::ops::Range;

/// The shape of a model of llama.cpp's architecture `llama`: positions turn adjacent numbers, and logits are products with the tokens' own
/// vectors, as in both models.
#[derive(Clone, Copy)]
pub struct Shape {
    pub layers: usize,
    pub width: usize,
    pub heads: usize,
    /// Heads of keys and values, which several heads of queries share.
    pub key_heads: usize,
    pub inner: usize,
    pub vocabulary: usize,
}

pub const SMOLLM_135M: Shape =
    Shape { layers: 30, width: 576, heads: 9, key_heads: 3, inner: 1536, vocabulary: 49_152 };
pub const QWEN_0_5B: Shape =
    Shape { layers: 24, width: 1024, heads: 16, key_heads: 16, inner: 2816, vocabulary: 151_936 };

impl Shape {
    fn head(self) -> usize {
        self.width / self.heads
    }
}

/// Added to a mean of squares.
const EPSILON: f32 = 1e-5;
/// A position turns the last pair of a head by nearly this times less than the first.
const ROTATION_BASE: f32 = 10_000.0;
const SEED: u64 = 2026 << 48;
/// The root of the mean of squares of drawn numbers, before a power of two scales them.
const DRAWN: f32 = 5.87;

/// Weights in blocks (Q4_0 of llama.cpp), with a row for each output.
pub struct Matrix {
    /// The row's number is added.
    pub seed: u64,
    rows: usize,
    columns: usize,
    /// All weights are divided by this power of two.
    exponent: u16,
}

impl Matrix {
    /// Such that its outputs are about `gain` times as large as its inputs.
    fn new(number: &mut u64, rows: usize, columns: usize, gain: f32) -> Self {
        *number += 1 << 32;
        let exponent = ((columns as f32).sqrt() * DRAWN / gain).log2().round() as u16;
        Self { seed: *number, rows, columns, exponent }
    }

    /// Draws a row: numbers from -7 to 7, of which 0 is twice as likely; scales of four kinds, so that one that is taken for another is
    /// noticed.
    fn row(&self, row: usize, blocks: &mut [[u8; BLOCK_BYTES]]) {
        /// The exponent of 1 in a float of 16 bits.
        const ONE: u16 = 15;
        let mut draws = Draws::new(self.seed + row as u64);
        for block in blocks {
            let drawn = [draws.bits(), draws.bits()];
            let scale = ((ONE - self.exponent) << 10) | ((drawn[0] ^ drawn[1]) >> 62 << 8) as u16;
            block[..2].copy_from_slice(&scale.to_le_bytes());
            block[2..10].copy_from_slice(&without_zeros(drawn[0]).to_le_bytes());
            block[10..].copy_from_slice(&without_zeros(drawn[1]).to_le_bytes());
        }
    }

    /// Rows are drawn while they are written.
    fn tensor(&self) -> Numbers<'_> {
        let row = Box::new(|row, blocks: &mut [_]| self.row(row, blocks));
        Numbers::Blocks { columns: self.columns, rows: self.rows, row }
    }

    fn numbers(&self, row: usize) -> Vec<f32> {
        let mut blocks = vec![[0; BLOCK_BYTES]; self.columns / BLOCK];
        self.row(row, &mut blocks);
        blocks.iter().flat_map(floats_of).collect()
    }

    fn apply(&self, inputs: &Columns, product: Product) -> Columns {
        let mut made = Columns::zeros(self.rows, inputs.tiles.len() / inputs.rows);
        let mut weights = vec![[0.0; ROWS]; self.columns];
        for first in (0..self.rows).step_by(ROWS) {
            for place in 0..ROWS {
                let numbers = self.numbers(first + place);
                weights.iter_mut().zip(numbers).for_each(|(to, number)| to[place] = number);
            }
            let tiles = inputs.tiles.chunks_exact(inputs.rows);
            for (tile, made) in tiles.zip(made.tiles.chunks_exact_mut(self.rows)) {
                made[first..first + ROWS].copy_from_slice(&product(&weights, tile));
            }
        }
        made
    }
}

/// Each 4 bits that are zero become 8, which stands for 0 where 0 stands for -8.
fn without_zeros(bits: u64) -> u64 {
    const LOWEST: u64 = 0x1111_1111_1111_1111;
    let is_zero = !(bits | bits >> 1 | bits >> 2 | bits >> 3) & LOWEST;
    bits | is_zero << 3
}

fn floats_of(block: &[u8; BLOCK_BYTES]) -> [f32; BLOCK] {
    let scale = u32::from(u16::from_le_bytes([block[0], block[1]]));
    // Exponents of both formats differ by 112; there are neither negative scales nor tiny ones.
    let scale = f32::from_bits((scale << 13) + (112 << 23));
    let weight = |bits: u8| (f32::from(bits) - 8.0) * scale;
    std::array::from_fn(|place| match place.checked_sub(BLOCK / 2) {
        None => weight(block[2 + place] & 15),
        Some(place) => weight(block[2 + place] >> 4),
    })
}

pub struct Layer {
    before_attention: Vec<f32>,
    pub query: Matrix,
    pub key: Matrix,
    pub value: Matrix,
    pub attended: Matrix,
    before_inner: Vec<f32>,
    pub gate: Matrix,
    pub up: Matrix,
    pub down: Matrix,
}

pub struct Decoder {
    shape: Shape,
    pub embedding: Matrix,
    pub layers: Vec<Layer>,
    last: Vec<f32>,
}

/// Which numbers to what extent remain, around 1.
fn norm(number: &mut u64, width: usize) -> Vec<f32> {
    *number += 1 << 32;
    let mut numbers = vec![0; width];
    Draws::new(*number).fill(&mut numbers);
    numbers.into_iter().map(|number| 1.0 + f32::from(number) / 128.0).collect()
}

impl Decoder {
    pub fn drawn(shape: Shape) -> Self {
        let Shape { width, inner, vocabulary, .. } = shape;
        let keys = shape.key_heads * shape.head();
        let number = &mut SEED.clone();
        // Attention is sharp enough, and its part of the whole large enough, for a wrong query or key to show in the end.
        let mut layer = |_| Layer {
            before_attention: norm(number, width),
            query: Matrix::new(number, width, width, 1.5),
            key: Matrix::new(number, keys, width, 1.2),
            value: Matrix::new(number, keys, width, 1.5),
            attended: Matrix::new(number, width, width, 1.5),
            before_inner: norm(number, width),
            gate: Matrix::new(number, inner, width, 1.0),
            up: Matrix::new(number, inner, width, 1.0),
            down: Matrix::new(number, width, inner, 1.0),
        };
        let layers = (0..shape.layers).map(&mut layer).collect();
        let last = norm(number, width);
        let mut embedding = Matrix::new(number, vocabulary, width, 1.0);
        // A token's vector is a row, not a product with one.
        embedding.exponent = 3;
        Self { shape, embedding, layers, last }
    }

    pub fn vocabulary(&self) -> usize {
        self.shape.vocabulary
    }

    /// The model as a file for llama.cpp.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let Shape { layers, width, heads, key_heads, inner, vocabulary } = self.shape;
        let integer = |number: usize| Value::Integer(number as u32);
        let values = [
            ("general.architecture", Value::Text("llama")),
            ("llama.block_count", integer(layers)),
            ("llama.context_length", integer(2048)),
            ("llama.embedding_length", integer(width)),
            ("llama.feed_forward_length", integer(inner)),
            ("llama.attention.head_count", integer(heads)),
            ("llama.attention.head_count_kv", integer(key_heads)),
            ("llama.attention.layer_norm_rms_epsilon", Value::Float(EPSILON)),
            ("llama.rope.dimension_count", integer(self.shape.head())),
            ("llama.rope.freq_base", Value::Float(ROTATION_BASE)),
            ("llama.vocab_size", integer(vocabulary)),
            ("tokenizer.ggml.model", Value::Text("no_vocab")),
        ];
        let mut tensors = vec![
            ("token_embd.weight".to_owned(), self.embedding.tensor()),
            ("output_norm.weight".to_owned(), Numbers::Floats(&self.last)),
        ];
        for (number, layer) in self.layers.iter().enumerate() {
            let parts = [
                ("attn_norm", Numbers::Floats(&layer.before_attention)),
                ("attn_q", layer.query.tensor()),
                ("attn_k", layer.key.tensor()),
                ("attn_v", layer.value.tensor()),
                ("attn_output", layer.attended.tensor()),
                ("ffn_norm", Numbers::Floats(&layer.before_inner)),
                ("ffn_gate", layer.gate.tensor()),
                ("ffn_up", layer.up.tensor()),
                ("ffn_down", layer.down.tensor()),
            ];
            let name = |part| format!("blk.{number}.{part}.weight");
            tensors.extend(parts.map(|(part, numbers)| (name(part), numbers)));
        }
        gguf::write(to, &values, &tensors)
    }

    /// The logits behind some tokens and one more, for each of several that may be that one.
    pub fn logits(&self, tokens: &[u32], last: &[u32]) -> Vec<Vec<f32>> {
        let product = product();
        let count = tokens.len() + last.len();
        let turns_at = |column: usize| turns(self.shape.head(), column.min(tokens.len()));
        let turns: Vec<_> = (0..count).map(turns_at).collect();
        let vectors = tokens.iter().chain(last);
        let vectors: Vec<_> =
            vectors.map(|token| self.embedding.numbers(*token as usize)).collect();
        let mut columns = Columns::new(self.shape.width, &vectors);
        for layer in &self.layers {
            let inputs = columns.normed(&layer.before_attention);
            let [mut query, mut key, value] = [&layer.query, &layer.key, &layer.value]
                .map(|matrix| matrix.apply(&inputs, product).vectors(0..count));
            turn(&mut query, &turns);
            turn(&mut key, &turns);
            let attended = attend(self.shape, [&query, &key, &value], tokens.len());
            let attended = Columns::new(self.shape.width, &attended);
            columns.add(&layer.attended.apply(&attended, product));
            let inputs = columns.normed(&layer.before_inner);
            let mut inner = layer.gate.apply(&inputs, product);
            let up = layer.up.apply(&inputs, product);
            inner.change(&up, |gate, up| gate / (1.0 + (-gate).exp()) * up);
            columns.add(&layer.down.apply(&inner, product));
        }
        let ends = columns.normed(&self.last).vectors(tokens.len()..count);
        let ends = Columns::new(self.shape.width, &ends);
        self.embedding.apply(&ends, product).vectors(0..last.len())
    }
}

/// Columns that lie together, so that each number of a matrix is used for all of them.
const TILE: usize = 16;
/// Rows that are multiplied together.
const ROWS: usize = 4;

/// A vector for each token.
struct Columns {
    rows: usize,
    /// All rows of the first columns, then of the next.
    tiles: Vec<[f32; TILE]>,
}

impl Columns {
    fn zeros(rows: usize, tiles: usize) -> Self {
        Self { rows, tiles: vec![[0.0; TILE]; rows * tiles] }
    }

    fn new(rows: usize, vectors: &[Vec<f32>]) -> Self {
        let mut columns = Self::zeros(rows, vectors.len().div_ceil(TILE));
        for (column, vector) in vectors.iter().enumerate() {
            let tile = columns.tiles[column / TILE * rows..].iter_mut();
            tile.zip(vector).for_each(|(row, number)| row[column % TILE] = *number);
        }
        columns
    }

    fn vectors(&self, columns: Range<usize>) -> Vec<Vec<f32>> {
        let vector = |column: usize| {
            let tile = &self.tiles[column / TILE * self.rows..][..self.rows];
            tile.iter().map(|row| row[column % TILE]).collect()
        };
        columns.map(vector).collect()
    }

    fn change(&mut self, other: &Self, by: impl Fn(f32, f32) -> f32) {
        let numbers = self.tiles.as_flattened_mut().iter_mut().zip(other.tiles.as_flattened());
        numbers.for_each(|(number, other)| *number = by(*number, *other));
    }

    fn add(&mut self, other: &Self) {
        self.change(other, |number, other| number + other);
    }

    /// Each column divided by the root of the mean of its squares.
    fn normed(&self, weights: &[f32]) -> Self {
        let mut tiles = self.tiles.clone();
        for rows in tiles.chunks_mut(self.rows) {
            let mut squares = [0.0; TILE];
            for row in &*rows {
                squares.iter_mut().zip(row).for_each(|(sum, number)| *sum += number * number);
            }
            let by = squares.map(|sum| (sum / self.rows as f32 + EPSILON).sqrt().recip());
            for (row, weight) in rows.iter_mut().zip(weights) {
                row.iter_mut().zip(by).for_each(|(number, by)| *number *= by * weight);
            }
        }
        Self { rows: self.rows, tiles }
    }
}

/// The sine and cosine by which a position turns each pair of adjacent numbers of a head: the later the pair, the less.
fn turns(head: usize, position: usize) -> Vec<(f32, f32)> {
    let slower = |pair: usize| f64::from(ROTATION_BASE).powf(-2.0 * pair as f64 / head as f64);
    let turn = |pair| (position as f64 * slower(pair)).sin_cos();
    (0..head / 2).map(turn).map(|(sine, cosine)| (sine as f32, cosine as f32)).collect()
}

fn turn(columns: &mut [Vec<f32>], turns: &[Vec<(f32, f32)>]) {
    for (numbers, turns) in columns.iter_mut().zip(turns) {
        for (pair, (sine, cosine)) in numbers.chunks_exact_mut(2).zip(turns.iter().cycle()) {
            let [a, b] = [pair[0], pair[1]];
            pair.copy_from_slice(&[a * cosine - b * sine, a * sine + b * cosine]);
        }
    }
}

/// For each column the mean of the values of those that it sees: the first `common` up to itself, and itself.
fn attend(shape: Shape, [query, key, value]: [&[Vec<f32>]; 3], common: usize) -> Vec<Vec<f32>> {
    let head = shape.head();
    let attend = |column: usize| {
        let mut made = vec![0.0; shape.width];
        for (number, made) in made.chunks_exact_mut(head).enumerate() {
            let asked = &query[column][number * head..][..head];
            let first = number / (shape.heads / shape.key_heads) * head;
            let seen = || (0..column.min(common)).chain([column]);
            let score = |other: usize| dot(asked, &key[other][first..][..head]);
            let scores: Vec<f32> =
                seen().map(|other| score(other) / (head as f32).sqrt()).collect();
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
            let all: f32 = shares.iter().sum();
            for (other, share) in seen().zip(shares) {
                let values = &value[other][first..][..head];
                made.iter_mut().zip(values).for_each(|(mean, value)| *mean += share / all * value);
            }
        }
        made
    };
    (0..query.len()).map(attend).collect()
}

/// Heads have a multiple of 8 numbers.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        sums.iter_mut().zip(a).zip(b).for_each(|((sum, a), b)| *sum += a * b);
    }
    sums.iter().sum()
}

/// Rows of a matrix, number by number, times a tile.
type Product = fn(&[[f32; ROWS]], &[[f32; TILE]]) -> [[f32; TILE]; ROWS];

#[inline(always)]
fn multiply(
    weights: &[[f32; ROWS]],
    tile: &[[f32; TILE]],
    add: impl Fn(f32, f32, f32) -> f32,
) -> [[f32; TILE]; ROWS] {
    let mut sums = [[0.0; TILE]; ROWS];
    for (weights, numbers) in weights.iter().zip(tile) {
        for (sums, weight) in sums.iter_mut().zip(weights) {
            for (sum, number) in sums.iter_mut().zip(numbers) {
                *sum = add(*weight, *number, *sum);
            }
        }
    }
    sums
}

/// As compiled for the best instructions that this CPU has.
#[cfg(target_arch = "x86_64")]
fn product() -> Product {
    #[target_feature(enable = "avx2,fma")]
    fn avx2(weights: &[[f32; ROWS]], tile: &[[f32; TILE]]) -> [[f32; TILE]; ROWS] {
        multiply(weights, tile, f32::mul_add)
    }
    match is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the CPU has both.
        true => |weights, tile| unsafe { avx2(weights, tile) },
        false => |weights, tile| multiply(weights, tile, |a, b, sum| a * b + sum),
    }
}

#[cfg(target_arch = "aarch64")]
fn product() -> Product {
    |weights, tile| multiply(weights, tile, f32::mul_add)
}
