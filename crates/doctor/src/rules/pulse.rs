//! Rules on the pulses.

use super::{Judgement, Severity, percent, step};
use crate::siblings::{Pair, Sharing};
use crate::{Evidence, Pulses};

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
                    "; {pairs} more CPU pairs not tried: their workers need more open files or tasks than \
                     are allowed"
                ),
            };
            let samples = pulses.samples;
            let cpus = cpus.join(",");
            Judgement::fine(format!("{samples} single-thread samples on CPUs {cpus}{left_out}"))
        }
        Err(reason) => Judgement::new(Severity::Warning, format!("pulse not available: {reason}"))
            .means("clock, neighbours and siblings are unknown, and workers of a run may fail in the same way")
            .remedy("check the workers with `sizeup list workloads`; `make build` builds them"),
    })
}

/// Missing shares of a CPU's time.
const MISSING: [f64; 3] = [0.01, 0.02, 0.25];

pub(super) fn cpu_share(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    let known = pulses.cpus.iter().filter_map(|cpu| Some((cpu.cpu, cpu.cpu_share?)));
    let Some((cpu, share)) = known.min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Some(Judgement::unknown("sizeup does not measure the CPU share of plain commands"));
    };
    Some(
        Judgement::new(
            step(1.0 - share, MISSING),
            format!("a thread alone on CPU {cpu} got {} of its time", percent(share)),
        )
        .means("another process, interrupts or a CPU quota took the rest")
        .remedy("see the findings others, unseen and throttling"),
    )
}

/// The spread between samples, and the slow drift: the worse counts.
const SPREAD: [f64; 3] = [0.01, 0.03, f64::INFINITY];
const DRIFT: [f64; 3] = [0.008, 0.025, f64::INFINITY];

/// Fewer clear samples than this, or a smaller share of all, show nothing.
const LEAST_CLEAR: usize = 16;
const LEAST_CLEAR_SHARE: f64 = 0.25;

fn too_few_clear(pulses: &Pulses) -> Option<Judgement> {
    let (clear, all) = (pulses.clear_samples, pulses.samples);
    let needed = LEAST_CLEAR.max((LEAST_CLEAR_SHARE * all as f64).ceil() as usize);
    let why = format!("too few undisturbed samples ({clear} of {all}; {needed} needed)");
    (clear < needed).then(|| Judgement::unknown(&why))
}

pub(super) fn clock(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    if let Some(unknown) = too_few_clear(pulses) {
        return Some(unknown);
    }
    let Some((spread, drift)) = pulses.clock_spread.zip(pulses.clock_drift) else {
        return Some(Judgement::unknown(
            "every row has 1 sample: clock spread and drift are unknown",
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
                "results follow the clock, and slow drift does not average out: intervals stay at least as \
                 wide as the drift",
            )
            .remedy(
                "fix the clock if you can (governor, turbo); otherwise alternate between machines, repeat \
                 the runs, and use the column per GHz",
            ),
    )
}

/// Shares of the time with other work on the core.
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
        .filter_map(|cpu| Some(format!("CPU {}: {}", cpu.cpu, percent(cpu.shared_share?))))
        .take(MOST_CPUS)
        .collect();
    let severity = step(share, SHARED);
    let steady = if severity.is_bad() { "unsteady pulse: " } else { "" };
    Some(
        Judgement::new(
            severity,
            format!(
                "{steady}a neighbour used the core {} of the time ({}); {:.1} instead of {:.1} \
                 instructions/cycle",
                percent(share),
                each.join(", "),
                states.low,
                states.high
            ),
        )
        .means("other work runs on the cores' sibling threads at times, and takes up to half of each core")
        .remedy(
            "use the column ops/s, which excludes such samples; measure longer or at another time; use a \
             dedicated host",
        ),
    )
}

/// Without two distinguishable states of the cores.
fn one_state(pulses: &Pulses) -> Option<Judgement> {
    if pulses.is_one_state {
        let seen = format!("no neighbour detected ({:.1} instructions/cycle)", pulses.width?);
        return Some(Judgement::fine(seen));
    }
    let (lower, upper) = pulses.width_quartiles?;
    let seen = format!(
        "unsteady pulse: {lower:.1} to {upper:.1} instructions/cycle in the middle half of samples, with no \
         uncontended state"
    );
    let means = "other work runs on the cores' sibling threads nearly all the time, at a varying rate: \
                 uncontended speed is unknown";
    let remedy = "measure at another time; use a dedicated host";
    Some(Judgement::new(Severity::Warning, seen).means(means).remedy(remedy))
}

/// Instructions per cycle of a pulse that had a core of this design to itself, measured by sizeup.
const WHOLE_CORES: [(&str, f64); 3] = [("Zen 4", 3.9), ("Zen 5", 5.1), ("Emerald Rapids", 4.7)];
/// A core that is narrower than a whole one of its kind by more than this factor was shared.
pub const MOST_WIDTH_FACTOR: f64 = 1.15;

