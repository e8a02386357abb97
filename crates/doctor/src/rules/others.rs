//! Other users of the CPUs.

use super::{Judgement, Severity, percent, step};
use crate::Evidence;
use machine::{Fact, TICKS_PER_S, Use};
use record::Activity;
use std::collections::{BTreeMap, BTreeSet};

/// Below this load, no task wanted to run for most of the minute.
const IDLE_LOAD: f64 = 0.5;

pub(super) fn load(evidence: &Evidence) -> Option<Judgement> {
    let load = match &evidence.moment.as_ref()?.load {
        Fact::Known(load) => load,
        Fact::NotAvailable(reason) => return Some(Judgement::unknown(reason)),
    };
    let on = match evidence.machine.limits.online_cpus.len() {
        0 => String::new(),
        cpus => format!(" on {cpus} CPUs"),
    };
    let seen = format!("load average {:.2}{on} over the last minute", load.one_minute);
    let severity = if load.one_minute < IDLE_LOAD { Severity::Fine } else { Severity::Note };
    Some(
        Judgement::new(severity, seen)
            .means(
                "other tasks were running or waiting for a disk, unless this was your own last run",
            )
            .remedy(
                "`top` shows which processes are busy; the finding `others` lists those busy now",
            ),
    )
}

/// In less time than this, a single tick weighs too much.
const LEAST_SECONDS: f64 = 4.0;
const TOO_SHORT: &str = "observed for less than 4 s";

/// Shares of the CPUs' time.
const STEAL: [f64; 3] = [0.005, 0.02, 0.2];

pub(super) fn steal(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let Some(elapsed) = activity.elapsed else {
        return Some(Judgement::unknown("/proc/stat does not report steal"));
    };
    if activity.seconds() < LEAST_SECONDS {
        return Some(Judgement::unknown(TOO_SHORT));
    }
    let share = elapsed.steal_share().unwrap_or(0.0);
    Some(
        Judgement::new(
            step(share, STEAL),
            format!("the hypervisor took {} of CPU time", percent(share)),
        )
        .means("the hypervisor ran other guests while sizeup had work: the host is oversubscribed")
        .remedy("use a less busy host, or an instance type with dedicated CPUs"),
    )
}

/// Shares of one CPU.
const OTHERS: [f64; 3] = [0.01, 0.05, 0.25];
/// The ancestor of all processes.
const INIT: u32 = 1;
/// Share of one CPU from which on a process is named with it: less is 0.0 %.
const LEAST_NAMED: f64 = 0.0005;
/// Shells, one of which may be the reader's, and sizeup itself: nobody is told to stop them.
const NOT_STOPPED: [&str; 9] =
    ["bash", "dash", "fish", "ksh", "sh", "sizeup", "tcsh", "tmux: server", "zsh"];
/// At most this many processes are listed, the busiest.
const MOST_LISTED: usize = 5;

pub(super) fn others(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let Some(processes) = &activity.processes else {
        return Some(Judgement::unknown("/proc lists no processes"));
    };
    let greatest = greatest(activity, processes);
    if greatest.is_empty() {
        let all = percent(activity.share(activity.others_ticks));
        return Some(Judgement::fine(format!("no process used 1 % of a CPU; {all} in total")));
    }
    let mut places: BTreeMap<Place, Vec<(&Use, u64)>> = BTreeMap::new();
    for used in &greatest {
        let place = match used.cpu {
            Some(cpu) if activity.cpus.contains(&cpu) => Place::Measured(cpu),
            Some(cpu) => Place::Elsewhere(cpu),
            None => Place::Anywhere,
        };
        for (place, ticks) in [(place, used.ticks), (Place::Children, used.ended_ticks)] {
            if activity.share(ticks) >= LEAST_NAMED {
                places.entry(place).or_default().push((used, ticks));
            }
        }
    }
    if places.is_empty() {
        return Some(Judgement::fine("no process used 0.1 % of one CPU".to_owned()));
    }
    let shares: BTreeMap<Place, f64> = places
        .iter()
        .map(|(place, uses)| {
            let ticks = uses.iter().map(|(_, ticks)| *ticks).fold(0, u64::saturating_add);
            (*place, activity.share(ticks))
        })
        .collect();
    // On CPUs that are not measured they take no time from samples, but may share cores and heat the same chip.
    let is_measured = |place: &Place| matches!(place, Place::Measured(_));
    let share_at = |place| shares.get(&place).copied().unwrap_or(0.0);
    let on_measured =
        shares.iter().filter(|(place, _)| is_measured(place)).map(|(_, share)| *share);
    let worst =
        on_measured.fold(0.0, f64::max) + share_at(Place::Anywhere) + share_at(Place::Children);
    let uses: Vec<String> =
        places.iter().map(|(place, uses)| use_text(*place, shares[place], uses)).collect();
    Some(
        Judgement::new(
            step(worst, OTHERS).max(Severity::Note),
            format!("other processes used {}", uses.join(", ")),
        )
        .means("samples on these CPUs wait while these processes run, and share caches with them")
        .remedy(remedy(&greatest, activity)),
    )
}

