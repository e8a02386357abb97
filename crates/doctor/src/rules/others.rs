//! Who else uses the CPUs.

use super::{Judgement, Severity, percent, step};
use crate::Evidence;
use machine::{Fact, TICKS_PER_S, Use};
use record::Activity;
use std::collections::{BTreeMap, BTreeSet};

/// Below this load nobody wanted to run for most of the minute.
const IDLE_LOAD: f64 = 0.5;

pub(super) fn load(evidence: &Evidence) -> Option<Judgement> {
    let load = match &evidence.moment.as_ref()?.load {
        Fact::Known(load) => load,
        Fact::NotAvailable(reason) => return Some(Judgement::unknown(reason)),
    };
    let on = match evidence.machine.limits.online_cpus.len() {
        0 => String::new(),
        cpus => format!(", on {cpus} CPUs"),
    };
    let seen = format!("{:.2} over the last minute{on}", load.one_minute);
    let severity = if load.one_minute < IDLE_LOAD { Severity::Fine } else { Severity::Note };
    Some(
        Judgement::new(severity, seen)
            .means("so many tasks wanted to run, waited for a disk or were your own last run")
            .remedy("`top` shows who; `others` names those who are at it now"),
    )
}

/// In less time than this a single tick is too much.
const LEAST_SECONDS: f64 = 4.0;
const TOO_SHORT: &str = "it was looked at for too short a time";

/// Shares of the CPUs' time.
const STEAL: [f64; 3] = [0.005, 0.02, 0.2];

pub(super) fn steal(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let Some(elapsed) = activity.elapsed else {
        return Some(Judgement::unknown("/proc/stat does not tell"));
    };
    if activity.seconds() < LEAST_SECONDS {
        return Some(Judgement::unknown(TOO_SHORT));
    }
    let share = elapsed.steal_share().unwrap_or(0.0);
    Some(
        Judgement::new(step(share, STEAL), format!("{} of the CPUs' time", percent(share)))
            .means("the hypervisor ran someone else while there was work of ours: the host is overbooked")
            .remedy("take a host that is less full, or an instance type whose CPUs are dedicated"),
    )
}

/// Shares of one CPU.
const OTHERS: [f64; 3] = [0.01, 0.05, 0.25];
/// The process that everyone is a child of in the end.
const INIT: u32 = 1;
/// So many of them are told, the greatest.
const MOST_TOLD: usize = 5;

pub(super) fn others(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let Some(processes) = &activity.processes else {
        return Some(Judgement::unknown("/proc shows no process"));
    };
    let greatest = greatest(activity, processes);
    if greatest.is_empty() {
        let all = percent(activity.share(activity.others_ticks));
        return Some(Judgement::fine(format!("none used 1 % of a CPU; all together {all}")));
    }
    let mut places: BTreeMap<Place, Vec<(&Use, u64)>> = BTreeMap::new();
    for used in &greatest {
        let place = match used.cpu {
            Some(cpu) if activity.cpus.contains(&cpu) => Place::Ours(cpu),
            Some(cpu) => Place::Elsewhere(cpu),
            None => Place::Anywhere,
        };
        for (place, ticks) in [(place, used.ticks), (Place::Children, used.ended_ticks)] {
            if ticks > 0 {
                places.entry(place).or_default().push((used, ticks));
            }
        }
    }
    let shares: BTreeMap<Place, f64> = places
        .iter()
        .map(|(place, uses)| {
            let ticks = uses.iter().map(|(_, ticks)| *ticks).fold(0, u64::saturating_add);
            (*place, activity.share(ticks))
        })
        .collect();
    // Elsewhere they take no time of ours, but may be on the same cores, and heat the same chip.
    let is_ours = |place: &Place| matches!(place, Place::Ours(_));
    let of = |place| shares.get(&place).copied().unwrap_or(0.0);
    let on_ours = shares.iter().filter(|(place, _)| is_ours(place)).map(|(_, share)| *share);
    let worst = on_ours.fold(0.0, f64::max) + of(Place::Anywhere) + of(Place::Children);
    let told: Vec<String> =
        places.iter().map(|(place, uses)| told(*place, shares[place], uses)).collect();
    Some(
        Judgement::new(
            step(worst, OTHERS).max(Severity::Note),
            format!("used {}", told.join(", ")),
        )
        .means("windows on these CPUs wait while others run, and share caches with them")
        .remedy(remedy(&greatest, &activity.cpus)),
    )
}

