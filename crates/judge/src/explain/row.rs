//! Factors of a row's ratio.

use super::factor::{Factor, FactorKind};
use super::side::Side;
use crate::compare::{Comparison, Group, Row};
use record::ThreadSpec;
use serde::Serialize;
use stats::Interval;

/// A row of two machines, with the factors that multiply to its ratio.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedRow {
    /// With its variant, if there is one.
    pub workload: String,
    /// As requested.
    pub threads: ThreadSpec,
    /// The other over the baseline.
    pub ratio: Interval,
    /// Their product is the ratio.
    pub factors: Vec<Factor>,
}

impl ExplainedRow {
    /// The factor of a kind; 1 where it plays no part.
    pub fn factor(&self, kind: FactorKind) -> f64 {
        Factor::find(&self.factors, kind).map_or(1.0, |factor| factor.ratio.centre)
    }

    /// Whether clocks are known, so that something is explained beside the number of cores.
    pub fn is_explained(&self) -> bool {
        Factor::find(&self.factors, FactorKind::Unexplained).is_none()
    }
}

/// Rows of a comparison that have a ratio.
pub(super) fn explained_rows(
    comparison: &Comparison,
    baseline: &Group,
    other: &Group,
) -> Vec<ExplainedRow> {
    let explained = |row: &Row| {
        let ratio = row.ratio.as_ref()?.interval;
        let side = |group| Side::of(group, &row.workload, row.threads);
        let (of_baseline, of_other) = (side(baseline)?, side(other)?);
        Some(ExplainedRow {
            workload: row.workload.clone(),
            threads: row.threads,
            ratio,
            factors: factors(&ratio, row.clock_ratio, of_baseline, of_other),
        })
    };
    comparison.rows.iter().filter_map(explained).collect()
}

fn factors(ratio: &Interval, clock: Option<Interval>, baseline: Side, other: Side) -> Vec<Factor> {
    let mut factors = Vec::new();
    if let (Some(other), Some(baseline)) = (other.cores(), baseline.cores()) {
        factors.push(Factor::exact(FactorKind::Cores, other, baseline));
    }
    let over = |figure: &dyn Fn(Side) -> Option<Interval>| {
        Some(figure(other)?.ratio_to(&figure(baseline)?))
    };
    let (Some(clock), Some(per_ghz)) = (clock, over(&|side| side.per_ghz())) else {
        factors.push(Factor::rest(FactorKind::Unexplained, ratio, &factors, *ratio));
        return factors;
    };
    factors.push(Factor { kind: FactorKind::Clock, ratio: clock });
    // Where the work is the kernel's, what is outside it is no work.
    let kernel = over(&|side| side.outside_kernel()).filter(|_| !other.is_of_kernel());
    factors.extend(kernel.map(|ratio| Factor { kind: FactorKind::Kernel, ratio }));
    let instructions = other.instructions().zip(baseline.instructions());
    let are_alike = |both: &((f64, bool), (f64, bool))| both.0.1 == both.1.1;
    let instructions = instructions.filter(are_alike).map(|((other, _), (baseline, _))| {
        // Turned over: work takes fewer of them.
        Factor::exact(FactorKind::Instructions, baseline, other)
    });
    factors.extend(instructions);
    let without = |per_ghz: Interval| {
        let outside = kernel.map_or(per_ghz, |kernel| per_ghz.ratio_to(&kernel));
        instructions.map_or(outside, |factor| outside.scaled(1.0 / factor.ratio.centre))
    };
    match over(&|side| side.per_ghz_alone()) {
        Some(alone) => {
            let ratio_per_cycle = without(alone);
            factors.push(Factor { kind: FactorKind::WorkPerCycle, ratio: ratio_per_cycle });
            let like = per_ghz.ratio_to(&alone);
            factors.push(Factor::rest(FactorKind::Scaling, ratio, &factors, like));
        }
        None => {
            let like = without(per_ghz);
            factors.push(Factor::rest(FactorKind::WorkPerCycle, ratio, &factors, like));
        }
    }
    factors
}
