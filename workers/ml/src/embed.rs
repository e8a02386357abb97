//! One sentence to a vector, by an encoder in ONNX Runtime: each thread has a session of its own, which starts no threads.

use crate::cosine::cosine;
use crate::encoder::{Encoder, INPUT, OUTPUT, TOKENS, WIDTH, tokens};
use crate::onnxruntime::{Port, Session};
use sizeup_kit::{OpError, Operation, Setting, Work, WorkerError};

pub const ONNXRUNTIME: &str = "onnxruntime";
/// The least cosine of the angle between a vector and the one that it should be. In int8 a value is rounded to a 255th of the range of
/// all: of twelve inputs, vectors had 0.9987 to 0.9996.
const LEAST_COSINE_INT8: f64 = 0.995;
const LEAST_COSINE_F32: f64 = 0.999_99;

const INPUT_PORT: Port = (INPUT, &[1, TOKENS as i64, WIDTH as i64]);
const OUTPUT_PORT: Port = (OUTPUT, &[1, WIDTH as i64]);

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("embed-int8", ONNXRUNTIME, |setting| setup(setting, true)),
        Operation::new("embed-f32", ONNXRUNTIME, |setting| setup(setting, false)),
    ]
}

/// Texts that take turns.
const TEXTS: usize = 2;

/// Shared by all threads.
struct Common {
    model: Vec<u8>,
    texts: [Vec<f32>; TEXTS],
    /// The model's vector for each text, computed by code that is not the library's.
    expected: [Vec<f32>; TEXTS],
}

fn setup(setting: &Setting, is_int8: bool) -> Result<Box<dyn Work>, WorkerError> {
    let common = setting.shared(|| {
        // Without the library, nothing needs to be prepared.
        crate::onnxruntime::library()?;
        let encoder = Encoder::drawn();
        let texts = std::array::from_fn(|text| tokens(setting.seed ^ text as u64));
        let expected = texts.each_ref().map(|text| encoder.encode(text));
        Ok(Common { model: encoder.model(is_int8), texts, expected })
    })?;
    let mut session = Session::new(&common.model, INPUT_PORT, &common.texts, OUTPUT_PORT)?;
    let mut first = [const { Vec::new() }; TEXTS];
    for (text, first) in first.iter_mut().enumerate() {
        session.run(text)?;
        *first = session.output().to_vec();
    }
    let least = if is_int8 { LEAST_COSINE_INT8 } else { LEAST_COSINE_F32 };
    let cosines = std::array::from_fn(|text| cosine(&first[text], &common.expected[text]));
    Ok(Box::new(Embed { session, next: 0, first, cosines, least }))
}

struct Embed {
    session: Session,
    /// Whose turn it is.
    next: usize,
    /// The vector that each text had at first, and the cosine of the angle between it and what it should be.
    first: [Vec<f32>; TEXTS],
    cosines: [f64; TEXTS],
    least: f64,
}

impl Work for Embed {
    fn op(&mut self) -> Result<(), OpError> {
        self.session.run(self.next)?;
        self.next = (self.next + 1) % TEXTS;
        Ok(())
    }

    /// The text's number and its vector. CPUs round differently, so that it must not be the same on all: ops of two texts are not.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let text = self.next;
        self.op()?;
        Ok(bytes(text, self.session.output()))
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let text = output.first().copied().map(usize::from).filter(|text| *text < TEXTS);
        let text = text.ok_or("the output is of no text")?;
        let (cosine, least) = (self.cosines[text], self.least);
        // Not so if it is no number, either.
        if cosine < least || cosine.is_nan() {
            return Err(format!(
                "the vector is off: its cosine is {cosine:.5}, not {least} or more"
            ));
        }
        match output == bytes(text, &self.first[text]) {
            true => Ok(()),
            false => Err("the same text made another vector than at first".to_owned()),
        }
    }

    fn verified(&self) -> &'static str {
        match self.least < LEAST_COSINE_F32 {
            true => {
                "the vector is that of a computation in f32, but for what int8 rounds, and the same each time"
            }
            false => "the vector is that of another computation in f32, and the same each time",
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

fn bytes(text: usize, vector: &[f32]) -> Vec<u8> {
    [text as u8].into_iter().chain(vector.iter().flat_map(|value| value.to_le_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_matrix_makes_a_vector_that_is_refused() {
        // The code is the same on all CPUs, and takes minutes under an emulator.
        if std::env::var_os("SIZEUP_EMULATED").is_some() {
            return println!("not tested under an emulator");
        }
        let (mut encoder, tokens) = (Encoder::drawn(), tokens(42));
        let expected = encoder.encode(&tokens);
        // A layer has six matrices: query of the first, value of the third, query and inner of the fifth, key and last of the
        // last.
        for (place, least) in [
            (0, LEAST_COSINE_INT8),
            (14, LEAST_COSINE_INT8),
            (24, LEAST_COSINE_INT8),
            (28, LEAST_COSINE_INT8),
            (31, LEAST_COSINE_F32),
            (35, LEAST_COSINE_INT8),
        ] {
            let reverse = |encoder: &mut Encoder| {
                encoder.matrices().nth(place).expect("it has as many").reverse();
            };
            reverse(&mut encoder);
            let cosine = cosine(&encoder.encode(&tokens), &expected);
            assert!(cosine < least, "{place}: {cosine}");
            reverse(&mut encoder);
        }
    }
}
