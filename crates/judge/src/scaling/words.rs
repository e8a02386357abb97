//! Curves and crossovers in sentences, the same on a terminal and on a page.

use super::curve::{Misfit, Point};
use super::{Against, Crossover, Curve, Overtaking, Stretch};
use crate::numbers::four_digits;
use crate::units::{in_unit, unit_in_words};
use estimate::ViewKind;
use stats::{Coefficient, Interval, Usl};

/// Sentences on a curve.
pub fn curve_lines(curve: &Curve, view: ViewKind) -> Vec<String> {
    let mut lines: Vec<String> =
        curve.allowed.iter().map(|difference| format!("allowed: {difference}")).collect();
    if let Some(difference) = &curve.refused {
        lines.push(format!("figures are not comparable, no curve: {difference}"));
    }
    match (&curve.usl, &curve.misfit) {
        (_, Some(Misfit { residual, noise })) => lines.push(format!(
            "the Universal Scalability Law does not fit ({:.1} % off, {:.1} % by chance)",
            residual * 100.0,
            noise * 100.0
        )),
        (Some(usl), None) => lines.push(law(usl, curve, view)),
        (None, None) => {}
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

/// The law's parameters, as far as they change what was measured.
fn law(usl: &Usl, curve: &Curve, view: ViewKind) -> String {
    let last = curve.points.last().map_or(1, |point| point.threads) as f64;
    let is_detected =
        |fitted: &Coefficient, pairs: f64| fitted.low > 0.0 && fitted.value * pairs >= LEAST_GAIN;
    let coefficient = |name: &str, fitted: &Coefficient| {
        format!(
            "{name} {} ({} – {})",
            four_digits(fitted.value),
            four_digits(fitted.low),
            four_digits(fitted.high)
        )
    };
    let contention =
        is_detected(&usl.sigma, last - 1.0).then(|| coefficient("contention", &usl.sigma));
    let coherency = is_detected(&usl.kappa, last * (last - 1.0));
    let peak = usl.peak().filter(|peak| coherency && *peak <= last);
    let peak = peak.map(|peak| match peak {
        ..=1.0 => "more threads are no faster than 1".to_owned(),
        _ => format!("peak at {peak:.0} threads"),
    });
    let coherency = coherency.then(|| coefficient("coherency", &usl.kappa));
    let parts: Vec<String> = [contention, coherency, peak].into_iter().flatten().collect();
    let parts = match &parts[..] {
        [] => format!("contention and coherency take less than {:.0} % each", LEAST_GAIN * 100.0),
        _ => parts.join("; "),
    };
    format!(
        "Universal Scalability Law up to {last} threads: {} {} on 1 thread; {parts}; points lie {:.1} % off",
        in_unit(&curve.unit, usl.lambda.centre),
        unit_in_words(&curve.unit, view),
        usl.residual * 100.0
    )
}

/// Gains below this share of the most are none.
const LEAST_GAIN: f64 = 0.02;
/// So far off may be what was measured once, as a share.
const UNKNOWN_ERROR: f64 = 0.05;

/// On how many threads a curve stops gaining: from the least number that may be enough to that whose throughput is all but the
/// most that was measured. The cores are both, if they lie between: further gains are no more than error. Both are the last
/// number of threads where it gains up to there, or may do so. `None` without points.
pub fn gains_until(curve: &Curve) -> Option<(usize, usize)> {
    let interval = |point: &Point| point.within.interval;
    let last = curve.points.last()?.threads;
    let best =
        curve.points.iter().max_by(|a, b| interval(a).centre.total_cmp(&interval(b).centre))?;
    let gain = |point: &Point| interval(best).ratio_to(&interval(point));
    let enough = curve.points.iter().find(|point| gain(point).centre <= 1.0 + LEAST_GAIN)?;
    let known = |point: &Point| Some(gain(point)).filter(Interval::is_known);
    // The gain if each further thread gave as much as those before.
    let in_proportion = last as f64 / enough.threads as f64;
    let stops = in_proportion > 1.0 + UNKNOWN_ERROR
        && known(enough).is_none_or(|gain| gain.high < in_proportion);
    if !stops {
        return Some((last, last));
    }
    let may_be_enough = |point: &&Point| match known(point) {
        Some(gain) => gain.low <= 1.0 + LEAST_GAIN,
        None => gain(point).centre <= 1.0 + UNKNOWN_ERROR,
    };
    let from =
        curve.points.iter().find(may_be_enough).map_or(enough.threads, |point| point.threads);
    let cores = curve.core_count.filter(|cores| (from..=enough.threads).contains(cores));
    Some(cores.map_or((from, enough.threads), |cores| (cores, cores)))
}

/// Printed for figures that were measured once.
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
            format!(
                "{first} leads up to {from} {threads}, {then} from {to} on ({})",
                crossover_at(change)
            )
        }
        Crossover::Several { range: (from, to), changes } => {
            let crossovers = changes
                .iter()
                .map(|change| format!("{} to {}", change.between.0, change.between.1));
            let is_known = changes.iter().all(|change| change.low.is_some());
            let doubt = if is_known { String::new() } else { format!(" ({NO_ERROR})") };
            format!(
                "{other} and {baseline} cross {} times between {from} and {to} threads: {}{doubt}",
                changes.len(),
                crossovers.collect::<Vec<_>>().join(", ")
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

fn crossover_at(change: &Overtaking) -> String {
    match (change.low, change.high) {
        (Some(low), Some(high)) => {
            format!("crossover at {:.1}, 95 % CI {low:.1}–{high:.1}", change.at)
        }
        _ => format!("crossover ≈ {:.1}, {NO_ERROR}", change.at),
    }
}
