//! Judgements: over groups of runs row by row and as scores, over the variants of one run, over the implementations of
//! one operation.

mod beside;
mod categories;
mod common_rows;
mod contention;
mod cores_and_clock;
mod cores_times_clock;
mod coverage;
mod described;
mod enough;
mod group;
mod group_row;
mod identity;
mod implementations;
mod kernel_notes;
mod label;
mod machine_differences;
mod machine_lines;
mod meters;
mod must_match;
mod pair;
mod pair_notes;
mod pairs;
mod pooled;
mod power;
mod robustness;
mod rolling;
mod row;
mod run_sets;
mod same_threads;
mod score;
mod score_line;
mod scored_pair;
mod sheet;
mod spread;
mod unit_effects;
mod variant_score;
mod variants;
mod votes;
mod weighted;
mod workload;

pub use beside::BesideRow;
pub use common_rows::CommonRows;
pub use contention::{Busy, Contention, MeasuredRows, shown_view};
pub use cores_and_clock::CoresAndClock;
pub use cores_times_clock::CoresTimesClock;
pub use coverage::{EXPECTED_FAMILIES, missing_families};
pub use described::{SAID, measured_rows};
pub use enough::{HostsToDecide, MOST_HOSTS, MoreHosts};
pub use group::Group;
pub use group_row::GroupRow;
pub use identity::Identity;
pub use implementations::{
    ImplementationCell, ImplementationRow, Implementations, Operation, Slowdown, implementations,
};
pub use kernel_notes::kernel_notes;
pub use label::distinct;
pub use machine_differences::machine_differences;
pub use machine_lines::{MachineLine, machine_lines};
pub use must_match::{Difference, MustMatch};
pub use pair::Pair;
pub use pair_notes::{pair_notes, shared_cores};
pub use pairs::Pairs;
pub use power::{Power, PowerSource, Powers, RunPower, powers};
pub use robustness::{Robustness, Weightings};
pub use rolling::RollingScore;
pub use row::{Comparison, GeomeanRatio, Row, verdicts_scaled_by};
pub use same_threads::share_thread_counts;
pub use score::{AcrossThreads, Score, disturbed_note};
pub use score_line::{Exception, ScoreLine, Sides};
pub use sheet::{CaseRole, RowKey, RowResult, Sheet, isa_note, row_results};
pub use spread::{RunToRunSpread, Spread};
pub use variant_score::variant_lines;
pub use variants::{
    VariantComparison, VariantRow, compare_variants, compare_with_variant, judged_views,
};
pub use verdict::{EQUIVALENT, Ratio, Verdict};
pub use votes::Left;
pub use weighted::{MixLack, ScoredMix};
pub use workload::{differences_of_workload, differences_within};

#[cfg(test)]
mod tests;
