//! How many hosts of each type are enough: how many more would settle which of two groups is faster, or that none would.
//!
//! A group's share of the error is the standard error of a mean over its hosts. Its variance is that between hosts (with what
//! runs differ by and what a run does not know of itself, as they weigh in a host's mean) over the number of hosts, times the
//! square of Student's t with one degree of freedom fewer than hosts. So it is known for any number of hosts, if further ones
//! differ as these do: components of variance (`spread.rs`), and the number of observations for an interval of a given width
//! as in NIST/SEMATECH, e-Handbook of Statistical Methods, 7.2.2.2, with t of the number that is looked for.

use super::group::Group;
use super::spread::RunToRunSpread;
use estimate::RunEffect;
use record::ThreadSpec;
use serde::Serialize;
use stats::{Interval, mean, student_quantile};
use verdict::EQUIVALENT;

/// More hosts of a type are not proposed.
pub const MOST_HOSTS: usize = 100;
/// Runs that are longer by more than this are not proposed.
const LONGEST_TIMES: f64 = 100.0;
/// Halvings of the factor by which runs get longer: it is known to 0.1 %.
const HALVINGS: usize = 14;
const SECONDS_PER_MINUTE: f64 = 60.0;

/// Hosts needed to settle which of two groups is faster, if the ratio stays as it is.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "answer")]
pub enum HostsToDecide {
    /// Nothing: the interval excludes 1.
    Settled,
    /// Nothing: the whole interval is within 1 % of 1, so the two are the same.
    Same,
    /// More hosts would show which is faster.
    Hosts(MoreHosts),
    /// The ratio is within 1 % of 1: more hosts would show that the two are the same within that, and no number would show more.
    SameWithHosts(MoreHosts),
    /// More hosts than 100 of each type.
    TooMany,
    /// How hosts of these groups differ is unknown, for they have one each.
    OneHost {
        /// The groups.
        labels: Vec<String>,
    },
}

/// More hosts of each type, measured as those were that there are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MoreHosts {
    /// Hosts that each type then has at least.
    pub hosts_each: usize,
    /// More of the baseline.
    pub baseline_more: usize,
    /// More of the other.
    pub other_more: usize,
    /// The margin of the ratio that they would give.
    pub margin: f64,
    /// Minutes of each run that would do as well on the hosts that there are; `None` if longer runs would not.
    pub minutes_each: Option<f64>,
}

impl HostsToDecide {
    /// Takes the ratio and the margin of each group's mean. `None` if each group has a single run, and without an interval over
    /// hosts that share rows.
    pub(super) fn of(
        (baseline, other): (&Group, &Group),
        threads: ThreadSpec,
        ratio: &Interval,
        run_effects: (RunEffect, RunEffect),
    ) -> Option<Self> {
        if baseline.runs.len() + other.runs.len() == 2 {
            return None;
        }
        let of_one_host = [baseline, other].into_iter().filter(|group| group.counted_hosts() == 1);
        let labels: Vec<String> = of_one_host.map(|group| group.label.clone()).collect();
        if !labels.is_empty() {
            return Some(Self::OneHost { labels });
        }
        if !ratio.is_known() {
            return None;
        }
        let baseline = HostSample::of(baseline, threads, run_effects.0);
        let other = HostSample::of(other, threads, run_effects.1);
        Some(Self::of_sides(&baseline, &other, ratio))
    }

    fn of_sides(baseline: &HostSample, other: &HostSample, ratio: &Interval) -> Self {
        let (off, equivalent) = (ratio.centre.ln().abs(), EQUIVALENT.ln_1p());
        if ratio.margin() < off {
            return Self::Settled;
        }
        if off + ratio.margin() <= equivalent {
            return Self::Same;
        }
        let (allowed, answer): (f64, fn(MoreHosts) -> Self) = match off < equivalent {
            true => (equivalent - off, Self::SameWithHosts),
            false => (off, Self::Hosts),
        };
        MoreHosts::of(baseline, other, allowed).map_or(Self::TooMany, answer)
    }
}

impl MoreHosts {
    /// The fewest that bring the margin below what is allowed.
    fn of(baseline: &HostSample, other: &HostSample, allowed: f64) -> Option<Self> {
        let margin = |hosts: usize| baseline.on(hosts).and(&other.on(hosts)).margin;
        let fewest = baseline.hosts.min(other.hosts);
        let hosts_each = (fewest + 1..=MOST_HOSTS).find(|hosts| margin(*hosts) < allowed)?;
        Some(Self {
            hosts_each,
            baseline_more: hosts_each.saturating_sub(baseline.hosts),
            other_more: hosts_each.saturating_sub(other.hosts),
            margin: margin(hosts_each),
            minutes_each: minutes(baseline, other, allowed),
        })
    }
}

/// The least minutes of each run on the same hosts.
fn minutes(baseline: &HostSample, other: &HostSample, allowed: f64) -> Option<f64> {
    let is_enough = |times: f64| baseline.longer(times).and(&other.longer(times)).margin < allowed;
    let now = baseline.minutes?.max(other.minutes?);
    if !is_enough(LONGEST_TIMES) {
        return None;
    }
    let (mut low, mut high) = (1.0_f64, LONGEST_TIMES);
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if is_enough(middle) { high = middle } else { low = middle }
    }
    Some(now * high)
}

/// A group as far as its share of the error goes.
#[derive(Debug, Clone, Copy)]
struct HostSample {
    hosts: usize,
    now: RunEffect,
    /// Share of the variance of a host's mean that longer runs would reduce, 0 … 1.
    within: f64,
    /// Mean duration of a run; `None` if it is not known.
    minutes: Option<f64>,
}

impl HostSample {
    fn of(group: &Group, threads: ThreadSpec, now: RunEffect) -> Self {
        let spreads = group.spreads().into_iter().filter(|spread| spread.threads == threads);
        let apart = spreads
            .max_by_key(|spread| (spread.apart.hosts, spread.rows))
            .map(|spread| spread.apart);
        let spent: Option<Vec<f64>> = group.runs.iter().map(|run| run.spent_s).collect();
        let minutes = spent.map(|of_runs| mean(&of_runs) / SECONDS_PER_MINUTE);
        let within = apart.map_or(0.0, |apart| within_share(&apart));
        Self { hosts: group.counted_hosts(), now, within, minutes }
    }

    fn standard_error(&self) -> f64 {
        self.now.margin / student_quantile(self.now.freedom, 0.95)
    }

    /// How far the mean would be off on so many hosts, or on those that there are if they are more.
    fn on(&self, hosts: usize) -> RunEffect {
        let hosts = hosts.max(self.hosts);
        let freedom = self.now.freedom + (hosts - self.hosts) as f64;
        let fewer = (self.hosts as f64 / hosts as f64).sqrt();
        RunEffect {
            margin: student_quantile(freedom, 0.95) * self.standard_error() * fewer,
            freedom,
        }
    }

    /// How far it would be off with runs so many times as long.
    fn longer(&self, times: f64) -> RunEffect {
        self.now.scaled((1.0 - self.within + self.within / times).sqrt())
    }
}

/// Share of the variance within runs: more runs per host, or longer ones, average it out.
fn within_share(apart: &RunToRunSpread) -> f64 {
    let variance = |deviation: Option<f64>| deviation.unwrap_or_default().powi(2);
    let runs = apart.runs as f64 / apart.hosts as f64;
    let within = variance(apart.within_run) / runs;
    let all = variance(apart.between_hosts) + variance(apart.between_runs) / runs + within;
    if all > 0.0 { within / all } else { 0.0 }
}

#[cfg(test)]
mod tests;