/// A neighbour that was always there makes one state of the cores, and looks like a slower core.
pub(super) fn whole_core(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    let design = evidence.machine.cpu.core.known()?;
    let (_, whole) = WHOLE_CORES.iter().find(|(core, _)| core == design)?;
    if let Some(unknown) = too_few_clear(pulses) {
        return Some(unknown);
    }
    let of_state =
        || if pulses.is_one_state { pulses.width } else { Some(pulses.width_quartiles?.1) };
    let width = pulses.width_states.map(|states| states.high).or_else(of_state)?;
    if width * MOST_WIDTH_FACTOR >= *whole {
        return Some(Judgement::fine(format!(
            "{width:.1} instructions/cycle, as a whole {design} core"
        )));
    }
    let seen = format!(
        "a neighbour was on the cores all the time: {width:.1} instructions/cycle, where a whole {design} core runs {whole:.1}"
    );
    Some(
        Judgement::new(Severity::Unfit, seen)
            .means("the figures describe cores that other work shared, not this CPU")
            .remedy("measure at another time or on another host; use a dedicated host"),
    )
}

/// Neighbours on the memory, which work on other cores.
pub(super) fn memory_neighbour(evidence: &Evidence) -> Option<Judgement> {
    let pulses = pulses(evidence)?;
    // Some workers take none.
    let gb_s = pulses.memory_gb_s?;
    let Some(states) = pulses.memory_states else {
        if pulses.is_memory_steady {
            let seen = format!("no neighbour detected ({gb_s:.0} GB/s for a core)");
            return Some(Judgement::fine(seen));
        }
        let seen = format!("the memory's bandwidth varies (median {gb_s:.0} GB/s for a core)");
        let means = "other work streams through memory nearly all the time, at a varying rate: what the \
                     memory gives without it is unknown";
        let remedy = "measure at another time; use a dedicated host";
        return Some(Judgement::new(Severity::Warning, seen).means(means).remedy(remedy));
    };
    let share = 1.0 - states.high_share;
    let seen = format!(
        "a neighbour used the memory {} of the time; {:.0} instead of {:.0} GB/s for a core",
        percent(share),
        states.low,
        states.high
    );
    Some(
        Judgement::new(step(share, SHARED), seen)
            .means("other work streams through memory at times: rows that need it are slower then")
            .remedy(
                "use the column ops/s, which excludes such samples, and the rows' notes on what they lose; stop \
                 such work if it is yours; use a dedicated host",
            ),
    )
}

/// At most this many CPUs are listed one by one.
const MOST_CPUS: usize = 8;

pub(super) fn siblings(evidence: &Evidence) -> Option<Judgement> {
    let pairs = pulses(evidence)?.pairs.as_ref()?;
    if pairs.is_empty() {
        return Some(Judgement::unknown("only one CPU is available"));
    }
    let some = |is_so: &dyn Fn(&&Pair) -> bool| pairs.iter().filter(is_so).collect::<Vec<_>>();
    let hidden = some(&|pair| !pair.candidate.claimed && pair.verdict == Sharing::Siblings);
    let false_claims = some(&|pair| pair.candidate.claimed && pair.verdict == Sharing::NotSiblings);
    let undetermined = some(&|pair| pair.verdict == Sharing::Undetermined);
    let as_claimed = pairs.len() - hidden.len() - false_claims.len() - undetermined.len();
    let mut parts = Vec::new();
    let mut add = |pairs: &[&Pair], what: &str| {
        if !pairs.is_empty() {
            let pairs: Vec<String> = pairs.iter().copied().map(pair).collect();
            parts.push(format!("{what}: {}", pairs.join(", ")));
        }
    };
    add(&hidden, "hidden siblings");
    add(&false_claims, "siblings in name only");
    add(&undetermined, "undetermined");
    if as_claimed > 0 {
        parts
            .push(format!("{as_claimed} of {} CPU pairs match the kernel's topology", pairs.len()));
    }
    let seen = parts.join("; ");
    Some(if !hidden.is_empty() {
        Judgement::new(Severity::Warning, seen)
            .means(
                "the kernel does not know that these CPUs share a core: placement `cores` cannot keep threads \
                 apart, and the threads of rows on `all` compete for cores",
            )
            .remedy(hidden_remedy(&hidden))
    } else if !false_claims.is_empty() || !undetermined.is_empty() {
        Judgement::new(Severity::Note, seen)
            .means(
                "virtual CPUs may move between cores, or other work disturbed the trials; placement follows \
                 the kernel's topology",
            )
            .remedy("observe for longer: sizeup doctor --seconds 60")
    } else {
        Judgement::fine(seen)
    })
}

/// `0+1 (each thread keeps 50 % to 52 % of its speed)`.
fn pair(pair: &Pair) -> String {
    let (a, b) = (pair.candidate.a, pair.candidate.b);
    match pair.kept {
        Some(kept) => format!(
            "{a}+{b} (each thread keeps {} to {} of its speed)",
            percent(kept.low),
            percent(kept.high)
        ),
        None => {
            let (trials, all) = (pair.trials, pair.trials + pair.spoilt);
            format!("{a}+{b} ({trials} of {all} trials undisturbed)")
        }
    }
}

fn hidden_remedy(hidden: &[&Pair]) -> String {
    let first: Vec<String> = hidden.iter().map(|pair| pair.candidate.a.to_string()).collect();
    format!("to measure whole cores, use one CPU of each: sizeup run --cpus {}", first.join(","))
}
