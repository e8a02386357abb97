//! What the pulses show.

use super::{Judgement, Severity, percent, step};
use crate::siblings::{Pair, Sharing};
use crate::{Evidence, Pulses};

/// What was seen of the cores, if they could be looked at.
fn pulses(evidence: &Evidence) -> Option<&Pulses> {
    evidence.pulses.as_ref()?.as_ref().ok()
}

pub(super) fn pulse(evidence: &Evidence) -> Option<Judgement> {
    Some(match evidence.pulses.as_ref()? {
        Ok(pulses) => {
            let cpus: Vec<String> = pulses.cpus.iter().map(|cpu| cpu.cpu.to_string()).collect();
            let left_out = match pulses.without_room {
                0 => String::new(),
                pairs => format!(
                    "; {pairs} more pairs of CPUs were not tried: their workers would need more open \
                     files or tasks than are allowed"
                ),
            };
            let windows = pulses.windows;
            let cpus = cpus.join(",");
            Judgement::fine(format!("{windows} windows of one thread on CPUs {cpus}{left_out}"))
        }
        Err(reason) => Judgement::new(Severity::Warning, format!("not available: {reason}"))
            .means("clock, neighbours and siblings can't be judged, and workers of a run may fail alike")
            .remedy("sizeup list workloads; `make build` builds the workers"),
    })
}

/// What is missing from a CPU's time.
const MISSING: [f64; 3] = [0.01, 0.02, 0.25];

pub(super) fn cpu_share(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    let told = pulses.cpus.iter().filter_map(|cpu| Some((cpu.cpu, cpu.cpu_share?)));
    let Some((cpu, share)) = told.min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Some(Judgement::unknown("the work was done by plain commands"));
    };
    Some(
        Judgement::new(
            step(1.0 - share, MISSING),
            format!("a thread alone on CPU {cpu} had {} of its time", percent(share)),
        )
        .means("something ran in its place: another process, interrupts, or a CPU quota's stops")
        .remedy("see the findings others, unseen and throttling"),
    )
}

/// The spread from window to window, and the slow drift: the greater counts.
const SPREAD: [f64; 3] = [0.01, 0.03, f64::INFINITY];
const DRIFT: [f64; 3] = [0.008, 0.025, f64::INFINITY];

/// Fewer clear windows than this, or a smaller part of all, don't tell.
const LEAST_CLEAR: usize = 16;
const LEAST_CLEAR_SHARE: f64 = 0.25;

/// Why the cores can't be judged, if that is so.
fn too_few_clear(pulses: &Pulses) -> Option<Judgement> {
    let (clear, all) = (pulses.clear_windows, pulses.windows);
    let is_enough = clear >= LEAST_CLEAR && clear as f64 >= LEAST_CLEAR_SHARE * all as f64;
    let why = format!("only in {clear} of {all} windows was the CPU ours for long enough");
    (!is_enough).then(|| Judgement::unknown(&why))
}

pub(super) fn clock(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    if let Some(unknown) = too_few_clear(pulses) {
        return Some(unknown);
    }
    let Some((spread, drift)) = pulses.clock_spread.zip(pulses.clock_drift) else {
        return Some(Judgement::unknown(
            "every row has 1 sample: how steady its clock is was not seen",
        ));
    };
    let severity = step(spread, SPREAD).max(step(drift, DRIFT));
    let steady = if severity.is_bad() { "unsteady pulse: " } else { "" };
    let seen = format!(
        "{steady}clock {:.2} GHz, spread {}, slow drift ±{}",
        pulses.clock_hz? / 1e9,
        percent(spread),
        percent(drift)
    );
    Some(
        Judgement::new(severity, seen)
            .means(
                "figures drift with the clock, and what drifts slowly does not average out: intervals stay \
                 at least as wide as the drift",
            )
            .remedy(
                "fix the clock where you can (governor, turbo); else measure alternately and more than \
                 once, and read the column per GHz",
            ),
    )
}

/// Share of the time with a stranger on the core.
const SHARED: [f64; 3] = [0.0, 0.1, f64::INFINITY];

