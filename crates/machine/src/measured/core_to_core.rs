//! How long a cache line takes from core to core.

use super::batch_times::{BatchTimes, is_time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Latencies of a cache line between cores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CoreToCore {
    /// By what the CPUs share, the nearest first.
    pub relations: Vec<RelationTimes>,
    /// Every measured pair.
    pub pairs: Vec<MeasuredPair>,
}

/// The pairs of one relation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RelationTimes {
    pub relation: Relation,
    /// Pairs with a figure.
    pub pairs: usize,
    /// Median over pairs, in ns one way.
    pub ns: f64,
    /// The fastest and the slowest pair, in ns one way.
    pub range_ns: [f64; 2],
    /// Median over pairs of how far a pair's batches spread: half the distance of their quartiles over their median.
    pub spread: f64,
}

/// A pair and its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MeasuredPair {
    #[serde(flatten)]
    pub pair: CorePair,
    /// One way; `None` where other work had one of the CPUs all the time.
    pub one_way: Option<BatchTimes>,
}

/// The nearest resource that two CPUs share.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// A core.
    SmtSiblings,
    /// A third-level cache.
    SameL3,
    /// A socket, but no third-level cache that is known of.
    SameSocket,
    /// Nothing but the machine.
    OtherSocket,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::SmtSiblings => "SMT siblings",
            Self::SameL3 => "same L3",
            Self::SameSocket => "same socket",
            Self::OtherSocket => "other socket",
        })
    }
}

/// Two CPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CorePair {
    pub a: u32,
    pub b: u32,
    pub relation: Relation,
}

impl CoreToCore {
    /// Whether all times can be.
    pub fn is_possible(&self) -> bool {
        let times = self.pairs.iter().filter_map(|pair| pair.one_way.as_ref());
        let of_relation = |times: &RelationTimes| {
            let [fastest, slowest] = times.range_ns;
            is_time(times.ns) && is_time(fastest) && is_time(slowest) && times.spread.is_finite()
        };
        times.clone().all(BatchTimes::is_possible) && self.relations.iter().all(of_relation)
    }
}
