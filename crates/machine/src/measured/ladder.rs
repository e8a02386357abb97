//! How long a load takes from growing buffers.

use super::BatchTimes;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Loads that take this share of the time of memory's are mostly of memory.
const NEARLY: f64 = 0.7;

/// Loads of growing buffers on one CPU.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ladder {
    pub cpu: u32,
    /// Growing buffers.
    pub steps: Vec<LadderStep>,
    /// The share of the memory that is in large pages; without them, loads of large buffers include page walks. `None`
    /// where the kernel does not say.
    pub large_page_share: Option<f64>,
    /// Bytes of the largest cache that the CPU reaches, where it is known.
    pub largest_cache_bytes: Option<u64>,
    /// Loads from the memory of other NUMA nodes, from buffers as large as the largest step's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_nodes: Vec<NodeLoad>,
    /// Bytes of the largest buffer that was wanted, where memory was too short for it.
    pub wanted_bytes: Option<u64>,
}

/// One buffer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LadderStep {
    pub bytes: u64,
    /// The nearest cache that it fits into.
    pub level: Level,
    /// Whether it stands for its level: the middle one of a cache on a logarithmic scale, and the largest of memory.
    pub is_typical: bool,
    /// A load.
    pub load: BatchTimes,
}

/// A load from the memory of another NUMA node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct NodeLoad {
    pub node: u32,
    pub load: BatchTimes,
}

impl Ladder {
    /// Whether all times can be.
    pub fn is_possible(&self) -> bool {
        let steps = self.steps.iter().map(|step| &step.load);
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        steps.chain(self.other_nodes.iter().map(|node| &node.load)).all(BatchTimes::is_possible)
            && self.large_page_share.is_none_or(is_share)
    }

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

/// The nearest place that can hold a buffer.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub enum Level {
    L1,
    L2,
    L3,
    L4,
    /// Larger than every cache that is known of.
    #[serde(rename = "memory")]
    Memory,
    /// The machine does not say what caches it has.
    #[serde(rename = "unknown")]
    Unknown,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_of_which_others_have_a_part_is_noticed() {
        let step = |bytes: u64, level, ns: f64| LadderStep {
            bytes,
            level,
            is_typical: level == Level::Memory,
            load: BatchTimes { ns, quartiles_ns: [ns; 2], batches: 9 },
        };
        let ladder = |ns_at_12: f64, ns_at_28: f64| Ladder {
            cpu: 0,
            steps: vec![
                step(8 << 20, Level::L3, 13.0),
                step(12 << 20, Level::L3, ns_at_12),
                step(28 << 20, Level::L3, ns_at_28),
                step(128 << 20, Level::Memory, 150.0),
            ],
            large_page_share: Some(1.0),
            largest_cache_bytes: Some(32 << 20),
            other_nodes: Vec::new(),
            wanted_bytes: None,
        };
        assert_eq!(ladder(140.0, 140.0).missing_cache(), Some((12 << 20, 32 << 20)));
        // Near its end, every cache has lines of others.
        assert_eq!(ladder(14.0, 140.0).missing_cache(), None);
        assert_eq!(ladder(14.0, 20.0).missing_cache(), None);
    }
}
