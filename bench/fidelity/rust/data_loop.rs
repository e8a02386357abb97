//! The work of the worker `data` without sizeup, as a Rust program of its own would do it, over the same crates.

#[path = "../../../workers/data/src/orders.rs"]
mod orders;

use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use jpeg_encoder::{ColorType, Encoder};
use orders::Page;
use prost::Message;
use std::collections::HashMap;
use std::fmt::Display;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

type Op = Box<dyn FnMut()>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [operation, implementation, inputs, warm_up_ns, sample_ns] = &arguments[..] else {
        eprintln!("usage: data-loop OPERATION IMPLEMENTATION INPUTS WARM_UP_NS SAMPLE_NS");
        std::process::exit(2);
    };
    let [warm_up, sample] = [warm_up_ns, sample_ns]
        .map(|ns| Duration::from_nanos(ns.parse().expect("a number of nanoseconds")));
    let (operation, implementation) = (operation.clone(), implementation.clone());
    let inputs = PathBuf::from(inputs);
    // On a thread of its own, since the allocator has another arena for it than for the first.
    let timed = move || {
        let mut op = op(&operation, &implementation, &inputs);
        // As in a process that has lived a while: freed memory is kept rather than given back.
        drop(black_box(vec![1_u8; 1 << 21]));
        stretch(&mut op, warm_up);
        let (ops, elapsed) = stretch(&mut op, sample);
        println!("library {}", version(&implementation));
        println!("ops {ops}\nelapsed_ns {}", elapsed.as_nanos());
    };
    std::thread::spawn(timed).join().expect("the thread ends");
}

/// At least three ops, for at least so long.
fn stretch(op: &mut Op, least: Duration) -> (u64, Duration) {
    let (start, mut ops) = (Instant::now(), 0);
    loop {
        op();
        ops += 1;
        let elapsed = start.elapsed();
        if ops >= 3 && elapsed >= least {
            return (ops, elapsed);
        }
    }
}

fn version(implementation: &str) -> &'static str {
    match implementation {
        "serde_json" => env!("SIZEUP_SERDE_JSON"),
        "simd-json" => env!("SIZEUP_SIMD_JSON"),
        "prost" => env!("SIZEUP_PROST"),
        "rust-regex" => env!("SIZEUP_REGEX"),
        "zune-jpeg" => env!("SIZEUP_ZUNE_JPEG"),
        "fast_image_resize" => env!("SIZEUP_FAST_IMAGE_RESIZE"),
        "jpeg-encoder" => env!("SIZEUP_JPEG_ENCODER"),
        "rust-libs" => concat!(
            "zune-jpeg ",
            env!("SIZEUP_ZUNE_JPEG"),
            ", fast_image_resize ",
            env!("SIZEUP_FAST_IMAGE_RESIZE"),
            ", jpeg-encoder ",
            env!("SIZEUP_JPEG_ENCODER")
        ),
        _ => env!("SIZEUP_RUSTC"),
    }
}

