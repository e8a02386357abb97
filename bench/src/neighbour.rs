//! A neighbour of our own: a thread on another CPU that reads or fills memory while it is switched on.

use clap::ValueEnum;
use sizeup_kit::proof;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Bytes moved between two looks at its switch.
const CHUNK_BYTES: usize = 1 << 20;

/// Memory traffic of a neighbour.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Kind {
    /// Fills memory
    Writes,
    /// Reads memory
    Reads,
}

/// A neighbour. Dropping it ends its thread.
pub struct Neighbour {
    switch: Arc<Switch>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Switch {
    is_on: AtomicBool,
    is_over: AtomicBool,
    chunks: AtomicU64,
}

impl Neighbour {
    /// On a CPU, over so much memory; off at first.
    pub fn start(cpu: u32, kind: Kind, bytes: usize) -> Self {
        let switch = Arc::new(Switch::default());
        let of_thread = Arc::clone(&switch);
        let thread = thread::spawn(move || {
            proof::pin(cpu).expect("the CPU can be used");
            disturb(&of_thread, kind, bytes);
        });
        Self { switch, thread: Some(thread) }
    }

    /// Lets it work, or stops it.
    pub fn switch(&self, is_on: bool) {
        self.switch.is_on.store(is_on, Ordering::Relaxed);
    }

    /// How much it has moved so far.
    pub fn moved_bytes(&self) -> u64 {
        self.switch.chunks.load(Ordering::Relaxed) * CHUNK_BYTES as u64
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.switch.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the neighbour ends");
        }
    }
}

fn disturb(switch: &Switch, kind: Kind, bytes: usize) {
    let mut memory = vec![1_u8; bytes];
    let mut turn = 0_u8;
    while !switch.is_over.load(Ordering::Relaxed) {
        for chunk in memory.chunks_mut(CHUNK_BYTES) {
            if !switch.is_on.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_micros(200));
                break;
            }
            match kind {
                Kind::Writes => chunk.fill(turn),
                Kind::Reads => {
                    let sum = chunk.iter().step_by(64).map(|byte| u64::from(*byte)).sum::<u64>();
                    std::hint::black_box(sum);
                }
            }
            switch.chunks.fetch_add(1, Ordering::Relaxed);
        }
        turn = turn.wrapping_add(1);
    }
}
