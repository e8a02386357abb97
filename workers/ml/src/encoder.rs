//! An encoder of the shape of MiniLM-L6 (Wang and others, "MiniLM", 2020; sentence-transformers/all-MiniLM-L6-v2) with drawn weights: its
//! speed does not depend on them. From 128 tokens, already looked up, to one vector.

use crate::onnx::{Attribute, Graph};
use sizeup_kit::Draws;

pub const TOKENS: usize = 128;
pub const WIDTH: usize = 384;
const LAYERS: usize = 6;
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;
const INNER: usize = 4 * WIDTH;
/// Added to variances, as BERT does.
const EPSILON: f32 = 1e-12;
const SEED: u64 = 2026;

pub const INPUT: &str = "tokens";
pub const OUTPUT: &str = "sentence";

/// Neurons: a matrix with a row for each input, and what is added. Numbers are of 7 bits, as ONNX Runtime advises for CPUs that
/// would otherwise saturate (`reduce_range`).
struct Dense {
    inputs: usize,
    outputs: usize,
    weights: Vec<i8>,
    scale: f32,
    bias: Vec<f32>,
}

struct Norm {
    scale: Vec<f32>,
    bias: Vec<f32>,
}

struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    attended: Dense,
    after_attention: Norm,
    up: Dense,
    down: Dense,
    after_feed: Norm,
}

#[cfg(test)]
impl Layer {
    fn matrices(&mut self) -> [&mut [i8]; 6] {
        let Self { query, key, value, attended, up, down, .. } = self;
        [query, key, value, attended, up, down].map(|dense| &mut dense.weights[..])
    }
}

pub struct Encoder {
    layers: Vec<Layer>,
}

/// Numbers of 7 bits times a power of two: exact.
fn floats(draws: &mut Draws, count: usize, scale: f32) -> Vec<f32> {
    let mut numbers = vec![0; count];
    draws.fill(&mut numbers);
    numbers.into_iter().map(|number| f32::from(number) * scale).collect()
}

impl Dense {
    fn drawn(draws: &mut Draws, inputs: usize, outputs: usize, scale: f32) -> Self {
        let mut weights = vec![0; inputs * outputs];
        draws.fill(&mut weights);
        Self { inputs, outputs, weights, scale, bias: floats(draws, outputs, 1.0 / 1024.0) }
    }

    fn floats(&self) -> Vec<f32> {
        self.weights.iter().map(|weight| f32::from(*weight) * self.scale).collect()
    }

    fn apply(&self, rows: &[f32]) -> Vec<f32> {
        let mut made = multiply(rows, &self.floats(), self.inputs, self.outputs);
        made.chunks_mut(self.outputs).for_each(|row| add(row, &self.bias));
        made
    }
}

impl Norm {
    fn drawn(draws: &mut Draws) -> Self {
        let scale = floats(draws, WIDTH, 1.0 / 512.0).into_iter().map(|by| 1.0 + by).collect();
        Self { scale, bias: floats(draws, WIDTH, 1.0 / 512.0) }
    }

    fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_mut(WIDTH) {
            let mean = row.iter().sum::<f32>() / WIDTH as f32;
            let squares: f32 = row.iter().map(|value| (value - mean).powi(2)).sum();
            let by = (squares / WIDTH as f32 + EPSILON).sqrt().recip();
            for ((value, scale), bias) in row.iter_mut().zip(&self.scale).zip(&self.bias) {
                *value = (*value - mean) * by * scale + bias;
            }
        }
    }
}

impl Encoder {
    pub fn drawn() -> Self {
        let draws = &mut Draws::new(SEED);
        let mut layer = |_| Layer {
            // Sharp enough for a wrong query or key to show in the end, and not so sharp that a rounded one does.
            query: Dense::drawn(draws, WIDTH, WIDTH, 1.0 / 256.0),
            key: Dense::drawn(draws, WIDTH, WIDTH, 1.0 / 512.0),
            value: Dense::drawn(draws, WIDTH, WIDTH, 1.0 / 512.0),
            attended: Dense::drawn(draws, WIDTH, WIDTH, 1.0 / 512.0),
            after_attention: Norm::drawn(draws),
            up: Dense::drawn(draws, WIDTH, INNER, 1.0 / 512.0),
            down: Dense::drawn(draws, INNER, WIDTH, 1.0 / 1024.0),
            after_feed: Norm::drawn(draws),
        };
        Self { layers: (0..LAYERS).map(&mut layer).collect() }
    }

    /// All matrices.
    #[cfg(test)]
    pub fn matrices(&mut self) -> impl Iterator<Item = &mut [i8]> {
        self.layers.iter_mut().flat_map(Layer::matrices)
    }

