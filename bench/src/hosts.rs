//! Groups of hosts that differ from each other, with known truth: whether intervals and verdicts over several hosts
//! keep what they promise. What a run does not know of itself is left small, so that hosts are what counts.

use crate::simulated::empty_run;
use catalog::Price;
use estimate::ViewKind;
use judge::compare::{Group, Pairs, Sheet, Verdict, Weightings};
use judge::cost::PriceAdjusted;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use record::{Imported, Origin};
use stats::mean;

#[cfg(test)]
mod tests;

/// How hosts of a kind differ: standard deviations by factor.
#[derive(Debug, Clone, Copy)]
pub struct Lottery {
    /// Common to all rows of a host.
    pub host_sd: f64,
    /// Common to all rows of a run beyond that, where hosts have several.
    pub run_sd: f64,
    /// One row on one host; spaced evenly between these from row to row.
    pub row_sd: (f64, f64),
}

/// Shares of the intervals that held the truth, and of the comparisons of a kind with itself that called a row.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// Intervals of the score.
    pub scores: f64,
    /// Intervals of the ratios of rows.
    pub rows: f64,
    /// Intervals of price-adjusted scores and of break-even prices.
    pub prices: f64,
    /// Comparisons with a false alarm.
    pub alarms: f64,
}

/// Sheet of a row on a host: they spread by this, by factor.
const FIGURE_SD: f64 = 0.002;
const FIGURES: usize = 4;
/// The other's true speed over the baseline's.
const TRUTH: f64 = 1.25;

/// Which rows hosts have, and in which runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Every host all of them.
    Whole,
    /// All hosts the first tenth, and each of the others two hosts only.
    Patchy,
    /// Every host all of them, half in one run and half in another.
    Suites,
    /// Like `Suites`, with the first tenth in both runs.
    SharedRows,
    /// Like `SharedRows`, but the first host lacks the second run.
    LackingRun,
    /// Runs of one host, as many of the one half as of the other, with the first tenth in both.
    OneHost,
}

impl Layout {
    fn runs(self) -> usize {
        if matches!(self, Self::Whole | Self::Patchy) { 1 } else { 2 }
    }

    fn has(self, (host, run): (usize, usize), hosts: usize, case: usize, rows: usize) -> bool {
        let is_first_tenth = case * 10 < rows;
        match self {
            Self::Whole => true,
            Self::Patchy => is_first_tenth || case % hosts == host || (case + 1) % hosts == host,
            Self::Suites => case % 2 == run,
            Self::SharedRows | Self::OneHost => is_first_tenth || case % 2 == run,
            Self::LackingRun => (host, run) != (0, 1) && (is_first_tenth || case % 2 == run),
        }
    }
}

/// Many pairs of groups of so many hosts and rows.
pub fn kept(lottery: Lottery, layout: Layout, hosts: usize, rows: usize, trials: u64) -> Kept {
    let weightings = Weightings::of(0);
    let (mut scores, mut of_rows, mut prices, mut alarms) = (vec![], vec![], vec![], vec![]);
    for trial in 0..trials {
        let mut random = ChaCha8Rng::seed_from_u64(trial);
        let [baseline, same, other] = [1.0, 1.0, TRUTH]
            .map(|speed| group((lottery, layout), hosts, rows, speed, &mut random));
        let pairs = Pairs::of(&baseline, &other, &[]);
        let line = pairs.score(None, &weightings).lines.pop();
        let Some(ratio) = line.and_then(|line| line.score) else { continue };
        let holds = |low: f64, truth: f64, high: f64| f64::from(low <= truth && truth <= high);
        scores.push(holds(ratio.low, TRUTH, ratio.high));
        let at = |per_hour| Price { per_hour, ..Price::default() };
        let stand = PriceAdjusted::of(ratio, 1.0, &at(2.0), &at(3.0));
        let (adjusted, even) = (stand.price_adjusted, stand.break_even_per_hour);
        prices.push(holds(adjusted.low, TRUTH / 1.5, adjusted.high).min(holds(
            even.low,
            TRUTH * 2.0,
            even.high,
        )));
        let comparison = pairs.comparison();
        let ratios = comparison.rows.iter().filter_map(|row| Some(row.ratio.as_ref()?.interval));
        of_rows.extend(ratios.map(|ratio| holds(ratio.low, TRUTH, ratio.high)));
        let is_called = |verdict: Verdict| matches!(verdict, Verdict::Faster | Verdict::Slower);
        let with_itself = Pairs::of(&baseline, &same, &[]).comparison();
        alarms.push(f64::from(with_itself.rows.iter().any(|row| is_called(row.verdict))));
    }
    Kept {
        scores: mean(&scores),
        rows: mean(&of_rows),
        prices: mean(&prices),
        alarms: mean(&alarms),
    }
}

/// Runs of hosts of a kind.
fn group(
    (lottery, layout): (Lottery, Layout),
    hosts: usize,
    rows: usize,
    speed: f64,
    random: &mut ChaCha8Rng,
) -> Group {
    let mut figures = Vec::new();
    for host in 0..hosts {
        let of_host = lottery.host_sd * normal(random);
        for number in 0..layout.runs() {
            let mut run = empty_run(rows);
            let name = if layout == Layout::OneHost { 0 } else { host };
            run.header.host = Some(format!("host {name}"));
            let (tool, sources, lacks) = ("a simulation".to_owned(), Vec::new(), Vec::new());
            run.header.origin = Some(Origin { tool, sources, lacks, failed: Vec::new() });
            let of_run = match layout.runs() {
                1 => of_host,
                _ => of_host + lottery.run_sd * normal(random),
            };
            let mut cases = Vec::new();
            for case in 0..rows {
                let (least, most) = lottery.row_sd;
                let row_sd = least + (most - least) * case as f64 / rows as f64;
                let of_row = of_run + row_sd * normal(random);
                if !layout.has((host, number), hosts, case, rows) {
                    continue;
                }
                for _ in 0..FIGURES {
                    let per_s = 1e6 * speed * (of_row + FIGURE_SD * normal(random)).exp();
                    let case = cases.len();
                    run.imported.push(Imported { case, per_s, bytes_per_op: None });
                }
                cases.push(run.header.plan.cases[case].clone());
            }
            run.header.plan.cases = cases;
            figures.push(Sheet::of(&run, ViewKind::Uncontended));
        }
    }
    Group::of("a kind".to_owned(), ViewKind::Uncontended, figures).expect("a host")
}

/// A draw from the standard normal distribution (Box and Muller 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}
