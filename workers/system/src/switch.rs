//! `switch`: one op is one byte there and back between two threads on one CPU, over two pipes: two context switches and
//! four system calls.

use crate::helper::{Helper, current_cpu, pipe};
use sizeup_kit::{OpError, Setting, Work, WorkerError};
use std::fs::File;
use std::io::{Read, Write};

pub fn setup(setting: &Setting) -> Result<Box<dyn Work>, WorkerError> {
    let cpu = setting.cpus[setting.thread];
    let ((there, to), (from, back)) = (pipe()?, pipe()?);
    let mut back = File::from(back);
    let answer = move |[byte]: [u8; 1]| back.write_all(&[byte.wrapping_add(1)]);
    let helper = Helper::start(cpu, File::from(there), answer)?;
    Ok(Box::new(Switch { cpu, to: Some(to.into()), from: from.into(), helper, last: 0 }))
}

struct Switch {
    cpu: u32,
    /// Closed to end the helper.
    to: Option<File>,
    from: File,
    helper: Helper,
    /// The byte that came back last.
    last: u8,
}

impl Switch {
    /// Sends the next byte and returns the one that comes back.
    fn round_trip(&mut self) -> Result<u8, OpError> {
        let mut byte = [self.last.wrapping_add(1)];
        let Some(to) = &mut self.to else { return Err(OpError::new("the pipe is closed")) };
        to.write_all(&byte).map_err(OpError::new)?;
        self.from.read_exact(&mut byte).map_err(OpError::new)?;
        Ok(byte[0])
    }
}

impl Work for Switch {
    fn op(&mut self) -> Result<(), OpError> {
        let expected = self.last.wrapping_add(2);
        let byte = self.round_trip()?;
        if byte != expected {
            return Err(OpError::new(format!("{byte} came back, not {expected}")));
        }
        self.last = byte;
        Ok(())
    }

    /// By how much the byte rose, and how far both threads are from their CPU.
    fn output(&mut self) -> Result<Vec<u8>, OpError> {
        let before = self.last;
        self.helper.ask();
        let byte = self.round_trip();
        let cpus = [self.helper.last_cpu(), current_cpu()];
        self.last = byte?;
        let distances = cpus.map(|cpu| cpu.wrapping_sub(self.cpu as i32).to_le_bytes());
        let rise = [self.last.wrapping_sub(before)];
        Ok([&rise[..], &distances.concat()].concat())
    }

    fn check(&mut self, output: &[u8]) -> Result<(), String> {
        match output {
            [2, 0, 0, 0, 0, 0, 0, 0, 0] => Ok(()),
            [2, ..] => Err(format!("a thread has left CPU {}: {output:?}", self.cpu)),
            _ => Err(format!("the byte did not rise by 2: {output:?}")),
        }
    }

    fn verified(&self) -> &'static str {
        "the byte counts up, and both threads are on their CPU"
    }

    fn bytes_per_op(&self) -> Option<u64> {
        None
    }
}

impl Drop for Switch {
    fn drop(&mut self) {
        self.to = None;
        self.helper.end();
    }
}
