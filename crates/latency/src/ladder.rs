//! Dependent loads in growing buffers: how long each cache takes, and the memory.

use super::batches::BatchTimes;
use super::buffer::{Buffer, LINE_BYTES};
use super::level::{Level, Levels};
use super::pin::pin;
use machine::Machine;
use serde::Serialize;
use std::thread;
use std::time::{Duration, Instant};

/// The smallest buffer.
const SMALLEST_BYTES: u64 = 16 << 10;
/// The largest is as many times the largest cache …
const CACHES: u64 = 4;
/// … or this where no cache is known …
const DEFAULT_BYTES: u64 = 256 << 20;
/// … and no more than this.
const MOST_BYTES: u64 = 1 << 30;
/// It takes no more than this share of the memory that is available.
const SHARE_OF_MEMORY: u64 = 4;
/// Batches of a step.
const BATCHES: usize = 9;
/// Time of a batch.
const BATCH: Duration = Duration::from_millis(4);
/// Loads that take this share of the time of memory's are mostly of memory.
const NEARLY: f64 = 0.7;
/// Loads between two looks at the time, of which the fewest make a batch.
const LOADS: u64 = 4_096;
/// No step walks longer through its buffer beforehand than this many loads: 100 ms of memory.
const MOST_WARM_UP_LOADS: u64 = 1 << 20;

/// Loads of growing buffers on one CPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ladder {
    pub cpu: u32,
    /// Growing buffers.
    pub steps: Vec<LadderStep>,
    /// The share of the memory that is in large pages; without them, loads of large buffers include page walks. `None`
    /// where the kernel does not say.
    pub large_page_share: Option<f64>,
    /// Bytes of the largest cache that the CPU reaches, where it is known.
    pub largest_cache_bytes: Option<u64>,
    /// Bytes of the largest buffer that was wanted, where memory was too short for it.
    pub wanted_bytes: Option<u64>,
}

/// One buffer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LadderStep {
    pub bytes: u64,
    /// The nearest cache that it fits into.
    pub level: Level,
    /// Whether it stands for its level: the middle one of a cache on a logarithmic scale, and the largest of memory.
    pub is_typical: bool,
    /// A load.
    pub load: BatchTimes,
}

impl Ladder {
    /// The smallest buffer within the largest cache whose loads take nearly as long as those of memory, where that cache is
    /// larger by far: others use the rest of it, or a hypervisor gives no more. With the bytes of that cache.
    pub fn missing_cache(&self) -> Option<(u64, u64)> {
        let cache_bytes = self.largest_cache_bytes?;
        let memory_ns = self.load(Level::Memory)?.ns;
        let is_slow = |step: &&LadderStep| step.load.ns > NEARLY * memory_ns;
        let bytes = self.steps.iter().find(is_slow)?.bytes;
        (bytes < cache_bytes - cache_bytes / 4).then_some((bytes, cache_bytes))
    }

    /// A load of a level, by the step that stands for it.
    pub fn load(&self, level: Level) -> Option<&BatchTimes> {
        let is_it = |step: &&LadderStep| step.level == level && step.is_typical;
        self.steps.iter().find(is_it).map(|step| &step.load)
    }
}

/// Measures the ladder on a CPU, with memory of its own NUMA node.
///
/// # Errors
/// When no thread can be bound to the CPU, or memory can't be had.
pub fn ladder(machine: &Machine, cpu: u32) -> Result<Ladder, String> {
    let levels = Levels::of(&machine.caches, cpu);
    let wanted = levels.largest().map_or(DEFAULT_BYTES, |bytes| bytes * CACHES).min(MOST_BYTES);
    let available = machine.limits.memory_available_bytes.known().copied();
    let room = available.map_or(wanted, |bytes| bytes / SHARE_OF_MEMORY);
    let sizes = sizes(wanted.min(room));
    let largest = *sizes.last().ok_or("there is too little memory to measure its latency")?;
    let measured = thread::scope(|scope| {
        let thread = thread::Builder::new();
        let measure = thread.spawn_scoped(scope, || {
            pin(cpu)?;
            let mut buffer = Buffer::new(largest)?;
            let batches = sizes.iter().map(|bytes| batches_ns(&mut buffer, *bytes));
            Ok::<_, String>((batches.collect::<Vec<_>>(), buffer.large_page_share()))
        });
        let measure = measure.map_err(|e| format!("no thread can be started: {e}"))?;
        measure.join().map_err(|_| "a thread that measures died".to_owned())?
    });
    let (batches, large_page_share) = measured?;
    let steps = sizes.iter().zip(&batches).filter_map(|(&bytes, batches)| {
        let load = BatchTimes::of(batches)?;
        Some(LadderStep { bytes, level: levels.holding(bytes), is_typical: false, load })
    });
    let mut steps: Vec<LadderStep> = steps.collect();
    mark_typical(&mut steps, &levels);
    let wanted_bytes = (room < wanted).then_some(wanted);
    Ok(Ladder { cpu, steps, large_page_share, largest_cache_bytes: levels.largest(), wanted_bytes })
}

