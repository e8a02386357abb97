//! Pictures: a photo in JPEG is decoded, scaled or encoded, or all three make a thumbnail of it. Memory for pixels is used again.
//!
//! An op's output is judged once, by computations that have nothing in common with the libraries; from then on every op must make
//! the same bytes.

use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{CpuExtensions, FilterType, ResizeAlg, ResizeOptions, Resizer};
use jpeg_encoder::{ColorType, Encoder};
use sha2::{Digest, Sha256};
use sizeup_kit::{Kind, OpError, Operation, Parameter, Paths, Setting, Work, WorkerError};
use std::hint::black_box;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;

pub const ZUNE_JPEG: &str = "zune-jpeg";
pub const FAST_IMAGE_RESIZE: &str = "fast_image_resize";
pub const JPEG_ENCODER: &str = "jpeg-encoder";
/// All three, one after the other.
pub const RUST_LIBS: &str = "rust-libs";

const WIDTH: Parameter = Parameter::integer("width", 16..=4096);
const HEIGHT: Parameter = Parameter::integer("height", 16..=4096);
/// Those that are used for photos; below, less is left of a picture than a check wants to see.
const QUALITY: Parameter = Parameter::integer("quality", 75..=95);

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("jpeg-decode", ZUNE_JPEG, setup_decode).reads(["photo", "blocks"]),
        Operation::new("image-scale", FAST_IMAGE_RESIZE, setup_scale)
            .takes([WIDTH, HEIGHT])
            .reads(["photo"]),
        Operation::new("jpeg-encode", JPEG_ENCODER, setup_encode).takes([QUALITY]).reads(["photo"]),
        Operation::new("thumbnail-jpeg", RUST_LIBS, setup_thumbnail)
            .takes([WIDTH, HEIGHT, QUALITY])
            .reads(["photo", "blocks"]),
    ]
}

/// By what the libraries ask of the CPU: the scaler has code for each of its extensions, the decoder for some, the encoder for none.
pub fn paths() -> Paths {
    let scaler = format!("{:?}", CpuExtensions::default()).to_lowercase();
    let decoder = if scaler == "sse4_1" { "none" } else { &scaler };
    Paths::from([
        (ZUNE_JPEG.to_owned(), decoder.to_owned()),
        (RUST_LIBS.to_owned(), format!("{decoder}, {scaler}")),
        (FAST_IMAGE_RESIZE.to_owned(), scaler),
    ])
}

/// Red, green and blue of each pixel, row by row.
#[derive(Clone, Default)]
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn black(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![0; 3 * width * height] }
    }

    fn decoded(photo: &[u8]) -> Result<Self, OpError> {
        let mut picture = Self::default();
        picture.decode(photo)?;
        Ok(picture)
    }

    fn decode(&mut self, photo: &[u8]) -> Result<(), OpError> {
        let mut decoder = JpegDecoder::new(ZCursor::new(photo));
        decoder.decode_headers().map_err(OpError::new)?;
        (self.width, self.height) = decoder.dimensions().unwrap_or_default();
        self.pixels.resize(3 * self.width * self.height, 0);
        decoder.decode_into(&mut self.pixels).map_err(OpError::new)
    }

    /// Encodes as most encoders do by default: baseline, and half as many rows and columns of colour below quality 90.
    fn encode(&self, quality: u8, stream: &mut Vec<u8>) -> Result<(), OpError> {
        stream.clear();
        let (width, height) = (self.width as u16, self.height as u16);
        Encoder::new(stream, quality)
            .encode(&self.pixels, width, height, ColorType::Rgb)
            .map_err(OpError::new)
    }
}

struct Scaler {
    resizer: Resizer,
    options: ResizeOptions,
}

impl Scaler {
    fn new() -> Self {
        let cubic = ResizeAlg::Convolution(FilterType::CatmullRom);
        let options = ResizeOptions::new().resize_alg(cubic).use_alpha(false);
        Self { resizer: Resizer::new(), options }
    }

    /// Source and result are views of one type, for the library's code is compiled anew for each that it is given, which takes long.
    fn scale(&mut self, from: &mut Picture, to: &mut Picture) -> Result<(), OpError> {
        let (from, mut to) = (view(from)?, view(to)?);
        self.resizer.resize_typed(&from, &mut to, &self.options).map_err(OpError::new)
    }
}

