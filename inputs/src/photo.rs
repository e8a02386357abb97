//! `photo` and `photo-blocks`: a picture as a camera might have taken it, in JPEG, and the mean colours of its blocks, by
//! which a decoder can be judged that has nothing in common with the encoder.
//!
//! A sky with clouds above a meadow with stones, and grain over all: smooth gradients, texture of all scales, sharp edges and
//! noise, for these decide how many coefficients a JPEG has. Integers only.

use std::io;

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::Error;
use crate::rng::SplitMix64;

/// The version of both: raised whenever their bytes change.
pub const VERSION: u32 = 1;

const WIDTH: usize = 2400;
const HEIGHT: usize = 1600;
/// As cameras and editors write photographs for the web; with it half as many rows and columns of colour as of brightness.
const QUALITY: u8 = 88;
/// The side of a block in pixels.
const BLOCK: usize = 8;
const SEED: u64 = 1600;
const STONES: usize = 48;

type Colour = [i64; 3];

/// The picture in JPEG: baseline, 4:2:0.
///
/// # Errors
/// [`Error::Compressor`] if the encoder fails.
pub fn photo() -> Result<Vec<u8>, Error> {
    let mut stream = Vec::new();
    let mut encoder = Encoder::new(&mut stream, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    let (width, height) = (WIDTH as u16, HEIGHT as u16);
    encoder.encode(&picture(), width, height, ColorType::Rgb).map_err(|cause| {
        Error::Compressor { compressor: "jpeg-encoder", cause: io::Error::other(cause) }
    })?;
    Ok(stream)
}

/// The mean red, green and blue of each block of 8 × 8 pixels, row by row.
pub fn blocks() -> Vec<u8> {
    let picture = picture();
    let (across, down) = (WIDTH / BLOCK, HEIGHT / BLOCK);
    let mean = |block: usize, channel: usize| {
        let (left, top) = (block % across * BLOCK, block / across * BLOCK);
        let at = |pixel: usize| (top + pixel / BLOCK) * WIDTH + left + pixel % BLOCK;
        let pixels = BLOCK * BLOCK;
        let sum: usize =
            (0..pixels).map(|pixel| usize::from(picture[3 * at(pixel) + channel])).sum();
        ((sum + pixels / 2) / pixels) as u8
    };
    (0..across * down).flat_map(|block| [0, 1, 2].map(|channel| mean(block, channel))).collect()
}

/// Red, green and blue of each pixel, row by row.
fn picture() -> Vec<u8> {
    let stones = stones();
    let mut pixels = Vec::with_capacity(3 * WIDTH * HEIGHT);
    for y in 0..HEIGHT {
        let near: Vec<&Stone> = stones.iter().filter(|stone| stone.is_on_row(y)).collect();
        for x in 0..WIDTH {
            let stone = near.iter().rev().find_map(|stone| stone.colour(x, y));
            let colour = stone.unwrap_or_else(|| landscape(x, y));
            let grain = spread((y * WIDTH + x) as u64);
            // Twice as much of brightness as of colour.
            let drawn = |at: u32, most: u64| {
                ((grain >> at) & most) as i64 - ((grain >> (at + 4)) & most) as i64
            };
            let brighter = drawn(0, 15);
            pixels.extend([0, 1, 2].map(|channel| {
                let by = brighter + drawn(8 + 8 * channel as u32, 7);
                (colour[channel] + by).clamp(0, 255) as u8
            }));
        }
    }
    pixels
}

fn landscape(x: usize, y: usize) -> Colour {
    let horizon = (560 + ((300 * noise(1, x, 0, 400)) >> 16)) as usize;
    if y < horizon {
        let clear = mix([62, 112, 196], [192, 214, 236], (y << 16) as i64 / horizon as i64);
        let clouds = 2 * (fractal(2, x, 2 * y, &[512, 256, 128, 64, 32]) - 30_000);
        return mix(clear, [248, 246, 244], clouds.clamp(0, 1 << 16));
    }
    let blades = noise(4, 2 * x, y, 12) + noise(5, x, y, 3);
    let grass = fractal(3, x, y, &[128, 64, 32, 16]) + blades / 2;
    let lit = mix([34, 48, 20], [168, 158, 96], (grass - 32_768).clamp(0, 1 << 16));
    // Darker in front.
    mix(lit, [20, 26, 16], ((y - horizon) << 15) as i64 / (HEIGHT - horizon) as i64)
}

struct Stone {
    x: i64,
    y: i64,
    radius: i64,
    colour: Colour,
    layer: u64,
}

fn stones() -> Vec<Stone> {
    let mut rng = SplitMix64::new(SEED);
    let mut between = |low, high| i64::from(rng.between(low, high));
    let stone = |layer| Stone {
        x: between(0, WIDTH as u32),
        y: between(850, HEIGHT as u32),
        radius: between(24, 130),
        colour: [between(70, 230), between(60, 200), between(50, 200)],
        layer,
    };
    (10..10 + STONES as u64).map(stone).collect()
}

impl Stone {
    fn is_on_row(&self, y: usize) -> bool {
        (self.y - y as i64).abs() <= self.radius
    }

    /// Lit from above left; `None` beside it.
    fn colour(&self, x: usize, y: usize) -> Option<Colour> {
        let squared = |x: i64, y: i64| ((x * x + y * y) << 16) / (self.radius * self.radius);
        let (across, down) = (x as i64 - self.x, y as i64 - self.y);
        if squared(across, down) > 1 << 16 {
            return None;
        }
        let rough =
            mix([0; 3], self.colour, 40_000 + fractal(self.layer, x, y, &[32, 16, 8, 4]) * 3 / 8);
        let shade = squared(across + self.radius / 3, down + self.radius / 3);
        Some(mix(rough, [8, 8, 12], (shade / 2).min(60_000)))
    }
}

/// One colour, or another, or between them, by a number from 0 to 65,536.
fn mix(from: Colour, to: Colour, by: i64) -> Colour {
    [0, 1, 2].map(|channel| from[channel] + (((to[channel] - from[channel]) * by) >> 16))
}

/// Noise of several scales, from 0 to 65,535; each counts half as much as the one before.
fn fractal(layer: u64, x: usize, y: usize, squares: &[usize]) -> i64 {
    let scales = squares.iter().zip((0..squares.len() as u64).rev());
    let sum: i64 = scales.map(|(square, doublings)| noise(layer, x, y, *square) << doublings).sum();
    sum / ((1 << squares.len()) - 1)
}

/// Noise of one scale, from 0 to 65,535: random numbers at the corners of squares, and a smooth transition between them.
fn noise(layer: u64, x: usize, y: usize, square: usize) -> i64 {
    let (column, row) = (x / square, y / square);
    let corner = |right: usize, below: usize| {
        let number = (layer << 48) | ((row + below) as u64) << 24 | (column + right) as u64;
        (spread(number) >> 48) as i64
    };
    // 3t² − 2t³, in 256ths.
    let eased = |at: usize| {
        let t = (at % square * 256 / square) as i64;
        (t * t * (768 - 2 * t)) >> 16
    };
    let between = |from: i64, to: i64, by: i64| from + (((to - from) * by) >> 8);
    let across = eased(x);
    let above = between(corner(0, 0), corner(1, 0), across);
    let below = between(corner(0, 1), corner(1, 1), across);
    between(above, below, eased(y))
}

/// Spreads numbers over 64 bits, each to another one.
fn spread(number: u64) -> u64 {
    SplitMix64::new(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_gradients_texture_edges_and_grain() {
        let picture = picture();
        assert_eq!(picture.len(), 3 * WIDTH * HEIGHT);
        let green = |x: usize, y: usize| i64::from(picture[3 * (y * WIDTH + x) + 1]);
        let steps = |y: usize, by: usize| {
            (0..WIDTH - by).map(move |x| (green(x + by, y) - green(x, y)).abs())
        };
        let grain = steps(100, 1).sum::<i64>() / WIDTH as i64;
        assert!((4..12).contains(&grain), "{grain} from pixel to pixel of the sky");
        let sky = blocks().chunks(3 * WIDTH / BLOCK).next().unwrap().to_vec();
        let greens: Vec<u8> = sky.into_iter().skip(1).step_by(3).collect();
        assert!(greens.windows(2).all(|two| two[0].abs_diff(two[1]) < 16), "a smooth sky");
        let has_edge = |y: &usize| steps(*y, 1).any(|step| step > 90);
        assert!((850..HEIGHT).filter(has_edge).count() > 300, "no edges of stones");
    }

    #[test]
    fn blocks_are_means_of_the_picture() {
        let (picture, blocks) = (picture(), blocks());
        assert_eq!(blocks.len(), 3 * (WIDTH / 8) * (HEIGHT / 8));
        // The blue of the second block of the third row.
        let rows = (16..24).flat_map(|y| (8..16).map(move |x| y * WIDTH + x));
        let sum: u32 = rows.map(|pixel| u32::from(picture[3 * pixel + 2])).sum();
        assert_eq!(u32::from(blocks[3 * (2 * WIDTH / 8 + 1) + 2]), (sum + 32) / 64);
    }
}