/// Where other processes ran.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// On a measured CPU.
    Measured(u32),
    /// On a CPU that is not measured.
    Elsewhere(u32),
    /// In several threads, which may run anywhere.
    Anywhere,
    /// As children that have since ended, which may have run anywhere.
    Children,
}

/// The processes that matter. One that ran on several CPUs is listed once for each.
fn greatest<'a>(activity: &Activity, processes: &'a [Use]) -> Vec<&'a Use> {
    let mut totals: BTreeMap<u32, u64> = BTreeMap::new();
    for used in processes {
        let total = totals.entry(used.pid).or_default();
        *total = total.saturating_add(used.total());
    }
    let mut pids: Vec<(u32, u64)> = totals.into_iter().collect();
    pids.retain(|(_, ticks)| activity.share(*ticks) >= OTHERS[0]);
    pids.sort_by_key(|(pid, ticks)| (std::cmp::Reverse(*ticks), *pid));
    pids.truncate(MOST_LISTED);
    let matters = |used: &&Use| pids.iter().any(|(pid, _)| *pid == used.pid);
    processes.iter().filter(matters).collect()
}

/// `46 % of CPU 0 (yes, pid 123: 31 s)`.
fn use_text(place: Place, share: f64, uses: &[(&Use, u64)]) -> String {
    // Ticks are rounded per process: in a short time they can add up to more than 100 % of a CPU.
    let is_one_cpu = matches!(place, Place::Measured(_) | Place::Elsewhere(_));
    let share = if is_one_cpu { share.min(1.0) } else { share };
    let place = match place {
        Place::Measured(cpu) => format!("{} of CPU {cpu}", percent(share)),
        Place::Elsewhere(cpu) => format!("{} of CPU {cpu}, which is not measured", percent(share)),
        Place::Anywhere => format!("{} in several threads", cpus(share)),
        Place::Children => format!("{} in child processes that ended", cpus(share)),
    };
    let each = |(used, ticks): &(&Use, u64)| {
        let seconds = *ticks as f64 / TICKS_PER_S;
        let decimals = usize::from(seconds < 9.95);
        format!("{}, pid {}: {seconds:.decimals$} s", used.command, used.pid)
    };
    format!("{place} ({})", uses.iter().map(each).collect::<Vec<_>>().join("; "))
}

/// `1.3 CPUs`, or `4.0 % of a CPU` where it is little.
fn cpus(share: f64) -> String {
    if share < 0.1 { format!("{} of a CPU", percent(share)) } else { format!("{share:.1} CPUs") }
}

/// How to avoid them: stop them, or measure on CPUs where they do not run.
///
/// A process that did next to nothing but wait for children, a shell, init or another sizeup must not be stopped: it may be our
/// own parent.
fn remedy(processes: &[&Use], activity: &Activity) -> String {
    let measured = &activity.cpus;
    let mut own: BTreeMap<u32, u64> = BTreeMap::new();
    let is_stopped =
        |used: &&&Use| used.pid != INIT && !NOT_STOPPED.contains(&used.command.as_str());
    for used in processes.iter().filter(is_stopped) {
        let ticks = own.entry(used.pid).or_default();
        *ticks = ticks.saturating_add(used.ticks);
    }
    own.retain(|_, ticks| activity.share(*ticks) >= OTHERS[0]);
    let pids: Vec<u32> = own.into_keys().collect();
    if pids.is_empty() {
        return match processes.iter().any(|used| used.command == "sizeup") {
            true => "another sizeup measures here: wait until it is done".to_owned(),
            false => "find what starts them, and stop it while you measure".to_owned(),
        };
    }
    let pids = pids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let stop = format!(
        "end them, or pause them while you measure: kill -STOP {pids}; then kill -CONT {pids}"
    );
    let moves = |used: &&&Use| used.cpu.is_none() || used.ended_ticks > 0;
    let taken: BTreeSet<Option<u32>> = processes.iter().map(|used| used.cpu).collect();
    let free: Vec<String> = measured
        .iter()
        .filter(|cpu| !taken.contains(&Some(**cpu)))
        .map(ToString::to_string)
        .collect();
    if processes.iter().any(|used| moves(&used)) || free.is_empty() || free.len() == measured.len()
    {
        return stop;
    }
    format!("{stop}. Or measure on other CPUs: sizeup run --cpus {}", free.join(","))
}

/// Shares of the CPUs' time.
const UNSEEN: [f64; 3] = [0.03, 0.08, 0.3];

pub(super) fn unseen(evidence: &Evidence) -> Option<Judgement> {
    let activity = evidence.activity.as_ref()?;
    let (Some(elapsed), Some(_)) = (activity.elapsed, &activity.processes) else {
        return Some(Judgement::unknown("/proc does not report which processes are busy"));
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
            format!("processes not visible here used {} of CPU time", percent(share)),
        )
        .means(
            "processes outside this container, hidden processes of other users, interrupts or short-lived \
             processes take CPU time from samples",
        )
        .remedy("run `top` as root outside the container"),
    )
}
