//! Dependent loads in growing buffers: how long each cache takes, and the memory.

use super::batches::batch_times;
use super::buffer::{Buffer, LINE_BYTES};
use super::levels::Levels;
use super::pin::pin;
use machine::{Ladder, LadderStep, Level, Machine, NodeLoad};
use std::collections::BTreeMap;
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
/// Loads between two looks at the time, of which the fewest make a batch.
const LOADS: u64 = 4_096;
/// No step walks longer through its buffer beforehand than this many loads: 100 ms of memory.
const MOST_WARM_UP_LOADS: u64 = 1 << 20;

/// Measures the ladder on a CPU with memory of its own NUMA node, and loads from the memory of other nodes.
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
    let (batches, large_page_share) = on(cpu, || {
        let mut buffer = Buffer::new(largest)?;
        let batches_of = |bytes: &u64| {
            buffer.link(*bytes);
            batches_ns(&buffer, *bytes)
        };
        let batches: Vec<Vec<f64>> = sizes.iter().map(batches_of).collect();
        Ok((batches, buffer.large_page_share()))
    })?;
    let steps = sizes.iter().zip(&batches).filter_map(|(&bytes, batches)| {
        let load = batch_times(batches)?;
        Some(LadderStep { bytes, level: levels.holding(bytes), is_typical: false, load })
    });
    let mut steps: Vec<LadderStep> = steps.collect();
    mark_typical(&mut steps, &levels);
    let wanted_bytes = (room < wanted).then_some(wanted);
    let other_nodes = other_nodes(machine, cpu).into_iter().filter_map(|(node, its_cpu)| {
        let load = |batches: Vec<f64>| Some(NodeLoad { node, load: batch_times(&batches)? });
        from_node(cpu, its_cpu, largest).map(load).transpose()
    });
    Ok(Ladder {
        cpu,
        steps,
        large_page_share,
        largest_cache_bytes: levels.largest(),
        other_nodes: other_nodes.collect::<Result<_, String>>()?,
        wanted_bytes,
    })
}

/// The NUMA nodes that a CPU is not on, each with a CPU of it that this process may use.
fn other_nodes(machine: &Machine, cpu: u32) -> BTreeMap<u32, u32> {
    let allowed = &machine.limits.allowed_cpus;
    let cpus = &machine.topology.cpus;
    let ours = cpus.iter().find(|logical| logical.cpu == cpu).and_then(|logical| logical.numa_node);
    let others =
        cpus.iter().rev().filter(|logical| allowed.holds(logical.cpu) && logical.numa_node != ours);
    others.filter_map(|logical| Some((logical.numa_node?, logical.cpu))).collect()
}

/// ns a load of a CPU from a buffer that another CPU made: the kernel takes the memory from the node of who touches it first.
fn from_node(cpu: u32, made_on: u32, bytes: u64) -> Result<Vec<f64>, String> {
    let made = on(made_on, || {
        let mut buffer = Buffer::new(bytes)?;
        buffer.link(bytes);
        Ok(buffer)
    })?;
    on(cpu, || Ok(batches_ns(&made, bytes)))
}

/// Runs a function on a thread bound to a CPU.
fn on<T: Send>(cpu: u32, does: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, || {
            pin(cpu)?;
            does()
        });
        let thread = thread.map_err(|e| format!("no thread can be started: {e}"))?;
        thread.join().map_err(|_| "a thread that measures died".to_owned())?
    })
}

/// Two sizes per doubling.
fn sizes(largest: u64) -> Vec<u64> {
    let doublings = (0..).map(|n| SMALLEST_BYTES << n).take_while(|size| *size <= largest);
    let both = doublings.flat_map(|size| [size, size + size / 2]);
    both.filter(|size| *size <= largest).collect()
}

/// Marks for each cache the step halfway between it and the next smaller one, on a logarithmic scale: too large for that one,
/// and small enough where others use a part of this. For memory it is the largest step, of which the caches hold least.
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

/// ns a load of each batch, in the first bytes of a buffer, which are linked.
fn batches_ns(buffer: &Buffer, bytes: u64) -> Vec<f64> {
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
        let load = batch_times(&[1.0; 5]).unwrap();
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
    fn other_nodes_are_measured_from_a_cpu_of_theirs_that_we_may_use() {
        let mut machine = fixture::machine("xeon-2s");
        let nodes =
            |machine: &Machine, cpu| other_nodes(machine, cpu).into_iter().collect::<Vec<_>>();
        // CPUs 0-3 and 8-11 are on the first node.
        assert_eq!(nodes(&machine, 0), [(1, 4)]);
        assert_eq!(nodes(&machine, 7), [(0, 0)]);
        machine.limits.allowed_cpus = vec![0, 1, 14].into();
        assert_eq!(nodes(&machine, 1), [(1, 14)]);
        machine.limits.allowed_cpus = vec![0, 1].into();
        assert_eq!(nodes(&machine, 1), []);
    }

    #[test]
    fn memory_that_another_thread_made_is_walked_through() {
        let machine = Machine::read(std::path::Path::new("/"));
        let cpus = &machine.limits.allowed_cpus;
        let batches = from_node(cpus[0], *cpus.last().unwrap(), 1 << 20).unwrap();
        assert!(batches.len() == BATCHES && batches.iter().all(|ns| *ns > 0.1), "{batches:?}");
    }

    #[test]
    fn short_memory_makes_the_ladder_shorter_and_says_so() {
        let mut machine = fixture::machine("xeon-2s");
        machine.limits.memory_available_bytes = Fact::Known(1 << 20);
        let ours = Machine::read(std::path::Path::new("/"));
        let cpu = ours.limits.allowed_cpus[0];
        machine.limits.allowed_cpus = vec![cpu].into();
        let short = ladder(&machine, cpu).unwrap();
        assert_eq!(short.steps.last().unwrap().bytes, 256 << 10);
        assert_eq!(short.wanted_bytes, Some(216 << 20));
        assert!(short.steps.iter().all(|step| step.load.ns > 0.1), "{short:?}");
        machine.limits.memory_available_bytes = Fact::Known(1 << 10);
        assert!(ladder(&machine, cpu).unwrap_err().contains("too little memory"));
    }
}
