//! Events while a run measured, thinned out to the resolution of a picture.

use estimate::RunEstimate;
use record::Run;
use serde::Serialize;
use std::collections::BTreeMap;

/// A picture shows no more points than this.
pub(super) const MOST_POINTS: usize = 240;

/// A kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum EventKind {
    /// A worker was ready.
    Launch,
    /// A sample was not the workload's own.
    Disturbed,
    /// The run was gone on with after it had ended early.
    Resume,
}

/// Events of one kind, of a run's last clock.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Events {
    kind: EventKind,
    /// The cause of disturbed samples; empty for other kinds.
    what: String,
    /// Seconds since the first that is known of the run, and how many events there were about then.
    at: Vec<(f64, usize)>,
}

/// Kind and what it was → when, in ns.
pub(super) type Times = BTreeMap<(EventKind, String), Vec<u64>>;

/// When what happened. Where a run's clock started anew, only what followed is told.
pub(super) fn times(run: &Run, estimate: &RunEstimate) -> Times {
    let mut all = Times::new();
    let from = &run.last_clock;
    let launches = run.launches[from.launches..].iter().map(|launch| launch.at_ns);
    all.insert((EventKind::Launch, String::new()), launches.collect());
    let resumes = run.resumes[from.resumes..].iter().map(|resume| resume.at_ns);
    all.insert((EventKind::Resume, String::new()), resumes.collect());
    for (sample, look) in estimate.in_order(run).skip(from.samples) {
        for disturbance in look.iter().flat_map(|look| &look.disturbances) {
            let what = (EventKind::Disturbed, disturbance.to_string());
            all.entry(what).or_default().push(sample.end_ns);
        }
    }
    all.retain(|_, times| !times.is_empty());
    all
}

/// Events over a time that starts and ends so, those that would overlap in a picture together.
pub(super) fn events(times: Times, start_ns: u64, end_ns: u64) -> Vec<Events> {
    let step_ns = end_ns.saturating_sub(start_ns).div_ceil(MOST_POINTS as u64).max(1);
    let of_kind = |((kind, what), times): ((EventKind, String), Vec<u64>)| {
        let mut at: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
        for time_ns in times {
            let since_ns = time_ns.saturating_sub(start_ns);
            at.entry(since_ns / step_ns).or_insert((since_ns, 0)).1 += 1;
        }
        // Finer than to a millisecond no picture shows.
        let seconds = |ns: u64| (ns / 1_000_000) as f64 / 1e3;
        Events {
            kind,
            what,
            at: at.into_values().map(|(ns, count)| (seconds(ns), count)).collect(),
        }
    };
    times.into_iter().map(of_kind).collect()
}