    /// Computes in f32 what the model computes.
    pub fn encode(&self, tokens: &[f32]) -> Vec<f32> {
        let mut rows = tokens.to_vec();
        for layer in &self.layers {
            let [query, key, value] =
                [&layer.query, &layer.key, &layer.value].map(|dense| dense.apply(&rows));
            let attended = layer.attended.apply(&attend(&query, &key, &value));
            add(&mut rows, &attended);
            layer.after_attention.apply(&mut rows);
            let mut inner = layer.up.apply(&rows);
            inner.iter_mut().for_each(|value| *value *= 0.5 * (1.0 + erf(*value / 2f32.sqrt())));
            add(&mut rows, &layer.down.apply(&inner));
            layer.after_feed.apply(&mut rows);
        }
        let mut sentence = vec![0.0; WIDTH];
        rows.chunks(WIDTH).for_each(|row| add(&mut sentence, row));
        sentence.iter_mut().for_each(|value| *value /= TOKENS as f32);
        sentence
    }

    /// The model in ONNX: with weights of int8 and inputs made so before each product, as onnxruntime's `quantize_dynamic` writes it, or in
    /// f32.
    pub fn model(&self, is_int8: bool) -> Vec<u8> {
        let mut writer = Writer { graph: Graph::default(), is_int8 };
        let mut rows = INPUT.to_owned();
        for layer in &self.layers {
            let into = writer.quantized(&rows);
            let [query, key, value] =
                [&layer.query, &layer.key, &layer.value].map(|dense| writer.dense(&into, dense));
            let attended = writer.attend(&query, &key, &value);
            let attended = writer.quantized(&attended);
            let attended = writer.dense(&attended, &layer.attended);
            rows = writer.graph.operator("Add", &[&attended, &rows], &[]);
            rows = writer.norm(&rows, &layer.after_attention);
            let into = writer.quantized(&rows);
            let inner = writer.dense(&into, &layer.up);
            let inner = writer.gelu(&inner);
            let into = writer.quantized(&inner);
            let down = writer.dense(&into, &layer.down);
            rows = writer.graph.operator("Add", &[&down, &rows], &[]);
            rows = writer.norm(&rows, &layer.after_feed);
        }
        let axes = [("axes", Attribute::Integers(&[1])), ("keepdims", Attribute::Integer(0))];
        writer.graph.node("ReduceMean", &[&rows], &[OUTPUT], &axes);
        writer.graph.into_model((INPUT, &[1, TOKENS, WIDTH]), (OUTPUT, &[1, WIDTH]))
    }
}

/// Tokens as a table of them would have them.
pub fn tokens(seed: u64) -> Vec<f32> {
    let draws = &mut Draws::new(seed);
    let [mut tokens, other] = [(); 2].map(|()| floats(draws, TOKENS * WIDTH, 1.0 / 64.0));
    add(&mut tokens, &other);
    tokens
}

fn add(to: &mut [f32], numbers: &[f32]) {
    to.iter_mut().zip(numbers).for_each(|(to, number)| *to += number);
}

/// Rows of `inputs` numbers times a matrix.
fn multiply(rows: &[f32], matrix: &[f32], inputs: usize, outputs: usize) -> Vec<f32> {
    let mut made = vec![0.0; rows.len() / inputs * outputs];
    for (made, row) in made.chunks_mut(outputs).zip(rows.chunks(inputs)) {
        for (value, weights) in row.iter().zip(matrix.chunks(outputs)) {
            made.iter_mut().zip(weights).for_each(|(made, weight)| *made += value * weight);
        }
    }
    made
}

fn attend(query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let mut made = vec![0.0; query.len()];
    let slice = |rows: &[f32], token: usize, head: usize| -> [f32; HEAD] {
        let at = token * WIDTH + head * HEAD;
        std::array::from_fn(|place| rows[at + place])
    };
    for head in 0..HEADS {
        for token in 0..TOKENS {
            let asked = slice(query, token, head);
            let product = |other: usize| -> f32 {
                asked.iter().zip(slice(key, other, head)).map(|(a, b)| a * b).sum()
            };
            let scores: Vec<f32> =
                (0..TOKENS).map(|other| product(other) / (HEAD as f32).sqrt()).collect();
            let most = scores.iter().copied().fold(f32::MIN, f32::max);
            let shares: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
            let all: f32 = shares.iter().sum();
            let at = token * WIDTH + head * HEAD;
            for (other, share) in shares.iter().enumerate() {
                let part = slice(value, other, head).map(|value| value * share / all);
                add(&mut made[at..at + HEAD], &part);
            }
        }
    }
    made
}

