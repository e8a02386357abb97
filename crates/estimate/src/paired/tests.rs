use super::*;
use crate::ThreadLook;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RUNS: u64 = 400;
const ROUNDS: u64 = 60;
const SAMPLES_PER_LAUNCH: u64 = 6;

/// A setting with `speed` ops per second uncontended. In most samples another process gets about half of its CPU.
fn contended(speed: f64, shared: f64, random: &mut ChaCha8Rng) -> Vec<Look> {
    let sample = |round: u64| {
        let had = if random.random::<f64>() < shared { random.random_range(0.4..0.6) } else { 1.0 };
        let throughput = speed * had * (1.0 + random.random_range(-0.01..0.01));
        let thread = ThreadLook {
            throughput,
            clock_hz: 3e9,
            inner_clock_hz: None,
            pulse_clocks_hz: [3e9; 2],
            widths: [4.0; 2],
        };
        Look {
            launch: round / SAMPLES_PER_LAUNCH,
            round,
            at_ns: round,
            threads: vec![thread],
            throughput,
            clock_hz: 3e9,
            disturbances: Vec::new(),
            memory_gb_s: None,
            others: None,
        }
    };
    (0..ROUNDS).map(sample).collect()
}

#[test]
#[expect(clippy::disallowed_macros, reason = "says what it found")]
fn delivered_pairs_are_unbiased_whatever_share_of_samples_is_contended() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for shared in [0.3, 0.7, 1.0] {
        let (mut held, mut sum) = (0, 0.0);
        for _ in 0..RUNS {
            let base = contended(1000.0, shared, &mut random);
            let ratio = paired_delivered(&base, &contended(900.0, shared, &mut random)).unwrap();
            held += u64::from(ratio.interval.low <= 0.9 && 0.9 <= ratio.interval.high);
            sum += (ratio.interval.centre / 0.9).ln();
        }
        let (share, bias) = (held as f64 / RUNS as f64, sum / RUNS as f64);
        println!("shared {shared}: {:.1} % held, bias {:+.2} %", share * 100.0, bias * 100.0);
        assert!((0.93..1.0).contains(&share), "{shared}: {share}");
        assert!(bias.abs() < 0.01, "{shared}: {bias}");
    }
}

#[test]
fn too_few_delivered_pairs_give_no_ratio() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let base = contended(1000.0, 0.0, &mut random);
    assert_eq!(paired_delivered(&base, &base[..LEAST_OWN_SAMPLES - 1]), None);
}
