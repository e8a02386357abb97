//! Classified samples against the truth.

use estimate::{Cores, Look};

/// Samples by truth and name.
#[derive(Default)]
pub struct Tally {
    shared_as_shared: usize,
    shared_as_own: usize,
    own_as_own: usize,
    own_as_shared: usize,
    /// Samples that are named own and yet left out of uncontended figures, as shared in part.
    left_out: usize,
}

impl Tally {
    /// Takes samples, each with whether its core was truly shared. `None` if sizeup distinguishes no states.
    pub fn of(samples: &[(Look, bool)]) -> Option<Self> {
        let looks: Vec<Look> = samples.iter().map(|(look, _)| look.clone()).collect();
        let cores = Cores::of(&[&looks], false)?;
        let states = cores.states?;
        let mut tally = Self::default();
        for (look, is_shared) in samples {
            let is_named_shared = look.threads[0].width() < states.threshold;
            *match (is_shared, is_named_shared) {
                (true, true) => &mut tally.shared_as_shared,
                (true, false) => &mut tally.shared_as_own,
                (false, false) => &mut tally.own_as_own,
                (false, true) => &mut tally.own_as_shared,
            } += 1;
            tally.left_out += usize::from(!is_named_shared && cores.own(look).is_none());
        }
        Some(tally)
    }

    /// `least` is the share that must be named right, where that can be asked.
    pub fn print(tally: Option<Self>, how: &str, least: Option<f64>) {
        let Some(tally) = tally else {
            println!("{how}: sizeup distinguishes no two states.\n");
            return;
        };
        let shared = tally.shared_as_shared + tally.shared_as_own;
        let own = tally.own_as_own + tally.own_as_shared;
        let right = (tally.shared_as_shared + tally.own_as_own) as f64 / (shared + own) as f64;
        println!(
            "{how}: {:.1} % of {} samples named right; of {shared} shared ones {} named own, of {own} own ones {} \
             named shared; {} left out of figures as shared in part.",
            right * 100.0,
            shared + own,
            tally.shared_as_own,
            tally.own_as_shared,
            tally.left_out,
        );
        if let Some(least) = least {
            let verdict = if right >= least { "holds" } else { "DOES NOT HOLD" };
            println!("At least {:.0} %: {verdict}.", least * 100.0);
        }
        println!();
    }
}

#[cfg(test)]
mod tests {
    use super::super::witness;
    use super::*;
    use estimate::ClockKernel;
    use sizeup_kit::proof::{Count, Pulse};

    const KERNEL: ClockKernel = ClockKernel { cycles_per_op: 3, chain: None };

    /// A sample between pulses of a width per cycle, at 3 GHz.
    fn look(width: f64) -> Look {
        let width_ns = (6e6 / (width * 3.0)) as u64;
        let pulse = Pulse { clock_ops: 600_000, clock_ns: 600_000, width_ops: 6_000_000, width_ns };
        let (elapsed_ns, cpu_ns) = (50_000_000, 50_000_000);
        let count = Count { ops: 5, elapsed_ns, cpu_ns, pulses: [pulse; 2], chains_ns: Vec::new() };
        witness::look(&witness::measured(0, &count), KERNEL)
    }

    /// Samples that had their core, and samples that shared it, by width.
    fn samples(own: &[f64], shared: &[f64]) -> Vec<(Look, bool)> {
        let own = own.iter().map(|width| (look(*width), false));
        own.chain(shared.iter().map(|width| (look(*width), true))).collect()
    }

    #[test]
    fn both_kinds_of_errors_are_counted() {
        let (mut own, mut shared) = (vec![3.8; 40], vec![2.0; 30]);
        // The last may have been shared in part, for all that sizeup knows.
        own.extend([2.0, 2.0, 3.4]);
        shared.extend([3.8; 2]);
        let tally = Tally::of(&samples(&own, &shared)).unwrap();
        assert_eq!((tally.own_as_own, tally.own_as_shared, tally.left_out), (41, 2, 1));
        assert_eq!((tally.shared_as_shared, tally.shared_as_own), (30, 2));
    }

    #[test]
    fn one_state_is_not_named() {
        assert!(Tally::of(&samples(&[3.8; 20], &[3.8; 20])).is_none());
    }
}
