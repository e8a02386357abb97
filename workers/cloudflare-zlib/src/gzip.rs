//! gzip as a web server uses it: `deflateInit2` anew for each page.

use crate::deflate;
use serde::Deserialize;
use sizeup_kit::{OpError, Setting, Work, WorkerError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    level: u8,
}

/// Compresses the page at the level of the parameters.
pub fn compress(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let Parameters { level } = setting.parameters()?;
    if !(1..=9).contains(&level) {
        return Err(WorkerError::bad_request(format!("gzip has no level {level}")));
    }
    let mut work = Compress {
        page: setting.input("page")?,
        level,
        buffer: vec![0; deflate::BUFFER_BYTES],
        first: Vec::new(),
    };
    work.first = work.output()?;
    Ok(Box::new(work))
}

/// One op is the page, compressed.
struct Compress {
    page: Vec<u8>,
    level: u8,
    buffer: Vec<u8>,
    first: Vec<u8>,
}

impl Work for Compress {
    fn op(&mut self) -> Result<(), OpError> {
        deflate::compress(&self.page, self.level, &mut self.buffer, |_| ())
    }

    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let mut stream = Vec::new();
        deflate::compress(&self.page, self.level, &mut self.buffer, |piece| {
            stream.extend_from_slice(piece);
        })?;
        Ok(stream)
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match deflate::decompress(output, self.page.len()) {
            Ok(page) if page == self.page => {}
            Ok(_) => return Err("the round trip does not give the page".to_owned()),
            Err(e) => return Err(format!("the stream does not decompress: {e}")),
        }
        // What the round trip does not see, such as the header's time and system.
        let same = output.iter().zip(&self.first).take_while(|(a, b)| a == b).count();
        if output == self.first {
            Ok(())
        } else {
            Err(format!("the output differs from the first one at byte {same}"))
        }
    }

    fn bytes_per_op(&self) -> Option<u64> {
        Some(self.page.len() as u64)
    }
}
