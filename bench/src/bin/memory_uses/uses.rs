//! Uses of the memory pulse, each as a change of the samples before they are estimated.

use estimate::{Look, RunEstimate, states_of_memory};
use stats::{Interval, mean};
use std::collections::BTreeSet;

/// Changes the samples of all rows.
pub type Use = fn(&mut [Vec<Look>]);

pub const USES: [(&str, Use); 4] = [
    // All samples count; the row only says that there was a neighbour.
    ("only warn", without),
    // As sizeup: samples beside a neighbour are left out, if 6 others remain.
    ("leave out", |_| {}),
    ("regress", |rows| {
        rows.iter_mut().for_each(|row| at_upper(row, slope));
        without(rows);
    }),
    // As if bandwidth were all that a row needs: dividing by a control workload.
    ("divide", |rows| {
        rows.iter_mut().for_each(|row| at_upper(row, |_| 1.0));
        without(rows);
    }),
];

/// The uncontended estimate of each row.
pub fn estimates(mut rows: Vec<Vec<Look>>, apply: Use) -> Vec<Option<Interval>> {
    apply(&mut rows);
    let estimate = RunEstimate::of_looks(rows, &BTreeSet::new());
    let figure = |case: &Option<estimate::CaseEstimate>| Some(case.as_ref()?.uncontended?.interval);
    estimate.cases.iter().map(figure).collect()
}

fn without(rows: &mut [Vec<Look>]) {
    rows.iter_mut().flatten().for_each(|look| look.memory_gb_s = None);
}

/// Moves each sample to the bandwidth of the upper state, if there are two, along a slope in logarithms.
fn at_upper(row: &mut [Look], slope: impl Fn(&[Look]) -> f64) {
    let gb_s: Vec<f64> = row.iter().filter_map(|look| look.memory_gb_s).collect();
    let Some(states) = states_of_memory(&gb_s) else { return };
    let slope = slope(row);
    for look in row {
        let Some(gb_s) = look.memory_gb_s else { continue };
        let factor = (states.high / gb_s).powf(slope);
        look.throughput *= factor;
        look.threads.iter_mut().for_each(|thread| thread.throughput *= factor);
    }
}

/// Slope of the logarithm of throughput against that of bandwidth: least squares.
fn slope(row: &[Look]) -> f64 {
    let points: Vec<(f64, f64)> = row
        .iter()
        .filter_map(|look| Some((look.memory_gb_s?.ln(), look.throughput.ln())))
        .collect();
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (middle_x, middle_y) = (mean(&x), mean(&y));
    let with_y: f64 = points.iter().map(|(x, y)| (x - middle_x) * (y - middle_y)).sum();
    let with_x: f64 = points.iter().map(|(x, _)| (x - middle_x).powi(2)).sum();
    if with_x > 0.0 { with_y / with_x } else { 0.0 }
}
