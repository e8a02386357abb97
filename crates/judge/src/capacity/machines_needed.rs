//! How many machines of a group carry a mix.
//!
//! Work is taken to add up: what takes a share of a machine alone takes the same beside other work. Caches, clocks and
//! memory are shared, so that this is an assumption. A run of the mix itself measures what it takes beyond that.

use crate::compare::{Contention, Group, MustMatch, Pair, RowKey};
use catalog::{Mix, Rate, Unit};
use estimate::ViewKind;
use serde::Serialize;
use stats::Interval;

/// Hours of a month: a twelfth of 365 days.
const HOURS_PER_MONTH: f64 = 730.0;

/// Bound on the relative error of a logarithm and its exponential.
const ROUNDING: f64 = 1e-9;
/// Nobody has more: something is wrong.
const MOST_MACHINES: u64 = 1_000_000_000;

/// Machines that carry a mix.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct MachinesNeeded {
    /// The group.
    pub label: String,
    /// The view of the rows it is computed from.
    pub view: ViewKind,
    /// Rows that lack an uncontended figure; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Needs of the demands, in the mix's order.
    pub needs: Vec<Need>,
    /// Machines' time that all demands take together: 2.5 is two machines and a half, wholly used.
    pub load: Interval,
    /// The load of the mix when it is measured as one ÷ the sum of its parts' loads; a factor of `load`. `None` where that was not
    /// measured.
    pub together: Option<Interval>,
    /// Machines, with spares.
    pub machines: u64,
    /// If the machines are as fast as the interval's better end says, and as slow as its worse; `None` where that is not
    /// known.
    pub machines_range: Option<(u64, u64)>,
    /// The demand that takes most.
    pub binds: String,
    /// Monthly cost of the machines, in the price's currency.
    pub cost_per_month: Option<f64>,
    /// Watts of the machines, spares included, if they are rated.
    pub watts: Option<f64>,
}

/// Machines needed for one demand of a mix.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Need {
    /// The workload.
    pub workload: String,
    /// How much of it.
    pub rate: Rate,
    /// Unit counted per second.
    pub unit: Unit,
    /// Throughput of one machine with all its threads.
    pub capacity: Interval,
    /// Machines' time that it takes.
    pub load: Interval,
    /// Its share of all.
    pub share: f64,
}

/// The machines of a group that carry a mix, at a price an hour and rated watts if they are known.
///
/// # Errors
/// When a demand can't be turned into a share of a machine: with what is missing.
pub fn machines_needed(
    group: &Group,
    mix: &Mix,
    price_per_hour: Option<f64>,
    watts: Option<f64>,
) -> Result<MachinesNeeded, String> {
    if group.view == ViewKind::PerGhz {
        return Err("capacity needs ops/s: choose --view uncontended or delivered".to_owned());
    }
    let mut needs = Vec::new();
    let (mut own_squares, mut shared) = (0.0, 0.0_f64);
    for demand in &mix.demands {
        let missing = |what: &str| format!("{}: {}: {what}", group.label, demand.workload);
        let key = RowKey::of_demand(demand);
        let row = group.find(&key).ok_or_else(|| missing("was not measured on all threads"))?;
        let view = group.rows[row].view.ok_or_else(|| missing(&group.why_no_figure(row)))?;
        let figure = group.first_figure(row).ok_or_else(|| missing("no run measured it"))?;
        let rate = demand.rate.ok_or_else(|| missing("has no rate"))?;
        let per_s = rate.per_s(&figure.unit, figure.bytes_per_op).map_err(missing)?;
        let one = Interval::exact(per_s);
        let load = one.ratio_to(&view.interval);
        own_squares += (load.centre * view.own.margin()).powi(2);
        shared = shared.max(view.run_effect.margin);
        let (workload, unit) = (demand.workload.clone(), figure.unit.clone());
        needs.push(Need { workload, rate, unit, capacity: view.interval, load, share: 0.0 });
    }
    let load: f64 = needs.iter().map(|need| need.load.centre).sum();
    needs.iter_mut().for_each(|need| need.share = need.load.centre / load);
    // Rows err by themselves, and all together as the machine's run effect does.
    let margin = (own_squares.sqrt() / load).hypot(shared);
    let freedom = needs.iter().map(|need| need.load.freedom).fold(f64::INFINITY, f64::min);
    let load = Interval::around(load, margin, freedom);
    let together = together(group, mix);
    let load = together.map_or(load, |together| load.times(&together));
    let machines = |load: f64| {
        // Ten machines' load may come out as a little more than ten.
        let needed = (load / mix.utilisation * (1.0 - ROUNDING)).ceil().max(1.0) as u64;
        needed.saturating_add(u64::from(mix.spares))
    };
    let count = machines(load.centre);
    if count > MOST_MACHINES {
        return Err(format!(
            "{}: the mix needs {:.1e} machines. Check its rates",
            group.label, load.centre
        ));
    }
    let binds = needs.iter().max_by(|a, b| a.share.total_cmp(&b.share));
    Ok(MachinesNeeded {
        label: group.label.clone(),
        view: group.view,
        contention: group.contention.clone(),
        binds: binds.map_or_else(String::new, |need| need.workload.clone()),
        needs,
        load,
        together,
        machines: count,
        machines_range: load.high.is_finite().then(|| (machines(load.low), machines(load.high))),
        cost_per_month: price_per_hour.map(|price| price * HOURS_PER_MONTH * count as f64),
        watts: watts.map(|watts| watts * count as f64),
    })
}

/// Whether the demanded rows of all groups are the same work, as far as it is not allowed to differ.
///
/// # Errors
/// The first difference that is not.
pub fn check_same_work(groups: &[Group], mix: &Mix, allow: &[MustMatch]) -> Result<(), String> {
    let Some((first, others)) = groups.split_first() else { return Ok(()) };
    for demand in &mix.demands {
        let key = RowKey::of_demand(demand);
        let Some(first_row) = first.find(&key) else { continue };
        let within = first.rows[first_row].differences.iter().cloned().map(|found| (first, found));
        let between = others.iter().flat_map(|other| {
            let found = Pair::of(first, other, &key, allow).differences;
            found.into_iter().map(move |found| (other, found))
        });
        let mut all = within.chain(between);
        if let Some((group, found)) = all.find(|(_, found)| !allow.contains(&found.kind)) {
            let (label, workload) = (&group.label, &demand.workload);
            let remedy = match found.kind {
                MustMatch::Unit => String::new(),
                kind => format!("; --allow {kind}"),
            };
            return Err(format!("{label}: {workload} is not comparable, {found}{remedy}"));
        }
    }
    Ok(())
}

/// Cost of running the mix, or a multiple of it, together over its parts alone; pooled over the runs that measured it.
fn together(group: &Group, mix: &Mix) -> Option<Interval> {
    group.pooled(|run| {
        let together = group.runs[run].together.as_ref();
        together.filter(|together| mix.is_multiple_of(&together.mix))?.factor
    })
}
