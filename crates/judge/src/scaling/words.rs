//! Curves and crossovers in sentences, the same on a terminal and on a page.

use super::{Against, Crossover, Curve, Overtaking, Stretch};
use crate::numbers::quantity;
use crate::units::{in_unit, unit_in_words};
use estimate::ViewKind;
use stats::Coefficient;

/// What a curve amounts to.
pub fn curve_lines(curve: &Curve, view: ViewKind) -> Vec<String> {
    let mut lines: Vec<String> =
        curve.allowed.iter().map(|difference| format!("allowed: {difference}")).collect();
    if let Some(difference) = &curve.refused {
        lines.push(format!("figures are not comparable, no curve: {difference}"));
    }
    if let Some(usl) = &curve.usl {
        let number = |of: f64| if of < 1e-7 { "0".to_owned() } else { quantity(of) };
        let coefficient = |of: &Coefficient| {
            format!("{} ({} – {})", number(of.value), number(of.low), number(of.high))
        };
        let peak = match usl.peak() {
            Some(peak) if peak <= 1.0 => "more threads give no more than 1".to_owned(),
            Some(peak) => format!("peak at {} threads", quantity(peak)),
            None => "no peak: more threads always give more".to_owned(),
        };
        lines.push(format!(
            "Universal Scalability Law: {} {} on 1 thread, contention {}, coherency {}; {peak}; points lie {:.1} % off",
            in_unit(&curve.unit, usl.lambda.centre),
            unit_in_words(&curve.unit, view),
            coefficient(&usl.sigma),
            coefficient(&usl.kappa),
            usl.residual * 100.0
        ));
    }
    if let Some(misfit) = &curve.misfit {
        lines.push(format!(
            "poor fit to the law ({:.1} % off, {:.1} % by chance): don't use its parameters",
            misfit.residual * 100.0,
            misfit.noise * 100.0
        ));
    }
    if let Some(smt) = &curve.smt_yield {
        lines.push(format!(
            "{} threads on {} cores give {:.2}× (95 % CI {:.2}–{:.2}) the throughput of one thread per core",
            smt.threads, smt.cores, smt.ratio.centre, smt.ratio.low, smt.ratio.high
        ));
    }
    if let Some(effect) = &curve.socket_effect {
        lines.push(format!(
            "{} sockets give {:.2}× (95 % CI {:.2}–{:.2}) the throughput of one",
            effect.sockets, effect.ratio.centre, effect.ratio.low, effect.ratio.high
        ));
    }
    lines
}

/// Gains below this share of the most are none.
const LEAST_GAIN: f64 = 0.02;

/// The least number of threads whose throughput is all but the most that was measured; `None` without points.
pub fn gains_until(curve: &Curve) -> Option<usize> {
    let centre = |point: &super::Point| point.throughput.interval.centre;
    let most = curve.points.iter().map(centre).reduce(f64::max)?;
    let is_full = |point: &&super::Point| centre(point) >= most * (1.0 - LEAST_GAIN);
    curve.points.iter().find(is_full).map(|point| point.threads)
}

/// What is said of figures that were measured once.
const NO_ERROR: &str = "no error estimate";

/// Who leads from how many threads on, in a sentence.
pub fn sentence(against: &Against) -> String {
    let Against { baseline, other, crossover, undecided, .. } = against;
    let steady = |ahead: &str, behind: &str, (from, to): &Stretch, is_certain: bool| {
        let (how_far, doubt) = match (is_certain, undecided.is_empty()) {
            (true, _) => ("", String::new()),
            (false, true) => ("", format!(" ({NO_ERROR})")),
            (false, false) => (" where it is determined", String::new()),
        };
        format!("{ahead} leads {behind} on every thread count from {from} to {to}{how_far}{doubt}")
    };
    let text = match crossover {
        Crossover::Always { range, is_certain } => steady(other, baseline, range, *is_certain),
        Crossover::Never { range, is_certain } => steady(baseline, other, range, *is_certain),
        Crossover::Once(change) => {
            let (first, then) =
                if change.other_leads { (baseline, other) } else { (other, baseline) };
            let (from, to) = change.between;
            let threads = if from == 1 { "thread" } else { "threads" };
            format!("{first} leads up to {from} {threads}, {then} from {to} on ({})", place(change))
        }
        Crossover::Several { range: (from, to), changes } => {
            let places = changes
                .iter()
                .map(|change| format!("{} to {}", change.between.0, change.between.1));
            let is_known = changes.iter().all(|change| change.low.is_some());
            let doubt = if is_known { String::new() } else { format!(" ({NO_ERROR})") };
            format!(
                "{other} and {baseline} cross {} times between {from} and {to} threads: {}{doubt}",
                changes.len(),
                places.collect::<Vec<_>>().join(", ")
            )
        }
        Crossover::Unknown { reason } => return format!("{other} against {baseline}: {reason}"),
    };
    if undecided.is_empty() { text } else { format!("{text}; {}", undetermined(undecided)) }
}

/// Thread counts where neither is ahead beyond its error.
fn undetermined(undecided: &[Stretch]) -> String {
    let stretch = |(from, to): &Stretch| match from == to {
        true => from.to_string(),
        false => format!("{from} to {to}"),
    };
    let stretches: Vec<String> = undecided.iter().map(stretch).collect();
    let threads = if undecided == [(1, 1)] { "thread" } else { "threads" };
    format!("undetermined on {} {threads}", stretches.join(", "))
}

fn place(change: &Overtaking) -> String {
    match (change.low, change.high) {
        (Some(low), Some(high)) => {
            format!("crossover at {:.1}, 95 % CI {low:.1}–{high:.1}", change.at)
        }
        _ => format!("crossover ≈ {:.1}, {NO_ERROR}", change.at),
    }
}
