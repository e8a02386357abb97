//! Whether two CPUs are hyperthreads of one core: pulses on the one while the other is busy or idle.

use super::Setting;
use super::clock::middle;
use anyhow::{Context, anyhow};
use rand::RngExt;
use record::{Pulse, Timing};
use sizeup_kit::{additions, proof};
use stats::ratio_interval;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

/// Two threads that fill one core have little more than half of its width each; a core of its own has all.
const MOST_WIDTH_OF_SIBLINGS: f64 = 0.75;
const TIMING: Timing = Timing { warmup_ns: 0, sample_ns: 1_000, rounds_per_launch: 1 };

/// A thread of ours on another CPU, which works on command and sleeps otherwise.
pub struct Neighbour {
    is_busy: Arc<AtomicBool>,
    has_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Neighbour {
    pub fn on(cpu: u32) -> anyhow::Result<Self> {
        let (is_busy, has_ended) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (busy, ended) = (Arc::clone(&is_busy), Arc::clone(&has_ended));
        let (pinned, answer) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let is_pinned = proof::pin(cpu);
            let can_work = is_pinned.is_ok();
            let _ = pinned.send(is_pinned); // the caller waits for it
            while can_work && !ended.load(Ordering::Relaxed) {
                if busy.load(Ordering::Relaxed) {
                    black_box(additions(10_000));
                } else {
                    thread::park_timeout(Duration::from_millis(100));
                }
            }
        });
        answer.recv().context("the neighbour's thread died")??;
        Ok(Self { is_busy, has_ended, thread: Some(thread) })
    }

    /// Sets it to work or to sleep, and waits until it does.
    pub fn set(&self, busy: bool) {
        self.is_busy.store(busy, Ordering::Relaxed);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        sleep(Duration::from_millis(2));
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.has_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Says whether the neighbour's CPU shares the core.
pub fn prove(setting: &mut Setting) -> anyhow::Result<bool> {
    let neighbour = Neighbour::on(setting.neighbour)?;
    let failed = |e| anyhow!("{e}");
    let mut launch = setting.workers.launch("empty/control", &[setting.cpu])?;
    let cycles = launch.ready.pulse.clock_cycles_per_op as f64;
    let width = |pulse: &Pulse| {
        let per_ns = pulse.width_ops as f64 / pulse.width_ns as f64;
        per_ns / (pulse.clock_ops as f64 * cycles / pulse.clock_ns as f64)
    };
    let (mut idle, mut busy) = (Vec::new(), Vec::new());
    for _ in 0..setting.pairs {
        let busy_first: bool = setting.rng.random();
        for is_busy in [busy_first, !busy_first] {
            neighbour.set(is_busy);
            let sample = launch.measure(&TIMING).map_err(failed)?.measured;
            let width = width(&sample.threads[0].pulse_after);
            if is_busy { busy.push(width) } else { idle.push(width) }
        }
    }
    launch.finish().map_err(failed)?;
    let ratios: Vec<f64> = idle.iter().zip(&busy).map(|(idle, busy)| busy / idle).collect();
    let ratio = ratio_interval(&ratios).context("too few pulses")?;
    let median = middle(ratios);
    let are_siblings = median < MOST_WIDTH_OF_SIBLINGS;
    println!(
        "Width on CPU {} while CPU {} is busy ÷ while it is idle: median {median:.3}, mean {:.3} ({:.3} … {:.3}) \
         of {} pairs; busy {:.2}, idle {:.2} in the middle. They {} siblings of one core.\n",
        setting.cpu,
        setting.neighbour,
        ratio.centre,
        ratio.low,
        ratio.high,
        idle.len(),
        middle(busy),
        middle(idle),
        if are_siblings { "are" } else { "are not" },
    );
    Ok(are_siblings)
}
