//! The clock that each row's work had, against the rows that were measured next to it.
//!
//! Work may make a core clock down (wide vectors, heat, power), and the clock also drifts by itself, for all rows alike.
//! Rows are interleaved, so what lies right before and after a window tells the drift, once each row's own effect is
//! taken out of it; and a row's effect is how its windows stand to that. One is found from the other in turn.

use super::look::{Look, undisturbed};
use stats::median;

/// Rows that alternate strictly would swing for ever if each pass went all the way.
const STEP: f64 = 0.5;
/// Passes after which what is left of the start has fallen to a thousandth where rows are well mixed. Rows that are
/// never next to each other, for they had no room at once, keep how their pulses before and after differ.
const MOST_PASSES: usize = 10;
/// Logarithms that change by less have been found.
const FOUND: f64 = 1e-5;

/// A window's clock.
struct Sample {
    row: usize,
    look: usize,
    at_ns: u64,
    log: f64,
}

/// What rows make of the clock.
#[derive(Debug, Clone, PartialEq)]
pub struct RowClocks {
    /// Each row's effect on the logarithm of the clock; the median row has none.
    effects: Vec<f64>,
    /// The logarithm of the clock in Hz that the median row would have had around each look of each row; `None` for
    /// looks that were disturbed.
    around: Vec<Vec<Option<f64>>>,
}

impl RowClocks {
    /// Of rows that were measured on the same number of threads.
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

    /// The clock in Hz that the median row would have had around a look; `None` if the look was disturbed.
    pub fn around_hz(&self, row: usize, look: usize) -> Option<f64> {
        self.around[row][look].map(f64::exp)
    }

    /// A clock that a row had, as the median row would have had it.
    pub fn without_effect(&self, row: usize, clock_hz: f64) -> f64 {
        clock_hz / self.effects[row].exp()
    }

    /// Brings effects nearer to what they are against each other; how far the furthest went.
    fn pass(&mut self, samples: &[Sample]) -> f64 {
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

    /// Between the windows before and after, as near as each is; without the window itself.
    fn log_around(&self, samples: &[Sample], number: usize) -> f64 {
        let here = &samples[number];
        let log = |sample: &Sample| sample.log - self.effects[sample.row];
        let away = |sample: &Sample| sample.at_ns.abs_diff(here.at_ns).max(1) as f64;
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

/// In order of time. A row may be on a core that others share: the clock is the core's all the same.
fn samples(rows: &[&[Look]]) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    for (row, looks) in rows.iter().enumerate() {
        let clear = looks.iter().enumerate().filter(|(_, look)| look.is_undisturbed());
        samples.extend(clear.filter(|(_, look)| look.has_clock()).map(|(number, look)| Sample {
            row,
            look: number,
            at_ns: look.at_ns,
            log: look.clock_hz.ln(),
        }));
    }
    samples.sort_by_key(|sample| sample.at_ns);
    samples
}

/// How the clock after windows stands to that before them. Pulses before are taken by a core that had slept, of whose
/// clock some governors make anything, so this is only where to start.
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

/// The same around their median.
fn centred(effects: &[f64]) -> Vec<f64> {
    let centre = median(effects);
    effects.iter().map(|effect| effect - centre).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThreadLook;

    /// What `clock_hz` tells of each row and round, of rows that take turns every 65 ms in another order each round.
    fn looks(
        rows: usize,
        rounds: u64,
        clocks_hz: impl Fn(usize, f64) -> [f64; 2],
    ) -> Vec<Vec<Look>> {
        let look = |row: usize, round: u64| {
            let place = order(rows, round).iter().position(|of| *of == row).unwrap() as u64;
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

    fn of(looks: &[Vec<Look>]) -> RowClocks {
        RowClocks::of(&looks.iter().map(|looks| &looks[..]).collect::<Vec<_>>())
    }

    fn drift(time_s: f64) -> f64 {
        3e9 * (1.0 + 0.03 * (time_s / 4.0).sin() + 0.02 * (time_s / 31.0).sin())
    }

    #[test]
    fn a_row_that_clocks_down_is_told_from_drift_whether_or_not_the_pulse_before_saw_it() {
        for before in [1.0, 0.8] {
            let looks = looks(8, 30, |row, time_s| match row {
                3 => [drift(time_s) * before, drift(time_s) * 0.8],
                _ => [drift(time_s); 2],
            });
            let clocks = of(&looks);
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
    fn two_rows_that_alternate_are_told_apart() {
        let looks = looks(2, 40, |row, _| [3e9, if row == 0 { 3e9 } else { 2.7e9 }]);
        let effects = of(&looks).effects;
        assert!((effects[1] - effects[0] - 0.9_f64.ln()).abs() < 1e-3, "{effects:?}");
    }

    #[test]
    fn rows_that_had_no_room_beside_the_others_keep_what_their_pulses_tell() {
        // The second half is measured after the first, all of it clocks down, and only pulses after windows see it.
        let mut looks = looks(8, 30, |row, _| [3e9, if row < 4 { 3e9 } else { 2.4e9 }]);
        for look in looks[4..].iter_mut().flatten() {
            look.at_ns += 60_000_000_000;
        }
        let effects = of(&looks).effects;
        let (first, second) = (median(&effects[..4]), median(&effects[4..]));
        assert!((second - first - 0.8_f64.ln()).abs() < 0.02, "{effects:?}");
    }

    #[test]
    fn disturbed_looks_have_no_clock_around_them_and_tell_nothing() {
        let mut looks = looks(4, 20, |_, _| [3e9; 2]);
        looks[1][5].disturbances.push(crate::Disturbance::CpuTaken);
        looks[1][5].clock_hz = 1e9;
        let clocks = of(&looks);
        assert_eq!(clocks.around_hz(1, 5), None);
        assert!(clocks.effects.iter().all(|effect| effect.abs() < 1e-9), "{:?}", clocks.effects);
    }
}