fn read(inputs: &Path, file: &str) -> Vec<u8> {
    let path = inputs.join(file);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn op(operation: &str, implementation: &str, inputs: &Path) -> Op {
    match operation.split('-').next() {
        Some("json") => json(operation, implementation, read(inputs, "orders.json")),
        Some("protobuf") => protobuf(operation, &read(inputs, "orders.json")),
        Some("regex") => regex(operation, inputs),
        Some("jpeg" | "image" | "thumbnail") => images(operation, read(inputs, "photo.jpg")),
        _ => values(operation),
    }
}

/// Panics on an error: a benchmark without its data has no result.
fn must<T>(made: Result<T, impl Display>) -> T {
    made.unwrap_or_else(|e| panic!("{e}"))
}

fn json(operation: &str, implementation: &str, text: Vec<u8>) -> Op {
    let mut copy = text.clone();
    let page: Page = must(serde_json::from_slice(&text));
    match (operation, implementation) {
        ("json-parse-api", "serde_json") => Box::new(move || {
            black_box(must(serde_json::from_slice::<serde_json::Value>(&text)));
        }),
        ("json-parse-api", "simd-json") => Box::new(move || {
            copy.copy_from_slice(&text);
            black_box(must(simd_json::to_owned_value(&mut copy)));
        }),
        ("json-decode-api", "serde_json") => Box::new(move || {
            black_box(must(serde_json::from_slice::<Page>(&text)));
        }),
        ("json-decode-api", "simd-json") => Box::new(move || {
            copy.copy_from_slice(&text);
            black_box(must(simd_json::from_slice::<Page>(&mut copy)));
        }),
        ("json-encode-api", "serde_json") => Box::new(move || {
            black_box(must(serde_json::to_vec(&page)));
        }),
        _ => panic!("nothing is known of {operation}/{implementation}"),
    }
}

fn protobuf(operation: &str, text: &[u8]) -> Op {
    let page: Page = must(serde_json::from_slice(text));
    let message = page.encode_to_vec();
    if operation == "protobuf-encode-orders" {
        return Box::new(move || {
            black_box(page.encode_to_vec());
        });
    }
    Box::new(move || {
        black_box(must(Page::decode(&message[..])));
    })
}

fn regex(operation: &str, inputs: &Path) -> Op {
    let text = read(inputs, "access.log");
    let pattern_in = |file| must(String::from_utf8(read(inputs, file)));
    let compiled = |pattern: String| must(regex::bytes::Regex::new(pattern.trim_end()));
    if operation == "regex-log" {
        let fields = compiled(pattern_in("pattern-fields.txt"));
        return Box::new(move || {
            let agents = fields.captures_iter(&text).map(|line| line[11].len());
            assert!(black_box(agents.sum::<usize>()) > 0, "no match");
        });
    }
    let pattern = match operation {
        "regex-waf" => compiled(pattern_in("pattern-attacks.txt")),
        _ => compiled(pattern_in("pattern-agents.txt")),
    };
    Box::new(move || assert!(black_box(pattern.find_iter(&text).count()) > 0, "no match"))
}

fn images(operation: &str, photo: Vec<u8>) -> Op {
    const WIDE: (u16, u16) = (2400, 1600);
    const SMALL: (u16, u16) = (600, 400);
    let memory =
        |(width, height): (u16, u16)| vec![0; 3 * usize::from(width) * usize::from(height)];
    let (mut pixels, mut less, mut stream) = (memory(WIDE), memory(SMALL), Vec::new());
    let decode = move |pixels: &mut [u8]| {
        must(JpegDecoder::new(ZCursor::new(&photo[..])).decode_into(pixels));
    };
    let (cubic, mut resizer) = (ResizeAlg::Convolution(FilterType::CatmullRom), Resizer::new());
    let options = ResizeOptions::new().resize_alg(cubic).use_alpha(false);
    fn view(pixels: &mut [u8], (width, height): (u16, u16)) -> TypedImage<'_, U8x3> {
        must(TypedImage::from_buffer(width.into(), height.into(), pixels))
    }
    let mut scale = move |from: &mut [u8], to: &mut [u8]| {
        must(resizer.resize_typed(&view(from, WIDE), &mut view(to, SMALL), &options));
    };
    let mut encode = move |pixels: &[u8], (width, height)| {
        stream.clear();
        must(Encoder::new(&mut stream, 80).encode(pixels, width, height, ColorType::Rgb));
        black_box(&stream);
    };
    decode(&mut pixels);
    match operation {
        "jpeg-decode" => Box::new(move || decode(&mut pixels)),
        "image-scale" => Box::new(move || scale(&mut pixels, &mut less)),
        "jpeg-encode" => Box::new(move || encode(&pixels, WIDE)),
        _ => Box::new(move || {
            decode(&mut pixels);
            scale(&mut pixels, &mut less);
            encode(&less, SMALL);
        }),
    }
}

const ITEMS: usize = 1_000_000;
const WORDS: &str = "api assets billing cart catalog events images jobs metrics orders payments queue search sessions static users";

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed(*state)
}

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn values(operation: &str) -> Op {
    let mut state = 2026;
    match operation {
        "sort-u64-1M" => sort((0..ITEMS).map(|_| next(&mut state)).collect()),
        "sort-strings-1M" => {
            let words: Vec<&str> = WORDS.split(' ').collect();
            let mut text = String::new();
            let mut ends = vec![0];
            for _ in 0..ITEMS {
                let drawn = next(&mut state);
                let word = |at: u32| words[(drawn >> at) as usize % words.len()];
                text += &format!("/{}/{}/{:x}", word(0), word(4), drawn >> 40);
                ends.push(text.len());
            }
            let text: &'static str = text.leak();
            sort(ends.windows(2).map(|ends| &text[ends[0]..ends[1]]).collect())
        }
        "hash-insert-1M" => {
            state = 2027;
            let mut below = |bound: u64| ((next(&mut state) >> 32) * bound) >> 32;
            let keys: Vec<u64> = (0..ITEMS).map(|_| mixed(below(ITEMS as u64 / 2))).collect();
            Box::new(move || {
                let mut counts = HashMap::new();
                for key in &keys {
                    *counts.entry(*key).or_insert(0_u64) += 1;
                }
                black_box(counts);
            })
        }
        _ => panic!("nothing is known of {operation}"),
    }
}

fn sort<T: Ord + Copy + 'static>(unsorted: Vec<T>) -> Op {
    let mut sorted = unsorted.clone();
    Box::new(move || {
        sorted.copy_from_slice(&unsorted);
        sorted.sort_unstable();
        black_box(&mut sorted);
    })
}