pub(super) fn neighbour(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    if let Some(unknown) = too_few_clear(pulses) {
        return Some(unknown);
    }
    let Some(states) = pulses.width_states else { return one_state(pulses) };
    let share = 1.0 - states.high_share;
    let each: Vec<String> = pulses
        .cpus
        .iter()
        .filter_map(|cpu| Some(format!("CPU {} {}", cpu.cpu, percent(cpu.shared_share?))))
        .take(MOST_CPUS)
        .collect();
    let severity = step(share, SHARED);
    let steady = if severity.is_bad() { "unsteady pulse: " } else { "" };
    Some(
        Judgement::new(
            severity,
            format!(
                "{steady}on the core {} of the time ({}): {:.1} instead of {:.1} \
                 instructions per clock",
                percent(share),
                each.join(", "),
                states.low,
                states.high
            ),
        )
        .means("someone works on the cores' other threads and takes up to half of them, in episodes")
        .remedy(
            "read the column ops/s, which leaves such windows out; measure for longer or at another \
             hour; take a dedicated host",
        ),
    )
}

/// Where no two states can be told apart.
fn one_state(pulses: &Pulses) -> Option<Judgement> {
    if pulses.is_one_state {
        let seen =
            format!("none told apart: one state, {:.1} instructions per clock", pulses.width?);
        return Some(Judgement::fine(seen));
    }
    let (lower, upper) = pulses.width_quartiles?;
    let seen = format!(
        "unsteady pulse: from {lower:.1} to {upper:.1} instructions per clock in the middle half, and no \
         state of a core of our own among them"
    );
    let means = "others work on the cores' other threads nearly all the time, now more and now less; \
                 what work does on a core of its own can't be told";
    let remedy = "measure at another hour; take a dedicated host";
    Some(Judgement::new(Severity::Warning, seen).means(means).remedy(remedy))
}

/// So many CPUs are told one by one.
const MOST_CPUS: usize = 8;

pub(super) fn siblings(evidence: &Evidence) -> Option<Judgement> {
    let pairs = pulses(evidence)?.pairs.as_ref()?;
    if pairs.is_empty() {
        return Some(Judgement::unknown("there is but one CPU to try"));
    }
    let some = |is_so: &dyn Fn(&&Pair) -> bool| pairs.iter().filter(is_so).collect::<Vec<_>>();
    let hidden = some(&|pair| !pair.candidate.claimed && pair.verdict == Sharing::Siblings);
    let false_claims = some(&|pair| pair.candidate.claimed && pair.verdict == Sharing::NotSiblings);
    let open = some(&|pair| pair.verdict == Sharing::CantBeTold);
    let as_claimed = pairs.len() - hidden.len() - false_claims.len() - open.len();
    let mut told = Vec::new();
    let mut tell = |pairs: &[&Pair], what: &str| {
        if !pairs.is_empty() {
            let pairs: Vec<String> = pairs.iter().copied().map(pair).collect();
            told.push(format!("{what}: {}", pairs.join(", ")));
        }
    };
    tell(&hidden, "hidden siblings");
    tell(&false_claims, "siblings only in name");
    tell(&open, "can't be told");
    if as_claimed > 0 {
        told.push(format!("{as_claimed} of {} pairs tried are as the kernel says", pairs.len()));
    }
    let seen = told.join("; ");
    Some(if !hidden.is_empty() {
        Judgement::new(Severity::Warning, seen)
            .means(
                "these CPUs share a core and the kernel doesn't know: placement `cores` can't keep threads \
                 apart, and rows on `all` share cores with themselves",
            )
            .remedy(hidden_remedy(&hidden))
    } else if !false_claims.is_empty() || !open.is_empty() {
        Judgement::new(Severity::Note, seen)
            .means(
                "virtual CPUs may wander between cores, or a stranger disturbed the trials; placement \
                 follows the kernel's word",
            )
            .remedy("look for longer: sizeup doctor --seconds 60")
    } else {
        Judgement::fine(seen)
    })
}

/// `0+1 (a thread keeps 50 % to 52 % beside the other)`.
fn pair(pair: &Pair) -> String {
    let (a, b) = (pair.candidate.a, pair.candidate.b);
    match pair.kept {
        Some(kept) => format!(
            "{a}+{b} (a thread keeps {} to {} beside the other)",
            percent(kept.low),
            percent(kept.high)
        ),
        None => {
            let (trials, all) = (pair.trials, pair.trials + pair.spoilt);
            format!("{a}+{b} (both CPUs were ours in {trials} of {all} trials)")
        }
    }
}

/// One CPU of each core.
fn hidden_remedy(hidden: &[&Pair]) -> String {
    let first: Vec<String> = hidden.iter().map(|pair| pair.candidate.a.to_string()).collect();
    format!("for figures of whole cores use one CPU of each: sizeup run --cpus {}", first.join(","))
}
