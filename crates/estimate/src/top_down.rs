//! Where the slots went in which cores could have issued an operation: top-down analysis, level 1 (Yasin, *A Top-Down Method
//! for Performance Analysis and Counters Architecture*, 2014).

use serde::Serialize;

/// Shares of all slots; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TopDown {
    /// Operations that were carried out.
    pub retiring: f64,
    /// Operations of a path that was not taken.
    pub bad_speculation: f64,
    /// Nothing was fetched or decoded.
    pub frontend_bound: f64,
    /// Operations had to wait for data or units.
    pub backend_bound: f64,
}

impl TopDown {
    /// Takes counts of one group by event name; `None` where the group is another one or incomplete.
    pub(super) fn of(
        count: impl Fn(&str) -> Option<f64>,
        slots_per_cycle: Option<u64>,
    ) -> Option<Self> {
        let (frontend, backend) = (count("frontend-slots")?, count("backend-slots")?);
        // Intel: each has a counter. AMD: what was dispatched retires or was in vain.
        let of_slots = || {
            let retiring = count("retiring-slots")?;
            let wasted = count("bad-speculation-slots")
                .or_else(|| Some((count("dispatched-slots")? - retiring).max(0.0)))?;
            Some([retiring, wasted])
        };
        // Arm: of the slots that did not stall, as much was in vain as of the operations.
        let of_ops = || {
            let slots = count("slot-cycles")? * slots_per_cycle? as f64;
            let issued = (slots - frontend - backend).max(0.0);
            let kept = (count("retired-ops")? / count("dispatched-ops")?).min(1.0);
            Some([issued * kept, issued * (1.0 - kept)])
        };
        let [retiring, wasted] = of_slots().or_else(of_ops)?;
        let sum = retiring + wasted + frontend + backend;
        (sum > 0.0 && sum.is_finite()).then(|| Self {
            retiring: retiring / sum,
            bad_speculation: wasted / sum,
            frontend_bound: frontend / sum,
            backend_bound: backend / sum,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(counts: &[(&str, f64)], slots: Option<u64>) -> Option<[f64; 4]> {
        let count = |name: &str| counts.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
        let TopDown { retiring, bad_speculation, frontend_bound, backend_bound } =
            TopDown::of(count, slots)?;
        let round = |share: f64| (share * 1000.0).round() / 1000.0;
        Some([retiring, bad_speculation, frontend_bound, backend_bound].map(round))
    }

    #[test]
    fn intels_slots_are_counted_each() {
        // Made up: a million slots, in 255ths as the hardware has them.
        let counts = [
            ("slots", 1_000_000.0),
            ("retiring-slots", 627_451.0),
            ("bad-speculation-slots", 86_275.0),
            ("frontend-slots", 168_627.0),
            ("backend-slots", 117_647.0),
        ];
        assert_eq!(shares(&counts, None), Some([0.627, 0.086, 0.169, 0.118]));
        assert_eq!(shares(&counts[..4], None), None);
    }

    #[test]
    fn what_amd_dispatched_and_did_not_retire_was_in_vain() {
        // 100 cycles of 6 slots without another thread on the core.
        let counts = [
            ("frontend-slots", 60.0),
            ("backend-slots", 240.0),
            ("dispatched-slots", 300.0),
            ("retiring-slots", 270.0),
        ];
        assert_eq!(shares(&counts, None), Some([0.45, 0.05, 0.1, 0.4]));
    }

    #[test]
    fn arms_slots_are_made_up_of_cycles() {
        let counts = [
            ("slot-cycles", 100.0),
            ("frontend-slots", 80.0),
            ("backend-slots", 320.0),
            ("dispatched-ops", 500.0),
            ("retired-ops", 450.0),
        ];
        assert_eq!(shares(&counts, Some(8)), Some([0.45, 0.05, 0.1, 0.4]));
        assert_eq!(shares(&counts, None), None);
        assert_eq!(shares(&[], Some(8)), None);
    }
}
