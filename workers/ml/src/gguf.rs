//! Writes models in GGUF, the format of llama.cpp (github.com/ggml-org/ggml, docs/gguf.md): names and values, names and places of tensors,
//! tensors.

use std::io::{self, Write};

const VERSION: u32 = 3;
/// Tensors begin at multiples of it, in bytes.
const ALIGNMENT: u64 = 32;

// Types of values and of tensors.
const U32: u32 = 4;
const F32_VALUE: u32 = 6;
const TEXT: u32 = 8;
const F32: u32 = 0;
const Q4_0: u32 = 2;

/// Numbers that have a scale in common.
pub const BLOCK: usize = 32;
/// The scale, as a float of 16 bits, and 4 bits for each number: those of the first half of the numbers are the low ones.
pub const BLOCK_BYTES: usize = 2 + BLOCK / 2;

pub enum Value<'a> {
    Integer(u32),
    Float(f32),
    Text(&'a str),
}

/// Makes a row of blocks.
pub type Row<'a> = Box<dyn Fn(usize, &mut [[u8; BLOCK_BYTES]]) + 'a>;

/// Where a tensor's numbers come from.
pub enum Numbers<'a> {
    Floats(&'a [f32]),
    Blocks { columns: usize, rows: usize, row: Row<'a> },
}

impl Numbers<'_> {
    /// The sides, the shortest step first.
    fn sides(&self) -> Vec<u64> {
        match self {
            Self::Floats(floats) => vec![floats.len() as u64],
            Self::Blocks { columns, rows, .. } => vec![*columns as u64, *rows as u64],
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Floats(floats) => size_of_val(*floats) as u64,
            Self::Blocks { columns, rows, .. } => (columns / BLOCK * BLOCK_BYTES * rows) as u64,
        }
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Floats(floats) => {
                floats.iter().try_for_each(|float| to.write_all(&float.to_le_bytes()))
            }
            Self::Blocks { columns, rows, row } => {
                let mut blocks = vec![[0; BLOCK_BYTES]; columns / BLOCK];
                (0..*rows).try_for_each(|number| {
                    row(number, &mut blocks);
                    to.write_all(blocks.as_flattened())
                })
            }
        }
    }
}

/// Writes a model.
///
/// # Errors
/// When it can't be written.
pub fn write(
    to: &mut impl Write,
    values: &[(&str, Value)],
    tensors: &[(String, Numbers)],
) -> io::Result<()> {
    let mut head = b"GGUF".to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((tensors.len() as u64).to_le_bytes());
    head.extend((values.len() as u64).to_le_bytes());
    for (name, value) in values {
        text(&mut head, name);
        match value {
            Value::Integer(value) => {
                head.extend([U32.to_le_bytes(), value.to_le_bytes()].as_flattened());
            }
            Value::Float(value) => {
                head.extend([F32_VALUE.to_le_bytes(), value.to_le_bytes()].as_flattened());
            }
            Value::Text(value) => {
                head.extend(TEXT.to_le_bytes());
                text(&mut head, value);
            }
        }
    }
    let mut place = 0_u64;
    for (name, numbers) in tensors {
        text(&mut head, name);
        let sides = numbers.sides();
        head.extend((sides.len() as u32).to_le_bytes());
        sides.iter().for_each(|side| head.extend(side.to_le_bytes()));
        let kind = if matches!(numbers, Numbers::Floats(_)) { F32 } else { Q4_0 };
        head.extend(kind.to_le_bytes());
        head.extend(place.to_le_bytes());
        place = (place + numbers.bytes()).next_multiple_of(ALIGNMENT);
    }
    to.write_all(&head)?;
    fill_up(to, head.len() as u64)?;
    for (_, numbers) in tensors {
        numbers.write(to)?;
        fill_up(to, numbers.bytes())?;
    }
    Ok(())
}

fn text(to: &mut Vec<u8>, text: &str) {
    to.extend((text.len() as u64).to_le_bytes());
    to.extend(text.as_bytes());
}

/// Zeros up to where the next tensor begins.
fn fill_up(to: &mut impl Write, written: u64) -> io::Result<()> {
    let missing = written.next_multiple_of(ALIGNMENT) - written;
    to.write_all(&[0; ALIGNMENT as usize][..missing as usize])
}
