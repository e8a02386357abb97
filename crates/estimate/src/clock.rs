//! The clock during each row's work, compared with the rows measured right before and after.
//!
//! Work may lower a core's clock (wide vectors, heat, power), and the clock also drifts for all rows. Rows are
//! interleaved, so the samples right before and after a sample show the drift once each row's own effect is removed;
//! and a row's effect is how its samples differ from the drift. Both are found iteratively.

use super::look::{Look, undisturbed};
use stats::median;

/// With full steps, rows that alternate strictly would oscillate for ever.
const STEP: f64 = 0.5;
/// After these passes, the influence of the start has fallen to a thousandth where rows are well mixed. Rows that are
/// never next to each other, as in different cohorts, keep the difference between their pulses before and after.
const MOST_PASSES: usize = 10;
/// Logarithms that change by less have converged.
const FOUND: f64 = 1e-5;

struct ClockLook {
    row: usize,
    look: usize,
    at_ns: u64,
    log: f64,
}

/// The effects of rows on the clock.
#[derive(Debug, Clone, PartialEq)]
pub struct RowClocks {
    /// Each row's effect on the logarithm of the clock; the median row has none.
    effects: Vec<f64>,
    /// The logarithm of the median row's clock in Hz around each sample of each row; `None` for disturbed samples.
    around: Vec<Vec<Option<f64>>>,
}

impl RowClocks {
    /// Fits the effects of rows with the same number of threads.
    pub fn of(rows: &[&[Look]]) -> Self {
        let samples = samples(rows);
        let mut clocks = Self {
            effects: effects_of_pulses(rows),
            around: rows.iter().map(|looks| vec![None; looks.len()]).collect(),
        };
        for _ in 0..MOST_PASSES {
            if clocks.pass(&samples) < FOUND {
                break;
            }
        }
        for (number, sample) in samples.iter().enumerate() {
            clocks.around[sample.row][sample.look] = Some(clocks.log_around(&samples, number));
        }
        clocks
    }

    /// The median row's clock in Hz around a sample; `None` if the sample was disturbed.
    pub fn around_hz(&self, row: usize, look: usize) -> Option<f64> {
        self.around[row][look].map(f64::exp)
    }

    /// Converts a row's clock to that of the median row.
    pub fn without_effect(&self, row: usize, clock_hz: f64) -> f64 {
        clock_hz / self.effects[row].exp()
    }

    /// Improves the effects; returns the largest change.
    fn pass(&mut self, samples: &[ClockLook]) -> f64 {
        let mut off: Vec<Vec<f64>> = vec![Vec::new(); self.effects.len()];
        for (number, sample) in samples.iter().enumerate() {
            off[sample.row].push(sample.log - self.log_around(samples, number));
        }
        let found = off.iter().zip(&self.effects);
        let found = found.map(|(off, old)| if off.is_empty() { *old } else { median(off) });
        let next: Vec<f64> =
            found.zip(&self.effects).map(|(new, old)| old + STEP * (new - old)).collect();
        let next = centred(&next);
        let change = next.iter().zip(&self.effects).map(|(new, old)| (new - old).abs());
        let most = change.fold(0.0, f64::max);
        self.effects = next;
        most
    }

    /// Interpolates between the samples before and after by time, without the sample itself.
    fn log_around(&self, samples: &[ClockLook], number: usize) -> f64 {
        let here = &samples[number];
        let log = |sample: &ClockLook| sample.log - self.effects[sample.row];
        let away = |sample: &ClockLook| sample.at_ns.abs_diff(here.at_ns).max(1) as f64;
        let before = number.checked_sub(1).map(|before| &samples[before]);
        match (before, samples.get(number + 1)) {
            (Some(before), Some(after)) => {
                let share = away(before) / (away(before) + away(after));
                log(before) + share * (log(after) - log(before))
            }
            (Some(only), None) | (None, Some(only)) => log(only),
            (None, None) => log(here),
        }
    }
}

/// In order of time. Contended cores count, too: neighbours share the core's clock.
fn samples(rows: &[&[Look]]) -> Vec<ClockLook> {
    let mut samples: Vec<ClockLook> = Vec::new();
    for (row, looks) in rows.iter().enumerate() {
        let clear = looks.iter().enumerate().filter(|(_, look)| look.is_undisturbed());
        samples.extend(clear.filter(|(_, look)| look.has_clock()).map(|(number, look)| {
            ClockLook { row, look: number, at_ns: look.at_ns, log: look.clock_hz.ln() }
        }));
    }
    samples.sort_by_key(|sample| sample.at_ns);
    samples
}