/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26: off by 1.5e-7 at most.
fn erf(x: f32) -> f32 {
    const FACTORS: [f32; 5] = [1.061_405_4, -1.453_152, 1.421_413_8, -0.284_496_74, 0.254_829_6];
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let sum = FACTORS.iter().fold(0.0, |sum, factor| sum * t + factor);
    (1.0 - sum * t * (-x * x).exp()).copysign(x)
}

struct Writer {
    graph: Graph,
    is_int8: bool,
}

/// A value, and what it is in int8.
enum Value {
    Float(String),
    /// Numbers, scale and zero.
    Int8([String; 3]),
}

impl Writer {
    fn quantized(&mut self, rows: &str) -> Value {
        match self.is_int8 {
            true => Value::Int8(self.graph.operators("DynamicQuantizeLinear", &[rows], &[])),
            false => Value::Float(rows.to_owned()),
        }
    }

    fn dense(&mut self, rows: &Value, dense: &Dense) -> String {
        let graph = &mut self.graph;
        let shape = [dense.inputs, dense.outputs];
        let bias = graph.floats(&shape[1..], &dense.bias);
        let product = match rows {
            Value::Float(rows) => {
                let weights = graph.floats(&shape, &dense.floats());
                graph.operator("MatMul", &[rows, &weights], &[])
            }
            Value::Int8([rows, scale, zero]) => {
                let weights = graph.int8s(&shape, &dense.weights);
                let (zero_of_weights, scale_of_weights) =
                    (graph.int8s(&[], &[0]), graph.floats(&[], &[dense.scale]));
                let sums =
                    graph.operator("MatMulInteger", &[rows, &weights, zero, &zero_of_weights], &[]);
                let to = [("to", Attribute::Integer(crate::onnx::FLOAT))];
                let sums = graph.operator("Cast", &[&sums], &to);
                let scale = graph.operator("Mul", &[scale, &scale_of_weights], &[]);
                graph.operator("Mul", &[&sums, &scale], &[])
            }
        };
        graph.operator("Add", &[&bias, &product], &[])
    }

    fn attend(&mut self, query: &str, key: &str, value: &str) -> String {
        let graph = &mut self.graph;
        let mut heads = |rows: &str, order: &[i64]| {
            let shape = graph.int64s(&[0, TOKENS as i64, HEADS as i64, HEAD as i64]);
            let rows = graph.operator("Reshape", &[rows, &shape], &[]);
            graph.operator("Transpose", &[&rows], &[("perm", Attribute::Integers(order))])
        };
        let (query, value) = (heads(query, &[0, 2, 1, 3]), heads(value, &[0, 2, 1, 3]));
        let key = heads(key, &[0, 2, 3, 1]);
        let by = graph.floats(&[], &[(HEAD as f32).sqrt()]);
        let scores = graph.operator("MatMul", &[&query, &key], &[]);
        let scores = graph.operator("Div", &[&scores, &by], &[]);
        let shares = graph.operator("Softmax", &[&scores], &[("axis", Attribute::Integer(-1))]);
        let made = graph.operator("MatMul", &[&shares, &value], &[]);
        let order = [("perm", Attribute::Integers(&[0, 2, 1, 3]))];
        let made = graph.operator("Transpose", &[&made], &order);
        let shape = graph.int64s(&[0, TOKENS as i64, WIDTH as i64]);
        graph.operator("Reshape", &[&made, &shape], &[])
    }

    fn norm(&mut self, rows: &str, norm: &Norm) -> String {
        let (scale, bias) =
            (self.graph.floats(&[WIDTH], &norm.scale), self.graph.floats(&[WIDTH], &norm.bias));
        let attributes = [("axis", Attribute::Integer(-1)), ("epsilon", Attribute::Float(EPSILON))];
        self.graph.operator("LayerNormalization", &[rows, &scale, &bias], &attributes)
    }

    /// As exporters write it: x · (1 + erf(x ÷ √2)) · 0.5.
    fn gelu(&mut self, rows: &str) -> String {
        let graph = &mut self.graph;
        let [root, one, half] = [2f32.sqrt(), 1.0, 0.5].map(|value| graph.floats(&[], &[value]));
        let made = graph.operator("Div", &[rows, &root], &[]);
        let made = graph.operator("Erf", &[&made], &[]);
        let made = graph.operator("Add", &[&made, &one], &[]);
        let made = graph.operator("Mul", &[rows, &made], &[]);
        graph.operator("Mul", &[&made, &half], &[])
    }
}
