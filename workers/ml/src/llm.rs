//! A language model in llama.cpp: reading a prompt, and generating a token behind a context. All threads have the weights in common; each
//! computes by itself, as servers do with several requests.

use crate::cosine::cosine;
use crate::decoder::{Decoder, QWEN_0_5B, SMOLLM_135M, Shape};
use crate::llamacpp::{Context, Model};
use sizeup_kit::{Draws, Libraries, OpError, Operation, Parameter, Setting, Work, WorkerError};
use std::sync::Arc;

pub const LLAMACPP: &str = "llamacpp";
/// The least cosine of the angle between logits and what they should be: inputs of products are rounded to 8 bits. Logits had 0.9995 to 0.9998.
const LEAST_COSINE: f64 = 0.998;

const MODELS: [(&str, Shape); 2] = [("135m", SMOLLM_135M), ("0.5b", QWEN_0_5B)];

pub fn operations() -> Vec<Operation> {
    let operation = |name, setup| {
        let tokens = Parameter::integer("tokens", 2..=1024);
        let parameters = [Parameter::one_of("model", &MODELS), tokens];
        Operation::new(name, LLAMACPP, setup).takes(parameters).starts([LLAMACPP])
    };
    vec![
        operation("llm-prompt", |setting| setup(setting, setting.integer::<usize>("tokens") - 1)),
        operation("llm-generate", |setting| setup(setting, setting.integer("tokens"))),
    ]
}

/// Last tokens that take turns, so that ops make different logits.
const LASTS: usize = 2;

/// Shared by all threads.
struct Common {
    model: Arc<Model>,
    /// All tokens but the last.
    tokens: Vec<u32>,
    lasts: [u32; LASTS],
    /// The logits behind each, by code that is not the library's.
    expected: Vec<Vec<f32>>,
}

fn setup(setting: &Setting, before: usize) -> Result<Box<dyn Work>, WorkerError> {
    let (_, shape) = setting.chosen("model", &MODELS);
    let common = setting.shared(|| {
        // First: without the library, weights would be drawn for nothing.
        crate::llamacpp::library()?;
        let decoder = Decoder::drawn(shape);
        Common::new(&decoder, &decoder, setting.seed, before)
    })?;
    let is_prompt = setting.operation.starts_with("llm-prompt/");
    Ok(Box::new(Evaluate::new(&common, is_prompt)?))
}

impl Common {
    /// The model and what it should compute: tests have models that differ from it.
    fn new(
        model: &Decoder,
        expected: &Decoder,
        seed: u64,
        before: usize,
    ) -> Result<Self, WorkerError> {
        let vocabulary = expected.vocabulary();
        let mut draws = Draws::new(seed);
        let tokens: Vec<u32> = (0..before).map(|_| draws.below(vocabulary) as u32).collect();
        let first = draws.below(vocabulary - 1) as u32;
        let lasts = [first, first + 1];
        let model = Arc::new(Model::load(&model.file()?)?);
        let expected = expected.logits(&tokens, &lasts);
        Ok(Self { model, tokens, lasts, expected })
    }
}

struct Evaluate {
    context: Context,
    model: Arc<Model>,
    /// The tokens that an op evaluates, for each of the last ones.
    tokens: [Vec<i32>; LASTS],
    /// Position in the context of the first of them.
    position: usize,
    /// Whose turn it is.
    next: usize,
    /// The logits that each had at first, and the cosine of the angle between them and what they should be.
    first: [Vec<f32>; LASTS],
    cosines: [f64; LASTS],
}

impl Evaluate {
    fn new(common: &Common, is_prompt: bool) -> Result<Self, OpError> {
        let Common { model, tokens, lasts, expected } = common;
        let mut before: Vec<i32> = tokens.iter().map(|token| *token as i32).collect();
        let mut context = Context::new(Arc::clone(model), before.len() + 1, expected[0].len())?;
        let position = if is_prompt { 0 } else { before.len() };
        if !is_prompt {
            context.evaluate(&mut before, 0)?;
            before.clear();
        }
        let tokens = lasts.map(|last| [&before[..], &[last as i32]].concat());
        let (first, cosines) = ([const { Vec::new() }; LASTS], [0.0; LASTS]);
        let model = Arc::clone(model);
        let mut work = Self { context, model, tokens, position, next: 0, first, cosines };
        for (last, expected) in expected.iter().enumerate() {
            work.op()?;
            work.first[last] = work.context.logits().to_vec();
            work.cosines[last] = cosine(&work.first[last], expected);
        }
        Ok(work)
    }
}

