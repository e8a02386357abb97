//! How often intervals hold the truth and how often comparisons of a machine with itself raise an alarm, on
//! noise of known truth.

use estimate::ViewKind;
use sizeup_bench::calibration::{coverage, slowed, variants};
use sizeup_bench::noise::{Shape, rows as truth};
use sizeup_bench::suites::kept;

fn main() {
    println!(
        "noise    view       rows samples  rows held ±half  scores held ±half  bias  intervals  alarms  called from"
    );
    for (name, shape) in
        [("shared", Shape::SHARED), ("noisy", Shape::NOISY), ("quiet", Shape::QUIET)]
    {
        for view in ViewKind::ALL {
            for (rows, rounds) in [(12, 75), (12, 300), (98, 40)] {
                let c = coverage(shape, &truth(rows, 1), rounds, 300, view);
                println!(
                    "{name:8} {view:10} {rows:4} {rounds:7}  {:7.1} %  {:.2} %  {:8.1} %  {:.2} %  {:+.2} %  {}  {:.1} %  {:.2} %",
                    c.rows * 100.0,
                    c.rows_half * 100.0,
                    c.scores * 100.0,
                    c.scores_half * 100.0,
                    c.bias * 100.0,
                    c.intervals,
                    c.alarms * 100.0,
                    c.detectable * 100.0
                );
            }
        }
        for (rows, rounds) in [(12, 75), (12, 300), (98, 40)] {
            for slow in slowed(shape, rows, rounds, 300) {
                println!(
                    "{name}, {rows} rows of {rounds} samples, at {:.2} of the clock: bias {:+.2} %, {:.1} % held, ±{:.2} %, \
                     the row's own ±{:.2} %; against a machine that does not clock down: bias {:+.2} %, {:.0} % called slower",
                    slow.clock_share,
                    slow.bias * 100.0,
                    slow.held * 100.0,
                    slow.margin * 100.0,
                    slow.row_margin * 100.0,
                    slow.ratio_bias * 100.0,
                    slow.called_slower * 100.0
                );
            }
        }
        for common in [0, 4] {
            let kept = kept(shape, &truth(24, 1), common, 300, 300);
            let held = |(share, margin): (f64, f64)| {
                format!("{:.1} % held, ±{:.2} %", share * 100.0, margin * 100.0)
            };
            println!(
                "{name}, 24 rows in two runs of a host, {common} in both: of one run {}; of both {}; score over all {}; over a \
                 suite {}; {:.1} % of A/A comparisons with an alarm",
                held(kept.once),
                held(kept.twice),
                held(kept.overall),
                held(kept.categories),
                kept.alarms * 100.0
            );
        }
        for rounds in [20, 40, 300] {
            let (alarms, held) = variants(shape, 12, rounds, 300);
            println!(
                "{name}: {:.1} % of runs of 12 pairs of equal variants, {rounds} samples each, with an alarm; {:.1} % \
                 of the ratios held",
                alarms * 100.0,
                held * 100.0
            );
        }
    }
}
