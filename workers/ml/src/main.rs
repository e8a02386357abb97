//! The worker for inference: an encoder of sentences, language models, search for similar vectors.

mod cosine;
mod decoder;
mod embed;
mod embeddings;
mod encoder;
mod functions;
mod gguf;
mod hnsw;
mod llamacpp;
mod llm;
mod onnx;
mod onnxruntime;
mod scan;
mod usearch;

use sizeup_kit::{Language, Libraries, Operation, Paths, Worker};
use std::process::ExitCode;

fn main() -> ExitCode {
    sizeup_kit::run(&Worker {
        name: "ml",
        operations: operations(),
        libraries,
        paths,
        self_test: || Ok(()),
    })
}

fn operations() -> Vec<Operation> {
    [embed::operations(), llm::operations(), scan::operations(), hnsw::operations()].concat()
}

fn paths() -> Paths {
    let opened = [(llm::LLAMACPP, llamacpp::kernels()), (hnsw::USEARCH, usearch::kernels())];
    let opened = opened.map(|(library, kernels)| Some((library.to_owned(), kernels?)));
    let built_in = (scan::STD.to_owned(), scan::level().to_owned());
    [built_in].into_iter().chain(opened.into_iter().flatten()).collect()
}

/// The compiler is the library of what is written here.
fn libraries() -> Libraries {
    let rust = Language::rust().compiler.split(' ').nth(1).unwrap_or("unknown").to_owned();
    let pack = onnxruntime::version().map(|version| (embed::ONNXRUNTIME.to_owned(), version));
    [(scan::STD.to_owned(), rust)].into_iter().chain(pack).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sizeup_kit::Kind;
    use sizeup_kit::proof::{assert_refuses_changes, set_up};

    /// Parameters by which an operation is set up in no time.
    fn parameters(operation: &str) -> &'static str {
        match operation {
            "vector-scan-i8/std" => r#"{"vectors":3000}"#,
            "llm-prompt/llamacpp" | "llm-generate/llamacpp" => r#"{"model":"135m","tokens":12}"#,
            "hnsw-search/usearch" => r#"{"kept":"f32","vectors":2000}"#,
            "hnsw-build/usearch" => r#"{"kept":"i8","vectors":1000}"#,
            _ => "{}",
        }
    }

    #[test]
    fn every_check_takes_what_an_op_makes_and_refuses_any_flipped_bit() {
        for operation in operations() {
            let name = operation.name().to_owned();
            let mut work = match set_up(&operation, parameters(&name), &[]) {
                Ok(work) => work,
                Err(e) if e.kind == Kind::Unavailable => {
                    println!("not tested: {name}: {e}");
                    continue;
                }
                Err(e) => panic!("{name}: {e}"),
            };
            assert_refuses_changes(&mut *work, &name);
        }
    }
}