fn view(picture: &mut Picture) -> Result<TypedImage<'_, U8x3>, OpError> {
    let (width, height) = (picture.width as u32, picture.height as u32);
    TypedImage::from_buffer(width, height, &mut picture.pixels).map_err(OpError::new)
}

/// An op, and the memory that its result lies in.
trait Step: 'static {
    const VERIFIED: &str;

    fn perform(&mut self) -> Result<(), OpError>;
    fn made(&mut self) -> &mut Vec<u8>;
}

struct Judged<S> {
    step: S,
    /// SHA-256 of what the first op made.
    expected: [u8; 32],
}

/// Performs an op and has its result judged.
fn judged<S: Step>(
    mut step: S,
    judge: impl FnOnce(&[u8]) -> Result<(), String>,
) -> Result<Box<dyn Work>, WorkerError> {
    step.perform()?;
    judge(step.made()).map_err(|what| WorkerError::new(Kind::WrongAnswer, what))?;
    let expected = Sha256::digest(step.made()).into();
    Ok(Box::new(Judged { step, expected }))
}

impl<S: Step> Work for Judged<S> {
    fn op(&mut self) -> Result<(), OpError> {
        self.step.perform()?;
        black_box(self.step.made());
        Ok(())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        self.step.made().fill(0);
        self.step.perform()?;
        Ok(self.step.made().clone())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let digest: [u8; 32] = Sha256::digest(output).into();
        if digest == self.expected {
            Ok(())
        } else {
            Err(format!("{} bytes that are not those of the first op", output.len()))
        }
    }

    fn verified(&self) -> &'static str {
        S::VERIFIED
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

struct Decode {
    photo: Vec<u8>,
    picture: Picture,
}

impl Step for Decode {
    const VERIFIED: &str = "the picture's blocks have the colours that were drawn";

    fn perform(&mut self) -> Result<(), OpError> {
        self.picture.decode(&self.photo)
    }

    fn made(&mut self) -> &mut Vec<u8> {
        &mut self.picture.pixels
    }
}

fn setup_decode(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (photo, blocks) = (setting.input("photo")?, setting.input("blocks")?);
    let picture = Picture::decoded(&photo)?;
    judge_blocks(&picture, &blocks).map_err(|what| WorkerError::new(Kind::WrongAnswer, what))?;
    let first = picture.pixels.clone();
    let is_first = move |made: &[u8]| same(made == first, "the second picture is another one");
    judged(Decode { photo, picture }, is_first)
}

struct Scale {
    scaler: Scaler,
    from: Picture,
    to: Picture,
}

impl Step for Scale {
    const VERIFIED: &str = "every pixel is that of a computation in f64, within 2 of 255";

    fn perform(&mut self) -> Result<(), OpError> {
        self.scaler.scale(&mut self.from, &mut self.to)
    }

    fn made(&mut self) -> &mut Vec<u8> {
        &mut self.to.pixels
    }
}

fn setup_scale(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let from = Picture::decoded(&setting.input("photo")?)?;
    let to = Picture::black(setting.integer("width"), setting.integer("height"));
    let reference = scaled(&from, to.width, to.height);
    judged(Scale { scaler: Scaler::new(), from, to }, |made| judge_scaled(made, &reference))
}

struct Encode {
    picture: Picture,
    quality: u8,
    stream: Vec<u8>,
}

impl Step for Encode {
    const VERIFIED: &str =
        "decoded, the stream is close to the picture, and neither too long nor too short";

    fn perform(&mut self) -> Result<(), OpError> {
        self.picture.encode(self.quality, &mut self.stream)
    }

    fn made(&mut self) -> &mut Vec<u8> {
        &mut self.stream
    }
}

fn setup_encode(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let picture = Picture::decoded(&setting.input("photo")?)?;
    let source = picture.clone();
    let encode = Encode { picture, quality: setting.integer("quality"), stream: Vec::new() };
    judged(encode, |made| judge_stream(made, &source))
}

struct Thumbnail {
    photo: Vec<u8>,
    picture: Picture,
    scaler: Scaler,
    scaled: Picture,
    quality: u8,
    stream: Vec<u8>,
}

impl Step for Thumbnail {
    const VERIFIED: &str =
        "decoded, the thumbnail is close to the photo that was drawn, scaled in f64";

    fn perform(&mut self) -> Result<(), OpError> {
        self.picture.decode(&self.photo)?;
        self.scaler.scale(&mut self.picture, &mut self.scaled)?;
        self.scaled.encode(self.quality, &mut self.stream)
    }

