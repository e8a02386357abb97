//! Writes the vectors and queries of the worker `ml`, and the nearest vectors to each query, into files, for other programs to search.

#![allow(dead_code, reason = "the worker uses more of this file")]

#[path = "../../../workers/ml/src/embeddings.rs"]
mod embeddings;

use embeddings::{Embeddings, Vector};
use std::env::args;
use std::fs::write;
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = args().collect();
    let [_, folder, vectors, queries] = &arguments[..] else {
        panic!("usage: hnsw-vectors FOLDER VECTORS QUERIES");
    };
    let (folder, mut embeddings) = (PathBuf::from(folder), Embeddings::new());
    let mut draw = |count: &str| embeddings.draw(count.parse().expect("a number"));
    let (vectors, queries) = (draw(vectors), draw(queries));
    let bytes = |vectors: &[Vector]| -> Vec<u8> {
        vectors.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let nearest = queries.iter().flat_map(|query| embeddings::nearest(&vectors, query));
    let nearest: Vec<u8> = nearest.flat_map(u64::to_le_bytes).collect();
    write(folder.join("vectors.f32"), bytes(&vectors))?;
    write(folder.join("queries.f32"), bytes(&queries))?;
    write(folder.join("nearest.u64"), nearest)
}
