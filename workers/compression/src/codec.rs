//! Compression and decompression as work. A stream is checked by decompressing it and by comparing it with the first
//! stream, since all must be identical; a decompressed text is compared with the original.

use sizeup_kit::{OpError, Work, WorkerError};

/// A compressor with fixed settings.
pub trait Encode {
    /// Compresses a text; `take` receives the stream piece by piece.
    fn encode(&mut self, text: &[u8], take: impl FnMut(&[u8])) -> Result<(), OpError>;

    /// The buffer it writes to before `take` receives it.
    fn buffer(&mut self) -> &mut [u8];
}

/// A decompressor.
pub trait Decode {
    /// Decompresses one whole stream, after which nothing may follow; `take` receives the text piece by piece.
    fn decode(&mut self, stream: &[u8], take: impl FnMut(&[u8])) -> Result<(), OpError>;

    /// The buffer it writes to before `take` receives it.
    fn buffer(&mut self) -> &mut [u8];
}

/// Compresses a text and checks that it decompresses to the same text: for self-tests.
///
/// # Errors
/// When the library fails or the round trip changes the text.
pub fn there_and_back(
    encoder: &mut impl Encode,
    decoder: &mut impl Decode,
    text: &[u8],
) -> Result<Vec<u8>, String> {
    let stream = encoded(encoder, text).map_err(|e| format!("a known text: {e}"))?;
    match decoded(decoder, &stream, text.len()) {
        Ok(back) if back == text => Ok(stream),
        Ok(_) => Err("the round trip of a known text changes it".to_owned()),
        Err(e) => Err(format!("a known text does not decompress: {e}")),
    }
}

/// One op is a text, compressed.
pub struct Compress<E, D> {
    encoder: E,
    decoder: D,
    text: Vec<u8>,
    first: Vec<u8>,
}

impl<E: Encode + 'static, D: Decode + 'static> Compress<E, D> {
    /// The decoder is used only for checks.
    ///
    /// # Errors
    /// When the library fails.
    pub fn work(mut encoder: E, decoder: D, text: Vec<u8>) -> Result<Box<dyn Work>, WorkerError> {
        let first = encoded(&mut encoder, &text)?;
        Ok(Box::new(Self { encoder, decoder, text, first }))
    }

    /// The stream must equal the one that `model` makes.
    ///
    /// # Errors
    /// When the library fails.
    pub fn work_like(
        model: &mut impl Encode,
        encoder: E,
        decoder: D,
        text: Vec<u8>,
    ) -> Result<Box<dyn Work>, WorkerError> {
        let first = encoded(model, &text)?;
        Ok(Box::new(Self { encoder, decoder, text, first }))
    }
}

impl<E: Encode, D: Decode> Work for Compress<E, D> {
    fn op(&mut self) -> Result<(), OpError> {
        self.encoder.encode(&self.text, |_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        encoded(&mut self.encoder, &self.text)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        let text = decoded(&mut self.decoder, output, self.text.len())
            .map_err(|e| format!("the stream does not decompress: {e}"))?;
        same(&text, &self.text, "the round trip differs from the text")?;
        // The round trip misses some differences, such as a header's time and the padding bits of the last byte.
        same(output, &self.first, "the output differs from the first op's")
    }

    fn verified(&self) -> &'static str {
        "the stream decompresses to the data and is the same every time"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.text.len() as u64)
    }
}

/// One op is a stream, decompressed.
pub struct Decompress<D> {
    decoder: D,
    stream: Vec<u8>,
    text: Vec<u8>,
}

impl<D: Decode + 'static> Decompress<D> {
    /// Takes a stream and the text it must decompress to.
    #[must_use]
    pub fn work(decoder: D, stream: Vec<u8>, text: Vec<u8>) -> Box<dyn Work> {
        Box::new(Self { decoder, stream, text })
    }

    /// Decompresses the stream that an encoder makes of a text.
    ///
    /// # Errors
    /// When the library fails.
    pub fn work_of(
        encoder: &mut impl Encode,
        decoder: D,
        text: Vec<u8>,
    ) -> Result<Box<dyn Work>, WorkerError> {
        Ok(Self::work(decoder, encoded(encoder, &text)?, text))
    }
}

impl<D: Decode> Work for Decompress<D> {
    fn op(&mut self) -> Result<(), OpError> {
        self.decoder.decode(&self.stream, |_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        decoded(&mut self.decoder, &self.stream, self.text.len())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        same(output, &self.text, "the output differs from the text")
    }

    fn verified(&self) -> &'static str {
        "the stream decompresses to the data"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.text.len() as u64)
    }
}

/// Compresses a text.
fn encoded(encoder: &mut impl Encode, text: &[u8]) -> Result<Vec<u8>, OpError> {
    let mut stream = Vec::new();
    // Output left by an earlier op must not pass for output that this one failed to write.
    encoder.buffer().fill(0);
    encoder.encode(text, |piece| stream.extend_from_slice(piece))?;
    Ok(stream)
}

/// Decompresses a stream, but stops once the text is known to be longer than `bytes`: a damaged stream may expand to
/// any length.
fn decoded(decoder: &mut impl Decode, stream: &[u8], bytes: usize) -> Result<Vec<u8>, OpError> {
    let mut text = Vec::with_capacity(bytes);
    decoder.buffer().fill(0);
    decoder.decode(stream, |piece| {
        if text.len() <= bytes {
            text.extend_from_slice(piece);
        }
    })?;
    Ok(text)
}

/// Checks that two outputs are equal; the error is `what` with the offset of the first difference.
fn same(a: &[u8], b: &[u8], what: &str) -> Result<(), String> {
    if a == b {
        return Ok(());
    }
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    Err(format!("{what} at byte {at}"))
}