/// Where others ran.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// On a CPU that is measured.
    Ours(u32),
    /// On another CPU.
    Elsewhere(u32),
    /// In several threads, which may run anywhere.
    Anywhere,
    /// As children that have ended since, which may have run anywhere.
    Children,
}

/// The processes that matter, each as often as it is listed: it may have run on several CPUs.
fn greatest<'a>(activity: &Activity, processes: &'a [Use]) -> Vec<&'a Use> {
    let mut totals: BTreeMap<u32, u64> = BTreeMap::new();
    for used in processes {
        let total = totals.entry(used.pid).or_default();
        *total = total.saturating_add(used.total());
    }
    let mut pids: Vec<(u32, u64)> = totals.into_iter().collect();
    pids.retain(|(_, ticks)| activity.share(*ticks) >= OTHERS[0]);
    pids.sort_by_key(|(pid, ticks)| (std::cmp::Reverse(*ticks), *pid));
    pids.truncate(MOST_TOLD);
    let matters = |used: &&Use| pids.iter().any(|(pid, _)| *pid == used.pid);
    processes.iter().filter(matters).collect()
}

/// `46 % of CPU 0 (yes, pid 123: 31 s)`.
fn told(place: Place, share: f64, uses: &[(&Use, u64)]) -> String {
    // Ticks of many processes are rounded each for itself: in a short time they can add up to more than all.
    let is_one_cpu = matches!(place, Place::Ours(_) | Place::Elsewhere(_));
    let share = percent(if is_one_cpu { share.min(1.0) } else { share });
    let place = match place {
        Place::Ours(cpu) => format!("of CPU {cpu}"),
        Place::Elsewhere(cpu) => format!("of CPU {cpu}, which is not measured"),
        Place::Anywhere => "of a CPU in several threads".to_owned(),
        Place::Children => "of a CPU by children that ended".to_owned(),
    };
    let each = |(used, ticks): &(&Use, u64)| {
        let seconds = *ticks as f64 / TICKS_PER_S;
        let decimals = usize::from(seconds < 9.95);
        format!("{}, pid {}: {seconds:.decimals$} s", used.command, used.pid)
    };
    format!("{share} {place} ({})", uses.iter().map(each).collect::<Vec<_>>().join("; "))
}

/// How to be rid of them: by stopping them, or on CPUs where they are not.
///
/// Who only waited for children, a shell or the first process, say, is not to be stopped: it may be our own
/// parent.
fn remedy(processes: &[&Use], ours: &[u32]) -> String {
    let is_at_it = |used: &&&Use| used.ticks > 0 && used.pid != INIT;
    let pids: BTreeSet<u32> = processes.iter().filter(is_at_it).map(|used| used.pid).collect();
    if pids.is_empty() {
        return "find out what starts them, and let it wait while you measure".to_owned();
    }
    let pids = pids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let stop = format!(
        "end them, or pause them while you measure: kill -STOP {pids}; then kill -CONT {pids}"
    );
    let moves = |used: &&&Use| used.cpu.is_none() || used.ended_ticks > 0;
    let taken: BTreeSet<Option<u32>> = processes.iter().map(|used| used.cpu).collect();
    let free: Vec<String> =
        ours.iter().filter(|cpu| !taken.contains(&Some(**cpu))).map(ToString::to_string).collect();
    if processes.iter().any(|used| moves(&used)) || free.is_empty() || free.len() == ours.len() {
        return stop;
    }
    format!("{stop}. Or measure elsewhere: sizeup run --cpus {}", free.join(","))
}

/// Shares of the CPUs' time.
const UNSEEN: [f64; 3] = [0.03, 0.08, 0.3];

pub(super) fn unseen(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let (Some(elapsed), Some(_)) = (activity.elapsed, &activity.processes) else {
        return Some(Judgement::unknown("/proc does not tell who is busy"));
    };
    if activity.seconds() < LEAST_SECONDS {
        return Some(Judgement::unknown(TOO_SHORT));
    }
    let known = activity.own_ticks.saturating_add(activity.others_ticks);
    let unseen = elapsed.busy.saturating_sub(known);
    let share = unseen as f64 / elapsed.total.max(1) as f64;
    Some(
        Judgement::new(
            step(share, UNSEEN),
            format!("{} of the CPUs' time is nobody's that can be seen", percent(share)),
        )
        .means(
            "it goes to processes outside of this container or of other users, to interrupts, or to \
             processes that came and went",
        )
        .remedy("look from outside of the container, as root: `top`"),
    )
}