/// Two sizes per doubling.
fn sizes(largest: u64) -> Vec<u64> {
    let doublings = (0..).map(|n| SMALLEST_BYTES << n).take_while(|size| *size <= largest);
    let both = doublings.flat_map(|size| [size, size + size / 2]);
    both.filter(|size| *size <= largest).collect()
}

/// Of each cache the step halfway between it and the next smaller one, on a logarithmic scale: too large for that one, and
/// small enough where others use a part of this. Of memory the largest, of which the caches hold least.
fn mark_typical(steps: &mut [LadderStep], levels: &Levels) {
    let mut known: Vec<Level> = steps.iter().map(|step| step.level).collect();
    known.dedup();
    let mut smaller = SMALLEST_BYTES / 2;
    for level in known {
        let of_level = steps.iter_mut().filter(|step| step.level == level);
        let step = match levels.size(level) {
            Some(bytes) => {
                let middle = (smaller as f64 * bytes as f64).sqrt() as u64;
                smaller = bytes;
                of_level.min_by_key(|step| step.bytes.abs_diff(middle))
            }
            None => of_level.max_by_key(|step| step.bytes),
        };
        if let Some(step) = step {
            step.is_typical = level != Level::Unknown;
        }
    }
}

/// ns a load of each batch.
fn batches_ns(buffer: &mut Buffer, bytes: u64) -> Vec<f64> {
    buffer.link(bytes);
    let lines = bytes / LINE_BYTES;
    // Linking leaves what is linked last in the caches; a walk leaves what a walk leaves.
    let mut at = buffer.follow(bytes, 0, (2 * lines).clamp(LOADS, MOST_WARM_UP_LOADS));
    let mut batch = || {
        let (start, mut loads) = (Instant::now(), 0);
        loop {
            at = buffer.follow(bytes, at, LOADS);
            loads += LOADS;
            let took = start.elapsed();
            if took >= BATCH {
                return took.as_nanos() as f64 / loads as f64;
            }
        }
    };
    (0..BATCHES).map(|_| batch()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::{Fact, fixture};

    #[test]
    fn buffers_grow_twice_a_doubling_up_to_the_largest() {
        let kib = |sizes: Vec<u64>| sizes.iter().map(|size| size >> 10).collect::<Vec<_>>();
        assert_eq!(kib(sizes(100 << 10)), [16, 24, 32, 48, 64, 96]);
        assert_eq!(kib(sizes(16 << 10)), [16]);
        assert!(sizes(1 << 10).is_empty());
    }

    #[test]
    fn the_middle_of_a_cache_stands_for_it_and_the_largest_buffer_for_memory() {
        let levels = Levels::of(&fixture::machine("xeon-2s").caches, 0);
        let load = BatchTimes::of(&[1.0; 5]).unwrap();
        let step = |bytes| LadderStep {
            bytes,
            level: levels.holding(bytes),
            is_typical: false,
            load: load.clone(),
        };
        let mut steps: Vec<LadderStep> = sizes(216 << 20).into_iter().map(step).collect();
        mark_typical(&mut steps, &levels);
        let typical: Vec<(Level, u64)> =
            steps.iter().filter(|s| s.is_typical).map(|s| (s.level, s.bytes >> 10)).collect();
        let mib = 1 << 10;
        let expected =
            [(Level::L1, 16), (Level::L2, 256), (Level::L3, 8 * mib), (Level::Memory, 192 * mib)];
        assert_eq!(typical, expected);
    }

    #[test]
    fn a_cache_of_which_others_have_a_part_is_noticed() {
        let step = |bytes: u64, level, ns: f64| LadderStep {
            bytes,
            level,
            is_typical: level == Level::Memory,
            load: BatchTimes::of(&[ns; 5]).unwrap(),
        };
        let of = |ns_at_12: f64, ns_at_28: f64| Ladder {
            cpu: 0,
            steps: vec![
                step(8 << 20, Level::L3, 13.0),
                step(12 << 20, Level::L3, ns_at_12),
                step(28 << 20, Level::L3, ns_at_28),
                step(128 << 20, Level::Memory, 150.0),
            ],
            large_page_share: Some(1.0),
            largest_cache_bytes: Some(32 << 20),
            wanted_bytes: None,
        };
        assert_eq!(of(140.0, 140.0).missing_cache(), Some((12 << 20, 32 << 20)));
        // Near its end, every cache has lines of others.
        assert_eq!(of(14.0, 140.0).missing_cache(), None);
        assert_eq!(of(14.0, 20.0).missing_cache(), None);
    }

    #[test]
    fn short_memory_makes_the_ladder_shorter_and_says_so() {
        let mut machine = fixture::machine("xeon-2s");
        machine.limits.memory_available_bytes = Fact::Known(1 << 20);
        let cpu = Machine::read(std::path::Path::new("/")).limits.allowed_cpus[0];
        let short = ladder(&machine, cpu).unwrap();
        assert_eq!(short.steps.last().unwrap().bytes, 256 << 10);
        assert_eq!(short.wanted_bytes, Some(216 << 20));
        assert!(short.steps.iter().all(|step| step.load.ns > 0.1), "{short:?}");
        machine.limits.memory_available_bytes = Fact::Known(1 << 10);
        assert!(ladder(&machine, cpu).unwrap_err().contains("too little memory"));
    }
}