impl Work for Evaluate {
    fn op(&mut self) -> Result<(), OpError> {
        self.context.evaluate(&mut self.tokens[self.next], self.position)?;
        self.next = (self.next + 1) % LASTS;
        Ok(())
    }

    /// The last token's number and its logits. CPUs round differently, so that it must not be the same on all: ops of two tokens are not.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let last = self.next;
        self.op()?;
        Ok(bytes(last, self.context.logits()))
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let last = output.first().copied().map(usize::from).filter(|last| *last < LASTS);
        let last = last.ok_or("the output is of no token")?;
        let cosine = self.cosines[last];
        // Not so if it is no number, either.
        if cosine < LEAST_COSINE || cosine.is_nan() {
            return Err(format!(
                "the logits are off: their cosine is {cosine:.5}, not {LEAST_COSINE} or more"
            ));
        }
        match output == bytes(last, &self.first[last]) {
            true => Ok(()),
            false => Err("the same tokens made other logits than at first".to_owned()),
        }
    }

    fn verified(&self) -> &'static str {
        "the logits behind the last token are those of a computation in f32, but for what 8 bits round, and the same each time"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }

    fn libraries(&self) -> Libraries {
        Libraries::from([(LLAMACPP.to_owned(), self.model.version())])
    }
}

fn bytes(last: usize, logits: &[f32]) -> Vec<u8> {
    [last as u8].into_iter().chain(logits.iter().flat_map(|logit| logit.to_le_bytes())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decoder::Layer;
    use sizeup_kit::Kind;

    type Change = fn(&mut Layer) -> &mut u64;

    /// Layers and their matrices, of which the weights are changed.
    const CHANGES: [(usize, Change); 8] = [
        (0, |layer| &mut layer.query.seed),
        (1, |layer| &mut layer.key.seed),
        (7, |layer| &mut layer.value.seed),
        (12, |layer| &mut layer.attended.seed),
        (18, |layer| &mut layer.gate.seed),
        (23, |layer| &mut layer.up.seed),
        (28, |layer| &mut layer.down.seed),
        (29, |layer| &mut layer.value.seed),
    ];

    #[test]
    fn a_model_with_a_wrong_matrix_is_refused() {
        // Its code is the same on all CPUs, and under an emulator it takes minutes.
        if std::env::var_os("SIZEUP_EMULATED").is_some() {
            return println!("not tested under an emulator");
        }
        let (right, mut wrong) = (Decoder::drawn(SMOLLM_135M), Decoder::drawn(SMOLLM_135M));
        let tokens: Vec<u32> = (1..16).collect();
        let expected = &right.logits(&tokens, &[16])[0];
        for (layer, seed) in CHANGES {
            *seed(&mut wrong.layers[layer]) ^= 1 << 60;
            let cosine = cosine(&wrong.logits(&tokens, &[16])[0], expected);
            assert!(cosine < LEAST_COSINE, "layer {layer}: {cosine}");
            *seed(&mut wrong.layers[layer]) ^= 1 << 60;
        }
    }

    #[test]
    fn the_library_with_a_wrong_matrix_is_refused() {
        match crate::llamacpp::library() {
            Ok(_) => {}
            Err(e) if e.kind == Kind::Unavailable => return println!("not tested: {e}"),
            Err(e) => panic!("{e}"),
        }
        let (right, mut wrong) = (Decoder::drawn(SMOLLM_135M), Decoder::drawn(SMOLLM_135M));
        wrong.layers[20].up.seed ^= 1 << 60;
        for is_prompt in [true, false] {
            let check = |model| {
                let common = Common::new(model, &right, 0, 15).unwrap();
                let mut work = Evaluate::new(&common, is_prompt).unwrap();
                let output = work.output().unwrap();
                work.check(&output)
            };
            assert_eq!(check(&right), Ok(()));
            assert!(check(&wrong).unwrap_err().starts_with("the logits are off"));
        }
    }
}
