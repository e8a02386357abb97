//! Two directions as work. A stream is checked by going back to the text, and by the first stream, which is the
//! same every time; a text by the text.

use sizeup_kit::{OpError, Work, WorkerError};

/// A library that makes streams, in one setting.
pub trait Encode {
    /// Makes the stream of a text; `take` gets it piece by piece.
    fn encode(&mut self, text: &[u8], take: impl FnMut(&[u8])) -> Result<(), OpError>;

    /// What it writes to before `take` gets it.
    fn buffer(&mut self) -> &mut [u8];
}

/// A library that makes texts of streams.
pub trait Decode {
    /// Makes the text of one whole stream, after which nothing may follow; `take` gets it piece by piece.
    fn decode(&mut self, stream: &[u8], take: impl FnMut(&[u8])) -> Result<(), OpError>;

    /// What it writes to before `take` gets it.
    fn buffer(&mut self) -> &mut [u8];
}

/// The stream of a text, if it becomes the text again: for self-tests.
///
/// # Errors
/// When the library fails or another text comes back.
pub fn there_and_back(
    encoder: &mut impl Encode,
    decoder: &mut impl Decode,
    text: &[u8],
) -> Result<Vec<u8>, String> {
    let stream = encoded(encoder, text).map_err(|e| format!("a known text: {e}"))?;
    match decoded(decoder, &stream, text.len()) {
        Ok(back) if back == text => Ok(stream),
        Ok(_) => Err("a known text does not come back".to_owned()),
        Err(e) => Err(format!("a known text does not come back: {e}")),
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
    /// Sets it up. The decoder is there for checking only.
    ///
    /// # Errors
    /// When the library fails.
    pub fn work(mut encoder: E, decoder: D, text: Vec<u8>) -> Result<Box<dyn Work>, WorkerError> {
        let first = encoded(&mut encoder, &text)?;
        Ok(Box::new(Self { encoder, decoder, text, first }))
    }

    /// The same, where the stream must be the one that a `model` makes.
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
        // What the round trip does not see, such as a header's time and the bits that pad the last byte.
        same(output, &self.first, "the output differs from the first one")
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
    /// Sets it up for a stream and the text that must come of it.
    #[must_use]
    pub fn work(decoder: D, stream: Vec<u8>, text: Vec<u8>) -> Box<dyn Work> {
        Box::new(Self { decoder, stream, text })
    }

    /// Sets it up for the stream that an encoder makes of a text.
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

/// The stream of a text.
fn encoded(encoder: &mut impl Encode, text: &[u8]) -> Result<Vec<u8>, OpError> {
    let mut stream = Vec::new();
    // What an earlier op left there must not stand for what this one did not write.
    encoder.buffer().fill(0);
    encoder.encode(text, |piece| stream.extend_from_slice(piece))?;
    Ok(stream)
}

/// The text of a stream, but no more of it than shows that it is longer than `bytes`: a damaged stream may stand
/// for any length.
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

/// Whether two are the same, else `what` with the place.
fn same(a: &[u8], b: &[u8], what: &str) -> Result<(), String> {
    if a == b {
        return Ok(());
    }
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    Err(format!("{what} at byte {at}"))
}