/// The clock after samples over that before them. Pulses before are taken by a core that slept, and some governors
/// give it any clock, so this is only the start of the iteration.
fn effects_of_pulses(rows: &[&[Look]]) -> Vec<f64> {
    let lift = |look: &Look| {
        let before: f64 = look.threads.iter().map(|thread| thread.pulse_clocks_hz[0]).sum();
        (look.clock_hz * look.threads.len() as f64 / before).ln()
    };
    let of_row = |looks: &&[Look]| {
        let lifts: Vec<f64> =
            undisturbed(looks).filter(|look| look.has_clock()).map(lift).collect();
        if lifts.is_empty() { 0.0 } else { median(&lifts) }
    };
    centred(&rows.iter().map(of_row).collect::<Vec<_>>())
}

/// Shifts effects to a median of 0.
fn centred(effects: &[f64]) -> Vec<f64> {
    let centre = median(effects);
    effects.iter().map(|effect| effect - centre).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadLook;

    /// Samples with the clocks of `clocks_hz`, of rows that alternate every 65 ms in another order each round.
    fn looks(
        rows: usize,
        rounds: u64,
        clocks_hz: impl Fn(usize, f64) -> [f64; 2],
    ) -> Vec<Vec<Look>> {
        let look = |row: usize, round: u64| {
            let place = order(rows, round).iter().position(|each| *each == row).unwrap() as u64;
            let time_s = (round * rows as u64 + place) as f64 * 0.065;
            let pulse_clocks_hz = clocks_hz(row, time_s);
            let (throughput, clock_hz) = (1.0, pulse_clocks_hz[1]);
            Look {
                launch: round / 6,
                round,
                at_ns: (time_s * 1e9) as u64,
                threads: vec![ThreadLook {
                    throughput,
                    clock_hz,
                    inner_clock_hz: None,
                    pulse_clocks_hz,
                    widths: [4.0; 2],
                }],
                throughput,
                clock_hz,
                disturbances: Vec::new(),
                memory_gb_s: None,
                others: None,
            }
        };
        (0..rows).map(|row| (0..rounds).map(|round| look(row, round)).collect()).collect()
    }

    fn order(rows: usize, round: u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by_key(|row| {
            (*row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(round as u32 * 7)
                ^ round.wrapping_mul(0xbf58_476d_1ce4_e5b9)
        });
        order
    }

    fn clocks_of(looks: &[Vec<Look>]) -> RowClocks {
        RowClocks::of(&looks.iter().map(|looks| &looks[..]).collect::<Vec<_>>())
    }

    fn drift(time_s: f64) -> f64 {
        3e9 * (1.0 + 0.03 * (time_s / 4.0).sin() + 0.02 * (time_s / 31.0).sin())
    }

    #[test]
    fn a_lower_clock_of_a_row_is_distinguished_from_drift_with_or_without_the_pulse_before() {
        for before in [1.0, 0.8] {
            let looks = looks(8, 30, |row, time_s| match row {
                3 => [drift(time_s) * before, drift(time_s) * 0.8],
                _ => [drift(time_s); 2],
            });
            let clocks = clocks_of(&looks);
            for (row, looks) in looks.iter().enumerate() {
                let expected = if row == 3 { 0.8_f64.ln() } else { 0.0 };
                assert!((clocks.effects[row] - expected).abs() < 5e-3, "{:?}", clocks.effects);
                for (number, look) in looks.iter().enumerate() {
                    let around = clocks.around_hz(row, number).unwrap();
                    let time_s = look.at_ns as f64 / 1e9;
                    assert!((around / drift(time_s) - 1.0).abs() < 0.01, "{around} at {time_s}");
                }
            }
        }
    }

    #[test]
    fn two_alternating_rows_are_distinguished() {
        let looks = looks(2, 40, |row, _| [3e9, if row == 0 { 3e9 } else { 2.7e9 }]);
        let effects = clocks_of(&looks).effects;
        assert!((effects[1] - effects[0] - 0.9_f64.ln()).abs() < 1e-3, "{effects:?}");
    }

    #[test]
    fn rows_of_separate_cohorts_keep_the_effect_of_their_pulses() {
        // The second half is measured after the first and all of it lowers the clock; only pulses after samples show
        // that.
        let mut looks = looks(8, 30, |row, _| [3e9, if row < 4 { 3e9 } else { 2.4e9 }]);
        for look in looks[4..].iter_mut().flatten() {
            look.at_ns += 60_000_000_000;
        }
        let effects = clocks_of(&looks).effects;
        let (first, second) = (median(&effects[..4]), median(&effects[4..]));
        assert!((second - first - 0.8_f64.ln()).abs() < 0.02, "{effects:?}");
    }

    #[test]
    fn disturbed_samples_have_no_clock_around_them_and_do_not_count() {
        let mut looks = looks(4, 20, |_, _| [3e9; 2]);
        looks[1][5].disturbances.push(crate::Disturbance::CpuTaken);
        looks[1][5].clock_hz = 1e9;
        let clocks = clocks_of(&looks);
        assert_eq!(clocks.around_hz(1, 5), None);
        assert!(clocks.effects.iter().all(|effect| effect.abs() < 1e-9), "{:?}", clocks.effects);
    }
}