    fn made(&mut self) -> &mut Vec<u8> {
        &mut self.stream
    }
}

fn setup_thumbnail(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let (photo, blocks) = (setting.input("photo")?, setting.input("blocks")?);
    let picture = Picture::decoded(&photo)?;
    judge_blocks(&picture, &blocks).map_err(|what| WorkerError::new(Kind::WrongAnswer, what))?;
    let scaled_picture = Picture::black(setting.integer("width"), setting.integer("height"));
    let reference = scaled(&picture, scaled_picture.width, scaled_picture.height);
    let thumbnail = Thumbnail {
        photo,
        picture,
        scaler: Scaler::new(),
        scaled: scaled_picture,
        quality: setting.integer("quality"),
        stream: Vec::new(),
    };
    judged(thumbnail, |made| judge_stream(made, &reference))
}

fn same(is_so: bool, otherwise: &str) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// The side of a block in pixels.
const BLOCK: usize = 8;
/// By how much of 255 the mean colour of a block may be off: what the encoder lost, and colours that decoders smooth across edges.
const BLOCK_MOST: u8 = 18;
/// Largest mean difference over all blocks, in 255ths.
const BLOCKS_MEAN: f64 = 1.0;

/// Compares the mean colours of blocks with those of what was drawn.
fn judge_blocks(picture: &Picture, blocks: &[u8]) -> Result<(), String> {
    let found = block_means(picture);
    if found.len() != blocks.len() {
        return Err(format!("{} numbers of blocks, not {}", found.len(), blocks.len()));
    }
    let differences = || found.iter().zip(blocks).map(|(found, drawn)| found.abs_diff(*drawn));
    let most = differences().max().unwrap_or_default();
    let mean = differences().map(f64::from).sum::<f64>() / blocks.len() as f64;
    let is_close = most <= BLOCK_MOST && mean <= BLOCKS_MEAN;
    same(is_close, &format!("blocks have other colours: by {most} at most, {mean:.2} in the mean"))
}

fn block_means(picture: &Picture) -> Vec<u8> {
    let (across, down) = (picture.width / BLOCK, picture.height / BLOCK);
    let mut means = Vec::with_capacity(3 * across * down);
    for rows in picture.pixels.chunks_exact(3 * picture.width * BLOCK) {
        for block in 0..across {
            for channel in 0..3 {
                let of_row = |row: &[u8]| {
                    let pixels = &row[3 * BLOCK * block..3 * BLOCK * (block + 1)];
                    pixels[channel..].iter().step_by(3).map(|value| u32::from(*value)).sum::<u32>()
                };
                let sum: u32 = rows.chunks(3 * picture.width).map(of_row).sum();
                let pixels = (BLOCK * BLOCK) as u32;
                means.push(((sum + pixels / 2) / pixels) as u8);
            }
        }
    }
    means
}

/// Scales in f64 by the cubic of Catmull and Rom, made as wide as a new pixel: rows first, without rounding in between.
fn scaled(picture: &Picture, width: usize, height: usize) -> Picture {
    let (columns, rows) = (weights(picture.width, width), weights(picture.height, height));
    let mut narrow = vec![0.0; 3 * width * picture.height];
    for (row, narrow) in picture.pixels.chunks(3 * picture.width).zip(narrow.chunks_mut(3 * width))
    {
        for ((first, weights), to) in columns.iter().zip(narrow.chunks_mut(3)) {
            for (pixel, weight) in row[3 * first..].chunks(3).zip(weights) {
                to.iter_mut()
                    .zip(pixel)
                    .for_each(|(sum, value)| *sum += weight * f64::from(*value));
            }
        }
    }
    let mut pixels = Vec::with_capacity(3 * width * height);
    for (first, weights) in &rows {
        let mut sums = vec![0.0; 3 * width];
        for (row, weight) in narrow[3 * width * first..].chunks(3 * width).zip(weights) {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
        }
        pixels.extend(sums.iter().map(|sum| sum.round().clamp(0.0, 255.0) as u8));
    }
    Picture { width, height, pixels }
}

/// For each new pixel the first old one that has a part in it, and the parts.
fn weights(from: usize, to: usize) -> Vec<(usize, Vec<f64>)> {
    let ratio = from as f64 / to as f64;
    let stretched = ratio.max(1.0);
    let cubic = |x: f64| match x.abs() {
        x if x < 1.0 => (1.5 * x - 2.5) * x * x + 1.0,
        x if x < 2.0 => ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0,
        _ => 0.0,
    };
    let of_pixel = |pixel: usize| {
        let centre = (pixel as f64 + 0.5) * ratio;
        let first = (centre - 2.0 * stretched).floor().max(0.0) as usize;
        let last = ((centre + 2.0 * stretched).ceil() as usize).min(from);
        let parts: Vec<f64> =
            (first..last).map(|old| cubic((old as f64 + 0.5 - centre) / stretched)).collect();
        let sum: f64 = parts.iter().sum();
        (first, parts.iter().map(|part| part / sum).collect())
    };
    (0..to).map(of_pixel).collect()
}

/// Libraries round between columns and rows, or cut off.
const SCALED_MOST: u8 = 2;

fn judge_scaled(made: &[u8], reference: &Picture) -> Result<(), String> {
    if made.len() != reference.pixels.len() {
        return Err(format!("{} bytes of pixels, not {}", made.len(), reference.pixels.len()));
    }
    let differences = made.iter().zip(&reference.pixels).map(|(is, must)| is.abs_diff(*must));
    let most = differences.max().unwrap_or_default();
    same(most <= SCALED_MOST, &format!("a pixel is off by {most} of 255"))
}

/// How close to a picture a stream must be that was encoded from it, in decibels: at quality 75 grain and grass leave as much.
const LEAST_DECIBELS: f64 = 31.0;
/// A stream has tables of some 600 bytes, and for each pixel a fortieth of a byte at least and two at most.
const TABLE_BYTES: usize = 700;

fn judge_stream(stream: &[u8], source: &Picture) -> Result<(), String> {
    let picture = Picture::decoded(stream).map_err(|e| format!("what was encoded: {e}"))?;
    if (picture.width, picture.height) != (source.width, source.height) {
        return Err(format!("{} x {} pixels were encoded", picture.width, picture.height));
    }
    let decibels = decibels(&picture.pixels, &source.pixels);
    let pixels = source.width * source.height;
    let has_good_length = (pixels / 40..=TABLE_BYTES + 2 * pixels).contains(&stream.len());
    let is_good = decibels >= LEAST_DECIBELS && has_good_length;
    same(is_good, &format!("{} bytes, {decibels:.1} dB from what was encoded", stream.len()))
}

/// The peak signal-to-noise ratio.
fn decibels(one: &[u8], other: &[u8]) -> f64 {
    let squares = one.iter().zip(other).map(|(one, other)| f64::from(one.abs_diff(*other)).powi(2));
    10.0 * (255.0_f64.powi(2) * one.len() as f64 / squares.sum::<f64>()).log10()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use sizeup_kit::proof::set_up;
    use std::sync::LazyLock;
    use zune_jpeg::zune_core::options::DecoderOptions;

    pub const SIZE: &str = r#"{"width":24,"height":20}"#;
    pub const QUALITY: &str = r#"{"quality":80}"#;
    pub const ALL: &str = r#"{"width":24,"height":20,"quality":80}"#;

    /// Smooth colours, an edge and some grain, and thrice as wide and high as a thumbnail or more.
    static DRAWN: LazyLock<Picture> = LazyLock::new(|| {
        let mut picture = Picture::black(96, 64);
        for (at, pixel) in picture.pixels.chunks_mut(3).enumerate() {
            let (x, y) = (at % 96, at / 96);
            let grain = at * 7919 % 11;
            let is_inside = (x as i32 - 50).pow(2) + (y as i32 - 30).pow(2) < 400;
            let brighter = if is_inside { 60 } else { 0 };
            let colour = [40 + x, 70 + y, 180 - x].map(|value| value + brighter);
            pixel.iter_mut().zip(colour).for_each(|(to, value)| *to = (value + grain) as u8);
        }
        picture
    });
    static PHOTO: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut stream = Vec::new();
        DRAWN.encode(88, &mut stream).unwrap();
        stream
    });
    static BLOCKS: LazyLock<Vec<u8>> = LazyLock::new(|| block_means(&DRAWN));

    pub fn inputs() -> Vec<(&'static str, &'static [u8])> {
        vec![("photo", &PHOTO), ("blocks", &BLOCKS)]
    }

    fn decoded() -> Picture {
        Picture::decoded(&PHOTO).unwrap()
    }

    /// With each pixel in the place of its right neighbour.
    fn shifted(picture: &Picture) -> Picture {
        let mut picture = picture.clone();
        picture.pixels.rotate_right(3);
        picture
    }

    fn with_swapped_colours(picture: &Picture) -> Picture {
        let mut picture = picture.clone();
        picture.pixels.chunks_mut(3).for_each(|pixel| pixel.swap(0, 2));
        picture
    }

    #[test]
    fn a_picture_with_a_damaged_block_swapped_colours_or_of_another_size_is_refused() {
        let picture = decoded();
        assert_eq!(judge_blocks(&picture, &BLOCKS), Ok(()));
        let mut damaged = picture.clone();
        for y in 40..48 {
            damaged.pixels[3 * (96 * y + 16)..3 * (96 * y + 24)].fill(128);
        }
        for wrong in [damaged, with_swapped_colours(&picture), Picture::black(96, 56)] {
            assert!(judge_blocks(&wrong, &BLOCKS).unwrap_err().contains("blocks"));
        }
        let inputs = [("photo", &PHOTO[..]), ("blocks", &BLOCKS[3..])];
        let error = set_up(&operations()[0], "{}", &inputs).err().unwrap();
        assert_eq!(error.kind, Kind::WrongAnswer);
    }

    #[test]
    fn a_picture_that_was_scaled_in_another_way_is_refused() {
        let (mut from, reference) = (decoded(), scaled(&decoded(), 24, 20));
        let mut to = Picture::black(24, 20);
        let mut scale = |algorithm| {
            let mut scaler = Scaler::new();
            scaler.options = scaler.options.resize_alg(algorithm);
            scaler.scale(&mut from, &mut to).unwrap();
            judge_scaled(&to.pixels, &reference)
        };
        assert_eq!(scale(ResizeAlg::Convolution(FilterType::CatmullRom)), Ok(()));
        for other in [FilterType::Box, FilterType::Bilinear, FilterType::Lanczos3] {
            assert!(scale(ResizeAlg::Convolution(other)).unwrap_err().contains("off by"));
        }
        assert!(scale(ResizeAlg::Nearest).is_err());
        assert!(judge_scaled(&shifted(&reference).pixels, &reference).is_err());
        assert!(judge_scaled(&reference.pixels[3..], &reference).unwrap_err().contains("bytes"));
    }

    #[test]
    fn vector_instructions_change_no_pixel() {
        let mut from = decoded();
        let options = DecoderOptions::default().set_use_unsafe(false);
        let plain = JpegDecoder::new_with_options(ZCursor::new(&PHOTO[..]), options).decode();
        assert!(plain.unwrap() == from.pixels);
        let mut scale = |extensions: CpuExtensions| {
            let (mut scaler, mut to) = (Scaler::new(), Picture::black(24, 20));
            // SAFETY: this CPU has them.
            unsafe { scaler.resizer.set_cpu_extensions(extensions) };
            scaler.scale(&mut from, &mut to).unwrap();
            to.pixels
        };
        let plain = scale(CpuExtensions::None);
        assert!(plain == scale(CpuExtensions::default()));
        #[cfg(target_arch = "x86_64")]
        if CpuExtensions::Sse4_1.is_supported() {
            assert!(plain == scale(CpuExtensions::Sse4_1));
        }
    }

    #[test]
    fn a_scaled_picture_of_one_colour_has_this_colour() {
        let mut picture = Picture::black(97, 41);
        picture.pixels.fill(77);
        for (width, height) in [(24, 20), (97, 41), (200, 100)] {
            assert!(scaled(&picture, width, height).pixels.iter().all(|value| *value == 77));
        }
    }

    #[test]
    fn a_stream_of_another_picture_or_with_less_in_it_is_refused() {
        let source = decoded();
        let judge = |picture: &Picture, quality| {
            let mut stream = Vec::new();
            picture.encode(quality, &mut stream).unwrap();
            judge_stream(&stream, &source)
        };
        assert_eq!(judge(&source, 75), Ok(()));
        let small = scaled(&source, 48, 32);
        assert!(judge(&small, 80).unwrap_err().contains("48 x 32"));
        for wrong in [with_swapped_colours(&source), Picture::black(96, 64)] {
            assert!(judge(&wrong, 80).unwrap_err().contains("dB"));
        }
        assert!(judge(&source, 2).is_err());
        assert!(judge_stream(&PHOTO[..40], &source).is_err());
    }
}
