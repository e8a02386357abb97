//! Compares policies for rows that a busy machine left without uncontended figures: judge only rows that have them, each row in
//! its best view, or all rows as delivered. The truth about a quiet and a busy machine is known.

use estimate::{CaseEstimate, RunEstimate, View, ViewKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::Run;
use sizeup_bench::noise::{Row, Shape, rows, run};
use stats::mean;

const ROWS: usize = 20;
const RUNS: u64 = 300;
/// Standard deviation of the logarithm of the rows' true ratios.
const RATIOS_SD: f64 = 0.2;
/// Share of a contended CPU that other work leaves.
const LEFT: std::ops::Range<f64> = 0.4..0.6;

/// Which views a row's ratio is made of.
#[derive(Clone, Copy)]
enum Policy {
    Uncontended,
    RowByRow,
    Delivered,
}

fn main() {
    println!(
        "contended  samples  rows lacking  policy        rows with a ratio  error of score  held, of rows' 95 % intervals"
    );
    for samples in [8, 16] {
        for contended in [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9] {
            show(contended, samples);
        }
    }
}

fn show(contended: f64, samples: u64) {
    let pairs: Vec<Pair> = (0..RUNS).map(|seed| Pair::of(contended, samples, seed)).collect();
    let all = pairs.iter().flat_map(|pair| &pair.busy.cases).flatten();
    let lacking = all.filter(|case| case.lacks_uncontended()).count() as f64;
    for (name, policy) in [
        ("uncontended", Policy::Uncontended),
        ("row by row", Policy::RowByRow),
        ("delivered", Policy::Delivered),
    ] {
        let (mut squares, mut held, mut count) = (Vec::new(), Vec::new(), 0);
        for pair in &pairs {
            let ratios = pair.ratios(policy);
            count += ratios.len();
            held.extend(ratios.iter().map(|(held, _)| f64::from(*held)));
            if !ratios.is_empty() {
                let score = mean(&ratios.iter().map(|(_, log)| *log).collect::<Vec<_>>());
                squares.push((score - pair.truth()).powi(2));
            }
        }
        println!(
            "{:7.0} %  {samples:7}  {:10.0} %  {name:12}  {:15.0} %  {:12.1} %  {:6.1} %",
            contended * 100.0,
            lacking / (RUNS as f64 * ROWS as f64) * 100.0,
            count as f64 / (RUNS as f64 * ROWS as f64) * 100.0,
            mean(&squares).sqrt() * 100.0,
            mean(&held) * 100.0
        );
    }
}

/// A quiet machine and a busy one, with the logarithms of the true ratios.
struct Pair {
    quiet: RunEstimate,
    busy: RunEstimate,
    ratios: Vec<f64>,
}

impl Pair {
    fn of(contended: f64, samples: u64, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let truth = rows(ROWS, seed);
        // The sum of 12 uniform numbers between 0 and 1 has a standard deviation of 1.
        let normal =
            |random: &mut ChaCha8Rng| (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let ratios: Vec<f64> = truth.iter().map(|_| RATIOS_SD * normal(&mut random)).collect();
        let other = truth.iter().zip(&ratios);
        let other: Vec<Row> =
            other.map(|(row, log)| Row { ops_per_s: row.ops_per_s * log.exp(), ..*row }).collect();
        let quiet = run(Shape::QUIET, &truth, samples, 2 * seed);
        let mut busy = run(Shape::QUIET, &other, samples, 2 * seed + 1);
        contend(&mut busy, contended, &mut random);
        Self { quiet: RunEstimate::of(&quiet), busy: RunEstimate::of(&busy), ratios }
    }

    fn truth(&self) -> f64 {
        mean(&self.ratios)
    }

    /// For each row with a ratio: whether its interval held the truth, and its logarithm.
    fn ratios(&self, policy: Policy) -> Vec<(bool, f64)> {
        let both = self.quiet.cases.iter().zip(&self.busy.cases).zip(&self.ratios);
        let ratio =
            |((quiet, busy), truth): ((&Option<CaseEstimate>, &Option<CaseEstimate>), &f64)| {
                let (quiet, busy) = (quiet.as_ref()?, busy.as_ref()?);
                let views = |kind: ViewKind| -> Option<(View, View)> {
                    Some((quiet.view(kind)?, busy.view(kind)?))
                };
                let (quiet, busy) = match policy {
                    Policy::Uncontended => views(ViewKind::Uncontended)?,
                    Policy::RowByRow => {
                        views(ViewKind::Uncontended).or_else(|| views(ViewKind::Delivered))?
                    }
                    Policy::Delivered => views(ViewKind::Delivered)?,
                };
                let ratio = busy.interval.ratio_to(&quiet.interval);
                let held = ratio.low <= truth.exp() && truth.exp() <= ratio.high;
                Some((held, ratio.centre.ln()))
            };
        both.filter_map(ratio).collect()
    }
}

/// Others compete for the CPU in a share of the samples.
fn contend(run: &mut Run, share: f64, random: &mut ChaCha8Rng) {
    for sample in &mut run.samples {
        if random.random::<f64>() >= share {
            continue;
        }
        let left = random.random_range(LEFT);
        let reduced = |count: u64| (count as f64 * left) as u64;
        sample.measured.process_cpu_ns = reduced(sample.measured.process_cpu_ns);
        for thread in &mut sample.measured.threads {
            (thread.ops, thread.cpu_ns) = (reduced(thread.ops), thread.cpu_ns.map(reduced));
        }
    }
}
